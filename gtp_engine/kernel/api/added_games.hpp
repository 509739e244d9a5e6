// The games that Python has added to the core.
#pragma once

#include <string_view>
#include <vector>

#include "api/interface.hpp"

namespace patchpie {

// The name of the capsules that hold entries of games. It has a digest of all headers between core
// and games, so that a game compiled with other ones is not taken.
extern char const* const game_capsule;

// Adds a game, whose entry stays where it is. A second call for the same game has no effect.
void add_game(GameEntry const& entry);

std::vector<GameEntry const*> added_games();

// Throws for a game that was not added.
GameEntry const& find_game(std::string_view name);

}  // namespace patchpie
