// The prior of a step: its probability before the search.
#pragma once

#include <cstdint>

namespace patchpie {

// A probability in units of 1 / certain. The priors of the children of a node add up to about
// `certain`.
using Prior = std::uint16_t;
inline constexpr float certain = UINT16_MAX;

}  // namespace patchpie
