// Turns of several games of Robble side by side, one game in each lane of vectors.
//
// R8 to R11 are sentences of protocol_specs/games/robble.md.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "board/rng.hpp"
#include "games/robble/lane_sets.hpp"

namespace patchpie {

// The boards of some games, from the view of the color to move.
template <class L> struct RobbleLanes {
    using Bits = typename L::Bits;
    using Sets = LaneSets<Bits>;
    using Moves = LaneMoves<L>;

    Sets own, other, empty;

    // R8 to R11 from the view of the color that plays, on a random empty square; then the colors
    // exchange their roles. A board without empty squares gets no stone, so a full board does not
    // change.
    void play(Rng& rng, Sets const& board) {
        if constexpr (words_in<Bits> == 1) push(random_in_each(rng, one_of), board);
        else push_near(random_in_each(rng, point_of));
        Sets const moved = own;
        own = board & ~(empty | moved);
        other = moved;
    }

  private:
    // choose(squares, bits) for the empty squares of each board, with half of a random word. The
    // order of the halves is the same for all widths.
    template <class F> Lanes random_in_each(Rng& rng, F&& choose) const {
        Word random = 0;
        auto const half = [&](std::size_t lane) {
            if (lane % 2 == 1) return random & ~Word{0} >> word_bits / 2;
            random = rng.next();
            return random >> word_bits / 2;
        };
        return [&]<std::size_t... lane>(std::index_sequence<lane...>) {
            return Lanes{choose(in_lane(empty, lane), half(lane))...};
        }(std::make_index_sequence<lanes_at_once>{});
    }

    // A random square of a set, from random bits of half a word; none of an empty set.
    static Word one_of(Word squares, Word bits) {
        int const number = Rng::scaled(bits, count(squares));
#if defined(__BMI2__)
        return _pdep_u64(Word{1} << number, squares);
#else
        return squares == 0 ? 0 : Word{1} << select(squares, number);
#endif
    }

    // The number of a random point of a set; 0 for an empty set.
    static Word point_of(TwoWords squares, Word bits) {
        if (!any(squares)) return 0;
        return static_cast<Word>(select(squares, Rng::scaled(bits, count(squares))));
    }

    // Plays on all squares at once.
    void push(Sets const& placed, Sets const& board) {
        Sets const occupied = board & ~empty;
        Sets beside{}, backed{}, behind{}, own_behind{};
        auto const go = [&](auto to, auto back) {
            Sets const next = to(placed);
            beside |= next;
            backed |= next & back(occupied);
            behind |= to(next & occupied);
            own_behind |= to(next & own);
        };
        go(Moves::north, Moves::south);
        go(Moves::south, Moves::north);
        go(Moves::east, Moves::west);
        go(Moves::west, Moves::east);
        Sets const stones = beside & occupied;
        Sets const flipped = stones & backed;  // R11: a stone is behind it
        Sets const gone = stones & ~backed;    // R9: an empty square; R10: the edge
        own = ((own ^ flipped) & ~gone) | (own_behind & empty) | placed;
        empty = (empty | gone) & ~(behind | placed);
    }

    // The same, but only around the new stones, in windows of one word: faster on boards of two.
    // Squares off the board must be neither occupied nor empty, as in Robble::Window.
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
