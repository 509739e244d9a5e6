// The shape of a net.
#pragma once

namespace patchpie {

// The number of outputs of each point. Games use only some of them.
inline constexpr int outputs_of_point = 16;

// The largest board, and the most inputs of a point.
inline constexpr int largest_size = 19;
inline constexpr int most_inputs = 24;

// The sizes of the layers of a net. net.hpp gives the order of its numbers.
struct Shape {
    int inputs = 0;   // of a point
    int globals = 0;  // of a position
    int channels = 0;  // 16, 32 or 64
    int blocks = 0;
};

}  // namespace patchpie
