// Exact values of the positions of a small board, looked up in a table of all of them.
//
// A table that is made from the ends backward (tablebase.hpp) is right under a rule by which a
// position that appears for the third time is a draw (Robble, R16), whatever happened before, for
// these reasons.
//
// - Who has a won position can always go to one that is fewer turns from the end, so comes
//   back nowhere.
// - Who has a drawn position can always go to one that is drawn or won. The game cannot end with a
//   full board then but in a win; else it comes back somewhere and is a draw.
// - What has appeared twice before would be a draw at once: such positions are barred, that is,
//   counted as drawn ends. One that appeared once can still be gone through, once.
//
// Drawn positions stay drawn whatever is barred: who holds the draw is only helped to it. A won
// one stays won in as many turns unless something barred was won for the same color in fewer: the
// winner meets nothing else on the way. So mostly the table without anything barred will do.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "tablebase.hpp"

namespace patchpie {

template <Reversible G> class Retrograde final : public Solving<G> {
  public:
    using L = typename G::Layout;
    using Bits = typename L::Bits;
    using Memory = typename G::Memory;
    using Table = Tablebase<G>;
    using Barred = std::vector<typename Table::Barred>;

    static constexpr int largest = Ternary::largest;

    // The least memory that it needs. With five times as much nothing barred is too much.
    static std::size_t bytes_for(int size) { return Table::bytes_for(size, false); }

    Retrograde(int size, std::size_t bytes, Effort& effort)
        : ternary_(size), bytes_(bytes), effort_(effort), table_(ternary_, {}, effort) {}

    std::size_t used_bytes() const override {
        return table_.used_bytes() + (exact_ ? exact_->used_bytes() : 0);
    }

    Answer solve(G const& position, Memory& memory) override {
        barred_ = barred_by(memory);
        TwoColors const board = board_of(position.planes());
        table_.find(board, position.to_move);
        bool const exactly = in_doubt(board, position.to_move);
        Table const& table = exactly ? without_barred(board, position.to_move) : table_;
        Replies<G, int> replies;
        list_replies(replies, position, memory);
        for (auto& reply : replies) reply.known = rank(table, reply, position.to_move);
        Step const step = best_reply(replies, [](auto const& reply) { return reply.known; });
        for (auto const& reply : replies) {
            if (reply.step == step) return {(reply.known > 0) - (reply.known < 0), step};
        }
        return {};
    }

    bool goes_on(Memory const& memory) const override { return barred_by(memory) == barred_; }

    // None where some are barred.
    std::optional<Census> census() const override {
        if (!barred_.empty() || !table_.complete()) return {};
        return table_.census();
    }

  private:
    TwoColors board_of(std::array<Bits, 2> const& planes) const {
        int const size = ternary_.size();
        auto const squares = [size](Bits const& plane) {
            TwoColors::Squares all = 0;
            for (int column = size; column-- > 0;) {
                Word const points = word_of(plane, 0) >> L::point(column, 0);
                all = all << size |
                      static_cast<TwoColors::Squares>(points & ((Word{1} << size) - 1));
            }
            return all;
        };
        return {squares(planes[0]), squares(planes[1])};
    }

    // What has appeared twice, each once, in order.
    Barred barred_by(Memory const& memory) const {
        Barred all, barred;
        for (auto const& each : memory) {
            all.push_back({board_of({each.own, each.other}), each.to_move});
        }
        std::sort(all.begin(), all.end());
        for (std::size_t i = 1; i < all.size(); ++i) {
            bool const counted = !barred.empty() && barred.back() == all[i];
            if (all[i] == all[i - 1] && !counted) barred.push_back(all[i]);
        }
        return barred;
    }

    // Whether the way to the end that the table knows may lead through something barred.
    bool in_doubt(TwoColors const& board, Color to_move) const {
        auto const [value, turns] = table_.of(board, to_move);
        if (value == 0) return false;
        return std::any_of(barred_.begin(), barred_.end(), [&](auto const& each) {
            auto const there = table_.of(each.board, each.to_move);
            int const same = each.to_move == to_move ? value : -value;
            return there.value == same && there.turns < turns;
        });
    }

    // The table that counts what is barred as drawn. Throws GaveUp where that is too much.
    Table const& without_barred(TwoColors const& board, Color to_move) {
        if (!exact_ || exact_->barred() != barred_) {
            exact_.reset();
            auto const bytes = Table::bytes_for(ternary_.size(), true) + table_.used_bytes();
            if (bytes > bytes_) throw GaveUp{};
            exact_.emplace(ternary_, barred_, effort_);
        }
        exact_->find(board, to_move);
        return *exact_;
    }

    // How good a reply is for the color that makes it: soon won, drawn, lost late.
    int rank(Table const& table, Reply<G, int> const& reply, Color color) const {
        if (reply.decided()) return worth(reply.winner, color) * 1000;
        auto const there = table.of(board_of(reply.position.planes()), reply.position.to_move);
        if (there.value == 0) return 0;
        return there.value > 0 ? there.turns - 999 : 999 - there.turns;
    }

    Ternary ternary_;
    std::size_t bytes_;
    Effort& effort_;
    Table table_;                 // with nothing barred
    std::optional<Table> exact_;  // with what was barred when there was a doubt
    Barred barred_;
};

}  // namespace patchpie
