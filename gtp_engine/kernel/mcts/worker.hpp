// The data of one search thread.
#pragma once

#include <memory>
#include <vector>

#include "mcts/amaf.hpp"
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
    SearchWorker(Rng random, typename G::History const& start, Net const* net, int size, bool amaf)
        : rng(random), history(start), uses_amaf(amaf),
          evaluator(net ? new Evaluator<G>(*net, size) : nullptr) {}

    Rng rng;
    typename G::History history;
    bool uses_amaf;
    Selector selector;
    VisitSteps<G> amaf_steps;
    Steps steps;
    TurnTranspositions<G> turns;
    std::vector<SearchPathEntry<G>> path;
    std::unique_ptr<Evaluator<G>> evaluator;  // null without a net
    float value = 0;                          // the last value of the evaluator
    typename SimdPlayoutsOf<G>::Type simd;
};

}  // namespace patchpie
