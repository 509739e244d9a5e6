// The successors of a position, as the solvers list and order them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "rules/canonical_key.hpp"
#include "rules/decisive_moves.hpp"
#include "rules/game_state.hpp"
#include "solve/bounds.hpp"
#include "solve/proof_numbers.hpp"

namespace patchpie {

// A step with the forced steps after it, and the resulting position.
//
// key           -- of that position, if the game goes on
// other_to_move -- whether the other color is to move in that position
// winner        -- the winner in that position, if the game is over, or if the color to move is
//                  seen to win at once
// threatens     -- whether the color that makes the step would win at once if it could move again
//
// `bounds` belongs to alpha-beta search and `numbers` to df-pn, both for the color that makes the
// step. Both algorithms share this type and its list, so that each game compiles them once.
//
// score         -- the key of the search order; the highest comes first
struct Successor {
    Step step;
    bool other_to_move = false;
    Winner winner = Winner::undecided;
    bool threatens = false;
    CanonicalKey key{};
    Bounds bounds{};
    ProofNumbers numbers{};
    int score = 0;

    bool is_over() const { return winner != Winner::undecided; }
};

// The value of a finished game for a color: 1 won, 0 drawn, -1 lost.
constexpr int value_for(Winner winner, Color color) {
    return winner == Winner::draw ? 0 : winner == won_by(color) ? 1 : -1;
}

using Successors = std::vector<Successor>;

// Plays a step and the forced steps after it.
template <Game G> G after(G position, Step step, typename G::History& history) {
    position.apply(step, history);
    settle(position, history);
    return position;
}

// Whether a color would be seen to win at once if it were to move.
template <Game G> bool wins_if_to_move(G position, Color color) {
    position.to_move = color;
    if constexpr (Decisive<G>) return position.wins_at_once();
    else return false;
}

// Lists the successors of a position that is not over, without duplicate positions. The list ends
// after the first win.
template <Game G>
[[gnu::noinline]] void list_successors(Successors& successors, G const& position,
                                       typename G::History& history,
                                       Canonicalizer<G> const& canonical_key) {
    successors.clear();
    Steps steps;
    position.legal_steps(steps);
    for (Step const step : steps) {
        auto const mark = history.mark();
        G const next = after(position, step, history);
        Successor successor{step, next.to_move != position.to_move};
        successor.winner = outcome_or_win_ahead(next, history, true).winner;
        history.rewind(mark);
        if (successor.is_over()) {
            successors.push_back(successor);
            if (successor.winner == won_by(position.to_move)) return;
            continue;
        }
        successor.key = canonical_key(next);
        successor.threatens = successor.other_to_move && wins_if_to_move(next, position.to_move);
        bool const twice = std::any_of(successors.begin(), successors.end(), [&](auto& other) {
            return !other.is_over() && other.key == successor.key;
        });
        if (!twice) successors.push_back(successor);
    }
}

// Sorts by descending score. Equal scores keep their order.
inline void sort_by_score(Successors& successors) {
    std::stable_sort(successors.begin(), successors.end(),
                     [](auto const& a, auto const& b) { return a.score > b.score; });
}

// The step of the first successor with the highest rank.
template <class F> Step best_successor(Successors const& successors, F&& rank) {
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
