// The input features of a net: numbers for each point and some for the whole board.
//
// "Own" means of the color to move. White's board is its image under the game's color mirror, so
// that the own edges are always the same two: a position and its mirror image have equal features.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "rules/game.hpp"

namespace patchpie {

inline constexpr int feature_globals = 6;
// The number of the global input that is the share of empty points.
inline constexpr int global_empty_share = 1;

// A game may have these members for more inputs:
//
// sees_regions -- the size of each empty region is an input of its points
// insight      -- an Insight; each of its sets is an input of the points, its lead one of the board
template <Game G> inline constexpr bool sees_regions = requires { requires G::sees_regions; };
template <Game G>
inline constexpr bool has_insight = requires(G const& position) { position.insight(); };
template <Game G> inline constexpr int insights = [] {
    if constexpr (has_insight<G>) return decltype(std::declval<G>().insight())::size;
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

    // The index of each point in the order of the inputs, in an image of the board under the game's
    // symmetry.
    class PointOrder {
      public:
        PointOrder() = default;
        PointOrder(G const& position, Image image)
            : start_(index({0, 0}, position, image)),
              column_(index({1, 0}, position, image) - start_),
              row_(index({0, 1}, position, image) - start_) {}

        int operator()(int point) const {
            return start_ + column_ * L::column(point) + row_ * L::row(point);
        }

      private:
        static int index(Place at, G const& position, Image image) {
            if (position.to_move == WHITE) at = image_of(at, G::color_mirror, position.size);
            at = image_of(at, image, position.size);
            return at.column * position.size + at.row;
        }

        int start_ = 0, column_ = 0, row_ = 0;
    };

    // Writes the inputs of each point and the globals.
    static void encode(G const& position, PointOrder const& order, float* points, float* globals) {
        auto const seen = position.planes();
        Bits const board = L::board(position.size).all;
        Bits const own = seen[0] & ~seen[1], other = seen[1] & ~seen[0], both = seen[0] & seen[1];
        std::fill_n(points, position.size * position.size * inputs, 0.0F);
        int input = 0;
        auto const write = [&](Bits const& set, float number) {
            for_each(set, [&](int point) { points[order(point) * inputs + input] = number; });
        };
        auto const write_sizes = [&](Bits rest) {
            while (any(rest)) {
                Bits const group = component<L, G::neighbors>(lowest_point(rest), rest);
                rest &= ~group;
                write(group, size_seen(count(group)));
            }
        };
        for (Bits const& set : {board, own, other, both}) write(set, 1), ++input;
        for (std::size_t i = 0; i < static_cast<std::size_t>(details); ++i) {
            for (Bits const& side : {own, other}) write(side & seen[2 + i], 1), ++input;
        }
        for (Bits const& side : {own, other}) {
            // A single further plane is another kind of piece, which has its own groups. Several
            // further planes are the digits of a height.
            Bits const second = details == 1 ? side & seen[planes - 1] : Bits{};
            write_sizes(side & ~second);
            write_sizes(second);
            ++input;
        }
        Bits const empty = board & ~(seen[0] | seen[1]);
        if constexpr (sees_regions<G>) write_sizes(empty), ++input;
        float lead = 0;
        if constexpr (has_insight<G>) {
            auto const insight = position.insight();
            for (Bits const& set : insight.sets) write(set, 1), ++input;
            lead = static_cast<float>(insight.lead);
        }
        auto const area = static_cast<float>(position.size * position.size);
        globals[0] = static_cast<float>(count(empty) % 2);
        globals[global_empty_share] = static_cast<float>(count(empty)) / area;
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
