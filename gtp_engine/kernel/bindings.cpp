// The Python module: the only file that knows nanobind.
//
// Searches are started and waited for with the GIL released. Every argument is checked here, and
// what is wrong becomes a ValueError.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstring>
#include <thread>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

#include "edge.hpp"

namespace nb = nanobind;
using namespace patchpie;

namespace {

using Released = nb::call_guard<nb::gil_scoped_release>;

constexpr std::int64_t most_threads = 256;
constexpr std::int64_t most_hash_mb = std::int64_t{1} << 16;  // node numbers have 32 bits
constexpr std::int64_t most_patience = 1'000'000;
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
    Shape const shape = find_entry(game).shape(channels, blocks);
    return std::make_shared<GameNet>(game, std::make_shared<Net const>(shape, all, find_isa(isa)));
}

std::unique_ptr<AnyPosition> make_position(std::string_view text) {
    auto const parts = read_text(text);
    return find_entry(parts.game).position(parts);
}

std::unique_ptr<AnySearch> make_search(std::string_view text, std::uint64_t seed,
                                       std::int64_t threads, std::int64_t hash_mb,
                                       double exploration, double rave, std::int64_t patience,
                                       bool every_order, bool decisive,
                                       std::vector<Step> const& among,
                                       std::shared_ptr<GameNet const> net, double chance,
                                       double noise, std::int64_t playouts) {
    require(threads >= 1 && threads <= most_threads, "threads are 1 to 256");
    require(hash_mb >= 1 && hash_mb <= std::min(most_hash_mb, memory_mb()),
            "hash_mb is at least 1 and at most the memory of the machine");
    require(exploration >= 0 && exploration <= 100, "exploration is 0 to 100");
    require(rave >= 0 && rave <= most_rave, "rave is 0 to 1000000000");
    require(patience >= 1 && patience <= most_patience, "patience is 1 to 1000000");
    require(chance >= 0 && chance <= 1, "chance is 0 to 1");
    require(noise >= 0 && noise <= 1, "noise is 0 to 1");
    require(playouts >= 1 && playouts <= most_playouts, "playouts are 1 to 1000");
    auto const parts = read_text(text);
    require(!net || net->game == parts.game, "the net is of another game");
    Options const options{seed, static_cast<int>(threads),
                          static_cast<std::size_t>(hash_mb * mebibyte),
                          static_cast<float>(exploration),
                          static_cast<std::uint32_t>(patience), static_cast<float>(rave),
                          every_order, decisive, net ? net->net : nullptr,
                          static_cast<float>(chance), static_cast<float>(noise),
                          static_cast<std::uint32_t>(playouts)};
    return find_entry(parts.game).search(parts, options, among);
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

// 1 for a proven win of Black, 0.5 for a draw, 0 for a win of White.
std::optional<double> proven(Proof proof) {
    if (proof == Proof::none) return std::nullopt;
    return value_of({}, proof);
}

using PlainRow = std::tuple<Step, std::uint32_t, double, double, double, std::optional<double>,
                            std::vector<Step>>;

std::vector<PlainRow> rows(AnySearch& search, std::int64_t longest_pv) {
    require(longest_pv >= 1, "a line of play has a step at least");
    std::vector<PlainRow> plain;
    for (Row& row : search.rows(static_cast<std::size_t>(longest_pv))) {
        plain.emplace_back(row.step, row.visits, row.value, row.prior, row.lcb, proven(row.proof),
                           std::move(row.pv));
    }
    return plain;
}

std::uint64_t perft(AnyPosition const& position, int depth) {
    require(depth >= 0 && depth <= 50, "depth is 0 to 50");
    return position.perft(depth);
}

std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, double> play_games(
    AnyPosition const& position, double seconds, std::uint64_t seed, bool step_by_step) {
    require(seconds >= 0 && seconds <= longest_seconds, "seconds are not negative");
    Tally const tally = position.play_games(seconds, seed, step_by_step);
    return {tally.games, tally.plies, tally.black_wins, tally.draws, tally.seconds};
}

std::tuple<std::uint64_t, std::uint64_t, std::vector<std::int64_t>> forecast(
    AnyPosition const& position, std::int64_t games, std::uint64_t seed) {
    require(games >= 0 && games <= most_forecast_games, "games are 0 to 1000000");
    Forecast const sums = position.forecast(games, seed);
    return {sums.black_wins, sums.draws, sums.held};
}

std::unique_ptr<AnySolver> make_solver(std::string_view text, std::int64_t hash_mb,
                                       std::string_view method) {
    require(hash_mb >= 1 && hash_mb <= std::min(most_hash_mb, memory_mb()),
            "hash_mb is at least 1 and at most the memory of the machine");
    constexpr std::array<std::pair<std::string_view, Method>, 4> methods{
        {{"best", Method::best},
         {"proof-numbers", Method::proof_numbers},
         {"depth-first", Method::depth_first},
         {"retrograde", Method::retrograde}}};
    auto const* const found = std::find_if(methods.begin(), methods.end(), [&](auto const& each) {
        return each.first == method;
    });
    require(found != methods.end(), "no such way to solve");
    auto const parts = read_text(text);
    auto const bytes = static_cast<std::size_t>(hash_mb * mebibyte);
    return find_entry(parts.game).solver(parts, bytes, found->second);
}

void turn_to(AnySolver& solver, std::string_view text) { solver.turn_to(read_text(text)); }

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

using PlainCensus = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, int>;
using PlainSolved = std::tuple<std::optional<double>, std::vector<Step>, std::uint64_t,
                               std::uint64_t, std::size_t, double, std::optional<PlainCensus>>;

PlainSolved solved(AnySolver& solver) {
    Solved now = solver.solved();
    std::optional<PlainCensus> census;
    if (now.census) {
        census.emplace(now.census->won, now.census->lost, now.census->drawn, now.census->longest);
    }
    return {now.value,      std::move(now.line), now.positions, now.hits,
            now.used_bytes, now.seconds,         census};
}

}  // namespace

