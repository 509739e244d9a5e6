// Un-moves of Robble: the boards from which a turn leads to a given board.
//
// R9 to R11 are sentences of protocol_specs/games/robble.md.
#pragma once

#include <array>
#include <cstddef>

#include "board/board_index.hpp"

namespace patchpie {

class RobbleUnmove {
  public:
    using Board = TwoColorBoard;
    using Squares = TwoColorBoard::Squares;

    explicit RobbleUnmove(int size) : size_(size) {
        for (int column = 0; column < size; ++column) {
            for (int row = 0; row < size; ++row) {
                ways_[static_cast<std::size_t>(column * size + row)] = {
                    way(column, row, -1, 0), way(column, row, 1, 0), way(column, row, 0, -1),
                    way(column, row, 0, 1)};
            }
        }
    }

    // Calls f(predecessor) for each turn that leads to a board.
    template <class F> void for_each_predecessor(Board const& now, F&& f) const {
        for (Squares stones = now.other; stones != 0; stones &= stones - 1) {
            Squares const placed = stones & (~stones + 1);
            auto const& ways = ways_[static_cast<std::size_t>(__builtin_ctz(placed))];
            unplay(ways, 0, {now.other & ~placed, now.own}, f);
        }
    }

  private:
    // One direction from a square: the square beside it and the one behind that; 0 off the board.
    struct Way {
        Squares beside = 0, behind = 0;
    };
    static constexpr std::size_t directions = 4;
    using Ways = std::array<Way, directions>;

    Squares square(int column, int row) const {
        bool const there = column >= 0 && column < size_ && row >= 0 && row < size_;
        return there ? Squares{1} << (column * size_ + row) : 0;
    }
    Way way(int column, int row, int east, int north) const {
        return {square(column + east, row + north), square(column + 2 * east, row + 2 * north)};
    }

    // Takes back the effects in one direction in every possible way, then in the next direction.
    // The directions are independent, because each has its own two squares.
    template <class F>
    static void unplay(Ways const& ways, std::size_t direction, Board board, F&& f) {
        if (direction == directions) return f(board);
        auto const [beside, behind] = ways[direction];
        auto const go_on = [&](Squares own, Squares other) {
            unplay(ways, direction + 1, {board.own ^ own, board.other ^ other}, f);
        };
        bool const stone = (board.own | board.other) & beside;
        bool const stone_behind = (board.own | board.other) & behind;
        if (stone) {
            // R11: the stone was flipped. Without a stone behind it, it would have left.
            if (stone_behind) go_on(beside, beside);
            return;
        }
        go_on(0, 0);
        if (beside == 0) return;
        if (behind == 0) {  // R10: a stone was removed, of either color
            go_on(beside, 0);
            go_on(0, beside);
        } else if (stone_behind) {  // R9: that stone was moved there
            bool const own = board.own & behind;
            go_on(own ? beside | behind : 0, own ? 0 : beside | behind);
        }
    }

    int size_;
    std::array<Ways, 25> ways_{};
};

}  // namespace patchpie
