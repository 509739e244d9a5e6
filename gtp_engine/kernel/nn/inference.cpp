// The arithmetic of a net for one instruction set, which PATCHPIE_ISA names; see inference.hpp.
//
// This file uses no templates of the standard library, because the linker would keep one copy of
// them for all instruction sets. The compiler may fuse multiplications and additions, so the last
// digits depend on the processor.
#include "nn/inference.hpp"

#include <math.h>

namespace patchpie::PATCHPIE_ISA {
namespace {

// A vector is as wide as a register, because the compiler splits wider vectors badly. A tile is
// the points and channels that are summed together. It fills most registers and leaves some for
// weights and inputs.
#if defined(__AVX512F__)
constexpr int width = 16, most_vectors = 2;
constexpr int points_of(int vectors) { return vectors == 1 ? 10 : 8; }
#elif defined(__AVX2__)
constexpr int width = 8, most_vectors = 2;
constexpr int points_of(int) { return 6; }
#elif defined(__aarch64__)
constexpr int width = 4, most_vectors = 4;
constexpr int points_of(int) { return 6; }
#else
constexpr int width = 4, most_vectors = 4;
constexpr int points_of(int) { return 3; }
#endif

using Vector = float __attribute__((vector_size(width * sizeof(float)), may_alias));

constexpr int smaller(int a, int b) { return a < b ? a : b; }

// Some channels of a point, or the same number of weights.
template <int vectors> struct Channels {
    static constexpr int count = vectors * width;
    Vector part[static_cast<unsigned>(vectors)];

    static Channels at(float const* numbers) {
        auto const* parts = reinterpret_cast<Vector const*>(numbers);
        Channels all;
        for (int k = 0; k < vectors; ++k) all.part[k] = parts[k];
        return all;
    }
    void put(float* numbers) const {
        auto* parts = reinterpret_cast<Vector*>(numbers);
        for (int k = 0; k < vectors; ++k) parts[k] = part[k];
    }
    void add(Channels const& other) {
        for (int k = 0; k < vectors; ++k) part[k] += other.part[k];
    }
    void add(float factor, Channels const& other) {
        for (int k = 0; k < vectors; ++k) part[k] += factor * other.part[k];
    }
    void keep_greater(Channels const& other) {
        for (int k = 0; k < vectors; ++k) {
            part[k] = part[k] > other.part[k] ? part[k] : other.part[k];
        }
    }
    void scale(float factor) {
        for (Vector& each : part) each *= factor;
    }
};

template <int vectors> Channels<vectors> positive(Channels<vectors> point) {
    point.keep_greater({});
    return point;
}

// A layer: the weights of all outputs for each input, then the biases.
struct Layer {
    float const* weights;
    float const* bias;
};

// Reads the numbers of the net in order.
struct Numbers {
    float const* next;
    float const* take(int count) {
        float const* const taken = next;
        next += count;
        return taken;
    }
    Layer layer(int inputs, int outputs) {
        float const* const weights = take(inputs * outputs);
        return {weights, take(outputs)};
    }
};

// A board with a border of one point and a fixed count of numbers for each point.
struct Grid {
    float* numbers;
    int size;
    int channels;

