// The interface of the kernel: positions, searches and solvers of any game and board size.
//
// It uses strings, numbers and plain structs. Steps contain vertex numbers (column * 20 + row), as
// in Python. Functions throw only std::invalid_argument, with a sentence for the user.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "board/struct_fields.hpp"
#include "board/symmetry.hpp"
#include "mcts/analysis_row.hpp"
#include "mcts/options.hpp"
#include "nn/shape.hpp"
#include "rules/position_text.hpp"
#include "solve/result.hpp"

namespace patchpie {

// What the header of a game declares. The images are bits, as in board/symmetry.hpp.
struct Declared {
    int symmetry = 0, color_mirror = 0;
    bool six_neighbors = false;
    int kinds = 0;
    int two_point_kind = -1;  // the kind of steps with two points; -1 for none

    static constexpr auto fields() {
        return std::tuple(Field{"symmetry", &Declared::symmetry},
                          Field{"color_mirror", &Declared::color_mirror},
                          Field{"six_neighbors", &Declared::six_neighbors},
                          Field{"kinds", &Declared::kinds},
                          Field{"two_point_kind", &Declared::two_point_kind});
    }
};

// Totals over random games.
struct PlayoutTally {
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t black_wins = 0;
    std::uint64_t draws = 0;
    double seconds = 0;

    static constexpr auto fields() {
        using Tally = PlayoutTally;
        return std::tuple(Field{"games", &Tally::games}, Field{"plies", &Tally::plies},
                          Field{"black_wins", &Tally::black_wins}, Field{"draws", &Tally::draws},
                          Field{"seconds", &Tally::seconds});
    }
};

// The results of random games. `held` has an element for each point in the order of the position
// text (by row from the top): the games in which Black holds the point at the end, less those in
// which White does.
struct Forecast {
    std::uint64_t black_wins = 0;
    std::uint64_t draws = 0;
    std::vector<std::int64_t> held;

    static constexpr auto fields() {
        return std::tuple(Field{"black_wins", &Forecast::black_wins},
                          Field{"draws", &Forecast::draws}, Field{"held", &Forecast::held});
    }
};

// The inputs of a net for a position: the features of each point in the order of places, the
// globals, and the legal steps without swaps. A step has a kind and the places of its points;
// `second` is -1 if it has only one point.
struct PolicyStep {
    Step step;
    int kind, first, second;

    static constexpr auto fields() {
        return std::tuple(Field{"step", &PolicyStep::step}, Field{"kind", &PolicyStep::kind},
                          Field{"first", &PolicyStep::first}, Field{"second", &PolicyStep::second});
    }
};
struct Features {
    std::vector<float> points, globals;
    std::vector<PolicyStep> steps;

    static constexpr auto fields() {
        return std::tuple(Field{"points", &Features::points}, Field{"globals", &Features::globals},
                          Field{"steps", &Features::steps});
    }
};

// The interface needs the alignment of its implementations, because Python frees them with it.
inline constexpr std::size_t alignment = 64;

class alignas(alignment) AnyPosition {
  public:
    virtual ~AnyPosition() = default;

    virtual std::string_view game() const = 0;
    virtual std::vector<Step> legal_steps() const = 0;
    virtual void play(Step step) = 0;  // throws for an illegal step
    virtual bool open() const = 0;
    virtual Outcome outcome() const = 0;
    virtual std::uint64_t key() const = 0;
    virtual std::pair<std::uint64_t, std::uint64_t> canonical_key() const = 0;
    virtual std::string text() const = 0;
    virtual Features features() const = 0;
    // Black's probability to win, by a net of this game, as the next one needs it, too. `times`
    // repeats the evaluation, for benchmarks.
    virtual float evaluate(Net const& net, std::int64_t times) const = 0;
    // The outputs of a net for all points.
    virtual std::vector<float> outputs_by(Net const& net) const = 0;
    virtual std::uint64_t perft(int depth) const = 0;

    // One random game by the fast path: its steps and the winner.
    virtual std::pair<std::vector<Step>, Winner> playout(std::uint64_t seed,
                                                         bool decisive) const = 0;

    // Plays random games by the fast path. The first one equals `playout(seed, false)`.
    virtual Forecast forecast(std::int64_t games, std::uint64_t seed) const = 0;
};

class alignas(alignment) AnySearch {
  public:
    virtual ~AnySearch() = default;

    // Stops the search; the next one has this many threads.
    virtual void set_threads(int threads) = 0;
    // Starts the search in its own threads. It ends when the root has enough visits, time is up,
    // the value of the root is proven, or `stop` is called.
    virtual void start(std::optional<std::int64_t> visits, std::optional<double> seconds) = 0;
    // Waits for the end of the search for at most `seconds`. Returns whether it has ended.
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

    // Changes to another position of the same game and size, and keeps the values found so far.
    // Throws for another game or size.
    virtual void turn_to(PositionText const& parts) = 0;

    // Starts the solver in threads of its own. It ends when the position is solved, the positions
    // or the time are used up, or `stop` is called. To certify means to collect a certificate, too.
    // Throws if the game or the size has none. Only the first thread counts the positions of the
    // limit; only df-pn for games without history has others.
    virtual void start(std::optional<std::uint64_t> positions, std::optional<double> seconds,
                       bool certify, int threads) = 0;
    virtual bool wait(double seconds) = 0;
    virtual void stop() = 0;
    virtual SolverResult solved() = 0;
    // The sorted words of the certificate of the solved position, if there is one.
    virtual std::optional<std::vector<std::uint64_t>> certificate() = 0;

    // Starts a check of a certificate in the solver's thread: whether its words prove that a color
    // wins the position. Throws if the game or the size has none.
    virtual void check(std::vector<std::uint64_t> const& words, Color winner) = 0;
    virtual CheckResult checked() = 0;

    // The saved entries of the table from a bucket on, and the bucket after them, 0 at the end.
    // It ends the solver.
    virtual std::pair<std::string, std::size_t> saved_part(std::size_t first) = 0;
    // Adds saved entries. Throws if they do not fit.
    virtual void restore_part(std::string_view bytes) = 0;
};

// What the core knows of a game. A library holds it and its functions; arguments.cpp calls them.
//
// play_games -- plays random games for some seconds: by the fast path, or step by step as the tree
//               does
struct GameEntry {
    std::string_view name;
    Symmetry symmetry;
    Image color_mirror;
    Neighbors neighbors;
    int kinds, two_point_kind;
    std::unique_ptr<AnyPosition> (*position)(PositionText const&);
    std::unique_ptr<AnySearch> (*search)(PositionText const&, SearchOptions const&,
                                         std::vector<Step> const& among);
    std::unique_ptr<AnySolver> (*solver)(PositionText const&, std::size_t bytes, SolverMethod);
    PlayoutTally (*play_games)(PositionText const&, double seconds, std::uint64_t seed,
                               bool step_by_step);
    Shape (*shape)(int channels, int blocks);
};

}  // namespace patchpie
