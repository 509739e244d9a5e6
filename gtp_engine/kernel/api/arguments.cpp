// Checks the arguments from Python; see arguments.hpp.
#include "api/arguments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace patchpie {
namespace {

constexpr int most_blocks = 100;
constexpr std::int64_t most_forecast_games = 1'000'000;
constexpr std::int64_t most_times = 1'000'000;
constexpr double longest_seconds = 1e9;
constexpr std::int64_t mebibyte = 1 << 20;

void require(bool condition, char const* message) {
    if (!condition) throw std::invalid_argument(message);
}

// Ranges are of whole numbers. The comparison also rejects NaN.
void require_range(std::string const& name, double number, double lowest, double highest) {
    if (number >= lowest && number <= highest) return;
    auto const text = [](double whole) { return std::to_string(static_cast<std::int64_t>(whole)); };
    throw std::invalid_argument(name + ": " + text(lowest) + " to " + text(highest));
}

void check(SearchOptions const& options) {
    for_each_field<SearchOptions>([&options](auto const& field) {
        if constexpr (requires { field.lowest; }) {
            double highest = field.highest;
            if (std::string_view(field.name) == "hash_mb") {
                highest = std::min(highest, static_cast<double>(memory_mb()));
            }
            auto const number = static_cast<double>(options.*field.member);
            require_range(field.name, number, field.lowest, highest);
        }
    });
}

void require_threads(int threads) {
    SearchOptions options;
    options.threads = threads;
    check(options);
}

void require_memory(std::int64_t hash_mb) {
    SearchOptions options;
    options.hash_mb = hash_mb;
    check(options);
}

void require_net_of(std::string_view game, GameNet const& net) {
    require(net.game == game, "the net is of another game");
}

// Times beyond the range of the clock mean no limit. The comparison also rejects NaN.
std::optional<double> time_limit(std::optional<double> seconds) {
    require(!seconds || *seconds >= 0, "seconds are not negative");
    return seconds && *seconds > longest_seconds ? std::nullopt : seconds;
}

double waiting_time(double seconds) { return time_limit(seconds).value_or(longest_seconds); }

Isa find_isa(std::optional<std::string_view> name) {
    for (Isa const& each : isas()) {
        if (!name || *name == each.name) return each;
    }
    throw std::invalid_argument("no such instruction set here");
}

}  // namespace

std::string_view compiled_for() {
#if defined(PATCHPIE_NATIVE)
    return "native";
#elif defined(__AVX2__) && defined(__BMI2__)
    return "v3";
#else
    return "plain";
#endif
}

std::int64_t memory_mb() {
#if defined(_SC_PHYS_PAGES)
    long const pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
    if (pages > 0 && size > 0) return static_cast<std::int64_t>(pages) * size / mebibyte;
#endif
    return std::numeric_limits<std::int64_t>::max();
}

std::shared_ptr<GameNet> make_net(std::string const& game, int channels, int blocks,
                                  std::string_view weights, std::optional<std::string_view> isa) {
    require(channels == 16 || channels == 32 || channels == 64, "channels are 16, 32 or 64");
    require(blocks >= 1 && blocks <= most_blocks, "blocks are 1 to 100");
    require(weights.size() % sizeof(float) == 0, "the weights are numbers of 4 bytes");
    std::vector<float> numbers(weights.size() / sizeof(float));
    if (!numbers.empty()) std::memcpy(numbers.data(), weights.data(), weights.size());
    for (float const number : numbers) require(std::isfinite(number), "a weight is not a finite number");
    Shape const shape = find_game(game).shape(channels, blocks);
    auto net = std::make_shared<Net const>(shape, numbers, find_isa(isa));
    return std::make_shared<GameNet>(GameNet{game, std::move(net)});
}

Declared declared(std::string_view game) {
    GameEntry const& entry = find_game(game);
    return {static_cast<int>(entry.symmetry), static_cast<int>(entry.color_mirror),
            entry.neighbors == Neighbors::hexagonal, entry.kinds, entry.two_point_kind};
}

