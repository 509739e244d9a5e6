// Exact values on a small board, from the tablebase of retrograde analysis.
//
// Under R16 (Robble), the third appearance of a position is a draw. The tablebase (tablebase.hpp)
// is exact under this rule for any history, for these reasons:
//
// - A color with a won position can always move to a position fewer turns from the end. So it
//   repeats nothing.
// - A color with a drawn position can always move to a drawn or won position. Then the game can
//   end with a full board only in a win for that color; otherwise it repeats a position and is a
//   draw.
// - The next appearance of a position that appeared twice is a draw at once. Such a position is
//   barred: it counts as a drawn end. A position that appeared once may appear once more.
//
// Barring positions never changes a draw: it only helps the color that holds the draw. A won
// position stays won in the same number of turns, unless the same color wins a barred position in
// fewer turns: the winner meets only such positions. So the table without barred positions is
// mostly sufficient.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "solve/tablebase.hpp"

namespace patchpie {

template <Reversible G> class Retrograde final : public SolverAlgorithm<G> {
  public:
    using L = typename G::Layout;
    using Bits = typename L::Bits;
    using History = typename G::History;
    using Table = Tablebase<G>;
    using Barred = std::vector<typename Table::Barred>;

    static constexpr int largest = BoardIndex::largest;

    // The least memory in bytes. Five times as much is enough for any barred positions.
    static std::size_t bytes_for(int size) { return Table::bytes_for(size, false); }

    Retrograde(int size, std::size_t bytes, Limits& limits)
        : index_(size), bytes_(bytes), limits_(limits), table_(index_, {}, limits) {}

    std::size_t used_bytes() const override {
        return table_.used_bytes() + (exact_ ? exact_->used_bytes() : 0);
    }

    BestStep solve(G const& position, History& history, int) override {
        barred_ = barred_by(history);
        TwoColorBoard const board = board_of(position.planes());
        table_.find(board, position.to_move);
        bool const exactly = in_doubt(board, position.to_move);
        Table const& table = exactly ? without_barred(board, position.to_move) : table_;
        Successors successors;
        list_successors(successors, position, history, canonical_key_);
        auto const mark = history.mark();
        for (auto& successor : successors) {
            successor.score =
                successor.is_over()
                    ? value_for(successor.winner, position.to_move) * 1000
                    : rank(table, after(position, successor.step, history));
            history.rewind(mark);
        }
        Step const step =
            best_successor(successors, [](auto const& successor) { return successor.score; });
        for (auto const& successor : successors) {
            if (successor.step != step) continue;
            return {(successor.score > 0) - (successor.score < 0), step};
        }
        return {};
    }

    bool still_valid(History const& history) const override {
        return barred_by(history) == barred_;
    }

    // Returns nothing if positions are barred.
    std::optional<Census> census() const override {
        if (!barred_.empty() || !table_.complete()) return {};
        return table_.census();
    }

  private:
    TwoColorBoard board_of(std::array<Bits, 2> const& planes) const {
        int const size = index_.size();
        auto const squares = [size](Bits const& plane) {
            TwoColorBoard::Squares all = 0;
            for (int column = size; column-- > 0;) {
                Word const points = word_of(plane, 0) >> L::point(column, 0);
                all = all << size |
                      static_cast<TwoColorBoard::Squares>(points & ((Word{1} << size) - 1));
            }
            return all;
        };
        return {squares(planes[0]), squares(planes[1])};
    }

    // The positions that appeared twice, sorted, without duplicates.
    Barred barred_by(History const& history) const {
        Barred all, barred;
        for (auto const& each : history) {
            all.push_back({board_of({each.own, each.other}), each.to_move});
        }
        std::sort(all.begin(), all.end());
        for (std::size_t i = 1; i < all.size(); ++i) {
            bool const counted = !barred.empty() && barred.back() == all[i];
            if (all[i] == all[i - 1] && !counted) barred.push_back(all[i]);
        }
        return barred;
    }

    // Whether the line to the end that the table knows may lead through a barred position.
    bool in_doubt(TwoColorBoard const& board, Color to_move) const {
        auto const here = table_.of(board, to_move);
        if (here.value == 0) return false;
        return std::any_of(barred_.begin(), barred_.end(), [&](auto const& each) {
            auto const there = table_.of(each.board, each.to_move);
            int const same = each.to_move == to_move ? here.value : -here.value;
            return there.value == same && there.turns < here.turns;
        });
    }

    // The table that counts barred positions as draws. Throws SearchAborted if it takes too much
    // memory.
    Table const& without_barred(TwoColorBoard const& board, Color to_move) {
        if (!exact_ || exact_->barred() != barred_) {
            exact_.reset();
            auto const bytes = Table::bytes_for(index_.size(), true) + table_.used_bytes();
            if (bytes > bytes_) throw SearchAborted{};
            exact_.emplace(index_, barred_, limits_);
        }
        exact_->find(board, to_move);
        return *exact_;
    }

    // Ranks a position for the color that moves to it: a quick win, a draw, then a slow loss.
    int rank(Table const& table, G const& position) const {
        auto const there = table.of(board_of(position.planes()), position.to_move);
        if (there.value == 0) return 0;
        return there.value > 0 ? there.turns - 999 : 999 - there.turns;
    }

    Canonicalizer<G> canonical_key_{Equivalence::exact};
    BoardIndex index_;
    std::size_t bytes_;
    Limits& limits_;
    Table table_;                 // without barred positions
    std::optional<Table> exact_;  // with the barred positions of the last case in doubt
    Barred barred_;
};

}  // namespace patchpie
