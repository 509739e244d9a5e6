// Conversion of steps between vertex numbers (outside of the kernel) and the points of a layout.
#pragma once

#include <stdexcept>

#include "rules/game_state.hpp"

namespace patchpie {

template <class L> Step external_step(Step step) {
    return make_step(kind_of(step), L::vertex_of(first_of(step)), L::vertex_of(second_of(step)));
}

// The legal step with an external number. Throws std::invalid_argument if there is none.
template <Game G> Step internal_step(GameState<G> const& line, Step step) {
    Steps steps;
    line.legal_steps(steps);
    for (Step const each : steps) {
        if (external_step<typename G::Layout>(each) == step) return each;
    }
    throw std::invalid_argument("an illegal step");
}

}  // namespace patchpie
