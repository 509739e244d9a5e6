// The arithmetic of a net, compiled once for each useful instruction set. All of them give exactly
// the same results: the sums are integers, and the few floats are added in the same order.
#pragma once

#include <cstddef>

#include "nn/shape.hpp"

namespace patchpie {

// Scratch: boards with a border of one point, which is zero. Each activation takes up to 4 bytes.
struct Scratch {
    std::byte* inputs;
    std::byte* grid;
    std::byte* other;
};

// An instruction set: x86-64-v3 or v4, each with VNNI or without, and v4 with AMX; arm64 with products
// of bytes (dotprod); that of the machine of the build (native); or the common base of all processors
// (plain).
//
// pack  -- rounds the weights of a net (see net.hpp) and arranges them; returns the bytes that this
//          takes, and only counts them where there is no room
// infer -- computes the outputs of each point from the inputs of all points and of the board;
//          returns the logit of the probability to win for the color to move
//
// All memory must be aligned to 64 bytes. The inputs of points are read up to a multiple of 64 bytes.
struct Isa {
    char const* name;
    std::size_t (*pack)(Shape const& shape, float const* numbers, std::byte* room);
    float (*infer)(Shape const& shape, std::byte const* packed, int size, float const* points,
                   float const* globals, Scratch const& scratch, float* outputs);
};

// CMakeLists.txt decides which of these a build contains.
namespace plain { extern Isa const isa; }
namespace v3 { extern Isa const isa; }
namespace v3_vnni { extern Isa const isa; }
namespace v4 { extern Isa const isa; }
namespace v4_vnni { extern Isa const isa; }
namespace v4_amx { extern Isa const isa; }
namespace dotprod { extern Isa const isa; }
namespace native { extern Isa const isa; }

}  // namespace patchpie
