// The rule by which a node picks a child: UCB1 (Auer, Cesa-Bianchi and Fischer, 2002).
//
// The same on every machine: whole numbers and IEEE arithmetic, a logarithm of our own, and no
// fused operations (the compiler is told so).
#pragma once

#include <bit>
#include <cmath>

#include "tree.hpp"

namespace patchpie {

// The natural logarithm of a whole number, to about six digits.
inline float natural_log(std::uint32_t n) {
    int const exponent = static_cast<int>(std::bit_width(n)) - 1;
    float const m = std::ldexp(static_cast<float>(n), -exponent);  // 1 <= m < 2
    // The series of 2 artanh(z), where z = (m - 1) / (m + 1) is at most a third.
    float const z = (m - 1) / (m + 1), square = z * z;
    float const series = 1 + square * (1.0F / 3 + square * (1.0F / 5 + square * (1.0F / 7 + square / 9)));
    return 0.69314718F * static_cast<float>(exponent) + 2 * z * series;
}

// Copies of the counts of all children, so that the arithmetic over them runs side by side.
class Selector {
  public:
    // The visited child with the highest bound for the color to move, known losses last; the first
    // one of equal ones.
    std::uint32_t select(Block& block, std::uint32_t visited, std::uint32_t parent_visits,
                         Color to_move, float exploration) {
        float const sign = to_move == BLACK ? 1.0F : -1.0F;
        Proof const loss = win_of(opponent(to_move));
        for (std::uint32_t i = 0; i < visited; ++i) {
            Node const& child = block.child(i);
            auto const [visits, points] = child.stats();
            Proof const proof = child.proof();
            // A child that another thread has only just taken has no visits yet.
            float const n = static_cast<float>(visits > 0 ? visits : 1);
            visits_[i] = n;
            points_[i] = proof == Proof::none ? static_cast<float>(points)
                         : proof == loss      ? sign * -10 * n
                                              : static_cast<float>(points_of(proof)) * n;
        }
        float const breadth = exploration * exploration * natural_log(parent_visits + 1);
        for (std::uint32_t i = 0; i < visited; ++i) {
            float const n = visits_[i];
            bounds_[i] = sign * points_[i] / (points_a_game * n) + std::sqrt(breadth / n);
        }
        std::uint32_t best = 0;
        for (std::uint32_t i = 1; i < visited; ++i) {
            if (bounds_[i] > bounds_[best]) best = i;
        }
        return best;
    }

  private:
    using Numbers = std::array<float, Steps::capacity>;
    Numbers visits_, points_, bounds_;
};

}  // namespace patchpie
