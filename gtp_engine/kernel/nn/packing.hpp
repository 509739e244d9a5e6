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
struct RoundedLayer {
    Weight const* weights;
    float const* units;
    float const* bias;
};

// The highest weight of a layer that takes 3 x 3 points (9 taps) or one point; see net.hpp.
constexpr int highest_weight(int taps) { return taps == 9 ? 31 : 127; }

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
};

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
        for (int output = 0; weights != nullptr && output < outputs; ++output) {
            float most = 0;
            for (int row = 0; row < rows; ++row) {
                most = fmaxf(most, fabsf(numbers[row * outputs + output]));
            }
            auto const highest = static_cast<float>(highest_weight(taps));
            float const own = most > 1e-30F ? most / highest : 1;  // a layer of zeros
            units[output] = own * unit;
            for (int row = 0; row < rows; ++row) {
                int const place = row / inputs * padded(inputs) + row % inputs;
                weights[(place / group * outputs + output) * group + place % group] =
                    static_cast<Weight>(rintf(numbers[row * outputs + output] / own));
            }
        }
        numbers += rows * outputs;
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
