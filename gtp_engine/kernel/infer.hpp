// The arithmetic of a net, compiled once for each instruction set that is worth it.
#pragma once

#include <cstddef>

namespace patchpie {

// How many a net has; games use fewer of them.
inline constexpr int outputs_of_point = 16;

// What a net is made of, beside its numbers; see net.hpp for their order.
struct Shape {
    int inputs = 0;   // of a point
    int globals = 0;  // of a position
    int channels = 0;  // 16 or 32
    int blocks = 0;
};

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
