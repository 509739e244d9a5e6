// The selection of a child: UCB1 (Auer, Cesa-Bianchi and Fischer, 2002), GRAVE (Cazenave, IJCAI
// 2015), or PUCT (Silver et al., 2017).
//
// Every machine selects the same child: counts are integers, a compiler option forbids fused
// floating-point operations, and the logarithm is our own.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "board/exact_functions.hpp"
#include "mcts/block.hpp"
#include "mcts/proof_numbers.hpp"

namespace patchpie {

// Selects a child. It copies the counts of all children into arrays, so that the compiler can
// vectorize the arithmetic.
class Selector {
  public:
    // UCB1: the first child with the highest bound for the color to move; proven losses come last.
    // Each child must have a visit, or another thread must be visiting it now.
    std::uint32_t select(Block& block, std::uint32_t parent_visits, Color to_move,
                         float exploration) {
        std::size_t const count = block.count;
        copy(block, block.count, to_move);
        float const breadth = exploration * exploration * fast_logarithm(parent_visits + 1);
        // Nonnegative floats have the same order as their bits as integers. The maximum of
        // integers compiles to vector instructions.
        float const worst = to_move == BLACK ? 0.0F : 1.0F;
        float const a_point = (to_move == BLACK ? 1.0F : -1.0F) / points_a_game;
        for (std::size_t i = 0; i < count; ++i) {
            float const one_visit = 1 / visits_[i];
            float const bound = worst + points_[i] * one_visit * a_point;
            bounds_[i] = std::bit_cast<std::int32_t>(bound + std::sqrt(breadth * one_visit));
        }
        return highest(count, 0);
    }

    // GRAVE: children without visits are allowed. `amaf` returns the AMAF statistics of a step.
    // The weight of many AMAF games tends to that of `rave` visits. Each step gets one extra AMAF
    // win, so that the search tries steps without statistics.
    template <class F>
    std::uint32_t select(Block& block, std::uint32_t parent_visits, Color to_move,
                         float exploration, float rave, F&& amaf) {
        std::size_t const count = block.count;
        copy(block, block.count, to_move);
        float const win = to_move == BLACK ? points_a_game : 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            Node const& child = block.begin()[i];
            Stats const all = amaf(child.step());
            amaf_visits_[i] = static_cast<float>(static_cast<std::int32_t>(all.visits)) + 1;
            amaf_points_[i] = static_cast<float>(static_cast<std::int32_t>(all.points)) + win;
            own_[i] = static_cast<float>(counts_[i]);
            if (child.bounds() != 0) [[unlikely]] {
                // A child with proven bounds needs no AMAF value.
                own_[i] = visits_[i];
                amaf_visits_[i] = amaf_points_[i] = 1e-30F;
            }
        }
        float const breadth = exploration * exploration * fast_logarithm(parent_visits + 1);
        float const worst = to_move == BLACK ? 0.0F : 1.0F;
        float const a_point = (to_move == BLACK ? 1.0F : -1.0F) / points_a_game;
        float const per_visit = 1 / rave;
        for (std::uint32_t i = 0; i < count; ++i) {
            float const one_visit = 1 / visits_[i];
            float const own = points_[i] * one_visit, all = amaf_points_[i] / amaf_visits_[i];
            float const both = amaf_visits_[i] + own_[i] + amaf_visits_[i] * own_[i] * per_visit;
            float const weight = amaf_visits_[i] / both;
            float const bound = worst + (own + weight * (all - own)) * a_point;
            bounds_[i] = std::bit_cast<std::int32_t>(bound + std::sqrt(breadth * one_visit));
        }
        return highest(count, block.first);
    }

