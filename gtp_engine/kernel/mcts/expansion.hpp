// Makes the children of a node.
#pragma once

#include <algorithm>

#include "mcts/arena.hpp"
#include "mcts/worker.hpp"

namespace patchpie {

// Lists the steps of a position with their priors. Stores the value of the position in the worker.
template <Game G>
void evaluate(G const& position, Steps const& steps, Block& block, SearchWorker<G>& worker) {
    Evaluator<G>& evaluator = *worker.evaluator;
    float const value = evaluator.value(position);
    bool const priors_only = evaluator.empty_share() < worker.options.priors_only;
    worker.value = priors_only ? EvaluatedPosition::no_value : value;
    std::ranges::copy(steps, block.steps());
    evaluator.priors(position, steps, block.priors());
}

// Makes a block for the steps of a position, with a node for each. Returns no_block if there are
// no steps or no memory. Without a position, all steps get the same prior.
template <Game G>
BlockNumber make_complete_block(Arena& arena, G const* position, Steps const& steps,
                                SearchWorker<G>& worker) {
    auto const count = static_cast<std::uint32_t>(steps.count);
    BlockNumber number = no_block;
    bool const has_priors = worker.evaluator != nullptr;
    Block* const block = count > 0 ? arena.allocate(count, count, has_priors, number) : nullptr;
    if (block == nullptr) return no_block;
    block->set_order(worker.rng.next());
    arena.make_nodes(*block, steps);
    if (has_priors || worker.options.uses_amaf()) block->mark_all_visited();
    if (has_priors && position != nullptr) {
        evaluate(*position, steps, *block, worker);
    } else if (has_priors) {
        std::fill_n(block->priors(), count, static_cast<Prior>(UINT16_MAX / count));
    }
    return number;
}

// Makes a block with priors, whose children get their nodes later. Returns no_block if there are
// no steps or no memory. A position that was evaluated before is not evaluated again, unless its
// steps depend on the history.
template <Game G>
BlockNumber make_block_with_priors(Arena& arena, G const& position, Steps const& steps,
                                   SearchWorker<G>& worker) {
    auto const count = static_cast<std::uint32_t>(steps.count);
    std::uint32_t const room = std::min(count, Block::room_with_priors);
    BlockNumber number = no_block;
    Block* const block = count > 0 ? arena.allocate(count, room, true, number) : nullptr;
    if (block == nullptr) return no_block;
    std::uint64_t const key = position.key();
    auto const* const known = has_history<G> ? nullptr : worker.evaluated.find(key);
    if (known != nullptr && arena[known->block].count == count) {
        worker.value = known->value;
        block->copy_list(arena[known->block], worker.options.shared());
    } else {
        evaluate(position, steps, *block, worker);
        worker.evaluated.add({key, number, worker.value});
    }
    block->promote(0);
    return number;
}

}  // namespace patchpie
