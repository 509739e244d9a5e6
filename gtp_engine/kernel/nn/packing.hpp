// The weights of a net as one instruction set reads them; only inference.cpp includes this header.
#pragma once

#include <math.h>

#include <cstddef>

#include "nn/integer_vectors.hpp"
#include "nn/shape.hpp"

namespace patchpie::PATCHPIE_ISA {
namespace {

// Inputs are padded with zeros to whole groups, for all instruction sets alike.
constexpr int padded(int inputs) { return (inputs + 3) / 4 * 4; }

template <class Number> Number* array_at(std::byte* bytes) {
    return reinterpret_cast<Number*>(bytes);
}
template <class Number> Number const* array_at(std::byte const* bytes) {
    return reinterpret_cast<Number const*>(bytes);
}

// A layer with rounded weights. The weights of a group of inputs for all outputs follow each other;
// inputs are padded with zeros to full groups. An output is sum * unit + bias.
//
// short_pairs -- for each group, whether it has a next one in its row of the board, and 16 bits hold
//                the sums of both; only for instruction sets with short sums
struct RoundedLayer {
    Weight const* weights;
    float const* units;
    float const* bias;
    bool const* short_pairs;
};

// The number of groups of inputs of a layer over so many points, and of those in a row of the board.
constexpr int groups_of(int taps, int inputs) { return taps * padded(inputs) / group; }
constexpr int groups_in_row(int taps, int inputs) {
    return groups_of(taps == 9 ? 3 : 1, inputs);
}

// Reads packed layers in order, or writes them: `Bytes` is std::byte const* or std::byte*.
template <class Bytes> struct Cursor {
    Bytes const begin;
    std::size_t used = 0;
    // The place of the next numbers, aligned to 64 bytes.
    Bytes take(std::size_t bytes) {
        std::size_t const at = used;
        used += (bytes + 63) / 64 * 64;
        return begin == nullptr ? nullptr : begin + at;
    }
    Bytes floats(int count) { return take(static_cast<unsigned>(count) * sizeof(float)); }
    Bytes weights(int taps, int inputs, int outputs) {
        return take(static_cast<unsigned>(taps * padded(inputs) * outputs) * sizeof(Weight));
    }
    Bytes short_pairs(int taps, int inputs) {
        return take(static_cast<unsigned>(groups_of(taps, inputs)) * sizeof(bool));
    }
};

#if defined(PATCHPIE_SHORT_SUMS)
// Whether 16 bits hold the sums of products for two groups of inputs: each takes two products of
// both. Activations are not negative, so the largest sum has the positive weights alone.
inline bool fit_in_short_sums(Weight const* first, Weight const* second, int count) {
    constexpr int most = 32767 / 127;  // of the weights, with activations of 127
    for (int i = 0; i < count; i += 2) {
        int positive = 0, negative = 0;
        int const weights[4]{first[i], first[i + 1], second[i], second[i + 1]};
        for (int const weight : weights) (weight > 0 ? positive : negative) += weight;
        if (positive > most || negative < -most) return false;
    }
    return true;
}
#endif

struct Packer {
    float const* numbers;
    Cursor<std::byte*> room;

    void copy(int count) {
        if (float* const to = array_at<float>(room.floats(count))) {
            for (int i = 0; i < count; ++i) to[i] = numbers[i];
        }
        numbers += count;
    }
    // Rounds the weights of a layer. The output of a lane is in units of `unit`.
    void round_layer(int taps, int inputs, int outputs, float unit) {
        int const rows = taps * inputs;
        auto* const weights = array_at<Weight>(room.weights(taps, inputs, outputs));
        auto* const units = array_at<float>(room.floats(outputs));
        [[maybe_unused]] auto* const short_pairs =
            array_at<bool>(room.short_pairs(taps, inputs));
        for (int output = 0; weights != nullptr && output < outputs; ++output) {
            float most = 0;
            for (int row = 0; row < rows; ++row) {
                most = fmaxf(most, fabsf(numbers[row * outputs + output]));
            }
            float const own = most > 1e-30F ? most / 127 : 1;  // a layer of zeros
            units[output] = own * unit;
            for (int row = 0; row < rows; ++row) {
                int const place = row / inputs * padded(inputs) + row % inputs;
                weights[(place / group * outputs + output) * group + place % group] =
                    static_cast<Weight>(rintf(numbers[row * outputs + output] / own));
            }
        }
        numbers += rows * outputs;
#if defined(PATCHPIE_SHORT_SUMS)
        int const in_row = groups_in_row(taps, inputs), size = outputs * group;
        for (int i = 0; weights != nullptr && i < groups_of(taps, inputs); ++i) {
            Weight const* const at = weights + i * size;
            short_pairs[i] = (i + 1) % in_row != 0 && fit_in_short_sums(at, at + size, size);
        }
#endif
    }
};

// Units of an activation and of an input; see net.hpp.
constexpr float activation_unit = 1.0F / 32, input_unit = 1.0F / 64;

std::size_t pack(Shape const& shape, float const* numbers, std::byte* bytes) {
    int const channels = shape.channels;
    Packer packer{numbers, {bytes}};
    packer.round_layer(9, shape.inputs, channels, input_unit / activation_unit);
    packer.copy(channels);
    packer.copy(shape.globals * channels);
    for (int block = 0; block < shape.blocks; ++block) {
        packer.round_layer(9, channels, channels, 1);
        packer.copy(channels);
        packer.copy(2 * channels * channels);
        packer.round_layer(9, channels, channels, 1);
        packer.copy(channels);
    }
    packer.round_layer(1, channels, channels, 1);
    packer.copy(channels);
    packer.copy(2 * channels * channels);
    packer.round_layer(1, channels, outputs_of_point, activation_unit);
    packer.copy(outputs_of_point);
    packer.copy(2 * channels * channels);
    packer.copy(channels);
    packer.copy(channels);
    packer.copy(1);
    return packer.room.used;
}

}  // namespace
}  // namespace patchpie::PATCHPIE_ISA
