// The Python module. No other file includes nanobind.
//
// arguments.cpp checks the arguments from Python. Slow functions run without the GIL.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>

#include "api/arguments.hpp"
#include "api/signal_watch.hpp"

namespace nb = nanobind;
using namespace patchpie;

namespace {

using Released = nb::call_guard<nb::gil_scoped_release>;

nb::bytes bytes_of(std::vector<float> const& numbers) {
    return nb::bytes(numbers.data(), numbers.size() * sizeof(float));
}

std::shared_ptr<GameNet> net_of_bytes(std::string const& game, int channels, int blocks,
                                      nb::bytes numbers, std::optional<std::string_view> isa) {
    return make_net(game, channels, blocks, {numbers.c_str(), numbers.size()}, isa);
}

template <class Function, class... Arguments>
auto without_gil(Function const& function, Arguments const&... arguments) {
    nb::gil_scoped_release const released;
    return function(arguments...);
}

// Makes a named tuple type that the module owns. Functions of the module may keep a handle to it.
nb::object named_tuple(nb::module_& module, char const* name, char const* fields) {
    nb::object const type = nb::module_::import_("collections")
                                .attr("namedtuple")(name, fields,
                                                    nb::arg("module") = module.attr("__name__"));
    module.attr(name) = type;
    return type;
}

}  // namespace

