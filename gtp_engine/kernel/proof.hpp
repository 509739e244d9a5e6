// What a search knows for sure about the result of a position.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "step.hpp"

namespace patchpie {

// Results count in eighths of a game for Black, so that sums are whole numbers on every machine.
// That is fine enough for estimates, too, which are rounded up or down by chance.
inline constexpr std::uint32_t points_a_game = 8;
inline constexpr std::uint32_t half_a_game = points_a_game / 2;

enum class Proof : std::uint8_t { none, white, draw, black };  // by value for Black

constexpr Proof proof_of(Winner winner) {
    switch (winner) {
        case Winner::black: return Proof::black;
        case Winner::white: return Proof::white;
        case Winner::draw: return Proof::draw;
        case Winner::undecided: break;
    }
    return Proof::none;
}

// The points for Black of a proof that is not none.
constexpr std::uint32_t points_of(Proof proof) {
    return (static_cast<std::uint32_t>(proof) - 1) * half_a_game;
}

// The bounds of a result (Cazenave and Saffidine, CG 2010), as bits that are only ever added: two
// for what Black has at least, a draw or a win, and two for what White has. Where the two sides
// meet, the result is proven.
using Facts = std::uint32_t;
inline constexpr Facts black_draws = 1, black_wins = 2, white_draws = 4, white_wins = 8;
inline constexpr Facts all_facts = 15;

constexpr Facts facts_of(Proof proof) {
    switch (proof) {
        case Proof::black: return black_draws | black_wins;
        case Proof::white: return white_draws | white_wins;
        case Proof::draw: return black_draws | white_draws;
        case Proof::none: break;
    }
    return 0;
}

constexpr Proof proof_of(Facts facts) {
    if (facts & black_wins) return Proof::black;
    if (facts & white_wins) return Proof::white;
    return facts == facts_of(Proof::draw) ? Proof::draw : Proof::none;
}

// What a color has for sure where it may choose what it has; the rest is its opponent's.
constexpr Facts facts_for(Color color) {
    return color == BLACK ? black_draws | black_wins : white_draws | white_wins;
}
constexpr bool wins(Facts facts, Color color) {
    return facts & (color == BLACK ? black_wins : white_wins);
}

// The points for Black, which are a mean, within the bounds.
constexpr float within(Facts facts, float points) {
    constexpr auto half = static_cast<float>(half_a_game);
    float const least = half * static_cast<float>(std::popcount(facts & facts_for(BLACK)));
    float const most = half * static_cast<float>(2 - std::popcount(facts & facts_for(WHITE)));
    return std::clamp(points, least, most);
}

}  // namespace patchpie
