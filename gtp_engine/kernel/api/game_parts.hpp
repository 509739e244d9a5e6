// The parts of the library of one game. CMake makes the files that define them.
#pragma once

#include "api/interface.hpp"

namespace patchpie {

extern GameEntry const game_entry;

std::unique_ptr<AnySolver> new_solver(PositionText const& text, std::size_t bytes,
                                      SolverMethod method);

}  // namespace patchpie
