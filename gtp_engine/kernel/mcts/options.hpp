// The options of a search. Those of gtp_engine/search/options.py have the same names here.
#pragma once

#include <cstdint>
#include <memory>

namespace patchpie {

class Net;

enum class TurnOrders : std::uint8_t { one, every };

// hash_mb        -- MiB for the tree
// exploration    -- weight of the exploration term: of UCB1, with a net of PUCT
// rave           -- visits at which a step's value and its AMAF value weigh equally (GRAVE);
//                   0 for no AMAF
// leaf_playouts  -- playouts from each leaf, each of which counts as a visit; one with AMAF
// playout_weight -- weight of a playout's result beside the learned value of a leaf
// expand_after   -- visits before a node gets children; with a net, before it is evaluated, and
//                   the evaluation then counts as as many visits
// turn_orders    -- inside a turn: one order of steps for each position that it can end with
//                   (turn_transpositions.hpp), or every order
// decisive       -- play a winning step at once, where the game sees it quickly
// noise          -- the random part of the priors at the root, for self-play
// net            -- evaluates leaves and steps; null for none. With a net there is no AMAF
struct SearchOptions {
    std::uint64_t seed = 0;
    int threads = 1;
    std::int64_t hash_mb = 1;
    float exploration = 0;
    float rave = 0;
    std::uint32_t leaf_playouts = 1;
    float playout_weight = 0;
    std::uint32_t expand_after = 1;
    TurnOrders turn_orders = TurnOrders::one;
    bool decisive = false;
    float noise = 0;
    std::shared_ptr<Net const> net;
};

}  // namespace patchpie
