// Why a position cannot occur in a game, in the words of the Python files.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "rules/game.hpp"

namespace patchpie {

using Flaw = std::optional<std::string>;

// Games that know positions which cannot occur in a game. Others accept all of them.
template <class G>
concept HasFlaws = requires(G const& position, typename G::History const& history) {
    { position.flaw(history) } -> std::same_as<Flaw>;
};

// Throws UnreadablePosition for a position that cannot occur in a game.
template <Game G> void require_flawless(G const& position, typename G::History const& history) {
    if constexpr (HasFlaws<G>) {
        if (Flaw const flaw = position.flaw(history)) throw UnreadablePosition(*flaw);
    }
}

inline constexpr std::array<char const*, 2> color_names{"Black", "White"};

template <class L> std::string vertex_name(int point) {
    constexpr std::string_view columns = "ABCDEFGHJKLMNOPQRST";
    return columns[static_cast<std::size_t>(L::column(point))] + std::to_string(L::row(point) + 1);
}

// The points of a set: `C4 D4`.
template <class L> std::string named(typename L::Bits const& points) {
    std::string text;
    for_each(points, [&](int point) {
        if (!text.empty()) text += ' ';
        text += vertex_name<L>(point);
    });
    return text;
}

// Why players who place one piece per turn cannot have these counts (rules/setups.py).
inline Flaw alternation_flaw(Color newest, std::array<int, 2> counts, std::string_view name,
                             int handicap) {
    int const lead = counts[BLACK] - counts[WHITE];
    int const least = newest == BLACK ? 0 : -1;
    if (least <= lead && lead <= least + 1 + handicap && counts[newest] > 0) return {};
    return std::to_string(counts[BLACK]) + " and " + std::to_string(counts[WHITE]) + ' ' +
           std::string(name) + " cannot have been placed in turn";
}

}  // namespace patchpie
