// Plays random games for some time, to measure their speed.
#pragma once

#include <chrono>
#include <cstdint>

#include "api/interface.hpp"
#include "rules/game_state.hpp"

namespace patchpie {

// Plays a random game from the lists of legal steps, without the fast path.
template <Game G>
Winner play_step_by_step(G& position, typename G::History& history, Rng& rng, StepCount& count) {
    Outcome outcome;
    while ((outcome = position.outcome(history)).winner == Winner::undecided) {
        Steps steps;
        position.legal_steps(steps);
        position.apply(steps[rng.below(steps.count)], history);
        ++count.steps;
    }
    return outcome.winner;
}

template <Game G>
PlayoutTally play_games(PositionText const& text, double seconds, std::uint64_t seed,
                        bool step_by_step) {
    using Clock = std::chrono::steady_clock;
    constexpr int games_between_clock_reads = 32;
    GameState<G> const start(text);
    PlayoutTally tally;
    if (start.outcome().winner != Winner::undecided) return tally;
    Rng rng(seed);
    auto history = start.history();
    auto const mark = history.mark();
    auto const began = Clock::now();
    do {
        for (int i = 0; i < games_between_clock_reads; ++i) {
            G position = start.position();
            StepCount count;
            Winner const winner = step_by_step ? play_step_by_step(position, history, rng, count)
                                               : position.playout(rng, history, count);
            history.rewind(mark);
            ++tally.games;
            tally.plies += count.steps;
            tally.black_wins += winner == Winner::black;
            tally.draws += winner == Winner::draw;
        }
        tally.seconds = std::chrono::duration<double>(Clock::now() - began).count();
    } while (tally.seconds < seconds);
    return tally;
}

}  // namespace patchpie
