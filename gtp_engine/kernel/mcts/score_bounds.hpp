// Score bounds: the proven bounds of the result of a node (score bounded MCTS, Cazenave and
// Saffidine, CG 2010).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "rules/step.hpp"

namespace patchpie {

// Results are eighths of a game for Black, so sums are exact on every machine. Estimates of a net
// are rounded up or down at random, so eighths are fine enough for them too.
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

// Black's points for a proven result other than `none`.
constexpr std::uint32_t points_of(ProvenResult proven) {
    return (static_cast<std::uint32_t>(proven) - 1) * half_a_game;
}

// The bounds of a result as four bits: Black has at least a draw, Black wins, and the same for
// White. A search only adds bits. The result is proven when the bounds of both colors meet.
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

// The bits that bound the result of a color from below.
constexpr ScoreBounds bounds_for(Color color) {
    return color == BLACK ? black_draws | black_wins : white_draws | white_wins;
}
constexpr bool wins(ScoreBounds bounds, Color color) {
    return bounds & (color == BLACK ? black_wins : white_wins);
}

// Clamps Black's mean points to the bounds.
constexpr float within(ScoreBounds bounds, float points) {
    constexpr auto half = static_cast<float>(half_a_game);
    float const least = half * static_cast<float>(std::popcount(bounds & bounds_for(BLACK)));
    float const most = half * static_cast<float>(2 - std::popcount(bounds & bounds_for(WHITE)));
    return std::clamp(points, least, most);
}

}  // namespace patchpie
