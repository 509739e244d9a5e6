// The prior of a step: how likely it is to be played, before the search.
#pragma once

#include <cstdint>

namespace patchpie {

// How likely a step is played, before anything is searched; the priors of a node's children have
// the sum of certain.
using Prior = std::uint16_t;
inline constexpr float certain = UINT16_MAX;

}  // namespace patchpie
