// The functions that Python calls, with checked arguments. They throw std::invalid_argument with a
// sentence for the user if an argument is wrong.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "api/added_games.hpp"
#include "api/interface.hpp"
#include "nn/net.hpp"

namespace patchpie {

// A net and the name of its game.
struct GameNet {
    std::string game;
    std::shared_ptr<Net const> net;
};

// The instruction set of rules and search, as in speed.md: plain, v3 or native.
std::string_view compiled_for();

// The memory of the machine in MiB, or the largest number if the system does not tell.
std::int64_t memory_mb();

// `weights` are the bytes of 32-bit floats in the order of nn/net.hpp. `isa` names one of `isas`;
// without it the net uses the fastest one.
std::shared_ptr<GameNet> make_net(std::string const& game, int channels, int blocks,
                                  std::string_view weights, std::optional<std::string_view> isa);

Declared declared(std::string_view game);
std::unique_ptr<AnyPosition> make_position(std::string_view text);
std::uint64_t perft(AnyPosition const& position, int depth);
float evaluate(AnyPosition const& position, GameNet const& net, std::int64_t times);
std::vector<float> outputs_by(AnyPosition const& position, GameNet const& net);
PlayoutTally play_games(AnyPosition const& position, double seconds, std::uint64_t seed,
                        bool step_by_step);
Forecast forecast(AnyPosition const& position, std::int64_t games, std::uint64_t seed);

// The texts `one` and `every`.
std::string_view name_of(TurnOrders orders);
TurnOrders turn_orders(std::string_view name);

// The lowest and the highest number of each option that is a number in a range.
std::vector<std::tuple<std::string_view, double, double>> option_ranges();

std::unique_ptr<AnySearch> make_search(std::string_view text, SearchOptions options,
                                       std::vector<Step> const& among,
                                       std::shared_ptr<GameNet const> net);
void set_threads(AnySearch& search, int threads);
void start_search(AnySearch& search, std::optional<std::int64_t> visits,
                  std::optional<double> seconds);
bool wait_for_search(AnySearch& search, double seconds);
std::vector<AnalysisRow> rows(AnySearch& search, std::int64_t longest_pv);

// The method is best, proof-numbers, depth-first or retrograde.
std::unique_ptr<AnySolver> make_solver(std::string_view text, std::int64_t hash_mb,
                                       std::string_view method);
void turn_to(AnySolver& solver, std::string_view text);
void start_solver(AnySolver& solver, std::optional<std::uint64_t> positions,
                  std::optional<double> seconds, bool certify, int threads);
bool wait_for_solver(AnySolver& solver, double seconds);

}  // namespace patchpie
