// A small residual net that evaluates boards of any size.
//
// It has 16 or 32 channels, and these layers:
//
// - A 3 x 3 convolution of the inputs, zero-padded, plus a dense layer of the globals; ReLU.
// - For each block: a 3 x 3 convolution and ReLU, plus a dense layer of its mean and maximum over
//   the board (global pooling); then a second 3 x 3 convolution, plus the block's input; ReLU.
// - The outputs of each point: a dense layer with ReLU, and a linear one.
// - The value: the same on mean and maximum over the board, with a logistic function.
//
// Global pooling follows Wu, "Accelerating Self-Play Learning in Go", 2019.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

#include "nn/inference.hpp"

namespace patchpie {

// An array of floats with the alignment of vectors.
class Aligned {
  public:
    explicit Aligned(std::size_t count) : numbers_(allocate(count)) {
        std::memset(numbers_.get(), 0, count * sizeof(float));
    }
    float* get() const { return numbers_.get(); }

  private:
    static constexpr std::align_val_t alignment{64};
    static float* allocate(std::size_t count) {
        return static_cast<float*>(::operator new(count * sizeof(float), alignment));
    }
    struct Free {
        void operator()(float* memory) const { ::operator delete(memory, alignment); }
    };
    std::unique_ptr<float, Free> numbers_;
};

// An instruction set: x86-64-v3 or v4, that of the machine of the build (native), or the common
// base of all processors (plain).
struct Isa {
    char const* name;
    Infer infer;
};
// The instruction sets that this build contains and this processor supports, the fastest first.
std::vector<Isa> isas();

class Net {
  public:
    // `numbers` holds layer after layer: the weights by row, column, input and output, then the
    // biases. The layer of the globals has no biases. Of the last four layers, those with ReLU
    // come first. Throws if the count of numbers does not match the shape.
    Net(Shape const& shape, std::vector<float> const& numbers, Isa const& isa)
        : shape_(shape), numbers_(numbers.size()), infer_(isa.infer) {
        if (numbers.size() != count(shape)) {
            throw std::invalid_argument("the weights are not as many as the net has");
        }
        std::memcpy(numbers_.get(), numbers.data(), numbers.size() * sizeof(float));
    }

    Shape const& shape() const { return shape_; }

    // The buffers for boards of one size.
    class Workspace {
      public:
        Workspace(Net const& net, int size)
            : inputs_(net.shape().inputs), size_(size),
              first_(cells() * static_cast<std::size_t>(inputs_)),
              grid_(cells() * static_cast<std::size_t>(net.shape().channels)),
              other_(cells() * static_cast<std::size_t>(net.shape().channels)),
              outputs(static_cast<std::size_t>(size * size * outputs_of_point)) {}

        int size() const { return size_; }

        // The inputs of a point. Its place is column * size + row.
        float* input(int place) const {
            int const column = place / size_ + 1, row = place % size_ + 1;
            return first_.get() + (column * (size_ + 2) + row) * inputs_;
        }
        Scratch scratch() const { return {first_.get(), grid_.get(), other_.get()}; }

      private:
        std::size_t cells() const { return static_cast<std::size_t>((size_ + 2) * (size_ + 2)); }
        int inputs_, size_;
        Aligned first_, grid_, other_;

      public:
        Aligned outputs;
    };

    // Returns the probability to win for the color to move. Writes all other outputs to `room`.
    float operator()(int size, float const* points, float const* globals, Workspace& room) const {
        for (int place = 0; place < size * size; ++place) {
            std::memcpy(room.input(place), points + place * shape_.inputs,
                        static_cast<std::size_t>(shape_.inputs) * sizeof(float));
        }
        return infer_(shape_, numbers_.get(), size, globals, room.scratch(), room.outputs.get());
    }

  private:
    static std::size_t count(Shape const& shape) {
        auto const [inputs, globals, channels, blocks] = shape;
        int const first = (9 * inputs + 1 + globals) * channels;
        int const block = (2 * (9 * channels + 1) + 2 * channels + 1) * channels;
        int const points = (channels + 1) * (channels + outputs_of_point);
        int const value = (2 * channels + 1) * channels + channels + 1;
        return static_cast<std::size_t>(first + blocks * block + points + value);
    }

    Shape shape_;
    Aligned numbers_;
    Infer infer_;
};

}  // namespace patchpie
