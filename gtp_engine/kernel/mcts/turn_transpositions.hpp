// Transpositions inside a turn: one order of its steps for each board that it can end with.
//
// Steps of a turn often commute. Implo's patches may be resolved in any order: one placement had
// 15,653,489 sequences of steps for 23 boards. This keeps the first way that it finds to each
// position inside the turn, and drops ways that lead only to positions found before.
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

    // Looks for all positions that an open turn leads through, with forced steps behind each step,
    // the nearest first. What lies behind the first `most_stops` is left to those who come there.
    void explore(G const& start, History& history) {
        states_.assign(1, InnerState{start, Step{}, 0, false, nullptr});
        keys_.assign(1, canonical_key_(start));
        explored_ = 0;
        while (explored_ < states_.size() && states_.size() < max_states) {
            add_successors(explored_++, history);
        }
        // From the last one on: each lies behind the one that it was reached from.
        for (std::uint32_t i = static_cast<std::uint32_t>(states_.size()); i-- > 1;) {
            if (i >= explored_ || !states_[i].position.open()) states_[i].kept = true;
            if (states_[i].kept) states_[states_[i].from].kept = true;
        }
    }

    // Makes the nodes of what was explored. `make` gives the number of a block of nodes for the
    // steps that were filled in, or no_block; so does this, for the steps from the start. It is
    // told the position at the start, and null for those inside the turn.
    template <class Make> BlockNumber make_nodes(Arena& arena, Steps& steps, Make&& make) {
        BlockNumber first = no_block;
        std::uint32_t next = 1;
        for (std::uint32_t i = 0; i < explored_; ++i) {
            // What was reached from here lies together.
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
    // Where the turn may come by, or end.
    //
    // step, from -- how it was reached first: a step and the number of another stop
    // kept       -- whether it is an end, or what was reached from it leads to one
    // node       -- of that step, once it is made
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
    std::vector<CanonicalKey> keys_;  // of the stops
    std::uint32_t explored_ = 0;  // the stops behind which was looked
};

}  // namespace patchpie