    int border() const { return size + 2; }
    int row() const { return border() * channels; }
    int without_border(int place) const {
        return (place / border() - 1) * size + place % border() - 1;
    }
    // The index of the next point on the board, counted with the border.
    int next(int place) const { return place % border() == size ? place + 3 : place + 1; }
};

// A layer over the 3 x 3 points around each point (reach 3), or over each point alone (reach 1).
template <int outputs, int reach> struct Convolution {
    static constexpr int vectors = smaller(outputs / width, most_vectors);
    static constexpr int tile = points_of(vectors);
    using Point = Channels<vectors>;

    // Sums a tile. `from` holds the address of the first input of each point. Each of `reach` rows
    // has `length` contiguous inputs.
    template <int points>
    static void sum(Layer const& layer, float const* const* from, int length, int row,
                    Point* out) {
        Point sums[static_cast<unsigned>(points)];
        for (int p = 0; p < points; ++p) sums[p] = Point::at(layer.bias);
        float const* weights = layer.weights;
        for (int i = 0; i < reach; ++i) {
            for (int c = i * row; c < i * row + length; ++c, weights += outputs) {
                Point const weight = Point::at(weights);
                for (int p = 0; p < points; ++p) sums[p].add(from[p][c], weight);
            }
        }
        for (int p = 0; p < points; ++p) out[p] = sums[p];
    }
    template <int points>
    static void sum_some(int count, Layer const& layer, float const* const* from, int length,
                         int row, Point* out) {
        if constexpr (points > 0) {
            if (count == points) sum<points>(layer, from, length, row, out);
            else sum_some<points - 1>(count, layer, from, length, row, out);
        }
    }

    // Calls each(point, place, channel) with some channels of each point, the index of the point
    // counted with the border, and the first of the channels.
    template <class F> static void apply(Layer layer, Grid const& grid, F&& each) {
        int const area = grid.size * grid.size, tiles = (area + tile - 1) / tile;
        int const before = reach == 3 ? grid.border() + 1 : 0;
        float const* from[static_cast<unsigned>(tile)];
        int places[static_cast<unsigned>(tile)];
        Point points[static_cast<unsigned>(tile)];
        for (int channel = 0; channel < outputs; channel += Point::count) {
            int place = grid.border() + 1;
            for (int t = 0, done = 0; t < tiles; ++t) {
                int const count = area * (t + 1) / tiles - done;
                done += count;
                for (int p = 0; p < count; ++p, place = grid.next(place)) {
                    places[p] = place;
                    from[p] = grid.numbers + (place - before) * grid.channels;
                }
                sum_some<tile>(count, layer, from, reach * grid.channels, grid.row(), points);
                for (int p = 0; p < count; ++p) each(points[p], places[p], channel);
            }
            layer.weights += Point::count;
            layer.bias += Point::count;
        }
    }
};

template <int channels> struct Arithmetic {
    static constexpr int vectors = smaller(channels / width, most_vectors);
    static constexpr int parts = channels / (vectors * width);
    using Point = Channels<vectors>;

    // Adds the outputs of a layer for some inputs to the sums.
    static void apply(float const* weights, float const* inputs, int count, float* sums) {
        for (int channel = 0; channel < channels; channel += Point::count) {
            Point sum = Point::at(sums + channel);
            for (int i = 0; i < count; ++i) {
                sum.add(inputs[i], Point::at(weights + i * channels + channel));
            }
            sum.put(sums + channel);
        }
    }
    static void apply(Layer const& layer, float const* inputs, int count, float* sums) {
        for (int c = 0; c < channels; ++c) sums[c] = layer.bias[c];
        apply(layer.weights, inputs, count, sums);
    }

    // The mean and the maximum of each channel over the board (global pooling).
    struct Pool {
        Point sum[static_cast<unsigned>(parts)]{}, most[static_cast<unsigned>(parts)]{};
        void add(Point const& point, int channel) {
            sum[channel / Point::count].add(point);
            most[channel / Point::count].keep_greater(point);
        }
        void write(int points, float* numbers) const {
            for (int k = 0; k < parts; ++k) {
                Point mean = sum[k];
                mean.scale(1.0F / static_cast<float>(points));
                mean.put(numbers + k * Point::count);
                most[k].put(numbers + channels + k * Point::count);
            }
        }
    };

    static float infer(Shape const& shape, float const* all, int size, float const* globals,
                       Scratch const& scratch, float* outputs) {
        Numbers numbers{all};
        Grid const first{scratch.first, size, shape.inputs};
        Grid const grid{scratch.grid, size, channels}, other{scratch.other, size, channels};
        alignas(64) float pooled[static_cast<unsigned>(2 * channels)];
        alignas(64) float added[static_cast<unsigned>(channels)] = {};

        Layer const beginning = numbers.layer(9 * shape.inputs, channels);
        apply(numbers.take(shape.globals * channels), globals, shape.globals, added);
        Convolution<channels, 3>::apply(beginning, first, [&](Point point, int place, int channel) {
            point.add(Point::at(added + channel));
            positive(point).put(grid.numbers + place * channels + channel);
        });
        Pool last;
        for (int block = 0; block < shape.blocks; ++block) {
            Layer const inner = numbers.layer(9 * channels, channels);
            Layer const shared = numbers.layer(2 * channels, channels);
            Layer const outer = numbers.layer(9 * channels, channels);
            Pool pool;
            Convolution<channels, 3>::apply(inner, grid, [&](Point point, int place, int channel) {
                point = positive(point);
                pool.add(point, channel);
                point.put(other.numbers + place * channels + channel);
            });
            pool.write(size * size, pooled);
            apply(shared, pooled, 2 * channels, added);
            for (int i = 1; i <= size; ++i) {
                for (int j = 1; j <= size; ++j) {
                    for (int channel = 0; channel < channels; channel += Point::count) {
                        float* const there =
                            other.numbers + (i * other.border() + j) * channels + channel;
                        Point point = Point::at(there);
                        point.add(Point::at(added + channel));
                        point.put(there);
                    }
                }
            }
            last = Pool{};
            Convolution<channels, 3>::apply(outer, other, [&](Point point, int place, int channel) {
                float* const there = grid.numbers + place * channels + channel;
                point.add(Point::at(there));
                point = positive(point);
                last.add(point, channel);
                point.put(there);
            });
        }
        Layer const hidden = numbers.layer(channels, channels);
        Layer const judging = numbers.layer(2 * channels, channels);
        Layer const last_of_point = numbers.layer(channels, outputs_of_point);
        Convolution<channels, 1>::apply(hidden, grid, [&](Point point, int place, int channel) {
            positive(point).put(other.numbers + place * channels + channel);
        });
        auto const write = [&](auto const& point, int place, int channel) {
            point.put(outputs + other.without_border(place) * outputs_of_point + channel);
        };
        Convolution<outputs_of_point, 1>::apply(last_of_point, other, write);
        last.write(size * size, pooled);
        apply(judging, pooled, 2 * channels, added);
        float const* const final_weights = numbers.take(channels);
        float value = *numbers.take(1);
        for (int c = 0; c < channels; ++c) {
            value += (added[c] > 0 ? added[c] : 0) * final_weights[c];
        }
        return 1 / (1 + expf(-value));
    }
};

}  // namespace

float infer(Shape const& shape, float const* numbers, int size, float const* globals,
            Scratch const& scratch, float* outputs) {
    auto const with = shape.channels == 16 ? Arithmetic<16>::infer : Arithmetic<32>::infer;
    return with(shape, numbers, size, globals, scratch, outputs);
}

}  // namespace patchpie::PATCHPIE_ISA
