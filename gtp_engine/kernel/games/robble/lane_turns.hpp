// Turns of several games of Robble side by side, one game in each lane of vectors.
//
// R8 to R11 are sentences of protocol_specs/games/robble.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "board/lane_choice.hpp"
#include "board/lane_sets.hpp"

namespace patchpie {

// The boards of some games, from the view of the color to move.
template <class L> struct RobbleLanes {
    using Bits = typename L::Bits;
    using Sets = LaneSets<Bits>;
    using Moves = LaneMoves<L>;

    Sets own, other, empty;

    // R8 to R11 from the view of the color that plays, on a random empty square; then the colors
    // exchange their roles. A board without empty squares gets no stone, so a full board does not
    // change. `random` holds `random_bits_a_lane` random bits for each board, the lowest for lane 0.
    void play(Word random, Sets const& board) {
        if constexpr (words_in<Bits> == 1) push(random_points(empty, random), board);
        else push_near(random_numbers(empty, random));
        Sets const moved = own;
        own = board & ~(empty | moved);
        other = moved;
    }

  private:
    // Plays on all squares at once. Stones on one line through the new stone share most operations.
    void push(Sets const& placed, Sets const& board) {
        Sets const occupied = board & ~empty, space = empty & ~placed;
        Sets beside{}, beyond{}, backed{}, own_beyond{};
        auto const push_along = [&](auto to, auto back) {
            Sets const stones = (to(placed) | back(placed)) & occupied, mine = stones & own;
            beside |= stones;
            beyond |= to(stones) | back(stones);
            // On this line a stone beside the new one can have no other stone but one behind it.
            backed |= stones & (to(occupied) | back(occupied));
            own_beyond |= to(mine) | back(mine);
        };
        push_along(Moves::north, Moves::south);
        push_along(Moves::east, Moves::west);
        Sets const& flipped = backed;          // R11: a stone is behind it
        Sets const gone = beside & ~backed;    // R9: an empty square; R10: the edge
        own = ((own ^ flipped) & ~gone) | (own_beyond & space) | placed;
        empty = (space | gone) & ~beyond;
    }

    // The same, but only around the new stones, in windows of one word: faster on boards of two.
    // Squares off the board must be neither occupied nor empty, as in window.hpp.
    void push_near(Lanes const& points) {
        LaneWindows const windows((points - center) % (words_in<Bits> * word_bits));
        Lanes const mine = windows.of(own);
        Lanes stones = windows.of(other) | mine, space = windows.of(empty);
        if constexpr (!L::guarded) {
            Lanes real{};
            for (unsigned lane = 0; lane < lanes_at_once; ++lane) {
                real[lane] = real_squares[points[lane]];
            }
            stones &= real;
            space &= real;
        }
        Lanes const behind = (stones >> 1 & at_north) | (stones << 1 & at_south) |
                             (stones >> L::stride & at_east) | (stones << L::stride & at_west);
        Lanes const flipped = stones & behind, gone = stones & at_sides & ~behind;
        Lanes const reached = away(gone) & space, own_reached = away(gone & mine) & space;
        constexpr Word placed = Word{1} << center;
        Lanes const not_full = reinterpret_cast<Lanes>(~none(empty));
        windows.toggle(empty, (gone | reached | placed) & not_full);
        windows.toggle(own, (flipped | (gone & mine) | own_reached | placed) & not_full);
    }

    // From the squares beside the center of a window to those behind them.
    static Lanes away(Lanes const& squares) {
        return (squares & at_north) << 1 | (squares & at_south) >> 1 |
               (squares & at_east) << L::stride | (squares & at_west) >> L::stride;
    }

    // The squares of a window.
    static constexpr int center = 2 * L::stride;
    static constexpr Word at_north = Word{1} << (center + 1), at_south = Word{1} << (center - 1);
    static constexpr Word at_east = Word{1} << (center + L::stride);
    static constexpr Word at_west = Word{1} << (center - L::stride);
    static constexpr Word at_sides = at_north | at_south | at_east | at_west;

    // For each point the squares of its window that are on the board, for layouts without guard
    // rows.
    static constexpr auto real_squares = [] {
        std::array<Word, static_cast<std::size_t>(L::stride * L::stride)> made{};
        for (int point = 0; point < L::stride * L::stride; ++point) {
            for (int way = -2; way <= 2; ++way) {
                int const column = L::column(point) + way, row = L::row(point) + way;
                Word& real = made[static_cast<std::size_t>(point)];
                if (row >= 0 && row < L::largest) real |= Word{1} << (center + way);
                if (column >= 0 && column < L::largest) {
                    real |= Word{1} << (center + way * L::stride);
                }
            }
        }
        return made;
    }();
};

}  // namespace patchpie
