// The methods of the solver, and what it reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rules/step.hpp"

namespace patchpie {

// How many positions of a board are won and lost for the color to move, and how many neither; and
// the most turns to the end of one that is won or lost.
struct Census {
    std::uint64_t won = 0, lost = 0, drawn = 0;
    int longest = 0;
};

// Ways to solve: the best one for the position, or a certain one.
enum class SolverMethod : std::uint8_t { best, df_pn, alpha_beta, retrograde };

// What is known about an exact value; the line of play has no forced steps.
struct SolverResult {
    std::optional<double> value;  // for Black, 0 to 1
    std::vector<Step> line;
    std::uint64_t positions = 0;  // that were searched, since `start`
    std::uint64_t hits = 0;       // of the table
    std::size_t used_bytes = 0;
    double seconds = 0;
    std::optional<Census> census;
};

}  // namespace patchpie
