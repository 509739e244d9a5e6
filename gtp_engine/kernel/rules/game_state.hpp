// A position with its history and the state of the pie rule.
#pragma once

#include <cstdint>
#include <string>

#include "rules/flaws.hpp"
#include "rules/game.hpp"
#include "rules/position_text.hpp"

namespace patchpie {

// Plays the forced steps of an open turn. A step is forced if it is the only legal one.
template <Game G> void settle(G& position, typename G::History& history) {
    while (position.open()) {
        Steps steps;
        position.legal_steps(steps);
        if (steps.count != 1) return;
        position.apply(steps[0], history);
    }
}

template <Game G> class GameState {
  public:
    using L = typename G::Layout;

    // Throws UnreadablePosition for a position that cannot occur in a game.
    [[gnu::cold]] explicit GameState(PositionText const& text)
        : position_(G::assemble(Content<L>(text.content), history_)), pie_(text.pie) {
        require_flawless(position_, history_);
    }

    G const& position() const { return position_; }
    typename G::History const& history() const { return history_; }
    Pie pie() const { return pie_; }
    Outcome outcome() const { return position_.outcome(history_); }

    // All legal steps. The list is empty if and only if the game is over.
    void legal_steps(Steps& steps) const {
        if (outcome().winner != Winner::undecided) return;
        position_.legal_steps(steps);
        // Pie rule: White may swap instead of a regular move on the first turn only.
        if (pie_ != Pie::off && position_.to_move == WHITE) {
            steps.add(pie_ == Pie::pieces ? swap_pieces : swap_sides);
        }
    }

    // Plays a step. The step must be legal.
    void play(Step step) {
        if (position_.to_move == WHITE) pie_ = Pie::off;
        if (step == swap_pieces) position_ = position_.mirrored(history_);
        else if (step != swap_sides) position_.apply(step, history_);
    }

    void settle() { patchpie::settle(position_, history_); }

    std::uint64_t key() const {
        int const rest = static_cast<int>(pie_) << 8 | position_.size;
        return Rng::mixed(position_.key() ^ Rng::mixed(static_cast<std::uint64_t>(rest)));
    }

    [[gnu::cold]] std::string text() const {
        return write_position_text(G::name, position_.content(history_), pie_);
    }

  private:
    typename G::History history_;  // before the position, because `assemble` fills it
    G position_;
    Pie pie_;
};

}  // namespace patchpie