std::unique_ptr<AnyPosition> make_position(std::string_view text) {
    auto const parts = parse_position_text(text);
    return find_game(parts.game).position(parts);
}

std::uint64_t perft(AnyPosition const& position, int depth) {
    require(depth >= 0 && depth <= 50, "depth is 0 to 50");
    return position.perft(depth);
}

float evaluate(AnyPosition const& position, GameNet const& net, std::int64_t times) {
    require(times >= 1 && times <= most_times, "times are 1 to 1000000");
    require_net_of(position.game(), net);
    return position.evaluate(*net.net, times);
}

std::vector<float> outputs_by(AnyPosition const& position, GameNet const& net) {
    require_net_of(position.game(), net);
    return position.outputs_by(*net.net);
}

PlayoutTally play_games(AnyPosition const& position, double seconds, std::uint64_t seed,
                        bool step_by_step) {
    require(seconds >= 0 && seconds <= longest_seconds, "seconds are not negative");
    // The text is parsed again, because the benchmark has a layout of its own.
    std::string const text = position.text();
    auto const parts = parse_position_text(text);
    return find_game(parts.game).play_games(parts, seconds, seed, step_by_step);
}

Forecast forecast(AnyPosition const& position, std::int64_t games, std::uint64_t seed) {
    require(games >= 0 && games <= most_forecast_games, "games are 0 to 1000000");
    return position.forecast(games, seed);
}

std::string_view name_of(TurnOrders orders) { return orders == TurnOrders::one ? "one" : "every"; }

TurnOrders turn_orders(std::string_view name) {
    for (TurnOrders const each : {TurnOrders::one, TurnOrders::every}) {
        if (name == name_of(each)) return each;
    }
    throw std::invalid_argument("turn_orders: one or every");
}

std::vector<std::tuple<std::string_view, double, double>> option_ranges() {
    std::vector<std::tuple<std::string_view, double, double>> ranges;
    for_each_field<SearchOptions>([&ranges](auto const& field) {
        if constexpr (requires { field.lowest; }) {
            ranges.emplace_back(field.name, field.lowest, field.highest);
        }
    });
    return ranges;
}

std::unique_ptr<AnySearch> make_search(std::string_view text, SearchOptions options,
                                       std::vector<Step> const& among,
                                       std::shared_ptr<GameNet const> net) {
    check(options);
    auto const parts = parse_position_text(text);
    if (net) {
        require_net_of(parts.game, *net);
        options.net = net->net;
    }
    return find_game(parts.game).search(parts, options, among);
}

void set_threads(AnySearch& search, int threads) {
    require_threads(threads);
    search.set_threads(threads);
}

void start_search(AnySearch& search, std::optional<std::int64_t> visits,
                  std::optional<double> seconds) {
    require(!visits || *visits >= 0, "visits are not negative");
    search.start(visits, time_limit(seconds));
}

bool wait_for_search(AnySearch& search, double seconds) {
    return search.wait(waiting_time(seconds));
}

std::vector<AnalysisRow> rows(AnySearch& search, std::int64_t longest_pv) {
    require(longest_pv >= 1, "a line of play has a step at least");
    return search.rows(static_cast<std::size_t>(longest_pv));
}

std::unique_ptr<AnySolver> make_solver(std::string_view text, std::int64_t hash_mb,
                                       std::string_view method) {
    require_memory(hash_mb);
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

void turn_to(AnySolver& solver, std::string_view text) {
    solver.turn_to(parse_position_text(text));
}

void start_solver(AnySolver& solver, std::optional<std::uint64_t> positions,
                  std::optional<double> seconds, bool certify, int threads) {
    require_threads(threads);
    solver.start(positions, time_limit(seconds), certify, threads);
}

bool wait_for_solver(AnySolver& solver, double seconds) {
    return solver.wait(waiting_time(seconds));
}

}  // namespace patchpie
