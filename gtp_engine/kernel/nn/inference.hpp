// The arithmetic of a net, compiled once for each instruction set that is worth it.
#pragma once

#include "nn/shape.hpp"

namespace patchpie {

// Scratch: `first` and the two grids are boards with a border of one point, which is zero.
struct Scratch {
    float* first;
    float* grid;
    float* other;
};

// Works out the outputs of each point, and the chance to win for the color that looks. The numbers
// all scratch and the outputs begin at a multiple of 64 bytes.
using Infer = float (*)(Shape const& shape, float const* numbers, int size, float const* globals,
                        Scratch const& scratch, float* outputs);

// Each build has some of these: see CMakeLists.txt.
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
