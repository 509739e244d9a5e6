// The rule by which a node picks a child: UCB1 (Auer, Cesa-Bianchi and Fischer, 2002).
//
// The same on every machine: whole numbers and IEEE arithmetic, a logarithm of our own, and no
// fused operations (the compiler is told so).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "tree.hpp"

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
        Proof const loss = win_of(opponent(to_move));
        for (std::uint32_t i = 0; i < count; ++i) {
            Node const& child = block.child(i);
            auto const [visits, points] = child.stats();
            visits_[i] = static_cast<float>(static_cast<std::int32_t>(visits > 0 ? visits : 1));
            points_[i] = static_cast<float>(static_cast<std::int32_t>(points));
            if (Proof const proof = child.proof(); proof != Proof::none) [[unlikely]] {
                points_[i] = visits_[i] * static_cast<float>(points_of(proof));
                // So bad that nothing makes up for it.
                if (proof == loss) points_[i] += visits_[i] * (to_move == BLACK ? -1e6F : 1e6F);
            }
        }
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
        std::int32_t highest = bounds_[0];
        for (std::size_t i = 1; i < count; ++i) highest = std::max(highest, bounds_[i]);
        std::uint32_t best = 0;
        while (bounds_[best] != highest) ++best;
        return best;
    }

  private:
    template <class Number> using Numbers = std::array<Number, Steps::capacity>;
    Numbers<float> visits_, points_;
    Numbers<std::int32_t> bounds_;
};

}  // namespace patchpie
