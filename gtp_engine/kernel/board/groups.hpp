// The comparison of the groups of both colors, which three games share (rules/points/groups.py).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "board/layout.hpp"

namespace patchpie {

// Compares the largest size of which the colors have different numbers of groups. Returns a
// positive number if Black has more groups of this size, a negative one if White has, 0 if there
// is no such size.
template <class L> int leader(typename L::Bits const& black, typename L::Bits const& white) {
    // Most patches at the end of a game are so small that nothing need be counted.
    auto const linked_black = black & L::around(black), linked_white = white & L::around(white);
    if (!any(linked_black) || !any(linked_white)) {
        bool const only_black = any(linked_black), only_white = any(linked_white);
        if (only_black || only_white) return only_black - only_white;
        return count(black) - count(white);
    }
    std::array<std::int16_t, std::size_t{L::largest * L::largest + 1}> surplus{};  // of Black's
    int largest = 1;
    auto const add = [&](int size, int groups) {
        auto& difference = surplus[static_cast<std::size_t>(size)];
        difference = static_cast<std::int16_t>(difference + groups);
        largest = std::max(largest, size);
    };
    auto const add_all = [&](typename L::Bits const& pieces, typename L::Bits linked, int sign) {
        add(1, sign * count(pieces & ~linked));
        while (any(linked)) {
            auto const group = component<L>(lowest_point(linked), linked);
            linked &= ~group;
            add(count(group), sign);
        }
    };
    add_all(black, linked_black, 1);
    add_all(white, linked_white, -1);
    while (largest > 1 && surplus[static_cast<std::size_t>(largest)] == 0) --largest;
    return surplus[static_cast<std::size_t>(largest)];
}

}  // namespace patchpie
