// Bounds of the exact value of a position.
#pragma once

#include <algorithm>

namespace patchpie {

// Bounds of the value of a position for the color to move: 1 for a win, 0 for a draw, -1 for a
// loss.
struct Bounds {
    int lower = -1, upper = 1;

    static constexpr Bounds exactly(int value) { return {value, value}; }

    constexpr bool exact() const { return lower == upper; }
    constexpr Bounds operator-() const { return {-upper, -lower}; }
    friend constexpr Bounds operator&(Bounds a, Bounds b) {
        return {std::max(a.lower, b.lower), std::min(a.upper, b.upper)};
    }
    friend constexpr bool operator==(Bounds, Bounds) = default;
};

}  // namespace patchpie
