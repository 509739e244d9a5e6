// The interface of the kernel: positions, searches and solvers of any game and board size.
//
// It uses strings, numbers and plain structs. Steps carry vertex numbers (column * 20 + row), as in
// Python. A function may throw std::invalid_argument with a sentence for the user; nothing else
// leaves the kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "board/symmetry.hpp"
#include "mcts/analysis_row.hpp"
#include "mcts/options.hpp"
#include "nn/shape.hpp"
#include "rules/position_text.hpp"
#include "solve/result.hpp"

namespace patchpie {

// Sums over random games.
struct PlayoutTally {
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t black_wins = 0;
    std::uint64_t draws = 0;
    double seconds = 0;
};

// What random games come to. `held` is, for each point in the order of the position text (by row
// from the top), how many of them Black holds it in at the end, less those White does.
struct Forecast {
    std::uint64_t black_wins = 0;
    std::uint64_t draws = 0;
    std::vector<std::int64_t> held;
};

// A position as a learned evaluation sees it: the inputs of each point in the order of places, the
// globals, and of each legal step, swaps apart, the kind and the places of its points; the second
// is -1 where there is none.
struct PolicyStep {
    Step step;
    int kind, first, second;
};
struct Features {
    std::vector<float> points, globals;
    std::vector<PolicyStep> steps;
};

// As strict as what is inside: Python frees them as objects of this alignment.
inline constexpr std::size_t alignment = 64;

class alignas(alignment) AnyPosition {
  public:
    virtual ~AnyPosition() = default;

    virtual std::vector<Step> legal_steps() const = 0;
    virtual void play(Step step) = 0;  // throws for an illegal step
    virtual bool open() const = 0;
    virtual Outcome outcome() const = 0;
    virtual std::uint64_t key() const = 0;
    virtual std::string text() const = 0;
    virtual Features features() const = 0;
    // The chance of Black to win; worked out so many times, to measure how long that takes.
    virtual float evaluate(Net const& net, std::int64_t times) const = 0;
    // The outputs of all points.
    virtual std::vector<float> outputs_by(Net const& net) const = 0;
    virtual std::uint64_t perft(int depth) const = 0;

    // One random game from here, by the fast path: its steps, and who won.
    virtual std::pair<std::vector<Step>, Winner> playout(std::uint64_t seed,
                                                         bool decisive) const = 0;

    // Random games from here for some time: by the fast path, or step by step as the tree does.
    virtual PlayoutTally play_games(double seconds, std::uint64_t seed,
                                    bool step_by_step) const = 0;

    // So many random games from here by the fast path, the first of them `playout(seed, false)`.
    virtual Forecast forecast(std::int64_t games, std::uint64_t seed) const = 0;
};

class alignas(alignment) AnySearch {
  public:
    virtual ~AnySearch() = default;

    // Begins to search in threads of its own, until the root has been visited so often, or time is
    // up, or its value is proven, or `stop`.
    virtual void start(std::optional<std::int64_t> visits, std::optional<double> seconds) = 0;
    // Waits for the end of the search at most so long; returns whether it has ended.
    virtual bool wait(double seconds) = 0;
    virtual void stop() = 0;

    virtual void advance(Step step) = 0;  // throws for an illegal step
    virtual bool follow(std::string_view text) = 0;

    virtual std::uint32_t visits() const = 0;
    virtual double value() const = 0;
    virtual std::optional<double> proven() const = 0;
    virtual std::vector<AnalysisRow> rows(std::size_t longest_pv) = 0;
    virtual std::size_t nodes() const = 0;
    virtual std::size_t used_bytes() const = 0;
    virtual std::string text() const = 0;
};

class alignas(alignment) AnySolver {
  public:
    virtual ~AnySolver() = default;

    // Takes another position of the same game and size, and keeps what is known. Throws for
    // any other.
    virtual void turn_to(PositionText const& parts) = 0;

    // Begins to solve in a thread of its own, until it is done, or so many positions have been
    // searched, or time is up, or `stop`.
    virtual void start(std::optional<std::uint64_t> positions, std::optional<double> seconds) = 0;
    virtual bool wait(double seconds) = 0;
    virtual void stop() = 0;
    virtual SolverResult solved() = 0;
};

// The games of this kernel, generated from the headers in games/.
struct GameEntry {
    std::string_view name;
    Symmetry symmetry;
    ColorMirror color_mirror;
    Neighbors neighbors;
    std::unique_ptr<AnyPosition> (*position)(PositionText const&);
    std::unique_ptr<AnySearch> (*search)(PositionText const&, SearchOptions const&,
                                         std::vector<Step> const& among);
    std::unique_ptr<AnySolver> (*solver)(PositionText const&, std::size_t bytes, SolverMethod);
    PlayoutTally (*play_games)(PositionText const&, double seconds, std::uint64_t seed,
                               bool step_by_step);
    Shape (*shape)(int channels, int blocks);
};
std::vector<GameEntry> const& game_list();

// Throws for an unknown game.
GameEntry const& find_game(std::string_view name);

}  // namespace patchpie
