// What is asked of a search, and what it tells.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "net.hpp"
#include "tree.hpp"

namespace patchpie {

// patience    -- how many visits a node must have before it gets children; with a net it gets them
//                in the course of that visit, and what the net says counts for as many
// equivalence -- how many visits of a step weigh as much as what all moves as first say of it; 0 to
//                do without that (GRAVE)
// every_order -- whether to look at all orders of steps inside a turn (orders.hpp)
// decisive    -- whether who can win at once does (decisive.hpp)
// net         -- what judges positions and steps, or null: with one there is no equivalence, and
//                exploration goes by priors (PUCT)
// chance      -- the part that a random playout has in the value of a position, beside the net
// noise       -- the part of the root's priors that is random, for games to learn from
// playouts    -- how many random games are played from where a visit ends, each of which counts as a
//                visit; one with what all moves as first say
struct Options {
    std::uint64_t seed = 0;
    int threads = 1;
    std::size_t bytes = 0;
    float exploration = 0;
    std::uint32_t patience = 1;
    float equivalence = 0;
    bool every_order = false;
    bool decisive = false;
    std::shared_ptr<Net const> net;
    float chance = 0;
    float noise = 0;
    std::uint32_t playouts = 1;
};

// What is known about a step at the root. Values are for Black, 0 to 1; `lcb` is the lower end
// of the value's 95 % interval as the color to move sees it; `pv` begins with the step.
struct Row {
    Step step = 0;
    std::uint32_t visits = 0;
    double value = 0.5;
    double prior = 0;
    double lcb = 0;
    Proof proof = Proof::none;
    std::vector<Step> pv;
};

constexpr double value_of(Stats stats, Proof proof) {
    if (proof != Proof::none) return points_of(proof) / double{points_a_game};
    return stats.visits == 0 ? 0.5 : stats.points / (double{points_a_game} * stats.visits);
}

// The lower end of a proportion's 95 % interval (Wilson, 1927).
inline double lower_bound(double p, double n) {
    double const z = 1.96, zz = z * z;
    return (p + zz / (2 * n) - z * std::sqrt(p * (1 - p) / n + zz / (4 * n * n))) / (1 + zz / n);
}

// The step to a node, and the most visited one from there on.
inline std::vector<Step> principal_variation(Arena& arena, Node& from, std::size_t longest) {
    std::vector<Step> steps{from.step()};
    Node* node = &from;
    while (steps.size() < longest) {
        BlockNumber const number = node->block();
        if (number < first_block) break;
        Block& block = arena[number];
        std::uint32_t most = 0;
        for (std::uint32_t i = 0; i < block.visited(); ++i) {
            Node& child = block.in_order(i);
            if (child.stats().visits > most) {
                most = child.stats().visits;
                node = &child;
            }
        }
        if (most == 0) break;
        steps.push_back(node->step());
    }
    return steps;
}

// What there is to show of a child in a block, as the color to move there sees it.
inline Row row_of(Arena& arena, Block& block, Node& child, Color to_move, std::size_t longest_pv) {
    Stats const stats = child.stats();
    Row made;
    made.step = child.step();
    made.visits = stats.visits;
    made.proof = child.proof();
    made.value = value_of(stats, made.proof);
    made.prior = block.prior(child);
    double const seen = to_move == BLACK ? made.value : 1 - made.value;
    made.lcb = made.proof == Proof::none ? lower_bound(seen, stats.visits) : seen;
    made.pv = principal_variation(arena, child, longest_pv);
    return made;
}

}  // namespace patchpie
