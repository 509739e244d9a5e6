// Makes the children of a node.
#pragma once

#include <algorithm>

#include "mcts/arena.hpp"
#include "mcts/worker.hpp"

namespace patchpie {

// Lists the steps of a position with their priors, and stores the value of the position in the
// worker. Without a position, all steps get the same prior.
template <Game G>
void list_steps(G const* position, Steps const& steps, Block& block, SearchWorker<G>& worker) {
    std::ranges::copy(steps, block.steps());
    if (position == nullptr) {
        std::fill_n(block.priors(), block.count, static_cast<Prior>(UINT16_MAX / block.count));
    } else {
        worker.value = worker.evaluator->value(*position);
        worker.evaluator->priors(*position, steps, block.priors());
    }
}

// Makes a block for the steps of a position. Returns no_block if there are no steps or no memory.
// With a net, the children have priors and get their nodes later, unless `complete`.
template <Game G>
BlockNumber make_block(Arena& arena, G const* position, Steps const& steps, bool complete,
                       SearchWorker<G>& worker) {
    auto const count = static_cast<std::uint32_t>(steps.count);
    if (count == 0) return no_block;
    bool const has_priors = worker.evaluator != nullptr;
    bool const some = has_priors && !complete;
    std::uint32_t const room = some ? std::min(count, Block::room_with_priors) : count;
    BlockNumber number = no_block;
    Block* const block = arena.allocate(count, room, has_priors, number);
    if (block == nullptr) return no_block;
    if (has_priors) list_steps(position, steps, *block, worker);
    else block->set_order(worker.rng.next());
    if (some) {
        block->promote(0);
        return number;
    }
    arena.make_nodes(*block, steps);
    if (has_priors || worker.uses_amaf) block->mark_all_visited();
    return number;
}

}  // namespace patchpie
