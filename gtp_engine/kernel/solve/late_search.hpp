// Depth-first search of late positions, for proof-number search.
//
// Where few positions are left, a plain search for a win needs less time than proof numbers, and
// its results do not fill the large table.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>

#include "rules/canonical_key.hpp"
#include "rules/decisive_moves.hpp"
#include "solve/limits.hpp"
#include "solve/successors.hpp"
#include "solve/transposition_table.hpp"

namespace patchpie {

// A game that tells when this pays. It should list the steps that leave fewest positions last.
//
// nearly_over -- whether so few positions follow that no estimates are needed to search them
template <class G>
concept SeesEnd = Game<G> && requires(G const& position) {
    { position.nearly_over() } -> std::same_as<bool>;
};

// Thrown when the search meets a draw.
struct DrawFound {};

template <Game G> class LateSearch {
  public:
    using History = typename G::History;
    using Table = TranspositionTable<ProofEntry>;

    // Its table takes a part of the memory, at most what fits into a cache of the processor.
    static constexpr std::size_t bytes_of(std::size_t memory) {
        return SeesEnd<G> ? std::min(memory / 8, std::size_t{1} << 21) : 0;
    }

    LateSearch(Table& table, Limits& limits) : table_(table), limits_(limits) {}

    // Whether the color to move wins. Throws SearchAborted and DrawFound.
    bool wins(G const& position, History& history) {
        CanonicalKey const key = exact_key_(position);
        if (auto const known = table_.find(key)) {
            limits_.hit();
            return known->numbers().proof == 0;
        }
        limits_.count();
        bool const won = finds_win(position, history);
        table_.store(key, ProofEntry(ProofNumbers::decided(won), 1));
        return won;
    }

  private:
    bool finds_win(G const& position, History& history) {
        Steps steps;
        position.legal_steps(steps);
        for (int i = steps.count; i-- > 0;) {
            G const next = after(position, steps[i], history);
            Winner const winner = outcome_or_win_ahead(next, history, true).winner;
            if (winner == Winner::draw) throw DrawFound{};
            bool const won = winner != Winner::undecided ? winner == won_by(position.to_move)
                             : (next.to_move == position.to_move) == wins(next, history);
            if (won) return true;
        }
        return false;
    }

    Canonicalizer<G> exact_key_{Equivalence::exact};
    Table& table_;
    Limits& limits_;
};

}  // namespace patchpie
