// A small residual net that evaluates boards of any size, computed with integers of 8 bits.
//
// It has 16, 32 or 64 channels, and these layers:
//
// - A 3 x 3 convolution of the inputs, zero-padded, plus a dense layer of the globals.
// - For each block: a 3 x 3 convolution, plus a dense layer of the mean and the maximum of the
//   block's input over the board (global pooling); then a second 3 x 3 convolution, plus the
//   block's input.
// - The outputs of each point: a layer of the point, plus a dense layer of mean and maximum; then
//   a linear layer.
// - The value: a dense layer of mean and maximum with ReLU, then a linear one, with a logistic
//   function.
//
// The result of each layer but the last ones is an activation: a whole number of 1/32, at least 0
// and at most 127/32 (a clipped ReLU). Inputs are whole numbers of 1/64, up to 127/64. A weight of a
// convolution is a whole number of six bits, -31 to 31, times the largest weight of its output / 31;
// one of a layer of the points -127 to 127, times the largest weight of its output / 127. All else is
// float.
//
// Global pooling follows Wu, "Accelerating Self-Play Learning in Go", 2019; the integers follow
// Jacob et al., "Quantization and Training of Neural Networks", CVPR 2018.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

#include "board/exact_functions.hpp"
#include "nn/inference.hpp"

namespace patchpie {

// Zeros with the alignment of vectors.
class AlignedBytes {
  public:
    explicit AlignedBytes(std::size_t count)
        : bytes_(static_cast<std::byte*>(::operator new(count, alignment))) {
        std::memset(bytes_.get(), 0, count);
    }
    std::byte* get() const { return bytes_.get(); }

  private:
    static constexpr std::align_val_t alignment{64};
    struct Free {
        void operator()(std::byte* memory) const { ::operator delete(memory, alignment); }
    };
    std::unique_ptr<std::byte, Free> bytes_;
};

// The instruction sets that this build contains and this processor supports, the fastest first.
std::vector<Isa> isas();

class Net {
  public:
    // `numbers` holds layer after layer, each with the weights by row, column, input and output,
    // then the biases. A dense layer that is added to another one comes after it and has no biases.
    // Throws if the count of numbers does not match the shape.
    Net(Shape const& shape, std::vector<float> const& numbers, Isa const& isa)
        : shape_(shape), isa_(isa), packed_(packed_bytes(shape, numbers, isa)) {
        isa.pack(shape, numbers.data(), packed_.get());
    }

    Shape const& shape() const { return shape_; }

    // The buffers for boards of one size.
    class Workspace {
      public:
        Workspace(Net const& net, int size)
            : size_(size), inputs_(bytes(net.shape().inputs)), grid_(bytes(net.shape().channels)),
              other_(bytes(net.shape().channels)),
              outputs_(static_cast<std::size_t>(size * size * outputs_of_point) * sizeof(float)) {}

        int size() const { return size_; }
        Scratch scratch() const { return {inputs_.get(), grid_.get(), other_.get()}; }
        float* outputs() const { return reinterpret_cast<float*>(outputs_.get()); }

      private:
        // Instruction sets pad inputs to a multiple of 4 at most.
        std::size_t bytes(int inputs) const {
            return static_cast<std::size_t>((size_ + 2) * (size_ + 2) * (inputs + 3)) * 4;
        }
        int size_;
        AlignedBytes inputs_, grid_, other_, outputs_;
    };

    // Returns the probability to win for the color to move. Writes all other outputs to `room`.
    float operator()(int size, float const* points, float const* globals, Workspace& room) const {
        float const logit = isa_.infer(shape_, packed_.get(), size, points, globals,
                                       room.scratch(), room.outputs());
        return 1 / (1 + exponential(-logit));
    }

  private:
    static std::size_t count(Shape const& shape) {
        auto const [inputs, globals, channels, blocks] = shape;
        int const pooled = 2 * channels;
        int const first = 9 * inputs + 1 + globals;
        int const block = 2 * (9 * channels + 1) + pooled;
        int const heads = channels + 1 + pooled + (pooled + 1);
        int const last = (channels + 1) * outputs_of_point + channels + 1;
        return static_cast<std::size_t>((first + blocks * block + heads) * channels + last);
    }
    static std::size_t packed_bytes(Shape const& shape, std::vector<float> const& numbers,
                                    Isa const& isa) {
        if (numbers.size() != count(shape)) {
            throw std::invalid_argument("the weights are not as many as the net has");
        }
        return isa.pack(shape, numbers.data(), nullptr);
    }

    Shape shape_;
    Isa isa_;
    AlignedBytes packed_;
};

}  // namespace patchpie
