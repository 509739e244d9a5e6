// The comparison of the groups of both colors, which three games share (board/groups.py).
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
    if (!any(black) || !any(white)) return any(black) - any(white);
    std::array<std::int16_t, std::size_t{L::largest * L::largest + 1}> surplus{};  // of Black's
    int largest = 1;
    auto const add = [&](int size, int groups) {
        auto& difference = surplus[static_cast<std::size_t>(size)];
        difference = static_cast<std::int16_t>(difference + groups);
        largest = std::max(largest, size);
    };
    auto const add_all = [&](typename L::Bits const& pieces, int sign) {
        auto linked = pieces & L::around(pieces);
        add(1, sign * count(pieces & ~linked));
        while (any(linked)) {
            auto const group = component<L>(lowest_point(linked), linked);
            linked &= ~group;
            add(count(group), sign);
        }
    };
    add_all(black, 1);
    add_all(white, -1);
    while (largest > 1 && surplus[static_cast<std::size_t>(largest)] == 0) --largest;
    return surplus[static_cast<std::size_t>(largest)];
}

}  // namespace patchpie
