// The neighborhood of a point in one word. A step changes only points near it, and one word is
// faster to test than a board of several words.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "board/layout.hpp"

namespace patchpie {

// A window holds the points around a center, with the stride of the layout: up to three steps to
// the east, north and south, and two to the west.
template <class L> struct LocalWindow {
    using Bits = typename L::Bits;
    using Window = std::conditional_t<L::words == 6, TwoWords, Word>;
    static constexpr int center = 2 * L::stride + 3;
    static constexpr Window middle = Window{1} << center;
    static constexpr int places = L::words * word_bits;

    // For each point, the points of its window that are on the board.
    static constexpr auto windows = [] {
        std::array<Window, static_cast<std::size_t>(places)> made{};
        for (int column = 0; column < L::largest; ++column) {
            for (int row = 0; row < L::largest; ++row) {
                Window& shown = made[static_cast<std::size_t>(L::point(column, row))];
                for (int east = -2; east <= 3; ++east) {
                    for (int north = -3; north <= 3; ++north) {
                        bool const there = column + east >= 0 && column + east < L::largest &&
                                           row + north >= 0 && row + north < L::largest;
                        shown |= Window{there} << (L::point(east, north) + center);
                    }
                }
            }
        }
        return made;
    }();

    // The part of a set in a window. Outside of the board, the window contains unrelated points.
    static Window view(Bits const& points, int at) {
        unsigned const turn = static_cast<unsigned>(at - center);
        if constexpr (L::words == 1) {
            return rotate_right(points, static_cast<int>(turn % word_bits));
        } else if constexpr (L::words == 2) {
            Word const low = word_of(points, 0), high = word_of(points, 1);
            Word const swap = (low ^ high) & (Word{} - (turn / word_bits & 1));
            unsigned const rest = turn % word_bits;
            return (low ^ swap) >> rest | (high ^ swap) << 1 << (word_bits - 1 - rest);
        } else {
            int const first = (at - center + places) / word_bits;
            unsigned const rest = static_cast<unsigned>(at - center + places) % word_bits;
            auto const word = [&](int i) {
                return static_cast<TwoWords>(word_of(points, (first + i) % L::words));
            };
            TwoWords const two = word(0) | word(1) << word_bits;
            return two >> rest | word(2) << 1 << (2 * word_bits - 1 - rest);
        }
    }

    // The inverse of `view`, for points at most one step from the center.
    static Bits unview(Window seen, int at) {
        unsigned const turn = static_cast<unsigned>(at - center);
        if constexpr (L::words == 1) {
            return rotate_left(seen, static_cast<int>(turn % word_bits));
        } else if constexpr (L::words == 2) {
            unsigned const near = turn + L::stride, rest = near % word_bits;
            Word const part = seen >> L::stride, upper = Word{} - (near / word_bits & 1);
            Word const low = part << rest, high = part >> 1 >> (word_bits - 1 - rest);
            Word const swap = (low ^ high) & upper;
            return of_words<Bits>(low ^ swap, high ^ swap);
        } else {
            Bits points{};
            for_each(seen, [&](int i) { points |= bit<Bits>(at - center + i); });
            return points;
        }
    }

    static constexpr Window beside(Window w) {
        return w << 1 | w >> 1 | w << L::stride | w >> L::stride;
    }
};

}  // namespace patchpie
