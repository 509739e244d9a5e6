// The data of one search thread.
#pragma once

#include <memory>
#include <vector>

#include "mcts/amaf.hpp"
#include "mcts/evaluated_positions.hpp"
#include "mcts/options.hpp"
#include "mcts/selection.hpp"
#include "mcts/turn_transpositions.hpp"
#include "nn/evaluator.hpp"
#include "rules/simd_playouts.hpp"

namespace patchpie {

// A node on the path from the root to a leaf.
template <Game G> struct SearchPathEntry {
    Node* node;
    Color to_move;                 // at the node
    AmafTable<G>* amaf = nullptr;  // of the node
};

// The random numbers, the history and the buffers of one search thread.
template <Game G> struct SearchWorker {
    SearchWorker(SearchOptions const& search, Rng random, typename G::History const& start,
                 int size)
        : options(search), rng(random), history(start),
          evaluator(options.net ? new Evaluator<G>(*options.net, size) : nullptr) {}

    SearchOptions const& options;
    Rng rng;
    typename G::History history;
    Selector selector;
    VisitSteps<G> amaf_steps;
    Steps steps;
    TurnTranspositions<G> turns;
    std::vector<SearchPathEntry<G>> path;
    std::unique_ptr<Evaluator<G>> evaluator;    // null without a net
    EvaluatedPositions evaluated;
    float value = EvaluatedPosition::no_value;  // of the position evaluated last
    typename SimdPlayoutsOf<G>::Type simd;
};

}  // namespace patchpie
