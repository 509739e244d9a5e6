// The interface of the kernel behind one function that takes and returns bytes, for WebAssembly.
//
// It has the functions, methods and properties of `_kernel.pyi`, under the same names, as
// bindings.cpp has them for Python; gtp_engine/browser/core.py calls them. A call is a marshalled
// tuple: the name, the address of an object if it is a method, and the arguments. A class has a
// function by its own name that makes an object, and `CLASS.delete`.
//
// There is one thread. A solver runs while the caller waits for it. What is to end it meanwhile
// comes from outside: `host_wants_call_back` is asked some times a second.
#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/arguments.hpp"
#include "api/marshalled.hpp"
#include "board/exact_functions.hpp"
#include "solve/limits.hpp"

#define PATCHPIE_EXPORT(name) extern "C" __attribute__((export_name(#name)))
#define PATCHPIE_IMPORT(name) extern "C" __attribute__((import_module("host"), import_name(#name)))

PATCHPIE_IMPORT(wants_call_back) int host_wants_call_back();

namespace patchpie {

#define PATCHPIE_DECLARE(game) extern GameEntry const game##_entry;
PATCHPIE_EACH_GAME(PATCHPIE_DECLARE)
#undef PATCHPIE_DECLARE

namespace {

// Raw bytes, unlike text.
struct Bytes {
    std::string_view data;
};
struct OwnBytes {
    std::string data;
};

template <class T> OwnBytes bytes_of(std::vector<T> const& numbers) {
    return {{reinterpret_cast<char const*>(numbers.data()), numbers.size() * sizeof(T)}};
}

}  // namespace

template <> struct Argument<Bytes> {
    static Bytes read(MarshalReader& from) { return {from.raw()}; }
};
template <> struct Argument<TurnOrders> {
    static TurnOrders read(MarshalReader& from) { return turn_orders(from.text()); }
};
template <> struct Argument<SearchOptions> {
    static SearchOptions read(MarshalReader& from);
};

void write(MarshalWriter& to, OwnBytes const& value) {
    to.raw(value.data.data(), value.data.size());
}
void write(MarshalWriter& to, std::vector<float> const& numbers) { write(to, bytes_of(numbers)); }
template <HasFields Struct> void write(MarshalWriter& to, Struct const& value) {
    std::apply(
        [&](auto const&... field) { write(to, std::tie(value.*field.member...)); },
        Struct::fields());
}

namespace {

// Whether the host called the solver that ran last back before its end.
bool called_back = false;

// Asks the host at most every 20 ms.
bool is_unwanted() {
    using Clock = std::chrono::steady_clock;
    static Clock::time_point next;
    if (Clock::now() < next) return false;
    called_back = host_wants_call_back() != 0;
    next = Clock::now() + std::chrono::milliseconds(20);
    return called_back;
}

// A solver that runs inside `wait`. When it was called back, `wait` returns before the end, and the
// next one goes on with what is left of the limits: the table has what was found so far.
class SolverInTurns {
  public:
    explicit SolverInTurns(std::unique_ptr<AnySolver> solver) : solver_(std::move(solver)) {}

    AnySolver& solver() { return *solver_; }

    void start(std::optional<std::uint64_t> positions, std::optional<double> seconds, bool certify,
               int threads) {
        auto const began = Clock::now();
        begin([this, positions, seconds, certify, threads, began] {
            auto left = seconds;
            if (left) left = std::max(0.0, *left - duration(Clock::now() - began));
            auto most = positions;
            if (most) most = *most - std::min(*most, before_.positions);
            start_solver(*solver_, most, left, certify, threads);
        });
    }
    void check(std::vector<Word> words, bool black) {
        begin([this, words = std::move(words), black] {
            solver_->check(words, black ? BLACK : WHITE);
        });
    }
    bool wait(double seconds) {
        if (ended_ || seconds == 0) return ended_;
        if (called_back_) begin_();
        called_back = false;
        wait_for_solver(*solver_, seconds);
        if (called_back) before_ = total();
        called_back_ = called_back;
        ended_ = !called_back_;
        return ended_;
    }
    void stop() {
        solver_->stop();
        ended_ = true;
    }
    SolverResult solved() { return called_back_ ? before_ : total(); }

  private:
    using Clock = std::chrono::steady_clock;

    static double duration(Clock::duration passed) {
        return std::chrono::duration<double>(passed).count();
    }
    SolverResult total() {
        SolverResult now = solver_->solved();
        now.positions += before_.positions;
        now.hits += before_.hits;
        now.seconds += before_.seconds;
        return now;
    }

