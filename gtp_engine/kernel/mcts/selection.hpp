// How a node selects a child: UCB1 (Auer, Cesa-Bianchi and Fischer, 2002), GRAVE (Cazenave, IJCAI
// 2015), or PUCT (Silver et al., 2017).
//
// Every machine selects the same child: whole numbers, IEEE arithmetic without fused operations (a
// compiler option), and our own logarithm.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "mcts/node.hpp"

namespace patchpie {

// The natural logarithm of a whole number, to about six digits.
inline float natural_log(std::uint32_t n) {
    int const exponent = static_cast<int>(std::bit_width(n)) - 1;
    // 1 <= m < 2: the number behind its highest bit, as the fraction of a float.
    std::uint32_t const fraction = exponent > 23 ? n >> (exponent - 23) : n << (23 - exponent);
    float const m = std::bit_cast<float>((fraction & 0x7fffff) | 0x3f800000);
    // The series of 2 artanh(z), where z = (m - 1) / (m + 1) is at most a third.
    float const z = (m - 1) / (m + 1), square = z * z;
    float const series =
        1 + square * (1.0F / 3 + square * (1.0F / 5 + square * (1.0F / 7 + square / 9)));
    return 0.69314718F * static_cast<float>(exponent) + 2 * z * series;
}

// Copies of the counts of all children, so that the arithmetic over them runs side by side.
class Selector {
  public:
    // The child with the highest bound for the color to move, known losses last; the first one of
    // equal ones. All children have been visited, or are just being visited by another thread.
    std::uint32_t select(Block& block, std::uint32_t parent_visits, Color to_move,
                         float exploration) {
        std::size_t const count = block.count;
        for (std::uint32_t i = 0; i < count; ++i) copy(block.child(i), i, to_move);
        float const breadth = exploration * exploration * natural_log(parent_visits + 1);
        // Bounds are compared as whole numbers, which floats that are not negative allow: compilers
        // have an instruction for the greater of many.
        float const worst = to_move == BLACK ? 0.0F : 1.0F;
        float const a_point = (to_move == BLACK ? 1.0F : -1.0F) / points_a_game;
        for (std::size_t i = 0; i < count; ++i) {
            float const one_visit = 1 / visits_[i];
            float const bound = worst + points_[i] * one_visit * a_point;
            bounds_[i] = std::bit_cast<std::int32_t>(bound + std::sqrt(breadth * one_visit));
        }
        return highest(count, 0);
    }

    // The same where not all children need have been visited. `amaf` tells of each child's step
    // what all moves as first say; where that are many, they weigh as much as `rave` visits.
    // One more that is won goes with them, so that a step of which nothing is known is tried.
    template <class F>
    std::uint32_t select(Block& block, std::uint32_t parent_visits, Color to_move,
                         float exploration, float rave, F&& amaf) {
        std::size_t const count = block.count;
        float const win = to_move == BLACK ? points_a_game : 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            Node const& child = block.child(i);
            bool const visited = copy(child, i, to_move);
            Stats const all = amaf(child.step());
            amaf_visits_[i] = static_cast<float>(static_cast<std::int32_t>(all.visits)) + 1;
            amaf_points_[i] = static_cast<float>(static_cast<std::int32_t>(all.points)) + win;
            own_[i] = visited ? visits_[i] : 0;
            if (child.bounds() != 0) [[unlikely]] {
                // What is proven needs no hints.
                own_[i] = visits_[i];
                amaf_visits_[i] = amaf_points_[i] = 1e-30F;
            }
        }
        float const breadth = exploration * exploration * natural_log(parent_visits + 1);
        float const worst = to_move == BLACK ? 0.0F : 1.0F;
        float const a_point = (to_move == BLACK ? 1.0F : -1.0F) / points_a_game;
        float const per_visit = 1 / rave;
        for (std::size_t i = 0; i < count; ++i) {
            float const one_visit = 1 / visits_[i];
            float const own = points_[i] * one_visit, all = amaf_points_[i] / amaf_visits_[i];
            float const both = amaf_visits_[i] + own_[i] + amaf_visits_[i] * own_[i] * per_visit;
            float const weight = amaf_visits_[i] / both;
            float const bound = worst + (own + weight * (all - own)) * a_point;
            bounds_[i] = std::bit_cast<std::int32_t>(bound + std::sqrt(breadth * one_visit));
        }
        return highest(count, block.first);
    }

    // The same by priors (PUCT: Silver et al., 2017). A child that has not been visited counts as
    // somewhat worse than its parent, the more so the more likely steps have been (as in KataGo).
    std::uint32_t select_by_priors(Block& block, Stats parent, Color to_move, float exploration) {
        std::size_t const count = block.count;
        Prior const* const priors = block.priors();
        float tried = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            own_[i] = copy(block.child(i), i, to_move) ? visits_[i] : 0;
            amaf_visits_[i] = static_cast<float>(priors[i]) / certain;
            tried += own_[i] > 0 ? amaf_visits_[i] : 0;
        }
        float const worst = to_move == BLACK ? 0.0F : 1.0F;
        float const a_point = (to_move == BLACK ? 1.0F : -1.0F) / points_a_game;
        auto const all = static_cast<float>(std::max(parent.visits, 1U));
        float const here = worst + static_cast<float>(parent.points) / all * a_point;
        float const untried = std::max(0.0F, here - reduction * std::sqrt(tried));
        float const breadth = exploration * std::sqrt(all);
        for (std::size_t i = 0; i < count; ++i) {
            float const value = own_[i] > 0 ? worst + points_[i] / own_[i] * a_point : untried;
            float const bound = value + breadth * amaf_visits_[i] / (1 + own_[i]);
            bounds_[i] = std::bit_cast<std::int32_t>(bound);
        }
        return highest(count, 0);
    }

  private:
    static constexpr float reduction = 0.1F;

    // Copies the counts of a child; whether it has been visited.
    bool copy(Node const& child, std::uint32_t i, Color to_move) {
        auto const [visits, points] = child.stats();
        visits_[i] = static_cast<float>(static_cast<std::int32_t>(visits > 0 ? visits : 1));
        points_[i] = static_cast<float>(static_cast<std::int32_t>(points));
        if (ScoreBounds const bounds = child.bounds(); bounds != 0) [[unlikely]] {
            points_[i] = visits_[i] * within(bounds, points_[i] / visits_[i]);
            // So bad that nothing makes up for it.
            if (wins(bounds, opponent(to_move))) {
                points_[i] += visits_[i] * (to_move == BLACK ? -1e6F : 1e6F);
            }
        }
        return visits > 0;
    }

    // The child with the highest bound, the first of equal ones from a place on.
    std::uint32_t highest(std::size_t count, std::uint32_t from) const {
        std::int32_t highest = bounds_[0];
        for (std::size_t i = 1; i < count; ++i) highest = std::max(highest, bounds_[i]);
        std::uint32_t best = from;
        while (bounds_[best] != highest) best = best + 1 < count ? best + 1 : 0;
        return best;
    }

    template <class Number> using Numbers = std::array<Number, Steps::capacity>;
    Numbers<float> visits_, points_, amaf_visits_, amaf_points_, own_;
    Numbers<std::int32_t> bounds_;
};

}  // namespace patchpie
