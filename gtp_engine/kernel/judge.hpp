// A learned evaluation at work in a search: what a position is worth, and which steps to look at.
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

#include "net.hpp"
#include "sight.hpp"
#include "tree.hpp"

namespace patchpie {

template <Game G> constexpr Shape shape_of(int channels, int blocks) {
    return {Sight<G>::inputs, sight_globals, channels, blocks};
}

// Belongs to one thread.
template <Game G> class Judge {
  public:
    Judge(Net const& net, int size) : net_(net), room_(net, size) {}

    // The chance of Black to win; what it thinks of steps is for `priors`.
    float value(G const& position) {
        Sight<G>::look(position, points_.data(), globals_.data());
        float const own = net_(position.size, points_.data(), globals_.data(), room_);
        return position.to_move == BLACK ? own : 1 - own;
    }

    // The outputs of all points of the position that was looked at last.
    std::vector<float> outputs() const {
        float const* const all = room_.outputs.get();
        return {all, all + room_.size() * room_.size() * outputs_of_point};
    }

    // How likely each of the steps is in the position that was looked at last.
    void priors(G const& position, Steps const& steps, Prior* priors) {
        auto const count = static_cast<std::size_t>(steps.count);
        float highest = -1e30F, sum = 0;
        for (std::size_t i = 0; i < count; ++i) {
            weights_[i] = preference(position, steps.step[i]);
            highest = std::max(highest, weights_[i]);
        }
        for (std::size_t i = 0; i < count; ++i) {
            weights_[i] = std::exp(weights_[i] - highest);
            sum += weights_[i];
        }
        for (std::size_t i = 0; i < count; ++i) {
            priors[i] = static_cast<Prior>(weights_[i] / sum * certain);
        }
    }

  private:
    // The outputs of a point are for each kind of step that it is the first point, and from here
    // on that it is the second one.
    static constexpr int second_points = outputs_of_point / 2;
    static_assert(G::kinds <= second_points);

    float output(G const& position, int point, int number) const {
        int const place = Sight<G>::place(position, point);
        return room_.outputs.get()[place * outputs_of_point + number];
    }
    float preference(G const& position, Step step) const {
        int const kind = kind_of(step);
        float const wish = output(position, first_of(step), kind);
        return kind == G::paired
                   ? wish + output(position, second_of(step), second_points + kind)
                   : wish;
    }

    Net const& net_;
    Net::Room room_;
    std::array<float, Sight<G>::most_numbers> points_;
    std::array<float, sight_globals> globals_;
    std::array<float, Steps::capacity> weights_;
};

// Makes a part of a block's priors random, so that few children get nearly all of it.
inline void stir(Block& block, float part, Rng& rng) {
    if (block.judged == 0) return;
    std::vector<float> luck;
    for (std::uint32_t i = 0; i < block.count; ++i) {
        luck.push_back(std::pow(-std::log(1 - rng.fraction()), 3.0F));
    }
    float const all = std::accumulate(luck.begin(), luck.end(), 1e-9F);
    for (std::uint32_t i = 0; i < block.count; ++i) {
        auto const prior = static_cast<float>(block.priors()[i]);
        block.priors()[i] = static_cast<Prior>(prior + part * (luck[i] / all * certain - prior));
    }
}

}  // namespace patchpie
