// The parts of the library of one game. CMake makes the files that define them.
#pragma once

#include "api/interface.hpp"

namespace patchpie {

extern GameEntry const game_entry;

std::unique_ptr<AnySearch> new_search(PositionText const& text, SearchOptions const& options,
                                      std::vector<Step> const& among);
PlayoutTally play_random_games(PositionText const& text, double seconds, std::uint64_t seed,
                               bool step_by_step);

}  // namespace patchpie
