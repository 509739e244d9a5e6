// Score bounds: what is proven about the result of a node (score bounded MCTS, Cazenave and
// Saffidine, CG 2010).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "rules/step.hpp"

namespace patchpie {

// Results count in eighths of a game for Black, so that sums are whole numbers on every machine.
// That is fine enough for estimates, too, which are rounded up or down by chance.
inline constexpr std::uint32_t points_a_game = 8;
inline constexpr std::uint32_t half_a_game = points_a_game / 2;

enum class ProvenResult : std::uint8_t { none, white, draw, black };  // by value for Black

constexpr ProvenResult proven_result(Winner winner) {
    switch (winner) {
        case Winner::black: return ProvenResult::black;
        case Winner::white: return ProvenResult::white;
        case Winner::draw: return ProvenResult::draw;
        case Winner::undecided: break;
    }
    return ProvenResult::none;
}

// The points for Black of a proof that is not none.
constexpr std::uint32_t points_of(ProvenResult proven) {
    return (static_cast<std::uint32_t>(proven) - 1) * half_a_game;
}

// The bounds of a result (Cazenave and Saffidine, CG 2010), as bits that are only ever added: two
// for what Black has at least, a draw or a win, and two for what White has. Where the two sides
// meet, the result is proven.
using ScoreBounds = std::uint32_t;
inline constexpr ScoreBounds black_draws = 1, black_wins = 2, white_draws = 4, white_wins = 8;
inline constexpr ScoreBounds all_bounds = 15;

constexpr ScoreBounds bounds_of(ProvenResult proven) {
    switch (proven) {
        case ProvenResult::black: return black_draws | black_wins;
        case ProvenResult::white: return white_draws | white_wins;
        case ProvenResult::draw: return black_draws | white_draws;
        case ProvenResult::none: break;
    }
    return 0;
}

constexpr ProvenResult proven_result(ScoreBounds bounds) {
    if (bounds & black_wins) return ProvenResult::black;
    if (bounds & white_wins) return ProvenResult::white;
    return bounds == bounds_of(ProvenResult::draw) ? ProvenResult::draw : ProvenResult::none;
}

// What a color has for sure where it may choose what it has; the rest is its opponent's.
constexpr ScoreBounds bounds_for(Color color) {
    return color == BLACK ? black_draws | black_wins : white_draws | white_wins;
}
constexpr bool wins(ScoreBounds bounds, Color color) {
    return bounds & (color == BLACK ? black_wins : white_wins);
}

// The points for Black, which are a mean, within the bounds.
constexpr float within(ScoreBounds bounds, float points) {
    constexpr auto half = static_cast<float>(half_a_game);
    float const least = half * static_cast<float>(std::popcount(bounds & bounds_for(BLACK)));
    float const most = half * static_cast<float>(2 - std::popcount(bounds & bounds_for(WHITE)));
    return std::clamp(points, least, most);
}

}  // namespace patchpie
