// The interface of a solving algorithm.
#pragma once

#include <optional>

#include "rules/game.hpp"
#include "solve/result.hpp"

namespace patchpie {

// The value for the color to move (1 win, 0 draw, -1 loss), and a step that reaches it.
struct BestStep {
    int value = 0;
    Step step{};
};

// An algorithm that finds exact values.
template <Game G> class SolverAlgorithm {
  public:
    using History = typename G::History;

    SolverAlgorithm() = default;
    virtual ~SolverAlgorithm() = default;
    SolverAlgorithm(SolverAlgorithm const&) = delete;
    SolverAlgorithm& operator=(SolverAlgorithm const&) = delete;

    // Solves a position that is not over and has no forced step ahead. Throws SearchAborted.
    virtual BestStep solve(G const& position, History& history) = 0;
    virtual std::size_t used_bytes() const = 0;

    // Whether the stored values are still exact after this line of play.
    virtual bool still_valid(History const&) const { return true; }
    // The counts of all positions of the board, once all values are known.
    virtual std::optional<Census> census() const { return {}; }
};

}  // namespace patchpie
