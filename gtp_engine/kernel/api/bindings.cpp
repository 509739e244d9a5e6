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
#include "board/exact_functions.hpp"

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

// The named tuple of a struct, which the module owns.
template <HasFields Struct> nb::handle tuple_of;

template <HasFields Struct> void add_named_tuple(nb::module_& module, char const* name) {
    nb::list names;
    for_each_field<Struct>([&names](auto const& field) { names.append(field.name); });
    nb::object const type = nb::module_::import_("collections")
                                .attr("namedtuple")(name, names,
                                                    nb::arg("module") = module.attr("__name__"));
    module.attr(name) = type;
    tuple_of<Struct> = type;
}

// Python's objects for what the kernel returns: structs are named tuples, floats are bytes.
template <class T> nb::object to_python(T const& value) { return nb::cast(value); }
nb::object to_python(std::vector<float> const& numbers) { return bytes_of(numbers); }
template <HasFields Struct> nb::object to_python(Struct const& value);
template <HasFields Struct> nb::list to_python(std::vector<Struct> const& all) {
    nb::list made;
    for (Struct const& each : all) made.append(to_python(each));
    return made;
}
template <HasFields Struct> nb::object to_python(std::optional<Struct> const& value) {
    return value ? to_python(*value) : nb::none();
}
template <HasFields Struct> nb::object to_python(Struct const& value) {
    return std::apply(
        [&value](auto const&... field) {
            return tuple_of<Struct>(to_python(value.*field.member)...);
        },
        Struct::fields());
}

// Makes each option an attribute of the same name.
void add_options(nb::class_<SearchOptions>& options) {
    for_each_field<SearchOptions>([&options](auto const& field) {
        auto const member = field.member;
        if constexpr (std::is_same_v<decltype(field.member), TurnOrders SearchOptions::*>) {
            options.def_prop_rw(
                field.name, [member](SearchOptions const& of) { return name_of(of.*member); },
                [member](SearchOptions& of, std::string_view name) {
                    of.*member = turn_orders(name);
                });
        } else {
            options.def_rw(field.name, member);
        }
    });
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
    module.def("exponential", exponential, nb::arg("number"));
    module.def("logarithm", logarithm, nb::arg("number"));
    module.def("memory_mb", memory_mb);
    module.def("compiled_for", compiled_for);
    module.def("isas", [] {
        std::vector<std::string> names;
        for (Isa const& each : isas()) names.emplace_back(each.name);
        return names;
    });
    module.def("shape", [](std::string_view game) {
        Shape const shape = find_game(game).shape(0, 0);
        return std::tuple(shape.inputs, shape.globals, outputs_of_point);
    }, nb::arg("game"));

    add_named_tuple<Declared>(module, "Declared");
    add_named_tuple<PlayoutTally>(module, "PlayoutTally");
    add_named_tuple<Forecast>(module, "Forecast");
    add_named_tuple<Features>(module, "Features");
    add_named_tuple<PolicyStep>(module, "PolicyStep");
    add_named_tuple<AnalysisRow>(module, "AnalysisRow");
    add_named_tuple<Census>(module, "Census");
    add_named_tuple<SolverResult>(module, "SolverResult");

    module.def("declared", [](std::string_view game) { return to_python(declared(game)); },
               nb::arg("game"));
    module.def("option_ranges", option_ranges);

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
             [](AnyPosition const& position) { return to_python(position.features()); })
        .def("evaluate", evaluate, nb::arg("net"), nb::arg("times") = 1, Released())
        .def(
            "outputs_by",
            [](AnyPosition const& position, GameNet const& net) {
                return bytes_of(outputs_by(position, net));
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
             [](AnyPosition const& position, double seconds, std::uint64_t seed,
                bool step_by_step) {
                 return to_python(without_gil(play_games, position, seconds, seed, step_by_step));
             }, nb::arg("seconds"), nb::arg("seed"), nb::arg("step_by_step"))
        .def("forecast",
             [](AnyPosition const& position, std::int64_t games, std::uint64_t seed) {
                 return to_python(without_gil(forecast, position, games, seed));
             }, nb::arg("games"), nb::arg("seed"));

    nb::class_<GameNet>(module, "Net")
        .def(nb::new_(&net_of_bytes), nb::arg("game"), nb::arg("channels"), nb::arg("blocks"),
             nb::arg("numbers"), nb::arg("isa").none() = nb::none());

    auto options = nb::class_<SearchOptions>(module, "SearchOptions").def(nb::init<>());
    add_options(options);

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
             [](AnySearch& search, std::int64_t longest_pv) {
                 return to_python(without_gil(rows, std::ref(search), longest_pv));
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
        .def("solved", [](AnySolver& solver) { return to_python(solver.solved()); });
}