    void begin(std::function<void()> task) {
        before_ = {};
        begin_ = std::move(task);
        begin_();
        ended_ = called_back_ = false;
    }

    std::unique_ptr<AnySolver> solver_;
    std::function<void()> begin_;
    SolverResult before_;  // of all turns before this one
    bool ended_ = true, called_back_ = false;
};

using Call = std::function<void(MarshalReader&, MarshalWriter&)>;

// Reads the arguments of a function by the types of its parameters, calls it and writes the result.
template <class T> using Value = std::remove_cvref_t<T>;
template <class T> decltype(auto) read_argument(MarshalReader& from) {
    if constexpr (std::is_abstract_v<Value<T>> || std::is_same_v<Value<T>, GameNet> ||
                  std::is_same_v<Value<T>, SolverInTurns>) {
        return *Argument<Value<T>*>::read(from);
    } else {
        return Argument<Value<T>>::read(from);
    }
}
template <class R, class... P> Call call_of(std::function<R(P...)> function) {
    return [function = std::move(function)](MarshalReader& from, MarshalWriter& to) {
        std::tuple<decltype(read_argument<P>(from))...> given{read_argument<P>(from)...};
        if constexpr (std::is_void_v<R>) {
            std::apply(function, given);
            to.none();
        } else {
            write(to, std::apply(function, given));
        }
    };
}
template <class F> Call call(F&& function) { return call_of(std::function(std::forward<F>(function))); }
template <class T, class R, class... P> Call call(R (T::*method)(P...)) {
    return call_of(std::function<R(T&, P...)>(method));
}
template <class T, class R, class... P> Call call(R (T::*method)(P...) const) {
    return call_of(std::function<R(T const&, P...)>(method));
}

std::unordered_map<std::string_view, Call> const& calls() {
    static std::unordered_map<std::string_view, Call> const all{
        {"games",
         call([] {
             std::vector<std::string_view> names;
             for (GameEntry const* const entry : added_games()) names.push_back(entry->name);
             return names;
         })},
        {"compiled_for", call(compiled_for)},
        {"exponential", call(exponential)},
        {"logarithm", call(logarithm)},
        {"isas",
         call([] {
             std::vector<std::string_view> names;
             for (Isa const& each : isas()) names.emplace_back(each.name);
             return names;
         })},
        {"shape",
         call([](std::string_view game) {
             Shape const shape = find_game(game).shape(0, 0);
             return std::tuple(shape.inputs, shape.globals, outputs_of_point);
         })},
        {"declared", call(declared)},
        {"option_ranges", call(option_ranges)},

        {"Position", call([](std::string_view text) { return make_position(text).release(); })},
        {"Position.delete", call([](AnyPosition* position) { delete position; })},
        {"Position.legal_steps", call(&AnyPosition::legal_steps)},
        {"Position.play", call(&AnyPosition::play)},
        {"Position.text", call(&AnyPosition::text)},
        {"Position.open", call(&AnyPosition::open)},
        {"Position.key", call(&AnyPosition::key)},
        {"Position.canonical_key", call(&AnyPosition::canonical_key)},
        {"Position.outcome",
         call([](AnyPosition const& position) {
             Outcome const outcome = position.outcome();
             return std::tuple(outcome.winner, outcome.margin);
         })},
        {"Position.features", call(&AnyPosition::features)},
        {"Position.evaluate", call(evaluate)},
        {"Position.outputs_by", call(outputs_by)},
        {"Position.perft", call(perft)},
        {"Position.playout", call(&AnyPosition::playout)},
        {"Position.play_games", call(play_games)},
        {"Position.forecast", call(forecast)},

        {"Net",
         call([](std::string const& game, int channels, int blocks, Bytes numbers,
                 std::optional<std::string_view> isa) {
             return new GameNet(*make_net(game, channels, blocks, numbers.data, isa));
         })},
        {"Net.delete", call([](GameNet* net) { delete net; })},

        {"Search",
         call([](std::string_view text, SearchOptions options, std::vector<Step> const& among,
                 GameNet const* net) {
             auto const shared = net ? std::make_shared<GameNet const>(*net) : nullptr;
             return make_search(text, std::move(options), among, shared).release();
         })},
        {"Search.delete", call([](AnySearch* search) { delete search; })},
        {"Search.set_threads", call(set_threads)},
        {"Search.start", call(start_search)},
        {"Search.wait", call(wait_for_search)},
        {"Search.stop", call(&AnySearch::stop)},
        {"Search.advance", call(&AnySearch::advance)},
        {"Search.follow", call(&AnySearch::follow)},
        {"Search.rows", call(rows)},
        {"Search.text", call(&AnySearch::text)},
        {"Search.visits", call(&AnySearch::visits)},
        {"Search.value", call(&AnySearch::value)},
        {"Search.proven", call(&AnySearch::proven)},
        {"Search.nodes", call(&AnySearch::nodes)},
        {"Search.used_bytes", call(&AnySearch::used_bytes)},

        {"Solver",
         call([](std::string_view text, std::int64_t hash_mb, std::string_view method) {
             return new SolverInTurns(make_solver(text, hash_mb, method));
         })},
        {"Solver.delete", call([](SolverInTurns* solver) { delete solver; })},
        {"Solver.turn_to", call([](SolverInTurns& solver, std::string_view text) {
             turn_to(solver.solver(), text);
         })},
        {"Solver.start", call(&SolverInTurns::start)},
        {"Solver.certificate",
         call([](SolverInTurns& solver) -> std::optional<OwnBytes> {
             auto const words = solver.solver().certificate();
             if (!words) return {};
             return bytes_of(*words);
         })},
        {"Solver.check",
         call([](SolverInTurns& solver, Bytes words, bool black) {
             std::vector<Word> numbers(words.data.size() / sizeof(Word));
             std::copy_n(words.data.data(), numbers.size() * sizeof(Word),
                         reinterpret_cast<char*>(numbers.data()));
             solver.check(std::move(numbers), black);
         })},
        {"Solver.checked",
         call([](SolverInTurns& solver) {
             CheckResult const now = solver.solver().checked();
             return std::tuple(now.proven, now.positions, now.unproven);
         })},
        {"Solver.saved_part",
         call([](SolverInTurns& solver, std::size_t first) {
             auto [part, next] = solver.solver().saved_part(first);
             return std::pair(OwnBytes{std::move(part)}, next);
         })},
        {"Solver.restore_part",
         call([](SolverInTurns& solver, Bytes part) { solver.solver().restore_part(part.data); })},
        {"Solver.wait", call(&SolverInTurns::wait)},
        {"Solver.stop", call(&SolverInTurns::stop)},
        {"Solver.solved", call(&SolverInTurns::solved)},
    };
    return all;
}

}  // namespace

SearchOptions Argument<SearchOptions>::read(MarshalReader& from) {
    SearchOptions options;
    from.expect('{');
    while (auto const name = from.key()) {
        bool found = false;
        for_each_field<SearchOptions>([&](auto const& field) {
            if (*name != field.name) return;
            using Member = std::remove_cvref_t<decltype(options.*field.member)>;
            options.*field.member = Argument<Member>::read(from);
            found = true;
        });
        if (!found) MarshalReader::refuse();
    }
    return options;
}

}  // namespace patchpie

