// The Python module. No other file includes nanobind.
//
// It checks every argument and raises ValueError for a wrong one. It releases the GIL while a
// search starts or is waited for.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <thread>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

#include "api/interface.hpp"
#include "nn/net.hpp"

namespace nb = nanobind;
using namespace patchpie;

namespace {

using Released = nb::call_guard<nb::gil_scoped_release>;

constexpr std::int64_t most_threads = 256;
constexpr std::int64_t most_hash_mb = std::int64_t{1} << 16;  // node numbers have 32 bits
constexpr std::int64_t most_expand_after = 1'000'000;
constexpr std::int64_t most_playouts = 1000;
constexpr double most_rave = 1e9;
constexpr int most_blocks = 100;
constexpr std::int64_t most_forecast_games = 1'000'000;
constexpr std::int64_t most_times = 1'000'000;
constexpr double longest_seconds = 1e9;
constexpr std::int64_t mebibyte = 1 << 20;

void require(bool condition, char const* message) {
    if (!condition) throw std::invalid_argument(message);
}

// Of the machine, in MiB.
std::int64_t memory_mb() {
#if defined(_SC_PHYS_PAGES)
    long const pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
    if (pages > 0 && size > 0) return static_cast<std::int64_t>(pages) * size / mebibyte;
#endif
    return most_hash_mb;
}

// A net with the game that it is for.
struct GameNet {
    std::string game;
    std::shared_ptr<Net const> net;
};

nb::bytes bytes_of(std::vector<float> const& numbers) {
    return nb::bytes(numbers.data(), numbers.size() * sizeof(float));
}

Isa find_isa(std::optional<std::string_view> name) {
    for (Isa const& each : isas()) {
        if (!name || *name == each.name) return each;
    }
    throw std::invalid_argument("no such instruction set here");
}

std::shared_ptr<GameNet> make_net(std::string const& game, int channels, int blocks,
                                  nb::bytes numbers, std::optional<std::string_view> isa) {
    require(channels == 16 || channels == 32, "channels are 16 or 32");
    require(blocks >= 1 && blocks <= most_blocks, "blocks are 1 to 100");
    require(numbers.size() % sizeof(float) == 0, "the weights are numbers of 4 bytes");
    std::vector<float> all(numbers.size() / sizeof(float));
    if (!all.empty()) std::memcpy(all.data(), numbers.c_str(), numbers.size());
    for (float const number : all) require(std::isfinite(number), "the weights are finite");
    Shape const shape = find_game(game).shape(channels, blocks);
    return std::make_shared<GameNet>(game, std::make_shared<Net const>(shape, all, find_isa(isa)));
}

std::unique_ptr<AnyPosition> make_position(std::string_view text) {
    auto const parts = parse_position_text(text);
    return find_game(parts.game).position(parts);
}

std::unique_ptr<AnySearch> make_search(std::string_view text, SearchOptions options,
                                       std::vector<Step> const& among,
                                       std::shared_ptr<GameNet const> net) {
    require(options.threads >= 1 && options.threads <= most_threads, "threads are 1 to 256");
    require(options.hash_mb >= 1 && options.hash_mb <= std::min(most_hash_mb, memory_mb()),
            "hash_mb is at least 1 and at most the memory of the machine");
    require(options.exploration >= 0 && options.exploration <= 100, "exploration is 0 to 100");
    require(options.rave >= 0 && options.rave <= static_cast<float>(most_rave), "rave is 0 to 1000000000");
    require(options.expand_after >= 1 && options.expand_after <= most_expand_after,
            "expand_after is 1 to 1000000");
    require(options.playout_weight >= 0 && options.playout_weight <= 1,
            "playout_weight is 0 to 1");
    require(options.noise >= 0 && options.noise <= 1, "noise is 0 to 1");
    require(options.leaf_playouts >= 1 && options.leaf_playouts <= most_playouts,
            "leaf_playouts are 1 to 1000");
    auto const parts = parse_position_text(text);
    require(!net || net->game == parts.game, "the net is of another game");
    if (net) options.net = net->net;
    return find_game(parts.game).search(parts, options, among);
}

void start(AnySearch& search, std::optional<std::int64_t> visits, std::optional<double> seconds) {
    require(!visits || *visits >= 0, "visits are not negative");
    require(!seconds || *seconds >= 0, "seconds are not negative");  // and are a number
    if (seconds && *seconds > longest_seconds) seconds.reset();
    search.start(visits, seconds);
}

bool wait(AnySearch& search, double seconds) {
    require(seconds >= 0, "seconds are not negative");
    return search.wait(std::min(seconds, longest_seconds));
}

std::vector<AnalysisRow> rows(AnySearch& search, std::int64_t longest_pv) {
    require(longest_pv >= 1, "a line of play has a step at least");
    return search.rows(static_cast<std::size_t>(longest_pv));
}

std::uint64_t perft(AnyPosition const& position, int depth) {
    require(depth >= 0 && depth <= 50, "depth is 0 to 50");
    return position.perft(depth);
}

PlayoutTally play_games(AnyPosition const& position, double seconds, std::uint64_t seed,
                        bool step_by_step) {
    require(seconds >= 0 && seconds <= longest_seconds, "seconds are not negative");
    nb::gil_scoped_release const released;
    return position.play_games(seconds, seed, step_by_step);
}

Forecast forecast(AnyPosition const& position, std::int64_t games, std::uint64_t seed) {
    require(games >= 0 && games <= most_forecast_games, "games are 0 to 1000000");
    nb::gil_scoped_release const released;
    return position.forecast(games, seed);
}

std::unique_ptr<AnySolver> make_solver(std::string_view text, std::int64_t hash_mb,
                                       std::string_view method) {
    require(hash_mb >= 1 && hash_mb <= std::min(most_hash_mb, memory_mb()),
            "hash_mb is at least 1 and at most the memory of the machine");
    constexpr std::array<std::pair<std::string_view, SolverMethod>, 4> methods{
        {{"best", SolverMethod::best},
         {"proof-numbers", SolverMethod::df_pn},
         {"depth-first", SolverMethod::alpha_beta},
         {"retrograde", SolverMethod::retrograde}}};
    auto const* const found = std::find_if(methods.begin(), methods.end(), [&](auto const& each) {
        return each.first == method;
    });
    require(found != methods.end(), "no such way to solve");
    auto const parts = parse_position_text(text);
    auto const bytes = static_cast<std::size_t>(hash_mb * mebibyte);
    return find_game(parts.game).solver(parts, bytes, found->second);
}

void turn_to(AnySolver& solver, std::string_view text) { solver.turn_to(parse_position_text(text)); }

void start_solver(AnySolver& solver, std::optional<std::uint64_t> positions,
                  std::optional<double> seconds) {
    require(!seconds || *seconds >= 0, "seconds are not negative");
    if (seconds && *seconds > longest_seconds) seconds.reset();
    solver.start(positions, seconds);
}

bool wait_for_solver(AnySolver& solver, double seconds) {
    require(seconds >= 0, "seconds are not negative");
    return solver.wait(std::min(seconds, longest_seconds));
}

// A named tuple of the module, which owns it. Functions of the module may keep a handle of it.
nb::object named_tuple(nb::module_& module, char const* name, char const* fields) {
    nb::object const type = nb::module_::import_("collections")
                                .attr("namedtuple")(name, fields,
                                                    nb::arg("module") = module.attr("__name__"));
    module.attr(name) = type;
    return type;
}

}  // namespace