    // PUCT (Silver et al., 2017) among the first `count` children, of which `nodes` have nodes. The
    // value of a child without visits is the value of its parent less a reduction, which grows
    // with the sum of the priors of the visited children (as in KataGo). With a `proof_weight`,
    // nearness to a proven win is added; `numbers` returns the proof numbers of a node.
    template <class F>
    std::uint32_t select_by_priors(Block& block, std::uint32_t nodes, std::uint32_t count,
                                   Stats parent, Color to_move, float exploration,
                                   float proof_weight, F&& numbers) {
        copy(block, nodes, to_move);
        for (std::uint32_t i = nodes; i < count; ++i) {
            counts_[i] = 0;
            visits_[i] = 1;
            points_[i] = 0;
        }
        Prior const* const priors = block.priors(block.list_for(nodes));
        std::uint32_t tried = 0;
        for (std::uint32_t i = 0; i < nodes; ++i) {
            tried += (counts_[i] > 0) * std::uint32_t{priors[i]};
        }
        float const worst = to_move == BLACK ? 0.0F : 1.0F;
        float const a_point = (to_move == BLACK ? 1.0F : -1.0F) / points_a_game;
        auto const all = static_cast<float>(std::max(parent.visits, 1U));
        float const here = worst + static_cast<float>(parent.points) / all * a_point;
        float const share = static_cast<float>(tried) / certain;
        float const untried = std::max(0.0F, here - reduction * std::sqrt(share));
        float const breadth = exploration * std::sqrt(all) / certain;
        for (std::uint32_t i = 0; i < count; ++i) {
            float const visited = worst + points_[i] / visits_[i] * a_point;
            float const value = counts_[i] > 0 ? visited : untried;
            auto const own = static_cast<float>(counts_[i]);
            float const bound = value + breadth * static_cast<float>(priors[i]) / (1 + own);
            bounds_[i] = std::bit_cast<std::int32_t>(bound);
        }
        if (proof_weight > 0 && nodes > 0) {
            add_nearness(block, nodes, count, to_move, proof_weight, numbers);
        }
        return highest(count, 0);
    }

  private:
    static constexpr float reduction = 0.1F;

    // Adds `weight` times the nearness of each child to a proven win of the color to move: the
    // least proof number of all children as a share of the child's. A child without a node is as
    // near as the `nodes` others on average.
    template <class F>
    void add_nearness(Block& block, std::uint32_t nodes, std::uint32_t count, Color to_move,
                      float weight, F&& numbers) {
        std::uint32_t least = ProofNumbers::impossible, copied = 0;
        block.each_child(nodes, [&](Node const& child) {
            std::uint32_t const number = numbers(child).to_win[to_move];
            near_[copied++] = static_cast<float>(number);
            least = std::min(least, number);
        });
        float const nearest = weight * static_cast<float>(least);
        float sum = 0;
        for (std::uint32_t i = 0; i < nodes; ++i) {
            near_[i] = nearest / std::max(near_[i], 1.0F);
            sum += near_[i];
        }
        for (std::uint32_t i = nodes; i < count; ++i) {
            near_[i] = sum / static_cast<float>(nodes);
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            bounds_[i] = std::bit_cast<std::int32_t>(std::bit_cast<float>(bounds_[i]) + near_[i]);
        }
    }

    // Copies the counts of the first `count` children; `visits_` is at least 1. The first loop only
    // loads, so that the compiler can vectorize the second one.
    void copy(Block& block, std::uint32_t count, Color to_move) {
        ScoreBounds known = 0;
        std::uint32_t copied = 0;
        block.each_child(count, [&](Node const& child) {
            auto const [visits, points] = child.stats();
            counts_[copied] = static_cast<std::int32_t>(visits);
            sums_[copied++] = static_cast<std::int32_t>(points);
            known |= child.bounds();
        });
        for (std::uint32_t i = 0; i < count; ++i) {
            visits_[i] = static_cast<float>(std::max(counts_[i], 1));
            points_[i] = static_cast<float>(sums_[i]);
        }
        if (known == 0) return;
        for (std::uint32_t i = 0; i < count; ++i) keep_within(block.child(i).bounds(), i, to_move);
    }

    // Moves the value of a child into its proven bounds.
    void keep_within(ScoreBounds bounds, std::uint32_t i, Color to_move) {
        if (bounds == 0) return;
        points_[i] = visits_[i] * within(bounds, points_[i] / visits_[i]);
        // A proven loss gets a value that no exploration term outweighs.
        if (wins(bounds, opponent(to_move))) {
            points_[i] += visits_[i] * (to_move == BLACK ? -1e6F : 1e6F);
        }
    }

    // The child with the highest bound; of equal ones, the first from index `from` on, cyclically.
    std::uint32_t highest(std::size_t count, std::uint32_t from) const {
        std::int32_t highest = bounds_[0];
        for (std::size_t i = 1; i < count; ++i) highest = std::max(highest, bounds_[i]);
        std::uint32_t best = from;
        while (bounds_[best] != highest) best = best + 1 < count ? best + 1 : 0;
        return best;
    }

    template <class Number> using Numbers = std::array<Number, Steps::capacity>;
    Numbers<std::int32_t> counts_, sums_, bounds_;
    Numbers<float> visits_, points_, amaf_visits_, amaf_points_, own_, near_;
};

}  // namespace patchpie
