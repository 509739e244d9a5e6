// The arithmetic of a net for one instruction set, which PATCHPIE_ISA names; see inference.hpp.
//
// This file uses no templates of the standard library, because the linker would keep one copy of
// them for all instruction sets.
#include "nn/inference.hpp"

#include "nn/integer_vectors.hpp"
#include "nn/packing.hpp"
#if defined(PATCHPIE_TILES)
#include "nn/tiles.hpp"
#endif

namespace patchpie::PATCHPIE_ISA {
namespace {

// A tile is the points and outputs that are summed together: some points of a row, or of two rows.
// Its sums fill most registers and leave some for weights and activations. Short sums take as many
// registers again.
#if defined(__AVX512BW__)
constexpr int most_vectors = 2;
constexpr int rows_of(int vectors) { return vectors == 1 ? 2 : 1; }
#if defined(PATCHPIE_SHORT_SUMS)
constexpr int most_points = 7;
#else
constexpr int most_points = 12;
#endif
#elif defined(__AVX2__)
constexpr int most_vectors = 2;
constexpr int rows_of(int) { return 1; }
#if defined(PATCHPIE_SHORT_SUMS)
constexpr int most_points = 3;
#else
constexpr int most_points = 6;
#endif
#elif defined(__aarch64__)
constexpr int most_vectors = 4, most_points = 6;
constexpr int rows_of(int) { return 1; }
#else
constexpr int most_vectors = 4, most_points = 2;
constexpr int rows_of(int) { return 1; }
#endif

constexpr int smaller(int a, int b) { return a < b ? a : b; }
Floats floats_at(float const* numbers) { return *reinterpret_cast<Floats const*>(numbers); }
Ints vector_at(Weight const* weights) { return *reinterpret_cast<Ints const*>(weights); }
void store(Floats from, float* numbers) { *reinterpret_cast<Floats*>(numbers) = from; }

struct Layers {
    Cursor<std::byte const*> packed;

