// See infer.hpp. PATCHPIE_ISA is the name of the instruction set that this is compiled for. Nothing
// from the standard library's templates may be used: the linker would keep one copy of them for all
// sets. Sums may be fused here, so that the last digits depend on the processor.
#include "infer.hpp"

#include <math.h>

namespace patchpie::PATCHPIE_ISA {
namespace {

constexpr int lane = 16;
static_assert(outputs_of_point == lane);
using Lane = float __attribute__((vector_size(lane * sizeof(float)), may_alias));

// How many vectors are summed up side by side: they fill the registers.
#if defined(__AVX512F__)
constexpr int sums_at_once = 20;
#elif defined(__AVX2__)
constexpr int sums_at_once = 6;
#else
constexpr int sums_at_once = 2;
#endif

// The numbers of a point, or as many weights.
template <int lanes> struct Channels {
    Lane part[static_cast<unsigned>(lanes)];

    static Channels at(float const* numbers) {
        auto const* parts = reinterpret_cast<Lane const*>(numbers);
        Channels all;
        for (int k = 0; k < lanes; ++k) all.part[k] = parts[k];
        return all;
    }
    void put(float* numbers) const {
        auto* parts = reinterpret_cast<Lane*>(numbers);
        for (int k = 0; k < lanes; ++k) parts[k] = part[k];
    }
    void add(Channels const& other) {
        for (int k = 0; k < lanes; ++k) part[k] += other.part[k];
    }
    void add(float factor, Channels const& other) {
        for (int k = 0; k < lanes; ++k) part[k] += factor * other.part[k];
    }
    void keep_greater(Channels const& other) {
        for (int k = 0; k < lanes; ++k) {
            part[k] = part[k] > other.part[k] ? part[k] : other.part[k];
        }
    }
    void scale(float factor) {
        for (Lane& each : part) each *= factor;
    }
};

// A walk through the numbers of the net.
struct Numbers {
    float const* next;
    float const* take(int count) {
        float const* const taken = next;
        next += count;
        return taken;
    }
};

// The arithmetic with so many vectors of channels.
template <int lanes> struct Arithmetic {
    static constexpr int channels = lane * lanes, longest_row = 19;
    static constexpr int together =
        sums_at_once / lanes < longest_row ? sums_at_once / lanes : longest_row;
    using Point = Channels<lanes>;

    struct Layer {
        float const* weights;
        float const* bias;
    };
    static Layer layer(Numbers& numbers, int inputs) {
        float const* const weights = numbers.take(inputs * channels);
        return {weights, numbers.take(channels)};
    }

    static Point positive(Point point) {
        point.keep_greater(Point{});
        return point;
    }

    // What a layer makes of some numbers.
    static Point apply(Layer const& layer, float const* inputs, int count, Point sum) {
        for (int i = 0; i < count; ++i) sum.add(inputs[i], Point::at(layer.weights + i * channels));
        return sum;
    }
    static Point apply(Layer const& layer, float const* inputs, int count) {
        return apply(layer, inputs, count, Point::at(layer.bias));
    }

    // Some points of a row of a convolution; `in` is at the lowest neighbor of the first one, and
    // points in the next row are `row` numbers further.
    template <int points>
    static void convolve_some(Layer const& layer, float const* in, int inputs, int row,
                              Point* out) {
        Point sums[static_cast<unsigned>(points)];
        for (int p = 0; p < points; ++p) sums[p] = Point::at(layer.bias);
        float const* weights = layer.weights;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                float const* from = in + i * row + j * inputs;
                for (int c = 0; c < inputs; ++c, ++from, weights += channels) {
                    Point const weight = Point::at(weights);
                    for (int p = 0; p < points; ++p) sums[p].add(from[p * inputs], weight);
                }
            }
        }
        for (int p = 0; p < points; ++p) out[p] = sums[p];
    }
    template <int points>
    static void convolve_points(int count, Layer const& layer, float const* in, int inputs, int row,
                                Point* out) {
        if constexpr (points > 0) {
            if (count == points) convolve_some<points>(layer, in, inputs, row, out);
            else convolve_points<points - 1>(count, layer, in, inputs, row, out);
        }
    }

