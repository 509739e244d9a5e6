// Evaluates a position with a net: its value, and the priors of its steps.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "board/exact_functions.hpp"
#include "nn/features.hpp"
#include "nn/net.hpp"
#include "nn/prior.hpp"

namespace patchpie {

template <Game G> constexpr Shape shape_of(int channels, int blocks) {
    return {FeatureEncoder<G>::inputs, feature_globals, channels, blocks};
}

// Not safe for threads: each thread needs its own evaluator.
template <Game G> class Evaluator {
  public:
    Evaluator(Net const& net, int size) : net_(net), room_(net, size) {}

    // Evaluates a position, in an image of its board. Returns Black's probability to win; `priors`
    // reads the other outputs.
    float value(G const& position, Image image = Image::same) {
        order_ = {position, image};
        FeatureEncoder<G>::encode(position, order_, points_.data(), globals_.data());
        float const own = net_(position.size, points_.data(), globals_.data(), room_);
        return position.to_move == BLACK ? own : 1 - own;
    }

    // The share of empty points in the position evaluated last.
    float empty_share() const { return globals_[global_empty_share]; }

    // The outputs of all points of the position evaluated last.
    std::vector<float> outputs() const {
        float const* const all = room_.outputs();
        return {all, all + room_.size() * room_.size() * outputs_of_point};
    }

    // Writes the priors of the steps of the position evaluated last.
    void priors(Steps const& steps, Prior* priors) {
        auto const count = static_cast<std::size_t>(steps.count);
        float highest = -1e30F, sum = 0;
        for (std::size_t i = 0; i < count; ++i) {
            weights_[i] = preference(steps.step[i]);
            highest = std::max(highest, weights_[i]);
        }
        for (std::size_t i = 0; i < count; ++i) {
            weights_[i] = exponential(weights_[i] - highest);
            sum += weights_[i];
        }
        for (std::size_t i = 0; i < count; ++i) {
            priors[i] = static_cast<Prior>(weights_[i] / sum * certain);
        }
    }

  private:
    // The first outputs of a point rate it as the first point of a step, one output for each kind.
    // The outputs from here on rate it as the second point.
    static constexpr int second_points = outputs_of_point / 2;
    static_assert(G::kinds <= second_points && FeatureEncoder<G>::inputs <= most_inputs);

    float output(int point, int number) const {
        return room_.outputs()[order_(point) * outputs_of_point + number];
    }
    float preference(Step step) const {
        int const kind = kind_of(step);
        float const wish = output(first_of(step), kind);
        return kind == G::two_point_kind ? wish + output(second_of(step), second_points + kind)
                                         : wish;
    }

    Net const& net_;
    Net::Workspace room_;
    typename FeatureEncoder<G>::PointOrder order_;  // of the position evaluated last
    alignas(64) std::array<float, (FeatureEncoder<G>::most_numbers + 15) / 16 * 16> points_{};
    std::array<float, feature_globals> globals_;
    std::array<float, Steps::capacity> weights_;
};

}  // namespace patchpie