NB_MODULE(PATCHPIE_MODULE, module) {
    module.attr("__doc__") = "Rules and search of the four games, compiled.";
    module.def("games", [] {
        std::vector<std::string> names;
        for (Entry const& entry : catalogue()) names.emplace_back(entry.name);
        return names;
    });
    module.def("memory_mb", memory_mb);
    module.def("isas", [] {
        std::vector<std::string> names;
        for (Isa const& each : isas()) names.emplace_back(each.name);
        return names;
    });
    module.def("shape", [](std::string_view game) {
        Shape const shape = find_entry(game).shape(0, 0);
        return std::tuple(shape.inputs, shape.globals, outputs_of_point);
    }, nb::arg("game"));

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
        .def("seen",
             [](AnyPosition const& position) {
                 Seen const seen = position.seen();
                 std::vector<std::tuple<Step, int, int, int>> steps;
                 for (auto const& [step, kind, first, second] : seen.steps) {
                     steps.emplace_back(step, kind, first, second);
                 }
                 return std::tuple(bytes_of(seen.points), bytes_of(seen.globals),
                                   std::move(steps));
             })
        .def(
            "judged_by",
            [](AnyPosition const& position, GameNet const& net, std::int64_t times) {
                require(times >= 1 && times <= most_times, "times are 1 to 1000000");
                return position.judged_by(*net.net, times);
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
        .def("play_games", play_games, nb::arg("seconds"), nb::arg("seed"),
             nb::arg("step_by_step"), Released())
        .def("forecast", forecast, nb::arg("games"), nb::arg("seed"), Released());

    nb::class_<GameNet>(module, "Net")
        .def(nb::new_(&make_net), nb::arg("game"), nb::arg("channels"), nb::arg("blocks"),
             nb::arg("numbers"), nb::arg("isa").none() = nb::none());

    nb::class_<AnySearch>(module, "Search")
        .def(nb::new_(&make_search), nb::arg("text"), nb::arg("seed"), nb::arg("threads"),
             nb::arg("hash_mb"), nb::arg("exploration"), nb::arg("rave"), nb::arg("patience"),
             nb::arg("every_order"), nb::arg("decisive"), nb::arg("among"),
             nb::arg("net").none() = nb::none(), nb::arg("chance") = 0.0, nb::arg("noise") = 0.0,
             nb::arg("playouts") = 1)
        .def("start", start, nb::arg("visits").none(), nb::arg("seconds").none(), Released())
        .def("wait", wait, nb::arg("seconds"), Released())
        .def("stop", &AnySearch::stop)
        .def("advance", &AnySearch::advance, nb::arg("step"), Released())
        .def("follow", &AnySearch::follow, nb::arg("text"), Released())
        .def("rows", rows, nb::arg("longest_pv"))
        .def("text", &AnySearch::text)
        .def_prop_ro("visits", [](AnySearch const& search) { return search.stats().visits; })
        .def_prop_ro("value",
                     [](AnySearch const& search) {
                         return value_of(search.stats(), search.proof());
                     })
        .def_prop_ro("proven", [](AnySearch const& search) { return proven(search.proof()); })
        .def_prop_ro("nodes", &AnySearch::nodes)
        .def_prop_ro("used_bytes", &AnySearch::used_bytes);

    nb::class_<AnySolver>(module, "Solver")
        .def(nb::new_(&make_solver), nb::arg("text"), nb::arg("hash_mb"), nb::arg("method"))
        .def("turn_to", turn_to, nb::arg("text"), Released())
        .def("start", start_solver, nb::arg("positions").none(), nb::arg("seconds").none(),
             Released())
        .def("wait", wait_for_solver, nb::arg("seconds"), Released())
        .def("stop", &AnySolver::stop)
        .def("solved", solved);
}