    // A convolution, row by row; `each` gets every point and the place of its numbers in a grid.
    template <class F>
    static void convolve(Layer const& layer, float const* in, int inputs, int size, F&& each) {
        int const border = size + 2, parts = (size + together - 1) / together;
        Point points[static_cast<unsigned>(longest_row)];
        for (int i = 0; i < size; ++i) {
            for (int part = 0, j = 0; part < parts; ++part) {
                int const end = size * (part + 1) / parts;
                convolve_points<together>(end - j, layer, in + (i * border + j) * inputs, inputs,
                                          border * inputs, points + j);
                j = end;
            }
            for (int j = 0; j < size; ++j) each(points[j], ((i + 1) * border + j + 1) * channels);
        }
    }

    // Mean and maximum of each channel over the board.
    struct Pool {
        Point sum{}, most{};
        void add(Point const& point) {
            sum.add(point);
            most.keep_greater(point);
        }
        void write(int points, float* numbers) const {
            Point mean = sum;
            mean.scale(1.0F / static_cast<float>(points));
            mean.put(numbers);
            most.put(numbers + channels);
        }
    };

    static float infer(Shape const& shape, float const* all, int size, float const* globals,
                       Scratch const& scratch, float* outputs) {
        Numbers numbers{all};
        int const border = size + 2;
        float* const grid = scratch.grid;
        float* const other = scratch.other;
        alignas(64) float pooled[static_cast<unsigned>(2 * channels)];
        alignas(64) float kept[static_cast<unsigned>(channels)];

        Layer const first = layer(numbers, 9 * shape.inputs);
        Layer const global{numbers.take(shape.globals * channels), nullptr};
        Point const everywhere = apply(global, globals, shape.globals, Point{});
        convolve(first, scratch.first, shape.inputs, size, [&](Point point, int place) {
            point.add(everywhere);
            positive(point).put(grid + place);
        });
        Pool last;
        for (int block = 0; block < shape.blocks; ++block) {
            Layer const inner = layer(numbers, 9 * channels), shared = layer(numbers, 2 * channels);
            Layer const outer = layer(numbers, 9 * channels);
            Pool pool;
            convolve(inner, grid, channels, size, [&](Point point, int place) {
                point = positive(point);
                pool.add(point);
                point.put(other + place);
            });
            pool.write(size * size, pooled);
            Point const added = apply(shared, pooled, 2 * channels);
            for (int i = 1; i <= size; ++i) {
                for (int j = 1; j <= size; ++j) {
                    float* const numbers_there = other + (i * border + j) * channels;
                    Point point = Point::at(numbers_there);
                    point.add(added);
                    point.put(numbers_there);
                }
            }
            last = Pool{};
            convolve(outer, other, channels, size, [&](Point point, int place) {
                point.add(Point::at(grid + place));
                point = positive(point);
                last.add(point);
                point.put(grid + place);
            });
        }
        Layer const hidden = layer(numbers, channels), judging = layer(numbers, 2 * channels);
        float const* const weights = numbers.take(channels * outputs_of_point);
        Channels<1> const biases = Channels<1>::at(numbers.take(outputs_of_point));
        for (int i = 1; i <= size; ++i) {
            for (int j = 1; j <= size; ++j) {
                float const* const point = grid + (i * border + j) * channels;
                positive(apply(hidden, point, channels)).put(kept);
                Channels<1> sums = biases;
                for (int c = 0; c < channels; ++c) {
                    sums.add(kept[c], Channels<1>::at(weights + c * outputs_of_point));
                }
                sums.put(outputs);
                outputs += outputs_of_point;
            }
        }
        last.write(size * size, pooled);
        positive(apply(judging, pooled, 2 * channels)).put(kept);
        float const* const final_weights = numbers.take(channels);
        float value = *numbers.take(1);
        for (int c = 0; c < channels; ++c) value += kept[c] * final_weights[c];
        return 1 / (1 + expf(-value));
    }
};

}  // namespace

float infer(Shape const& shape, float const* numbers, int size, float const* globals,
            Scratch const& scratch, float* outputs) {
    auto const with = shape.channels == lane ? Arithmetic<1>::infer : Arithmetic<2>::infer;
    return with(shape, numbers, size, globals, scratch, outputs);
}

}  // namespace patchpie::PATCHPIE_ISA
