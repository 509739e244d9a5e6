// SIMD playouts of Pilo: several random games side by side in vectors, on boards of one word.
//
// Vectors of two games are slower than single games. So a build without AVX2 plays the same games
// one by one.
//
// P11, P14, P16 and P18 are sentences of protocol_specs/games/pilo.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "board/lane_choice.hpp"
#include "rules/game.hpp"
#if defined(__AVX2__)
#include "games/pilo/lane_turns.hpp"
#endif

namespace patchpie {

#if defined(__AVX2__)

template <class G> class PiloSimdPlayouts {
  public:
    using L = typename G::Layout;
    using Squares = typename G::Squares;

    static constexpr unsigned games = 8;

    // Plays `games` games from a position that is not over, and calls end(winner) for each.
    template <class F> void play(G const& from, Rng& rng, NoHistory const& history, F&& end) {
        std::array<Bundle, bundles> bundle;
        bundle.fill(begin(from));
        Rng random = rng;
        Set running = all, odd = 0;  // odd: the games that ended after an odd number of turns
        for (unsigned turn = 0; running != 0; ++turn) {
            LaneRandom<games> const bits(random);
            Set over = 0;
            for (unsigned b = 0; b < bundles; ++b) {
                LaneMask const ended = bundle[b].play(bits.of_bundle(b), turn % 2);
                over |= Set{bits_of(ended)} << b * width;
            }
            if (turn % 2 == 0) odd |= over & running;
            running &= ~over;
        }
        rng = random;
        for (unsigned game = 0; game < games; ++game) {
            bool const turned = odd >> game & 1;
            end(ended(from, bundle[game / width], game % width, turned).outcome(history).winner);
        }
    }

  private:
    static constexpr unsigned width = lanes_at_once, bundles = games / width;
    using Bundle = PiloLanes<L, G::highest>;
    using Set = unsigned;  // a set of games, one bit for each
    static constexpr Set all = (Set{1} << games) - 1;

    static Bundle begin(G const& from) {
        Bundle made{};
        made.tallest = std::max(Bundle::usual, static_cast<std::size_t>(from.tallest));
        made.passed = LaneMask{} - (from.passes > 0);
        std::array<Color, 2> const colors{from.to_move, opponent(from.to_move)};
        for (int d = 0; d < Squares::directions; ++d) {
            auto const copy = static_cast<std::size_t>(d);
            made.empty[copy] = in_all_lanes(from.empty[0][d]);
            for (std::size_t side = 0; side < 2; ++side) {
                Word const stacks = from.of[colors[side]][0][d];
                for (std::size_t h = 0; h < static_cast<std::size_t>(from.tallest); ++h) {
                    Word const high = stacks & from.stacks[h][0][d];
                    made.stacks[side][h][copy] = in_all_lanes(high);
                }
            }
        }
        return made;
    }

    // The last position of a game, with all that its outcome needs.
    static G ended(G const& from, Bundle const& bundle, unsigned lane, bool odd) {
        G over = from;
        over.passes = 2;
        if (odd) over.to_move = opponent(from.to_move);
        over.empty[0][Squares::SOUTH] = bundle.empty[Squares::SOUTH][lane];
        std::array<Color, 2> const colors{from.to_move, opponent(from.to_move)};
        for (std::size_t side = 0; side < 2; ++side) {
            Word stacks = 0;
            for (std::size_t h = 0; h < bundle.tallest; ++h) {
                stacks |= bundle.stacks[side][h][Squares::SOUTH][lane];
            }
            over.of[colors[side]][0][Squares::SOUTH] = stacks;
        }
        return over;
    }
};

#else

template <class G> class PiloSimdPlayouts {
  public:
    using Squares = typename G::Squares;

    static constexpr unsigned games = 8;

    template <class F> void play(G const& from, Rng& rng, NoHistory const& history, F&& end) {
        Rng after = rng;  // the longest game
        unsigned most = 0;
        for (unsigned game = 0; game < games; ++game) {
            G position = from;
            Rng random = rng;
            unsigned turns = 0;
            for (; position.passes < 2; ++turns) {
                play_turn(position, LaneRandom<games>(random).of_game(game));
            }
            if (turns > most) most = turns, after = random;
            end(position.outcome(history).winner);
        }
        rng = after;
    }

  private:
    static void play_turn(G& position, Word random) {
        Squares capturing;
        int const captures = position.captures(capturing);
        Word const vacant = position.empty[0][Squares::SOUTH];
        int const vacancies = count(vacant), choices = vacancies + captures;
        int const choice = Rng::scaled<random_bits_a_lane>(random, choices);
        StepCount unused;
        if (choices == 0) position.yield();  // P16
        else if (choice < vacancies) position.put(select(vacant, choice));  // P11
        else position.take_one(capturing, choice - vacancies, unused);      // P14
    }
};

#endif

}  // namespace patchpie
