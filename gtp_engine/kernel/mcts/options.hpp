// The options of a search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace patchpie {

class Net;

// bytes            -- the memory of the tree
// expand_after     -- how many visits a node must have before it gets children; with a net it gets
//                     them during that visit, and the value of the net counts for as many visits
// amaf_equivalence -- how many visits of a step weigh as much as its AMAF statistics (GRAVE); 0 to do
//                     without these
// every_order      -- whether to search all orders of the steps of a turn (turn_transpositions.hpp)
// decisive         -- whether to play decisive moves (decisive_moves.hpp)
// net              -- gives values and priors, or null: with a net selection is PUCT, without AMAF
// playout_weight   -- the share of a random playout in the value of a leaf, beside the net
// noise            -- the share of noise in the priors of the root, for self-play
// leaf_playouts    -- how many random playouts start at a leaf; each counts as a visit. One with AMAF
struct SearchOptions {
    std::uint64_t seed = 0;
    int threads = 1;
    std::size_t bytes = 0;
    float exploration = 0;
    std::uint32_t expand_after = 1;
    float amaf_equivalence = 0;
    bool every_order = false;
    bool decisive = false;
    std::shared_ptr<Net const> net;
    float playout_weight = 0;
    float noise = 0;
    std::uint32_t leaf_playouts = 1;
};

}  // namespace patchpie