NB_MODULE(PATCHPIE_MODULE, module) {
    module.attr("__doc__") = "The core of the kernel, to which games are added.";
    module.def("end_if_deaf", end_if_deaf, nb::arg("descriptor"), nb::arg("number"),
               nb::arg("seconds"), nb::arg("status"));
    module.def("games", [] {
        std::vector<std::string> names;
        for (GameEntry const* const entry : added_games()) names.emplace_back(entry->name);
        return names;
    });
    module.def("add_game", [](nb::object const& capsule) {
        if (!PyCapsule_IsValid(capsule.ptr(), game_capsule)) {
            throw nb::import_error("this game and the core of the kernel have different sources");
        }
        add_game(*static_cast<GameEntry const*>(PyCapsule_GetPointer(capsule.ptr(), game_capsule)));
    }, nb::arg("entry"));
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

    nb::object const declared_type =
        named_tuple(module, "Declared", "symmetry color_mirror six_neighbors kinds two_point_kind");
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
                    "value line positions hits used_bytes seconds census contradicted");

    module.def("declared", [type = nb::handle(declared_type)](std::string_view game) {
        GameEntry const& entry = find_game(game);
        return type(static_cast<int>(entry.symmetry), static_cast<int>(entry.color_mirror),
                    entry.neighbors == Neighbors::hexagonal, entry.kinds, entry.two_point_kind);
    }, nb::arg("game"));

    nb::class_<AnyPosition>(module, "Position")
        .def(nb::new_(&make_position), nb::arg("text"))
        .def("legal_steps", &AnyPosition::legal_steps)
        .def("play", &AnyPosition::play, nb::arg("step"))
        .def("text", &AnyPosition::text)
        .def_prop_ro("open", &AnyPosition::open)
        .def_prop_ro("key", &AnyPosition::key)
        .def_prop_ro("canonical_key", &AnyPosition::canonical_key)
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
        .def("evaluate", evaluate, nb::arg("net"), nb::arg("times") = 1, Released())
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
                 PlayoutTally const tally = without_gil(play_games, position, seconds, seed,
                                                        step_by_step);
                 return type(tally.games, tally.plies, tally.black_wins, tally.draws,
                             tally.seconds);
             }, nb::arg("seconds"), nb::arg("seed"), nb::arg("step_by_step"))
        .def("forecast",
             [type = nb::handle(forecast_type)](AnyPosition const& position, std::int64_t games,
                                                std::uint64_t seed) {
                 Forecast const sums = without_gil(forecast, position, games, seed);
                 return type(sums.black_wins, sums.draws, sums.held);
             }, nb::arg("games"), nb::arg("seed"));

    nb::class_<GameNet>(module, "Net")
        .def(nb::new_(&net_of_bytes), nb::arg("game"), nb::arg("channels"), nb::arg("blocks"),
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
        .def_rw("priors_only", &SearchOptions::priors_only)
        .def_rw("proof_weight", &SearchOptions::proof_weight)
        .def_prop_rw("turn_orders", turn_orders, set_turn_orders)
        .def_rw("decisive", &SearchOptions::decisive)
        .def_rw("noise", &SearchOptions::noise);

    nb::class_<AnySearch>(module, "Search")
        .def(nb::new_(&make_search), nb::arg("text"), nb::arg("options"), nb::arg("among"),
             nb::arg("net").none() = nb::none(), Released())
        .def("set_threads", set_threads, nb::arg("threads"), Released())
        .def("start", start_search, nb::arg("visits").none(), nb::arg("seconds").none(),
             Released())
        .def("wait", wait_for_search, nb::arg("seconds"), Released())
        .def("stop", &AnySearch::stop)
        .def("advance", &AnySearch::advance, nb::arg("step"), Released())
        .def("follow", &AnySearch::follow, nb::arg("text"), Released())
        .def("rows",
             [type = nb::handle(row_type)](AnySearch& search, std::int64_t longest_pv) {
                 nb::list all;
                 for (AnalysisRow const& row :
                      without_gil(rows, std::ref(search), longest_pv)) {
                     all.append(type(row.step, row.visits, row.value, row.prior, row.lcb,
                                     row.proven, row.pv));
                 }
                 return all;
             }, nb::arg("longest_pv"))
        .def("text", &AnySearch::text, Released())
        .def_prop_ro("visits", &AnySearch::visits)
        .def_prop_ro("value", &AnySearch::value)
        .def_prop_ro("proven", &AnySearch::proven)
        .def_prop_ro("nodes", &AnySearch::nodes)
        .def_prop_ro("used_bytes", &AnySearch::used_bytes);

    nb::class_<AnySolver>(module, "Solver")
        .def(nb::new_(&make_solver), nb::arg("text"), nb::arg("hash_mb"), nb::arg("method"),
             Released())
        .def("turn_to", turn_to, nb::arg("text"), Released())
        .def("start", start_solver, nb::arg("positions").none(), nb::arg("seconds").none(),
             nb::arg("certify") = false, nb::arg("threads") = 1, Released())
        .def("certificate",
             [](AnySolver& solver) -> nb::object {
                 auto const words = solver.certificate();
                 if (!words) return nb::none();
                 return nb::bytes(words->data(), words->size() * sizeof(Word));
             })
        .def("check",
             [](AnySolver& solver, nb::bytes const& words, bool black) {
                 std::vector<Word> numbers(words.size() / sizeof(Word));
                 std::copy_n(words.c_str(), numbers.size() * sizeof(Word),
                             reinterpret_cast<char*>(numbers.data()));
                 without_gil([&] { solver.check(numbers, black ? BLACK : WHITE); });
             }, nb::arg("words"), nb::arg("black"))
        .def("checked",
             [](AnySolver& solver) {
                 CheckResult const now = solver.checked();
                 return std::tuple(now.proven, now.positions, now.unproven);
             })
        .def("saved_part",
             [](AnySolver& solver, std::size_t first) {
                 auto const [part, next] =
                     without_gil([&] { return solver.saved_part(first); });
                 return std::pair(nb::bytes(part.data(), part.size()), next);
             }, nb::arg("first"))
        .def("restore_part",
             [](AnySolver& solver, nb::bytes const& part) {
                 std::string_view const bytes(part.c_str(), part.size());
                 without_gil([&] { solver.restore_part(bytes); });
             }, nb::arg("part"))
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
                        census, now.contradicted);
        });
}
