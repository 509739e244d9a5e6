// The methods and the results of the solver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "board/struct_fields.hpp"
#include "rules/step.hpp"

namespace patchpie {

// The number of positions of a board that are won, lost and drawn for the color to move. `longest`
// is the largest number of turns to the end from a won or lost position.
struct Census {
    std::uint64_t won = 0, lost = 0, drawn = 0;
    int longest = 0;

    static constexpr auto fields() {
        return std::tuple(Field{"won", &Census::won}, Field{"lost", &Census::lost},
                          Field{"drawn", &Census::drawn}, Field{"longest", &Census::longest});
    }
};

// The methods of the solver. `best` selects a method for the position.
enum class SolverMethod : std::uint8_t { best, df_pn, alpha_beta, retrograde };

// The result of a solver. The line of play omits forced steps.
struct SolverResult {
    std::optional<double> value;  // for Black, 0 to 1
    std::vector<Step> line;
    std::uint64_t positions = 0;  // searched since `start`
    std::uint64_t hits = 0;       // in the transposition table
    std::size_t used_bytes = 0;
    double seconds = 0;
    std::optional<Census> census;
    bool contradicted = false;  // by a table that contradicts itself; then there is no value

    static constexpr auto fields() {
        using Result = SolverResult;
        return std::tuple(Field{"value", &Result::value}, Field{"line", &Result::line},
                          Field{"positions", &Result::positions}, Field{"hits", &Result::hits},
                          Field{"used_bytes", &Result::used_bytes},
                          Field{"seconds", &Result::seconds}, Field{"census", &Result::census},
                          Field{"contradicted", &Result::contradicted});
    }
};

// The result of the check of a certificate.
struct CheckResult {
    std::optional<bool> proven;   // none before the end
    std::uint64_t positions = 0;  // of the certificate, checked so far
    std::string unproven;         // the text of a position without a proof
};

}  // namespace patchpie
