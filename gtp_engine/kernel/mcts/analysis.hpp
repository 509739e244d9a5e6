// Values, confidence bounds and principal variations, read from the tree.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "mcts/analysis_row.hpp"
#include "mcts/arena.hpp"

namespace patchpie {

constexpr double value_of(Stats stats, ProvenResult proven) {
    if (proven != ProvenResult::none) return points_of(proven) / double{points_a_game};
    return stats.visits == 0 ? 0.5 : stats.points / (double{points_a_game} * stats.visits);
}

// 1 for a proven win of Black, 0.5 for a draw, 0 for a win of White.
constexpr std::optional<double> proven_value(ProvenResult proven) {
    if (proven == ProvenResult::none) return std::nullopt;
    return value_of({}, proven);
}

// The lower end of the 95 % confidence interval of a proportion (Wilson, 1927).
inline double lower_bound(double p, double n) {
    double const z = 1.96, zz = z * z;
    return (p + zz / (2 * n) - z * std::sqrt(p * (1 - p) / n + zz / (4 * n * n))) / (1 + zz / n);
}

// The step to a node, then the most visited step of each node below it.
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

// The analysis row of the i-th child. `to_move` is the color to move at its parent; `bounds` are
// those that hold for the child.
inline AnalysisRow row_of(Arena& arena, Block& block, std::uint32_t i, Color to_move,
                          ScoreBounds bounds, std::size_t longest_pv) {
    Node& child = block.child(i);
    Stats const stats = child.stats();
    AnalysisRow made;
    made.step = child.step();
    made.visits = stats.visits;
    ProvenResult const proven = proven_result(bounds);
    made.proven = proven_value(proven);
    made.value = value_of(stats, proven);
    made.prior = block.prior(i);
    double const seen = to_move == BLACK ? made.value : 1 - made.value;
    made.lcb = made.proven ? seen : lower_bound(seen, stats.visits);
    made.pv = principal_variation(arena, child, longest_pv);
    return made;
}

}  // namespace patchpie
