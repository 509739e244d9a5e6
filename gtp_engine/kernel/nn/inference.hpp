// The arithmetic of a net, compiled once for each useful instruction set.
#pragma once

#include "nn/shape.hpp"

namespace patchpie {

// Scratch: `first` and the two grids are boards with a border of one point, which is zero.
struct Scratch {
    float* first;
    float* grid;
    float* other;
};

// Computes the outputs of each point. Returns the probability to win for the color to move. The
// numbers, all scratch and the outputs must be aligned to 64 bytes.
using Infer = float (*)(Shape const& shape, float const* numbers, int size, float const* globals,
                        Scratch const& scratch, float* outputs);

// CMakeLists.txt decides which of these a build contains.
namespace plain {
float infer(Shape const&, float const*, int, float const*, Scratch const&, float*);
}
namespace v3 {
float infer(Shape const&, float const*, int, float const*, Scratch const&, float*);
}
namespace v4 {
float infer(Shape const&, float const*, int, float const*, Scratch const&, float*);
}
namespace native {
float infer(Shape const&, float const*, int, float const*, Scratch const&, float*);
}

}  // namespace patchpie
