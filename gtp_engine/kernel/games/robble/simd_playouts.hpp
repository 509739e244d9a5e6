// SIMD playouts of Robble: several random games side by side in vectors, on boards of one or two
// words.
//
// They play like `playout`, but faster. Random games hardly ever repeat a board, so they test R16
// only after many turns, and at the first turns if they begin with a repeated board.
//
// R8 to R16 are sentences of protocol_specs/games/robble.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/robble/lane_turns.hpp"
#include "rules/game.hpp"

namespace patchpie {

template <class G> class RobbleSimdPlayouts {
  public:
    using L = typename G::Layout;
    using History = typename G::History;
    using Appearance = typename G::Appearance;
    using Bits = typename L::Bits;
    static_assert(words_in<Bits> <= 2);

    static constexpr unsigned games = 8;

    // Plays `games` games from a position that is not over, and calls end(winner) for each.
    template <class F> void play(G const& from, Rng& rng, History const& history, F&& end) {
        std::array<Bundle, bundles> bundle = begin(from, history);
        Rng random = rng;
        Color mover = from.to_move;
        Set running = all, drawn = 0, odd = 0;
        std::size_t const first_checks = from.appearances > 1 ? checks_after_repetition : 0;
        for (std::size_t turn = 0; running != 0; ++turn) {
            mover = opponent(mover);
            if (turn == seen_.size()) seen_.resize(2 * turn);
            LaneRandom<games> const bits(random);
            Set full = 0;
            for (unsigned b = 0; b < bundles; ++b) {
                bundle[b].play(bits.of_bundle(b), board_);
                // Two separate stores: a copy of the pair would read it before the stores finish.
                seen_[turn][b].own = bundle[b].own;
                seen_[turn][b].other = bundle[b].other;
                full |= Set{bits_of(none(bundle[b].empty))} << b * width;
            }
            if (mover != from.to_move) odd |= full & running;
            running &= ~full;
            if (turn < first_checks || (turn + 1) % turns_between_checks == 0) [[unlikely]] {
                Set const ends = drawn_among(running, turn, mover);
                running &= ~ends;
                drawn |= ends;
            }
        }
        rng = random;
        for (unsigned b = 0; b < bundles; ++b) {
            tell(bundle[b], drawn >> b * width, odd >> b * width, from, mover, end);
        }
    }

  private:
    static constexpr unsigned width = lanes_at_once, bundles = games / width;
    using Sets = LaneSets<Bits>;
    using Bundle = RobbleLanes<L>;
    using Set = unsigned;  // a set of games, one bit for each
    static constexpr Set all = (Set{1} << games) - 1, all_of_bundle = (Set{1} << width) - 1;

    // A check takes as long as many turns. Up to 8x8 most games end before the first one.
    static constexpr std::size_t turns_between_checks = 128, checks_after_repetition = 8;
    static constexpr std::size_t reserve = 128;

    // The stones of the games of a bundle, from the view of the color to move.
    struct Seen {
        Sets own, other;
    };

    std::array<Bundle, bundles> begin(G const& from, History const& history) {
        auto const [own, other] = from.planes();
        Bits const board = L::board(from.size).all;
        board_ = in_all_lanes(board);
        // The empty board cannot repeat, because each turn leaves its own stone.
        past_ = {!any(own | other) ? history.end() : history.begin(), history.end()};
        if (seen_.empty()) seen_.resize(reserve);
        std::array<Bundle, bundles> bundle;
        Bits const empty = board & ~(own | other);
        bundle.fill({in_all_lanes(own), in_all_lanes(other), in_all_lanes(empty)});
        return bundle;
    }

    // R16: the games whose last board, with the color to move, appeared too often.
    Set drawn_among(Set some, std::size_t now, Color to_move) const {
        Set drawn = 0;
        for_each(Word{some}, [&](int number) {
            auto const game = static_cast<unsigned>(number);
            unsigned const b = game / width, lane = game % width;
            Seen const& last = seen_[now][b];
            Appearance const board{in_lane(last.own, lane), in_lane(last.other, lane), to_move};
            auto found = std::count(past_.begin(), past_.end(), board);
            for (std::size_t i = now % 2; i <= now; i += 2) {
                Seen const& seen = seen_[i][b];
                found += in_lane(seen.own, lane) == board.own &&
                         in_lane(seen.other, lane) == board.other;
            }
            if (found >= G::appearances_that_draw) drawn |= Set{1} << game;
        });
        return drawn;
    }

    // Calls end(winner) for each game of a bundle. The boards are from the view of `mover`.
    // `drawn` holds the draws, `odd` the games that ended after an odd number of turns.
    template <class F>
    static void tell(Bundle const& bundle, Set drawn, Set odd, G const& from, Color mover,
                     F&& end) {
        Set const decided = all_of_bundle & ~drawn;
        Verdict const won = compared(bundle, decided);
        for (unsigned lane = 0; lane < width; ++lane) {
            Set const one = Set{1} << lane;
            if ((decided & one) == 0) {
                end(Winner::draw);
            } else if ((won.own | won.other) & one) {
                end(won_by(won.own & one ? mover : opponent(mover)));
            } else {
                G over = from;
                over.stones[mover] = in_lane(bundle.own, lane);
                over.stones[opponent(mover)] = in_lane(bundle.other, lane);
                if (odd & one) over.to_move = opponent(from.to_move);
                end(over.leader());
            }
        }
    }

    // The games won by the color to move next, and those won by the other color.
    struct Verdict {
        Set own = 0, other = 0;
    };

    // R13, R14: the games in which only one color has a biggest group. Like Robble::leader, it
    // floods one group of each color at a time, until one is bigger than any possible group of the
    // other.
    static Verdict compared(Bundle const& bundle, Set asked) {
        Groups own(bundle.own), other(bundle.other);
        Verdict found;
        while (asked != 0) {
            own.seed();
            other.seed();
            while (bits_of(none(own.grow() | other.grow())) != all_of_bundle) {}
            own.take();
            other.take();
            found.own |= bits_of(own.beats(other));
            found.other |= bits_of(other.beats(own));
            asked &= ~(found.own | found.other | bits_of(none(own.rest | other.rest)));
        }
        return found;
    }

    static constexpr Bits beyond_middle = static_cast<Bits>(~Bits{0} << L::stride * L::largest / 2);

    // The stones of one color on full boards.
    struct Groups {
        Sets rest;  // the stones of unknown groups
        Sets group{};
        LaneCounts left, largest{};  // the number of these stones, and that of the largest group

        explicit Groups(Sets const& stones)
            : rest(stones & LaneMoves<L>::around(stones)), left(count(rest)) {}

        // Begins with a stone beyond the middle, if there is one, because the largest group nearly
        // always reaches there.
        void seed() {
            Sets const beyond = rest & in_all_lanes(beyond_middle);
            group = lowest_points(chosen(none(beyond), rest, beyond));
        }
        // Grows the group by some steps. Returns the new stones.
        Sets grow() {
            Sets const before = group;
            for (int i = 0; i < 3; ++i) group |= LaneMoves<L>::around(group) & rest;
            return group ^ before;
        }
        void take() {
            LaneCounts const points = count(group);
            left -= points;
            largest = greater(largest, points);
            rest ^= group;
        }
        LaneMask beats(Groups const& other) const {
            return largest > greater(other.largest, other.left);
        }
    };

    std::vector<std::array<Seen, bundles>> seen_;  // the boards after each turn
    std::span<Appearance const> past_;
    Sets board_{};
};

}  // namespace patchpie
