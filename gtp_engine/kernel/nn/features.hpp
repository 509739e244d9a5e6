// The input features of a net: numbers for each point and some for the whole board.
//
// "Own" means of the color to move. If colors own edges, the board is transposed for one color, so
// that the own edges are always the same two: a position and its mirror image have equal features.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "rules/game.hpp"

namespace patchpie {

inline constexpr int feature_globals = 6;

// A game may have these members for more inputs:
//
// sees_regions -- whether the size of each empty region is an input of its points
// insight      -- sets of points, from the view of the color to move; each is an input
// lead         -- how far the color to move would be ahead if the game ended now
template <Game G> inline constexpr int sees_regions = [] {
    if constexpr (requires { G::sees_regions; }) return G::sees_regions ? 1 : 0;
    return 0;
}();
template <Game G> inline constexpr int insights = [] {
    if constexpr (requires(G const& position) { position.insight(); }) {
        return static_cast<int>(std::tuple_size_v<decltype(std::declval<G>().insight())>);
    }
    return 0;
}();

template <Game G> struct FeatureEncoder {
    using L = typename G::Layout;
    using Bits = typename L::Bits;

    static constexpr std::size_t planes = std::tuple_size_v<decltype(std::declval<G>().planes())>;
    static constexpr int details = std::min(static_cast<int>(planes) - 2, 3);
    // For each point: 1 (on the board); own only, other only, both (a neutral piece); each further
    // plane among own and among other pieces; the size of its own group and of its other group; the
    // size of its empty region, in games that ask for it; the sets of the game's own insight.
    static constexpr int inputs = 6 + 2 * details + sees_regions<G> + insights<G>;
    static constexpr std::size_t most_numbers = std::size_t{L::largest * L::largest * inputs};

    static bool transposed_for(G const& position) {
        return G::color_mirror == ColorMirror::transposed && position.to_move == WHITE;
    }
    // The index of a point in the order of the inputs.
    static int place(G const& position, int point) {
        int const column = L::column(point), row = L::row(point);
        return transposed_for(position) ? row * position.size + column
                                        : column * position.size + row;
    }

    // Writes the inputs of each point and the globals.
    static void encode(G const& position, float* points, float* globals) {
        auto const seen = position.planes();
        Bits const board = L::board(position.size).all;
        Bits const own = seen[0] & ~seen[1], other = seen[1] & ~seen[0], both = seen[0] & seen[1];
        std::fill_n(points, position.size * position.size * inputs, 0.0F);
        int input = 0;
        auto const write = [&](Bits const& set, float number) {
            for_each(set, [&](int point) {
                points[place(position, point) * inputs + input] = number;
            });
        };
        for (Bits const& set : {board, own, other, both}) write(set, 1), ++input;
        for (std::size_t i = 0; i < static_cast<std::size_t>(details); ++i) {
            for (Bits const& side : {own, other}) write(side & seen[2 + i], 1), ++input;
        }
        for (Bits const& side : {own, other}) {
            // A single further plane is another kind of piece, which has its own groups. Several
            // further planes are the digits of a height.
            Bits const second = details == 1 ? side & seen[planes - 1] : Bits{};
            for (Bits rest : {Bits(side & ~second), second}) {
                while (any(rest)) {
                    Bits const group = component<L, G::neighbors>(lowest_point(rest), rest);
                    rest &= ~group;
                    write(group, size_seen(count(group)));
                }
            }
            ++input;
        }
        Bits const empty = board & ~(seen[0] | seen[1]);
        if constexpr (sees_regions<G>) {
            for (Bits rest = empty; any(rest);) {
                Bits const region = component<L, Neighbors::orthogonal>(lowest_point(rest), rest);
                rest &= ~region;
                write(region, size_seen(count(region)));
            }
            ++input;
        }
        if constexpr (insights<G> > 0) {
            for (Bits const& set : position.insight()) write(set, 1), ++input;
        }
        float lead = 0;
        if constexpr (requires { position.lead(); }) lead = static_cast<float>(position.lead());
        auto const area = static_cast<float>(position.size * position.size);
        globals[0] = static_cast<float>(count(empty) % 2);
        globals[1] = static_cast<float>(count(empty)) / area;
        globals[2] = static_cast<float>(position.size - 8) / 4;
        globals[3] = static_cast<float>(position.extra_state());
        globals[4] = lead > 0 ? 1.0F : lead < 0 ? -1.0F : 0.0F;
        globals[5] = lead / static_cast<float>(position.size);
    }

  private:
    // The logarithm of the size of a group, scaled to 0 for a single piece and 1 for 64.
    static float size_seen(int size) {
        int const exponent = static_cast<int>(std::bit_width(static_cast<unsigned>(size))) - 1;
        auto const whole = static_cast<float>(1 << exponent);
        return (static_cast<float>(exponent) + static_cast<float>(size) / whole - 1) / 6;
    }
};

}  // namespace patchpie