NB_MODULE(PATCHPIE_MODULE, module) {
    module.attr("__doc__") = "Rules and search of the four games, compiled.";
    module.def("games", [] {
        std::vector<std::string> names;
        for (GameEntry const& entry : game_list()) names.emplace_back(entry.name);
        return names;
    });
    module.def("declared", [](std::string_view game) {
        GameEntry const& entry = find_game(game);
        return std::tuple(static_cast<int>(entry.symmetry),
                          entry.color_mirror == ColorMirror::transposed,
                          entry.neighbors == Neighbors::hexagonal);
    }, nb::arg("game"));
    module.def("memory_mb", memory_mb);
    module.def("isas", [] {
        std::vector<std::string> names;
        for (Isa const& each : isas()) names.emplace_back(each.name);
        return names;
    });
    module.def("shape", [](std::string_view game) {
        Shape const shape = find_game(game).shape(0, 0);
        return std::tuple(shape.inputs, shape.globals, outputs_of_point);
    }, nb::arg("game"));

    nb::object const tally_type = named_tuple(module, "PlayoutTally",
                                              "games plies black_wins draws seconds");
    nb::object const forecast_type = named_tuple(module, "Forecast", "black_wins draws held");
    nb::object const features_type = named_tuple(module, "Features", "points globals steps");
    nb::object const step_type = named_tuple(module, "PolicyStep", "step kind first second");
    nb::object const row_type = named_tuple(module, "AnalysisRow",
                                            "step visits value prior lcb proven pv");
    nb::object const census_type = named_tuple(module, "Census", "won lost drawn longest");
    nb::object const result_type =
        named_tuple(module, "SolverResult",
                    "value line positions hits used_bytes seconds census");

    nb::class_<AnyPosition>(module, "Position")
        .def(nb::new_(&make_position), nb::arg("text"))
        .def("legal_steps", &AnyPosition::legal_steps)
        .def("play", &AnyPosition::play, nb::arg("step"))
        .def("text", &AnyPosition::text)
        .def_prop_ro("open", &AnyPosition::open)
        .def_prop_ro("key", &AnyPosition::key)
        .def("outcome",
             [](AnyPosition const& position) -> std::tuple<int, int> {
                 Outcome const outcome = position.outcome();
                 return {static_cast<int>(outcome.winner), outcome.margin};
             })
        .def("features",
             [type = nb::handle(features_type),
              step_type = nb::handle(step_type)](AnyPosition const& position) {
                 Features const seen = position.features();
                 nb::list steps;
                 for (auto const& [step, kind, first, second] : seen.steps) {
                     steps.append(step_type(step, kind, first, second));
                 }
                 return type(bytes_of(seen.points), bytes_of(seen.globals), steps);
             })
        .def(
            "evaluate",
            [](AnyPosition const& position, GameNet const& net, std::int64_t times) {
                require(times >= 1 && times <= most_times, "times are 1 to 1000000");
                return position.evaluate(*net.net, times);
            },
            nb::arg("net"), nb::arg("times") = 1, Released())
        .def(
            "outputs_by",
            [](AnyPosition const& position, GameNet const& net) {
                return bytes_of(position.outputs_by(*net.net));
            },
            nb::arg("net"))
        .def("perft", perft, nb::arg("depth"), Released())
        .def(
            "playout",
            [](AnyPosition const& position, std::uint64_t seed, bool decisive) {
                auto [steps, winner] = position.playout(seed, decisive);
                return std::tuple(std::move(steps), static_cast<int>(winner));
            },
            nb::arg("seed"), nb::arg("decisive") = false)
        .def("play_games",
             [type = nb::handle(tally_type)](AnyPosition const& position, double seconds,
                                             std::uint64_t seed, bool step_by_step) {
                 PlayoutTally const tally = play_games(position, seconds, seed, step_by_step);
                 return type(tally.games, tally.plies, tally.black_wins, tally.draws,
                             tally.seconds);
             }, nb::arg("seconds"), nb::arg("seed"), nb::arg("step_by_step"))
        .def("forecast",
             [type = nb::handle(forecast_type)](AnyPosition const& position, std::int64_t games,
                                                std::uint64_t seed) {
                 Forecast const sums = forecast(position, games, seed);
                 return type(sums.black_wins, sums.draws, sums.held);
             }, nb::arg("games"), nb::arg("seed"));

    nb::class_<GameNet>(module, "Net")
        .def(nb::new_(&make_net), nb::arg("game"), nb::arg("channels"), nb::arg("blocks"),
             nb::arg("numbers"), nb::arg("isa").none() = nb::none());

    nb::class_<SearchOptions>(module, "SearchOptions")
        .def(nb::init<>())
        .def_rw("seed", &SearchOptions::seed)
        .def_rw("threads", &SearchOptions::threads)
        .def_rw("hash_mb", &SearchOptions::hash_mb)
        .def_rw("exploration", &SearchOptions::exploration)
        .def_rw("rave", &SearchOptions::rave)
        .def_rw("leaf_playouts", &SearchOptions::leaf_playouts)
        .def_rw("playout_weight", &SearchOptions::playout_weight)
        .def_rw("expand_after", &SearchOptions::expand_after)
        .def_rw("every_order", &SearchOptions::every_order)
        .def_rw("decisive", &SearchOptions::decisive)
        .def_rw("noise", &SearchOptions::noise);

    nb::class_<AnySearch>(module, "Search")
        .def(nb::new_(&make_search), nb::arg("text"), nb::arg("options"), nb::arg("among"),
             nb::arg("net").none() = nb::none())
        .def("start", start, nb::arg("visits").none(), nb::arg("seconds").none(), Released())
        .def("wait", wait, nb::arg("seconds"), Released())
        .def("stop", &AnySearch::stop)
        .def("advance", &AnySearch::advance, nb::arg("step"), Released())
        .def("follow", &AnySearch::follow, nb::arg("text"), Released())
        .def("rows",
             [type = nb::handle(row_type)](AnySearch& search, std::int64_t longest_pv) {
                 nb::list all;
                 for (AnalysisRow const& row : rows(search, longest_pv)) {
                     all.append(type(row.step, row.visits, row.value, row.prior, row.lcb,
                                     row.proven, row.pv));
                 }
                 return all;
             }, nb::arg("longest_pv"))
        .def("text", &AnySearch::text)
        .def_prop_ro("visits", &AnySearch::visits)
        .def_prop_ro("value", &AnySearch::value)
        .def_prop_ro("proven", &AnySearch::proven)
        .def_prop_ro("nodes", &AnySearch::nodes)
        .def_prop_ro("used_bytes", &AnySearch::used_bytes);

    nb::class_<AnySolver>(module, "Solver")
        .def(nb::new_(&make_solver), nb::arg("text"), nb::arg("hash_mb"), nb::arg("method"))
        .def("turn_to", turn_to, nb::arg("text"), Released())
        .def("start", start_solver, nb::arg("positions").none(), nb::arg("seconds").none(),
             Released())
        .def("wait", wait_for_solver, nb::arg("seconds"), Released())
        .def("stop", &AnySolver::stop)
        .def("solved", [type = nb::handle(result_type),
                        census_type = nb::handle(census_type)](AnySolver& solver) {
            SolverResult const now = solver.solved();
            nb::object census = nb::none();
            if (auto const& found = now.census) {
                census = census_type(found->won, found->lost, found->drawn, found->longest);
            }
            return type(now.value, now.line, now.positions, now.hits, now.used_bytes, now.seconds,
                        census);
        });
}
