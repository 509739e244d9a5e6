// The shape of a net.
#pragma once


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

}  // namespace patchpie
