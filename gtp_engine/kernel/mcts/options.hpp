// The options of a search, under the same names as in gtp_engine/search/options.py.
#pragma once

#include <cstdint>
#include <memory>

namespace patchpie {

class Net;

enum class TurnOrders : std::uint8_t { one, every };

// threads        -- of a search, until `set_threads` changes them
// hash_mb        -- MiB for the tree
// exploration    -- weight of the exploration term: of UCB1, or of PUCT with a net
// rave           -- number of visits at which the value of a step and its AMAF value weigh equally
//                   (GRAVE); 0 turns AMAF off
// leaf_playouts  -- playouts from each leaf, each counted as a visit; always one with AMAF, and
//                   beside a net in games without SIMD playouts
// playout_weight -- weight of a playout beside the learned value of a leaf
// expand_after   -- visits before a node gets children. With a net: visits before the net
//                   evaluates the node; the evaluation then counts as this many visits, rounded up
//                   to whole leaves
// priors_only    -- where a smaller share of the points is empty, the net gives only priors, and
//                   playouts give the values
// proof_weight   -- with a net: weight of a step's nearness to a proven win
// turn_orders    -- inside a turn: one order of steps for each final position
//                   (turn_transpositions.hpp), or every order
// decisive       -- play a winning step at once if the game can detect it quickly
// noise          -- the share of noise in the priors at the root, for self-play
// net            -- evaluates leaves and steps; null for none. A net turns AMAF off
struct SearchOptions {
    std::uint64_t seed = 0;
    int threads = 1;
    std::int64_t hash_mb = 1;
    float exploration = 0;
    float rave = 0;
    std::uint32_t leaf_playouts = 1;
    float playout_weight = 0;
    std::uint32_t expand_after = 1;
    float priors_only = 0;
    float proof_weight = 0;
    TurnOrders turn_orders = TurnOrders::one;
    bool decisive = false;
    float noise = 0;
    std::shared_ptr<Net const> net;

    std::uint32_t evaluation_weight() const {
        return (expand_after + leaf_playouts - 1) / leaf_playouts * leaf_playouts;
    }
    bool shared() const { return threads > 1; }  // whether several threads share the tree
    bool uses_amaf() const { return rave > 0 && !net; }
    bool uses_proof_numbers() const { return proof_weight > 0 && net; }
};

}  // namespace patchpie
