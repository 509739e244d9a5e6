// Makes the children of a node.
#pragma once

#include <algorithm>

#include "mcts/arena.hpp"
#include "mcts/worker.hpp"

namespace patchpie {

// Evaluates a position: fills the priors of the worker's edges, which must hold its steps. Stores
// the value of the position in the worker.
//
// The net errs in another way in each image of a board. Each position is seen in an image of its
// own, so that these errors average out over the positions below a node (as in AlphaGo Zero: Silver
// et al., Nature 2017). A second evaluation of a position sees the same image.
template <Game G> void evaluate(G const& position, SearchWorker<G>& worker) {
    Evaluator<G>& evaluator = *worker.evaluator;
    float const value = evaluator.value(position, random_image(G::symmetry, position.key()));
    bool const priors_only = evaluator.empty_share() < worker.options.priors_only;
    worker.value = priors_only ? EvaluatedPosition::no_value : value;
    evaluator.priors(worker.edges.steps, worker.edges.priors.data());
}

// Makes a block for the steps of the worker's edges, with a node for each. Returns no_block if
// there are no steps or no memory. Without a position, all steps get the same prior.
template <Game G>
BlockNumber make_complete_block(Arena& arena, G const* position, SearchWorker<G>& worker) {
    Edges& edges = worker.edges;
    auto const count = static_cast<std::uint32_t>(edges.steps.count);
    BlockNumber number = no_block;
    bool const has_priors = worker.evaluator != nullptr;
    std::uint32_t const listed = has_priors ? count : 0;
    Block* const block = count > 0 ? arena.allocate(count, count, listed, number) : nullptr;
    if (block == nullptr) return no_block;
    block->set_order(worker.rng.next());
    arena.make_nodes(*block, edges.steps);
    if (has_priors || worker.options.uses_amaf()) block->mark_all_visited();
    if (!has_priors) return number;
    if (position != nullptr) {
        evaluate(*position, worker);
    } else {
        std::fill_n(edges.priors.begin(), count, static_cast<Prior>(UINT16_MAX / count));
    }
    block->set_list(0, edges);
    return number;
}

// Makes a block with priors for the steps of the worker's edges. Their children get nodes later.
// Returns no_block if there are no steps or no memory. A position that was evaluated before is not
// evaluated again, unless its steps depend on the history.
//
// The block lists all children at the root, and where the net evaluates only positions with several
// visits: these get more, so a second evaluation would cost more than a longer list.
template <Game G>
BlockNumber make_block_with_priors(Arena& arena, G const& position, bool at_root,
                                   SearchWorker<G>& worker) {
    auto const count = static_cast<std::uint32_t>(worker.edges.steps.count);
    std::uint32_t const room = at_root ? count : std::min(count, Block::room_with_priors);
    bool const all = at_root || worker.options.expand_after > 1;
    std::uint32_t const listed = all ? count : std::min(count, Block::short_list);
    BlockNumber number = no_block;
    Block* const block = count > 0 ? arena.allocate(count, room, listed, number) : nullptr;
    if (block == nullptr) return no_block;
    std::uint64_t const key = position.key();
    auto const* const known = has_history<G> ? nullptr : worker.evaluated.find(key);
    if (known != nullptr && arena[known->block].count == count &&
        arena[known->block].listed(0) >= block->listed(0)) {
        worker.value = known->value;
        block->copy_list(arena[known->block]);
    } else {
        evaluate(position, worker);
        worker.edges.sort(0, block->listed(0));
        block->set_list(0, worker.edges);
        worker.evaluated.add({key, number, worker.value});
    }
    return number;
}

// Makes a node for the n-th child of a block with priors, as Arena::open does. A longer list needs
// another evaluation of the position, which is not made if the arena is full.
template <Game G>
bool open_child(Arena& arena, Block& block, std::uint32_t n, G const& position,
                SearchWorker<G>& worker) {
    if (block.needs_list(n)) {
        std::size_t const chunk = block.chunk_from(n);
        if (!arena.has_room(block.chunk_slots(chunk))) return false;
        Edges& edges = worker.edges;
        edges.steps.count = 0;
        position.legal_steps(edges.steps);
        evaluate(position, worker);
        edges.sort(0, block.listed(chunk));
    }
    return arena.open(block, n, worker.edges, worker.options.shared());
}

}  // namespace patchpie
