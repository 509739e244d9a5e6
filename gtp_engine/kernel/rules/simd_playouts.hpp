// Games with SIMD playouts: several random games at once.
#pragma once

#include <cstdint>

#include "rules/game.hpp"

namespace patchpie {

// Games with SIMD playouts. They name the class that plays them.
template <class G>
concept HasSimdPlayouts = requires {
    requires G::has_simd_playouts;
    typename G::SimdPlayouts;
};

// The class of the SIMD playouts of a game; an empty class for other games.
template <class G> struct SimdPlayoutsOf {
    struct Type {};
};
template <HasSimdPlayouts G> struct SimdPlayoutsOf<G> {
    using Type = typename G::SimdPlayouts;
};

// Plays as many of the games as fill whole vectors and calls end(winner) for each. Returns the
// number of games left to play.
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
