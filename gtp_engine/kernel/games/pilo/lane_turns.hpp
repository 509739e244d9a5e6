// Turns of several games of Pilo side by side, one game in each lane of vectors, on boards of one
// word.
//
// P11 to P18 are sentences of protocol_specs/games/pilo.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "board/lane_choice.hpp"
#include "board/lane_sets.hpp"
#include "games/pilo/rays.hpp"

namespace patchpie {

// The boards of some games. In each, the same color is to move.
//
// empty   -- the squares without a stack or block
// stacks  -- the squares of the stacks of each color, by height - 1
// tallest -- an upper bound of the heights of all stacks, at least `usual`
// passed  -- the games in which the last turn was a pass
template <class L, int highest> struct PiloLanes {
    using Squares = Lines<L>;
    static_assert(Squares::in_bytes);

    // A set of squares of each game, in four copies as in `Lines`.
    using Copies = std::array<Lanes, std::size_t{Squares::directions}>;
    using Heights = std::array<Copies, std::size_t{highest}>;

    static constexpr std::size_t usual = 3;  // a stack above 3 is very rare

    Copies empty;
    std::array<Heights, 2> stacks;
    std::size_t tallest;
    LaneMask passed;

    // Plays a random turn of one color in each game. Returns the games that are over (P18).
    // `random` holds `random_bits_a_lane` random bits for each game, the lowest for lane 0.
    LaneMask play(Word random, unsigned mover) {
        Heights& own = stacks[mover];
        Heights& other = stacks[1 - mover];
        Copies open, capturing;
        for_each_copy([&](std::size_t d) {
            Lanes path = empty[d], found{};
            for_each_height([&](std::size_t h) { path |= own[h][d]; });
            for_each_height([&](std::size_t h) {
                found |= own[h][d] & ~unreached(path, other[h][d]);
            });
            open[d] = path;
            capturing[d] = found;
        });
        Choice const turn(random, empty[Squares::SOUTH], open, capturing);
        move(turn, own, other);
        LaneMask const over = turn.pass & passed;
        passed = turn.pass;
        return over;
    }

  private:
    template <class F> static void for_each_copy(F&& f) {
#pragma GCC unroll 4
        for (std::size_t d = 0; d < Squares::directions; ++d) f(d);
    }
    template <class F> void for_each_height(F&& f) const {
#pragma GCC unroll 3
        for (std::size_t h = 0; h < usual; ++h) f(h);
        for (std::size_t h = usual; h < tallest; ++h) [[unlikely]] f(h);
    }

    // As Lines::unreached: the open places that no run from a stop reaches (P13, P15).
    static Lanes unreached(Lanes const& open, Lanes const& stops) {
        using Bytes = std::uint8_t __attribute__((vector_size(sizeof(Lanes))));
        auto const bytes = reinterpret_cast<Bytes>(stops);
        return reinterpret_cast<Lanes>(reinterpret_cast<Bytes>(open) + (bytes + bytes));
    }

    // The points of one square of each game in each copy.
    //
    // A copy has the places of its lines, 8 for each: line * 8 + index. For WEST and EAST the lines
    // are rows, for NORTH and EAST they are counted from the other edge.
    struct Directions {
        LaneMask rows, reversed;

        Copies copies(Lanes const& line, Lanes index, Lanes const& one) const {
            constexpr Word last = L::largest - 1;
            index = chosen(reversed, last - index, index);
            Lanes const column = chosen(rows, index, line), row = chosen(rows, line, index);
            Copies made;
            made[Squares::SOUTH] = one << (column << 3 | row);
            made[Squares::WEST] = one << (row << 3 | column);
            made[Squares::NORTH] = one << (column << 3 | (last - row));
            made[Squares::EAST] = one << (row << 3 | (last - column));
            return made;
        }
    };

    // A random turn of each game: all places and captures have the same chance, in the order of
    // Pilo::playout.
    //
    // put, pass   -- the games in which the turn is a place (P11), or a pass (P16)
    // start, goal -- the square of the disk, or those of a capture; no goal without a capture
    struct Choice {
        LaneMask put, pass;
        Copies start, goal;

        Choice(Word random, Lanes const& vacant, Copies const& open, Copies const& capturing) {
            LaneCounts total = LaneBytes(vacant).count();
            LaneCounts const vacancies = total;
            std::array<LaneCounts, std::size_t{Squares::directions}> before;
            for_each_copy([&](std::size_t d) {
                before[d] = total;
                total += LaneBytes(capturing[d]).count();
            });
            LaneCounts const choice = scaled(random, total);
            put = vacancies > choice;
            pass = total == 0;
            // The set with the choice: that of the last direction with no more choices before it.
            Lanes set = chosen(put, vacant, capturing[0]), path = open[0];
            LaneCounts lower = ~put & vacancies;
            std::array<LaneMask, std::size_t{Squares::directions}> below;
            for_each_copy([&](std::size_t d) {
                below[d] = before[d] > choice;
                if (d == 0) return;
                set = chosen(below[d], set, capturing[d]);
                path = chosen(below[d], path, open[d]);
                lower = below[d] ? lower : before[d];
            });
            Lanes const number = LaneBytes(set).select(choice - lower), line = number >> 3 & 7;
            Directions const way{
                (below[Squares::NORTH] & ~below[Squares::WEST]) | ~below[Squares::EAST],
                ~below[Squares::NORTH]};
            Lanes const some = reinterpret_cast<Lanes>(~pass) & 1;
            start = way.copies(line, number & 7, some);
            goal = way.copies(line, goal_on(path, number & 63),
                              some & reinterpret_cast<Lanes>(~put));
        }

        // P13: the index of the first obstacle down the line from a place, by the places below it.
        static Lanes goal_on(Lanes const& path, Lanes const& place) {
            Lanes const line = place & 56, all = in_all_lanes(Word{0xff}) << line;
            Lanes down = ((in_all_lanes(Word{1}) << place) - 1) & ~path & all;
            down |= down >> 1;
            down |= down >> 2;
            down |= down >> 4;
            Lanes const above_first = in_all_lanes(Word{0xfe}) << line;
            return reinterpret_cast<Lanes>(LaneBytes(down & above_first).count());
        }
    };

    // P11; P14: removes the enemy stack, adds a disk and leaves a block.
    void move(Choice const& turn, Heights& own, Heights& other) {
        std::array<Lanes, std::size_t{highest}> at;  // the games with a capture by such a stack
        for_each_height([&](std::size_t h) {
            at[h] = reinterpret_cast<Lanes>(
                (own[h][Squares::SOUTH] & turn.start[Squares::SOUTH]) != 0);
        });
        bool const grows = bits_of(reinterpret_cast<LaneMask>(at[tallest - 1])) != 0;
        for_each_copy([&](std::size_t d) {
            Lanes const start = turn.start[d], goal = turn.goal[d];
            Lanes more = start & reinterpret_cast<Lanes>(turn.put);
            empty[d] ^= more;
            for_each_height([&](std::size_t h) {
                own[h][d] = (own[h][d] & ~start) | more;
                other[h][d] &= ~goal;
                more = goal & at[h];
            });
            if (grows) [[unlikely]] own[tallest][d] |= more;
        });
        tallest += grows;
    }
};

}  // namespace patchpie
