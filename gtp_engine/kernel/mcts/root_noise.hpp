// Noise on the priors of the root, for self-play.
#pragma once

#include <numeric>
#include <vector>

#include "board/exact_functions.hpp"
#include "board/rng.hpp"
#include "mcts/block.hpp"

namespace patchpie {

// Mixes noise into the priors of a block that lists all children. `part` is the share of the noise,
// from 0 to 1. The noise is very uneven: few children get most of it, so that self-play explores
// them in earnest. `edges` is a buffer.
inline void add_root_noise(Block& block, float part, Edges& edges, Rng& rng) {
    if (!block.has_priors()) return;
    edges.steps.count = 0;
    std::vector<float> luck;
    for (std::uint32_t i = 0; i < block.count; ++i) {
        edges.steps.add(block.steps(0)[i]);
        double const waited = -logarithm(1 - rng.fraction());  // exponentially distributed
        luck.push_back(static_cast<float>(waited * waited * waited));
    }
    float const all = std::accumulate(luck.begin(), luck.end(), 1e-9F);
    for (std::uint32_t i = 0; i < block.count; ++i) {
        auto const prior = static_cast<float>(block.priors(0)[i]);
        edges.priors[i] = static_cast<Prior>(prior + part * (luck[i] / all * certain - prior));
    }
    edges.sort(block.visited(), block.count);
    block.set_list(0, edges);
}

}  // namespace patchpie
