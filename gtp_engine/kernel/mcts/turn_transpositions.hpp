// Transpositions inside a turn: one order of steps for each board that can end the turn.
//
// The steps of a turn often commute. In Implo, the player may resolve patches in any order: one
// placement had 15,653,489 sequences of steps for 23 boards. This class keeps the first path to
// each position inside the turn. It drops paths that lead only to positions found before. So the
// nodes inside the turn have together all of its ends, but each alone not all that it leads to: what
// is proven to be the best there is so for the turn, not for that position.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "mcts/arena.hpp"
#include "rules/canonical_key.hpp"
#include "rules/game_state.hpp"

namespace patchpie {

template <Game G> class TurnTranspositions {
  public:
    using History = typename G::History;

    // Finds the positions of an open turn, breadth first. Forced steps follow each step at once.
    // It stops at `max_states` positions; the search expands the rest when it gets there.
    void explore(G const& start, History& history) {
        states_.assign(1, InnerState{start, Step{}, 0, false, nullptr});
        keys_.assign(1, canonical_key_(start));
        explored_ = 0;
        while (explored_ < states_.size() && states_.size() < max_states) {
            add_successors(explored_++, history);
        }
        // Backward, because each state comes after its predecessor.
        for (std::uint32_t i = static_cast<std::uint32_t>(states_.size()); i-- > 1;) {
            if (i >= explored_ || !states_[i].position.open()) states_[i].kept = true;
            if (states_[i].kept) states_[states_[i].from].kept = true;
        }
    }

    // Makes the nodes of the explored states. `make` makes a block for the current `steps` and
    // returns its number, or no_block. It gets the position at the start, and null inside the
    // turn. Returns the block of the steps from the start.
    template <class Make> BlockNumber make_nodes(Arena& arena, Steps& steps, Make&& make) {
        BlockNumber first = no_block;
        std::uint32_t next = 1;
        for (std::uint32_t i = 0; i < explored_; ++i) {
            // The successors of a state are contiguous.
            std::uint32_t const begin = next;
            steps.count = 0;
            for (; next < states_.size() && states_[next].from == i; ++next) {
                if (states_[next].kept) steps.add(states_[next].step);
            }
            bool const rooted = i == 0 || states_[i].node != nullptr;
            if (!rooted || steps.count == 0) continue;
            BlockNumber const number = make(i == 0 ? &states_[i].position : nullptr);
            if (i == 0) first = number;
            else states_[i].node->set_block(number);
            if (number < first_block) continue;
            Node* node = arena[number].begin();
            for (std::uint32_t j = begin; j < next; ++j) {
                if (states_[j].kept) states_[j].node = node++;
            }
        }
        return first;
    }

  private:
    // A position inside the turn or at its end.
    //
    // step, from -- the step that reached it first, and the index of the state before that step
    // kept       -- whether it ends the turn or leads to a state that does
    // node       -- the node of that step, null until it is made
    struct InnerState {
        G position;
        Step step;
        std::uint32_t from;
        bool kept;
        Node* node;
    };
    static constexpr std::size_t max_states = 512;

    void add_successors(std::uint32_t from, History& history) {
        if (!states_[from].position.open()) return;
        Steps steps;
        states_[from].position.legal_steps(steps);
        for (Step const step : steps) {
            InnerState state{states_[from].position, step, from, false, nullptr};
            auto const mark = history.mark();
            state.position.apply(step, history);
            settle(state.position, history);
            history.rewind(mark);
            CanonicalKey const key = canonical_key_(state.position);
            auto const end = keys_.end();
            if (std::find(keys_.begin(), end, key) != end) continue;
            keys_.push_back(key);
            states_.push_back(state);
        }
    }

    Canonicalizer<G> canonical_key_{Equivalence::exact};
    std::vector<InnerState> states_;
    std::vector<CanonicalKey> keys_;  // of the states
    std::uint32_t explored_ = 0;      // the number of states whose successors are listed
};

}  // namespace patchpie
