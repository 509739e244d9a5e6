// Decisive moves (Teytaud and Teytaud, IEEE CIG 2010), for games that detect a win in one step
// without a trial of all steps. Such a game has, in addition to the members in game.hpp:
//
// wins_at_once     -- whether the color to move can win by its next step; it may miss some wins
// decisive_playout -- like `playout`, but a color that detects a win in one turn plays it
#pragma once

#include <concepts>

#include "rules/game.hpp"

namespace patchpie {

template <class G>
concept Decisive = Game<G> && requires(G position, G const& fixed, typename G::History& history,
                                       Rng& rng, StepCount& count) {
    { fixed.wins_at_once() } -> std::same_as<bool>;
    { position.decisive_playout(rng, history, count) } -> std::same_as<Winner>;
};

// The outcome of a position. With `ahead`, a position counts as won if the color to move can win
// at once.
template <Game G>
Outcome outcome_or_win_ahead(G const& position, typename G::History& history, bool ahead) {
    Outcome const outcome = position.outcome(history);
    if constexpr (Decisive<G>) {
        if (ahead && outcome.winner == Winner::undecided && position.wins_at_once()) {
            return {won_by(position.to_move)};
        }
    }
    return outcome;
}

template <Game G, class Trace>
Winner play_out(G& position, Rng& rng, typename G::History& history, bool decisive, Trace& trace) {
    if constexpr (Decisive<G>) {
        if (decisive) return position.decisive_playout(rng, history, trace);
    }
    return position.playout(rng, history, trace);
}

}  // namespace patchpie
