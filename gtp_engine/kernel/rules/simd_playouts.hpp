// Games with SIMD playouts: several random games at once.
#pragma once

#include <cstdint>

#include "rules/game.hpp"

namespace patchpie {

// Games that play so; they name the class that does.
template <class G>
concept HasSimdPlayouts = requires {
    requires G::has_simd_playouts;
    typename G::SimdPlayouts;
};

// That class, or nothing.
template <class G> struct SimdPlayoutsOf {
    struct Type {};
};
template <HasSimdPlayouts G> struct SimdPlayoutsOf<G> {
    using Type = typename G::SimdPlayouts;
};

// Plays as many of some games in lanes as goes, and calls end(winner) for each; how many are left.
template <Game G, class F>
std::uint32_t play_simd_games(typename SimdPlayoutsOf<G>::Type& lanes, G const& from, Rng& rng,
                            typename G::History const& history, std::uint32_t games, F&& end) {
    if constexpr (HasSimdPlayouts<G>) {
        for (; games >= G::SimdPlayouts::games; games -= G::SimdPlayouts::games) {
            lanes.play(from, rng, history, end);
        }
    }
    return games;
}

}  // namespace patchpie