    float const* floats(int count) { return array_at<float>(packed.floats(count)); }
    RoundedLayer rounded(int taps, int inputs, int outputs) {
        Weight const* const weights = array_at<Weight>(packed.weights(taps, inputs, outputs));
        float const* const units = floats(outputs);
        return {weights, units, floats(outputs)};
    }
};

// A board with a border of one point and `channels` activations for each point.
template <int channels> struct Grid {
    Activation* numbers;
    int size;

    int row() const { return (size + 2) * channels; }
    // The activations of a point; -1 and `size` are the border.
    Activation* at(int column, int line) const {
        return numbers + (column + 1) * row() + (line + 1) * channels;
    }
};

// How many groups of inputs are summed together in 16 bits. A row has equal parts of so many groups.
constexpr int summed_together([[maybe_unused]] int groups, [[maybe_unused]] int taps) {
#if defined(PATCHPIE_SHORT_SUMS)
    for (int count = 32767 / (2 * 127 * highest_weight(taps)); count > 1; --count) {
        if (groups % count == 0) return count;
    }
#endif
    return 1;
}

// A layer over the 3 x 3 points around each point (reach 3), or over each point alone (reach 1).
template <int inputs, int outputs, int reach> struct Convolution {
    static constexpr int vectors = smaller(outputs / width, most_vectors);
    static constexpr int most_rows = rows_of(vectors);
    static constexpr int together = summed_together(reach * inputs / group, reach * reach);
    using Sums = Ints[static_cast<unsigned>(most_rows * most_points)]
                     [static_cast<unsigned>(vectors)];

    // Sums a tile. `from` is the first input of its first point; a row has `row` inputs.
    template <int rows, int points>
    static void sum(Weight const* weights, Activation const* from, int row, Sums& out) {
        constexpr int run = reach * inputs, next = outputs * group;
        Ints sums[static_cast<unsigned>(rows * points)][static_cast<unsigned>(vectors)] = {};
        for (int i = 0; i < reach; ++i, from += row) {
            for (int c = 0; c < run; c += together * group, weights += together * next) {
                // Calls each(point, vector, activations, weights) for each sum.
                auto const each_sum = [&](int g, auto&& each) {
                    for (int r = 0; r < rows; ++r) {
                        for (int p = 0; p < points; ++p) {
                            Activation const* const there =
                                from + r * row + p * inputs + c + g * group;
                            for (int k = 0; k < vectors; ++k) {
                                each(r * points + p, k, spread(there),
                                     vector_at(weights + g * next + k * width * group));
                            }
                        }
                    }
                };
#if defined(PATCHPIE_SHORT_SUMS)
                Shorts parts[static_cast<unsigned>(rows * points)]
                            [static_cast<unsigned>(vectors)] = {};
                for (int g = 0; g < together; ++g) {
                    each_sum(g, [&](int p, int k, Ints activations, Ints at) {
                        parts[p][k] = add_products(parts[p][k], activations, at);
                    });
                }
                for (int p = 0; p < rows * points; ++p) {
                    for (int k = 0; k < vectors; ++k) sums[p][k] += widened(parts[p][k]);
                }
#else
                each_sum(0, [&](int p, int k, Ints activations, Ints at) {
                    sums[p][k] = add_products(sums[p][k], activations, at);
                });
#endif
            }
        }
        for (int p = 0; p < rows * points; ++p) {
            for (int k = 0; k < vectors; ++k) out[p][k] = sums[p][k];
        }
    }
    template <int rows, int points>
    static void sum_some(int count, Weight const* weights, Activation const* from, int row,
                         Sums& out) {
        if constexpr (points > 0) {
            if (count == points) sum<rows, points>(weights, from, row, out);
            else sum_some<rows, points - 1>(count, weights, from, row, out);
        }
    }

    // Calls each(outputs, column, line, channel) with some outputs of each point, without a bias,
    // and the number of the first of these outputs.
#if defined(PATCHPIE_TILES)
    template <class F>
    static void apply(RoundedLayer const& layer, Grid<inputs> const& grid, F&& each) {
        using Tiles = TileProducts<inputs, outputs, reach>;
        int const size = grid.size, last = (size - 1) * (size + 2) + size;
        constexpr int before = reach == 3 ? 1 : 0;
        alignas(64) typename Tiles::Sums sums;
        Tiles::begin();
        for (int channel = 0; channel < outputs; channel += Tiles::vectors * width) {
            Weight const* const weights = layer.weights + channel * group;
            // The points of the board with those of the border between them.
            for (int at = 0, column = 0, line = 0; at < last; at += Tiles::most_points) {
                int const points = smaller(last - at, Tiles::most_points);
                Activation const* const from = grid.at(-before, -before) + at * inputs;
                Tiles::sum(points, weights, from, grid.row(), sums);
                for (int p = 0; p < points; ++p) {
                    for (int k = 0; k < Tiles::vectors && line < size; ++k) {
                        int const first = channel + k * width;
                        each(to_floats(sums[p][k]) * floats_at(layer.units + first), column, line,
                             first);
                    }
                    if (++line == size + 2) ++column, line = 0;
                }
            }
        }
        Tiles::end();
    }
#else
    template <class F>
    static void apply(RoundedLayer const& layer, Grid<inputs> const& grid, F&& each) {
        int const size = grid.size, tiles = (size + most_points - 1) / most_points;
        constexpr int before = reach == 3 ? 1 : 0;
        Sums sums;
        for (int channel = 0; channel < outputs; channel += vectors * width) {
            Weight const* const weights = layer.weights + channel * group;
            for (int column = 0, rows = 0; column < size; column += rows) {
                rows = smaller(most_rows, size - column);
                for (int t = 0, line = 0; t < tiles; ++t) {
                    int const points = size * (t + 1) / tiles - line;
                    Activation const* const from = grid.at(column - before, line - before);
                    if (rows == most_rows) {
                        sum_some<most_rows, most_points>(points, weights, from, grid.row(), sums);
                    } else {
                        sum_some<1, most_points>(points, weights, from, grid.row(), sums);
                    }
                    for (int p = 0; p < rows * points; ++p) {
                        for (int k = 0; k < vectors; ++k) {
                            int const first = channel + k * width;
                            each(to_floats(sums[p][k]) * floats_at(layer.units + first),
                                 column + p / points, line + p % points, first);
                        }
                    }
                    line += points;
                }
            }
        }
    }
#endif
};

// Rounds the inputs of all points. Padding gets any numbers: its weights are 0.
template <int channels>
void write_inputs(float const* points, int inputs, Grid<channels> const& grid) {
    // Whole vectors are written, so the last one may go beyond the inputs.
    constexpr int most = (largest_size * largest_size * most_inputs + width - 1) / width * width;
    alignas(64) Activation rounded[static_cast<unsigned>(most + channels)];
    int const count = grid.size * grid.size * inputs;
    for (int i = 0; i < count; i += width) {
        store(to_activations(floats_at(points + i) * (1 / input_unit)), rounded + i);
    }
    for (int i = count; i < count + channels; ++i) rounded[i] = 0;
    Activation const* from = rounded;
    for (int column = 0; column < grid.size; ++column) {
        for (int line = 0; line < grid.size; ++line, from += inputs) {
            Activation* const to = grid.at(column, line);
            for (int i = 0; i < channels; ++i) to[i] = from[i];
        }
    }
}

template <int channels> struct Arithmetic {
    static constexpr int parts = channels / width;

    // Adds the outputs of a layer for some inputs to the sums.
    static void add(float const* weights, float const* inputs, int count, float* sums) {
        Floats all[static_cast<unsigned>(parts)];
        for (int k = 0; k < parts; ++k) all[k] = floats_at(sums + k * width);
        for (int i = 0; i < count; ++i, weights += channels) {
            for (int k = 0; k < parts; ++k) all[k] += inputs[i] * floats_at(weights + k * width);
        }
        for (int k = 0; k < parts; ++k) store(all[k], sums + k * width);
    }

    // The mean and the maximum of each channel over the board (global pooling).
    struct Pool {
        Ints sum[static_cast<unsigned>(parts)]{}, most[static_cast<unsigned>(parts)]{};
        void add(Ints activations, int channel) {
            sum[channel / width] += activations;
            most[channel / width] = greater(most[channel / width], activations);
        }
        void write(int area, float* numbers) const {
            for (int k = 0; k < parts; ++k) {
                store(to_floats(sum[k]) * (activation_unit / static_cast<float>(area)),
                    numbers + k * width);
                store(to_floats(most[k]) * activation_unit, numbers + channels + k * width);
            }
        }
    };

    // The bias of a layer plus a dense layer of some numbers, in units of an activation.
    static void sum_bias(float const* bias, float const* weights, float const* numbers, int count,
                         float* sums) {
        for (int c = 0; c < channels; ++c) sums[c] = bias[c];
        add(weights, numbers, count, sums);
        for (int c = 0; c < channels; ++c) sums[c] *= 1 / activation_unit;
    }

    // The first layer, for boards whose points have so many inputs with padding.
    template <int inputs>
    static void begin(Layers& layers, Shape const& shape, float const* points,
                      float const* globals, std::byte* scratch, Grid<channels> const& grid,
                      Pool& pool) {
        Grid<inputs> const first{array_at<Activation>(scratch), grid.size};
        alignas(64) float bias[static_cast<unsigned>(channels)];
        write_inputs(points, shape.inputs, first);
        RoundedLayer const layer = layers.rounded(9, shape.inputs, channels);
        sum_bias(layer.bias, layers.floats(shape.globals * channels), globals, shape.globals, bias);
        Convolution<inputs, channels, 3>::apply(
            layer, first, [&](Floats out, int column, int line, int channel) {
                Ints const rounded = to_activations(out + floats_at(bias + channel));
                pool.add(rounded, channel);
                store(rounded, grid.at(column, line) + channel);
            });
    }

    static float infer(Shape const& shape, std::byte const* packed, int size, float const* points,
                       float const* globals, Scratch const& scratch, float* outputs) {
        using Hidden = Convolution<channels, channels, 3>;
        Layers layers{{packed}};
        Grid<channels> const grid{array_at<Activation>(scratch.grid), size};
        Grid<channels> const other{array_at<Activation>(scratch.other), size};
        alignas(64) float pooled[static_cast<unsigned>(2 * channels)];
        alignas(64) float bias[static_cast<unsigned>(channels)];

        Pool pool;
        int const inputs = padded(shape.inputs);
        auto const beginning = inputs == 8    ? begin<8>
                               : inputs == 12 ? begin<12>
                               : inputs == 16 ? begin<16>
                               : inputs == 20 ? begin<20>
                                              : begin<24>;
        beginning(layers, shape, points, globals, scratch.inputs, grid, pool);
        for (int block = 0; block < shape.blocks; ++block) {
            RoundedLayer const inner = layers.rounded(9, channels, channels);
            float const* const shared = layers.floats(2 * channels * channels);
            RoundedLayer const outer = layers.rounded(9, channels, channels);
            pool.write(size * size, pooled);
            sum_bias(inner.bias, shared, pooled, 2 * channels, bias);
            Hidden::apply(inner, grid, [&](Floats out, int column, int line, int channel) {
                store(to_activations(out + floats_at(bias + channel)),
                    other.at(column, line) + channel);
            });
            sum_bias(outer.bias, nullptr, nullptr, 0, bias);
            pool = Pool{};
            Hidden::apply(outer, other, [&](Floats out, int column, int line, int channel) {
                Activation* const there = grid.at(column, line) + channel;
                Ints const rounded = to_activations(out + floats_at(bias + channel) +
                                                    to_floats(load(there)));
                pool.add(rounded, channel);
                store(rounded, there);
            });
        }
        pool.write(size * size, pooled);
        RoundedLayer const hidden = layers.rounded(1, channels, channels);
        sum_bias(hidden.bias, layers.floats(2 * channels * channels), pooled, 2 * channels, bias);
        Convolution<channels, channels, 1>::apply(
            hidden, grid, [&](Floats out, int column, int line, int channel) {
                store(to_activations(out + floats_at(bias + channel)),
                    other.at(column, line) + channel);
            });
        RoundedLayer const last = layers.rounded(1, channels, outputs_of_point);
        Convolution<channels, outputs_of_point, 1>::apply(
            last, other, [&](Floats out, int column, int line, int channel) {
                store(out + floats_at(last.bias + channel),
                    outputs + (column * size + line) * outputs_of_point + channel);
            });
        return value_logit(layers, pooled);
    }

    static float value_logit(Layers& layers, float const* pooled) {
        alignas(64) float sums[static_cast<unsigned>(channels)];
        float const* const weights = layers.floats(2 * channels * channels);
        float const* const bias = layers.floats(channels);
        float const* const last_weights = layers.floats(channels);
        for (int c = 0; c < channels; ++c) sums[c] = bias[c];
        add(weights, pooled, 2 * channels, sums);
        float logit = *layers.floats(1);
        for (int c = 0; c < channels; ++c) {
            logit += (sums[c] > 0 ? sums[c] : 0) * last_weights[c];
        }
        return logit;
    }
};

float infer(Shape const& shape, std::byte const* packed, int size, float const* points,
            float const* globals, Scratch const& scratch, float* outputs) {
    auto const with = shape.channels == 16   ? Arithmetic<16>::infer
                      : shape.channels == 32 ? Arithmetic<32>::infer
                                             : Arithmetic<64>::infer;
    return with(shape, packed, size, points, globals, scratch, outputs);
}

#define PATCHPIE_NAME_OF(isa) #isa
#define PATCHPIE_NAME(isa) PATCHPIE_NAME_OF(isa)

}  // namespace

Isa const isa{PATCHPIE_NAME(PATCHPIE_ISA), pack, infer};

}  // namespace patchpie::PATCHPIE_ISA
