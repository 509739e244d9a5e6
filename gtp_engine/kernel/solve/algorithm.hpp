// The interface of a solving algorithm.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "rules/game.hpp"
#include "solve/result.hpp"

namespace patchpie {

// The value for the color to move (1 win, 0 draw, -1 loss), and a step that reaches it.
struct BestStep {
    int value = 0;
    Step step{};
};

// Thrown when a table contradicts itself: somebody has altered its file, or memory is damaged.
struct TableContradicted {};

// An algorithm that finds exact values.
template <Game G> class SolverAlgorithm {
  public:
    using History = typename G::History;

    SolverAlgorithm() = default;
    virtual ~SolverAlgorithm() = default;
    SolverAlgorithm(SolverAlgorithm const&) = delete;
    SolverAlgorithm& operator=(SolverAlgorithm const&) = delete;

    // Solves a position that is not over and has no forced step ahead. Throws SearchAborted. Only
    // df-pn for games without history uses more than one thread.
    virtual BestStep solve(G const& position, History& history, int threads) = 0;
    virtual std::size_t used_bytes() const = 0;

    // The part of the table that begins at a bucket, for a file; `first` becomes the bucket after
    // it, and 0 after the last part. Only df-pn has such a table.
    virtual std::string saved_part(std::size_t& first) const { return first = 0, std::string(); }
    // Adds a saved part. Throws std::invalid_argument if it does not fit or contradicts itself.
    virtual void restore_part(std::string_view) {
        throw std::invalid_argument("only proof-number search keeps its table");
    }

    // Whether the stored values are still exact after this line of play.
    virtual bool still_valid(History const&) const { return true; }
    // The counts of all positions of the board, once all values are known.
    virtual std::optional<Census> census() const { return {}; }
};

}  // namespace patchpie
