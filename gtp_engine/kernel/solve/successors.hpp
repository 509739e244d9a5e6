// The successors of a position, as the solvers list and order them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "rules/canonical_key.hpp"
#include "rules/game_state.hpp"
#include "solve/bounds.hpp"
#include "solve/proof_numbers.hpp"

namespace patchpie {

// A step with the forced steps after it, and the resulting position.
//
// other_to_move -- whether the other color is to move in that position
// winner        -- the winner in that position, if the game is over
//
// `bounds` belongs to alpha-beta search and `numbers` to df-pn, both for the color that makes the
// step. Both algorithms share this type, so that each game compiles the code for successors once.
//
// searched      -- whether this iteration has already searched the position to the needed depth
// score         -- the key of the search order; the highest comes first
template <Game G> struct Successor {
    Step step;
    G position;
    CanonicalKey key{};
    bool other_to_move = false;
    Winner winner = Winner::undecided;
    bool searched = false;
    Bounds bounds{};
    ProofNumbers numbers{};
    int score = 0;

    bool is_over() const { return winner != Winner::undecided; }
};

// The value of a finished game for a color: 1 won, 0 drawn, -1 lost.
constexpr int value_for(Winner winner, Color color) {
    return winner == Winner::draw ? 0 : winner == won_by(color) ? 1 : -1;
}

template <Game G> using Successors = std::vector<Successor<G>>;

// Lists the successors of a position that is not over. The list ends after the first win.
template <Game G>
[[gnu::noinline]] void list_successors(Successors<G>& successors, G const& position,
                                    typename G::History& history) {
    successors.clear();
    Steps steps;
    position.legal_steps(steps);
    for (Step const step : steps) {
        auto& successor = successors.emplace_back(Successor<G>{step, position});
        auto const mark = history.mark();
        successor.position.apply(step, history);
        settle(successor.position, history);
        successor.other_to_move = successor.position.to_move != position.to_move;
        successor.winner = successor.position.outcome(history).winner;
        history.rewind(mark);
        if (successor.winner == won_by(position.to_move)) return;
    }
}

// Finds the keys of the successors in which the game goes on, and drops duplicate positions.
template <Game G>
[[gnu::noinline]] void find_keys(Successors<G>& successors, Canonicalizer<G> const& canonical_key) {
    std::size_t kept = 0;
    for (auto& successor : successors) {
        if (!successor.is_over()) {
            successor.key = canonical_key(successor.position);
            auto const* const first = successors.data();
            if (std::any_of(first, first + kept, [&successor](auto const& other) {
                    return !other.is_over() && other.key == successor.key;
                })) {
                continue;
            }
        }
        if (&successors[kept] != &successor) successors[kept] = successor;
        ++kept;
    }
    while (successors.size() > kept) successors.pop_back();
}

// Sorts by descending score. Equal scores keep their order.
template <Game G> void sort_by_score(Successors<G>& successors) {
    std::vector<std::pair<int, std::size_t>> order;
    for (std::size_t i = 0; i < successors.size(); ++i) order.emplace_back(-successors[i].score, i);
    std::sort(order.begin(), order.end());
    Successors<G> sorted;
    sorted.reserve(successors.size());
    for (auto const& [score, i] : order) sorted.push_back(successors[i]);
    successors.swap(sorted);
}

// The step of the first successor with the highest rank.
template <Game G, class F>
Step best_successor(Successors<G> const& successors, F&& rank) {
    auto const lower = [&rank](auto const& a, auto const& b) { return rank(a) < rank(b); };
    return std::max_element(successors.begin(), successors.end(), lower)->step;
}

// The buffers of a depth-first search: one T for each ply. Growth does not move existing elements.
template <class T> class PlyStack {
  public:
    T& operator[](std::size_t ply) {
        while (plies_.size() <= ply) plies_.push_back(std::make_unique<T>());
        return *plies_[ply];
    }

  private:
    std::vector<std::unique_ptr<T>> plies_;
};

}  // namespace patchpie
