// The interface of a solving algorithm.
#pragma once

#include <optional>

#include "rules/game.hpp"
#include "solve/result.hpp"

namespace patchpie {

// A value for the color to move, and the step that reaches it.
struct BestStep {
    int value = 0;
    Step step{};
};

// A way to find exact values.
template <Game G> class SolverAlgorithm {
  public:
    using History = typename G::History;

    SolverAlgorithm() = default;
    virtual ~SolverAlgorithm() = default;
    SolverAlgorithm(SolverAlgorithm const&) = delete;
    SolverAlgorithm& operator=(SolverAlgorithm const&) = delete;

    // Of a position that is not over, and settled. Throws SearchAborted.
    virtual BestStep solve(G const& position, History& history) = 0;
    virtual std::size_t used_bytes() const = 0;

    // Whether a line of play that goes on so can be solved with what is known already.
    virtual bool still_valid(History const&) const { return true; }
    // Of all positions of the board, once they are known.
    virtual std::optional<Census> census() const { return {}; }
};

}  // namespace patchpie
