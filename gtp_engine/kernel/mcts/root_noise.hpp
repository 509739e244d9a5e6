// Noise on the priors of the root, for self-play.
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

#include "board/rng.hpp"
#include "mcts/block.hpp"

namespace patchpie {

// Mixes noise into the priors of a block. `part` is the share of the noise, from 0 to 1. The noise
// is very uneven: few children get most of it, so that self-play explores them in earnest.
inline void add_root_noise(Block& block, float part, Rng& rng) {
    if (block.has_priors == 0) return;
    std::vector<float> luck;
    for (std::uint32_t i = 0; i < block.count; ++i) {
        luck.push_back(std::pow(-std::log(1 - rng.fraction()), 3.0F));
    }
    float const all = std::accumulate(luck.begin(), luck.end(), 1e-9F);
    for (std::uint32_t i = 0; i < block.count; ++i) {
        auto const prior = static_cast<float>(block.priors()[i]);
        block.priors()[i] = static_cast<Prior>(prior + part * (luck[i] / all * certain - prior));
    }
    block.promote(block.visited());
}

}  // namespace patchpie
