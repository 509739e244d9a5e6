// The steps of a position with their priors.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "nn/prior.hpp"
#include "rules/step.hpp"

namespace patchpie {

struct Edges {
    Steps steps;
    std::array<Prior, Steps::capacity> priors;

    // Moves the most probable steps to the places `from` to `to`, in order; of equal ones, the
    // first.
    void sort(std::uint32_t from, std::uint32_t to) {
        auto const count = static_cast<std::uint32_t>(steps.count);
        for (std::uint32_t i = from; i < count; ++i) keys_[i] = key(i, priors[i]);
        for (std::uint32_t n = from; n < to; ++n) {
            std::uint32_t highest = 0;
            for (std::uint32_t i = n; i < count; ++i) highest = std::max(highest, keys_[i]);
            std::uint32_t const best = UINT16_MAX - (highest & UINT16_MAX);
            keys_[best] = key(best, priors[n]);
            std::swap(priors[n], priors[best]);
            std::swap(steps.step[n], steps.step[best]);
        }
    }

  private:
    // Of two keys, the higher one is that of the higher prior, or of the earlier place. A maximum
    // compiles to vector instructions.
    static std::uint32_t key(std::uint32_t place, Prior prior) {
        return std::uint32_t{prior} << 16 | (UINT16_MAX - place);
    }

    std::array<std::uint32_t, Steps::capacity> keys_;
};

}  // namespace patchpie
