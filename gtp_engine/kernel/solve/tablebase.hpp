// Retrograde analysis: the exact values of all positions of a small board, from the ends backward.
//
// It is for games with stones of two colors and repeating positions. A position is won if some
// turn leads to a position lost for the opponent, lost if all turns lead to positions won for the
// opponent, and drawn otherwise.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

#include "board/board_index.hpp"
#include "solve/algorithm.hpp"
#include "solve/limits.hpp"
#include "solve/successors.hpp"

namespace patchpie {

// Games and layouts with retrograde analysis. Its boards fit in one word, so other layouts would
// only cost compile time. Its table has one canonical board for all eight images and both colors.
template <class G>
concept Reversible = Game<G> && has_history<G> && G::Layout::words == 1 &&
                     G::symmetry == Symmetry::square && G::color_mirror == Image::same &&
                     requires { typename G::Unmove; };

// Without barred positions, the table stores one canonical board for both colors to move and all
// symmetric images. Barred positions count as drawn ends. They break the symmetry, so a table with
// them stores each board for each color to move.
template <Reversible G> class Tablebase {
  public:
    using Board = TwoColorBoard;
    struct Barred {
        Board board;
        Color to_move;
        auto operator<=>(Barred const&) const = default;
    };

    // The value for the color to move (1 won, -1 lost, 0 neither), and the turns to the end if the
    // winner takes the shortest way and the loser the longest.
    struct Worth {
        int value = 0;
        int turns = 0;
    };

    // The index and the limits must outlive the table.
    Tablebase(BoardIndex const& index, std::vector<Barred> barred, Limits& limits)
        : index_(index), barred_(std::move(barred)), unmove_(index.size()),
          limits_(limits) {}

    // The largest use of memory in bytes.
    static std::size_t bytes_for(int size, bool barred) {
        auto const boards = BoardIndex::boards(size);
        return barred ? 4 * boards : boards + boards / 8;
    }

    std::vector<Barred> const& barred() const { return barred_; }
    std::size_t used_bytes() const {
        return codes_.size() + (now_.capacity() + next_.capacity()) * sizeof(Number) +
               before_.capacity() * sizeof(Before);
    }

    // Finds the values of a position and of all positions nearer to the end. A drawn position
    // needs the values of all positions. Throws SearchAborted; the next call continues the
    // analysis.
    void find(Board const& board, Color to_move) {
        if (codes_.empty()) begin();
        Code const& code = codes_[place(board, to_move).number];
        while (!complete() && !known(code)) spread();
    }

    bool complete() const { return now_.empty(); }

    Worth of(Board const& board, Color to_move) const {
        Code const code = codes_[place(board, to_move).number];
        return known(code) ? Worth{won(code) ? 1 : -1, (code - first_loss) / 2} : Worth{};
    }

    // The counts of all positions. The table must be complete and without barred positions.
    Census census() const {
        return {won_, lost_, index_.boards() - won_ - lost_, turns_ - 1};
    }

  private:
    using Number = BoardIndex::Number;
    using Squares = TwoColorBoard::Squares;
    using Place = BoardIndex::Canonical;

    // 0: not reached yet. Below first_loss: the number of turns that do not yet lead to a win of
    // the opponent. From first_loss on: first_loss plus twice the turns to the end, plus 1 for a
    // win.
    using Code = std::uint8_t;
    static constexpr Code first_loss = BoardIndex::largest * BoardIndex::largest + 1, draw = 255;
    static constexpr Code lost_in(int turns) { return static_cast<Code>(first_loss + 2 * turns); }
    static constexpr Code won_in(int turns) { return static_cast<Code>(lost_in(turns) + 1); }
    static constexpr bool known(Code code) { return code >= first_loss && code != draw; }
    static constexpr bool won(Code code) { return (code - first_loss) % 2 == 1; }
    static constexpr int most_turns = (draw - first_loss) / 2 - 1;
    static_assert(won_in(most_turns) < draw);

    // A predecessor: a position with a turn to a position of known value.
    struct Before {
        Number number;
        std::uint8_t alike;
        std::uint8_t turns;  // the number of its turns that lead there
        std::uint8_t empty;
        bool wins;
    };

    // The number of known positions in a batch. The codes of their predecessors are prefetched
    // while the rest of the batch is expanded.
    static constexpr std::size_t batch = 32;

    std::size_t places() const { return index_.boards() * (barred_.empty() ? 1 : 2); }

    Place place(Board const& board, Color to_move) const {
        if (barred_.empty()) return index_.canonical(board);
        auto const apart = to_move == BLACK ? 0 : static_cast<Number>(index_.boards());
        return {index_.number(board) + apart, 1};
    }

    void begin() {
        codes_.assign(places(), 0);
        Squares const all = index_.squares();
        for (Squares own = 0; own <= all; ++own) {
            Board const board{own, all & ~own};
            for (Color const color : {BLACK, WHITE}) {
                Place const end = place(board, color);
                if (codes_[end.number] == 0) note(end.number, end.alike, end_of(board));
            }
        }
        now_.swap(next_);
        for (Barred const& each : barred_) {
            Code& code = codes_[place(each.board, each.to_move).number];
            // R12: a full board ends the game, even if it is barred.
            if (code == 0) code = draw;
        }
    }

    Code end_of(Board const& board) const {
        typename G::History history;
        G const full = G::assemble(content_of(board, index_.size()), history);
        return full.outcome(history).winner == won_by(full.to_move) ? won_in(0) : lost_in(0);
    }

    void note(Number number, unsigned alike, Code code) {
        codes_[number] = code;
        next_.push_back(number);
        (won(code) ? won_ : lost_) += BoardIndex::images / alike;
    }

    // Propagates one batch of the positions decided in `turns_` turns to their predecessors.
    void spread() {
        if (turns_ == most_turns) throw SearchAborted{};
        std::size_t const end = std::min(done_ + batch, now_.size());
        before_.clear();
        for (std::size_t i = done_; i < end; ++i) {
            limits_.count();
            visit_predecessors(now_[i]);
        }
        for (Before const& each : before_) {
            Code& code = codes_[each.number];
            if (code >= first_loss) continue;
            if (each.wins) {
                note(each.number, each.alike, won_in(turns_ + 1));
                continue;
            }
            if (code == 0) code = each.empty;
            code = static_cast<Code>(code - each.turns);
            if (code == 0) note(each.number, each.alike, lost_in(turns_ + 1));
        }
        done_ = end;
        if (done_ < now_.size()) return;
        now_.swap(next_);
        next_.clear();
        done_ = 0;
        ++turns_;
    }

    void visit_predecessors(Number number) {
        Board const board = index_.board(static_cast<Number>(number % index_.boards()));
        Color const before = number < index_.boards() ? WHITE : BLACK;
        bool const wins = !won(codes_[number]);
        std::size_t const first = before_.size();
        unmove_.for_each_predecessor(board, [&](Board const& from) {
            Place const at = place(from, before);
            __builtin_prefetch(&codes_[at.number], 1);
            auto const empty = static_cast<std::uint8_t>(
                std::popcount(index_.squares() & ~(from.own | from.other)));
            before_.push_back({at.number, at.alike, at.alike, empty, wins});
        });
        std::uint8_t const alike = place(board, opponent(before)).alike;
        if (alike > 1) merge(first, alike);
    }

    // A symmetric position is reached by the same turn once for each symmetry. This merges equal
    // predecessors and corrects the number of their turns.
    void merge(std::size_t first, std::uint8_t alike) {
        auto const begin = before_.begin() + static_cast<std::ptrdiff_t>(first);
        std::sort(begin, before_.end(),
                  [](Before const& a, Before const& b) { return a.number < b.number; });
        auto kept = begin;
        for (auto each = begin; each < before_.end(); ++kept) {
            auto const next = std::find_if(each, before_.end(), [each](Before const& other) {
                return other.number != each->number;
            });
            *kept = *each;
            kept->turns = static_cast<std::uint8_t>((next - each) * each->alike / alike);
            each = next;
        }
        before_.erase(kept, before_.end());
    }

    static Content<typename G::Layout> content_of(Board const& board, int size) {
        using L = typename G::Layout;
        using Bits = typename L::Bits;
        Content<L> content;
        content.size = size;
        for (int i = 0; i < size * size; ++i) {
            Bits const point = bit<Bits>(L::point(i / size, i % size));
            if (board.own >> i & 1) content.add("B", point);
            if (board.other >> i & 1) content.add("W", point);
        }
        return content;
    }

    BoardIndex const& index_;
    std::vector<Barred> barred_;
    typename G::Unmove unmove_;
    Limits& limits_;
    std::vector<Code> codes_;
    int turns_ = 0;
    std::vector<Number> now_, next_;  // the positions decided in turns_, and in turns_ + 1
    std::size_t done_ = 0;            // the number of positions of now_ already propagated
    std::vector<Before> before_;
    std::uint64_t won_ = 0, lost_ = 0;  // all symmetric images of a board count
};

}  // namespace patchpie
