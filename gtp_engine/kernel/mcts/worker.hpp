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

// The points for Black of a visit that counts as a loss of the color that chose the node, until its
// result is known.
inline constexpr std::int32_t virtual_loss(Color chooser) {
    return chooser == BLACK ? 0 : static_cast<std::int32_t>(points_a_game);
}

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

    // The color that chose node i of the path; at the root the color to move.
    Color chooser(std::size_t i) const { return path[i > 0 ? i - 1 : 0].to_move; }

    // The counts of the last node of the path, without the virtual loss of this worker. That would
    // be a win for the color to move, and make each child without visits look better than it is.
    Stats stats_before_visit() const {
        Stats stats = path.back().node->stats();
        if (options.shared()) {
            stats.visits -= 1;
            stats.points -= static_cast<std::uint32_t>(virtual_loss(chooser(path.size() - 1)));
        }
        return stats;
    }

    SearchOptions const& options;
    Rng rng;
    typename G::History history;
    Selector selector;
    VisitSteps<G> amaf_steps;
    Edges edges;
    TurnTranspositions<G> turns;
    std::vector<SearchPathEntry<G>> path;
    std::unique_ptr<Evaluator<G>> evaluator;    // null without a net
    EvaluatedPositions evaluated;
    float value = EvaluatedPosition::no_value;  // of the position evaluated last
    typename SimdPlayoutsOf<G>::Type simd;
};

}  // namespace patchpie
