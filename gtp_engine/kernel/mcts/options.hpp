// The options of a search, under the same names as in gtp_engine/search/options.py.
#pragma once

#include <cstdint>
#include <memory>
#include <tuple>

#include "board/struct_fields.hpp"

namespace patchpie {

class Net;

// Inside a turn: one order of steps for each final position (turn_transpositions.hpp), or every
// order.
enum class TurnOrders : std::uint8_t { one, every };

struct SearchOptions {
    std::uint64_t seed = 0;
    // Threads of a search, until `set_threads` changes them.
    int threads = 1;
    // MiB for the tree.
    std::int64_t hash_mb = 1;
    // Weight of the exploration term: of UCB1, or of PUCT with a net.
    float exploration = 0;
    // Number of visits at which the value of a step and its AMAF value weigh equally (GRAVE); 0
    // turns AMAF off.
    float rave = 0;
    // Playouts from each leaf, each counted as a visit; always one with AMAF, and beside a net in
    // games without SIMD playouts.
    std::uint32_t leaf_playouts = 1;
    // Weight of a playout beside the learned value of a leaf.
    float playout_weight = 0;
    // Visits before a node gets children. With a net: visits before the net evaluates the node; the
    // evaluation then counts as this many visits, rounded up to whole leaves.
    std::uint32_t expand_after = 1;
    // Where a smaller share of the points is empty, the net gives only priors, and playouts give
    // the values.
    float priors_only = 0;
    // With a net: weight of a step's nearness to a proven win.
    float proof_weight = 0;
    TurnOrders turn_orders = TurnOrders::one;
    // Play a winning step at once if the game can detect it quickly.
    bool decisive = false;
    // The share of noise in the priors at the root, for self-play.
    float noise = 0;
    // Evaluates leaves and steps; null for none. A net turns AMAF off.
    std::shared_ptr<Net const> net;

    // All but the net.
    static constexpr auto fields() {
        using Options = SearchOptions;
        return std::tuple(Field{"seed", &Options::seed},
                          Ranged{"threads", &Options::threads, 1, 256},
                          // Node numbers have 32 bits.
                          Ranged{"hash_mb", &Options::hash_mb, 1, 65536},
                          Ranged{"exploration", &Options::exploration, 0, 100},
                          Ranged{"rave", &Options::rave, 0, 1'000'000},
                          Ranged{"leaf_playouts", &Options::leaf_playouts, 1, 1000},
                          Ranged{"playout_weight", &Options::playout_weight, 0, 1},
                          Ranged{"expand_after", &Options::expand_after, 1, 1'000'000},
                          Ranged{"priors_only", &Options::priors_only, 0, 1},
                          Ranged{"proof_weight", &Options::proof_weight, 0, 1},
                          Field{"turn_orders", &Options::turn_orders},
                          Field{"decisive", &Options::decisive},
                          Ranged{"noise", &Options::noise, 0, 1});
    }

    std::uint32_t evaluation_weight() const {
        return (expand_after + leaf_playouts - 1) / leaf_playouts * leaf_playouts;
    }
    bool shared() const { return threads > 1; }  // whether several threads share the tree
    bool uses_amaf() const { return rave > 0 && !net; }
    bool uses_proof_numbers() const { return proof_weight > 0 && net; }
};

}  // namespace patchpie