namespace {

// A call and its result, or the text of its error.
std::string input, output;

}  // namespace

PATCHPIE_EXPORT(kernel_begin) void kernel_begin() {
#define PATCHPIE_ADD(game) patchpie::add_game(patchpie::game##_entry);
    PATCHPIE_EACH_GAME(PATCHPIE_ADD)
#undef PATCHPIE_ADD
    patchpie::Limits::is_unwanted = patchpie::is_unwanted;
}

// The place where the bytes of the next call go.
PATCHPIE_EXPORT(kernel_input) char* kernel_input(std::size_t size) {
    input.resize(size);
    return input.data();
}

// Returns the number of bytes at `kernel_output`; less than 0 if they are the text of an error.
PATCHPIE_EXPORT(kernel_call) std::int32_t kernel_call() {
    // A call may wait while another one is made.
    std::string const given = std::move(input);
    try {
        patchpie::MarshalReader from(given);
        from.tuple();
        auto const found = patchpie::calls().find(from.text());
        if (found == patchpie::calls().end()) throw std::invalid_argument("no such call");
        patchpie::MarshalWriter to;
        found->second(from, to);
        output = std::move(to.bytes);
        return static_cast<std::int32_t>(output.size());
    } catch (std::bad_alloc const&) {
        output = "there is not enough memory";
    } catch (std::exception const& error) {
        output = error.what();
    }
    return -static_cast<std::int32_t>(output.size());
}

PATCHPIE_EXPORT(kernel_output) char const* kernel_output() { return output.data(); }
