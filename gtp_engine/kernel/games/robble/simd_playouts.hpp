// SIMD playouts of Robble: several random games side by side in vectors, on boards of one word.
//
// They play like `playout`, but faster. Random games hardly ever repeat a board, so they test R16
// less often: if a board equals that of two or four turns before, and every 32 turns.
//
// R8 to R16 are sentences of protocol_specs/games/robble.md.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "rules/game.hpp"

namespace patchpie {

template <class G> class RobbleSimdPlayouts {
  public:
    using L = typename G::Layout;
    using History = typename G::History;
    using Appearance = typename G::Appearance;
    static_assert(words_in<typename L::Bits> == 1);

    static constexpr unsigned games = 8;

    // Plays `games` games from a position that is not over, and calls end(winner) for each.
    template <class F> void play(G const& from, Rng& rng, History const& history, F&& end) {
        std::array<Bundle, bundles> bundle = begin(from, history);
        Rng random = rng;
        Color mover = from.to_move;
        Set running = all, drawn = 0, odd = 0;
        for (std::size_t now = earlier; running != 0; ++now) {
            mover = opponent(mover);
            if (now == seen_.size()) seen_.resize(2 * now);
            Set full = 0;
            Mask again{};
            for (unsigned b = 0; b < bundles; ++b) {
                bundle[b].play(random, board_);
                // Two separate stores: a copy of the pair would read it before the stores finish.
                seen_[now][b].own = bundle[b].own;
                seen_[now][b].other = bundle[b].other;
                Mask const ended = bundle[b].empty == 0;
                full |= set_of(ended) << b * width;
                Mask const was_there =
                    bundle[b].is(seen_[now - 2][b]) | bundle[b].is(seen_[now - 4][b]);
                again |= ~ended & was_there;
            }
            if (mover != from.to_move) odd |= full & running;
            running &= ~full;
            if (set_of(again) != 0 || now % turns_between_checks == 0) [[unlikely]] {
                Set const ends = drawn_among(running, now, mover);
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
    // Vectors are as wide as registers, because the compiler splits wider vectors badly. Each lane
    // takes half of a random word, in the same order for all widths.
#if defined(__AVX2__)
    static constexpr unsigned width = 4;
#else
    static constexpr unsigned width = 2;
#endif
    static constexpr unsigned bundles = games / width;
    using Lanes = Word __attribute__((vector_size(width * sizeof(Word))));
    using Mask = std::int64_t __attribute__((vector_size(width * sizeof(Word))));  // also counts
    using Set = unsigned;  // a set of games, one bit for each
    static constexpr Set all = (Set{1} << games) - 1, all_of_bundle = (Set{1} << width) - 1;

    // The number of turns kept from before the start, and the turns between full tests of R16.
    static constexpr std::size_t earlier = 4, turns_between_checks = 32;
    static constexpr std::size_t reserve = 128;

    // The boards of the games of a bundle, from the view of the color to move.
    struct Seen {
        Lanes own, other;
    };

    struct Bundle {
        Lanes own, other, empty;

        // R8 to R11 from the view of the color that plays; then the colors exchange their roles. A
        // board without empty squares gets no stone, so a full board does not change.
        void play(Rng& rng, Word board) {
            Lanes placed{};
            for (unsigned lane = 0; lane < width; lane += 2) {
                Word const random = rng.next();
                placed[lane] = one_of(empty[lane], random >> half);
                placed[lane + 1] = one_of(empty[lane + 1], random & low);
            }
            Lanes const occupied = board & ~empty;
            Lanes beside{}, flipped{}, reached{}, own_reached{};
            auto const push = [&](auto to, auto back) {
                Lanes const stone = to(placed) & occupied, behind = to(stone);
                beside |= stone;
                flipped |= back(behind & occupied);        // R11: a stone is behind it
                reached |= behind & empty;                 // R9: an empty square; R10: the edge
                own_reached |= to(stone & own) & empty;
            };
            push(north, south);
            push(south, north);
            push(east, west);
            push(west, east);
            Lanes const gone = beside & ~flipped;
            own = ((own ^ flipped) & ~gone) | own_reached | placed;
            empty = (empty | gone) & ~(reached | placed);
            other = board & ~(empty | own);
            std::swap(own, other);
        }

        Mask is(Seen const& seen) const {
            return ((own ^ seen.own) | (other ^ seen.other)) == 0;
        }

      private:
        static constexpr int half = word_bits / 2;
        static constexpr Word low = ~Word{0} >> half;

        // A random square of a set, from random bits of half a word; none from an empty set.
        static Word one_of(Word squares, Word bits) {
            int const number = Rng::scaled(bits, count(squares));
#if defined(__BMI2__)
            return _pdep_u64(Word{1} << number, squares);
#else
            return squares == 0 ? 0 : Word{1} << select(squares, number);
#endif
        }
    };

    // The same moves as in the layout, for vectors.
    static Lanes north(Lanes points) {
        if constexpr (!L::guarded) points &= ~L::board(L::largest).top;
        return points << 1;
    }
    static Lanes south(Lanes points) {
        if constexpr (!L::guarded) points &= ~L::board(L::largest).bottom;
        return points >> 1;
    }
    static Lanes east(Lanes points) { return points << L::stride; }
    static Lanes west(Lanes points) { return points >> L::stride; }
    static Lanes around(Lanes points) {
        return north(points) | south(points) | east(points) | west(points);
    }

    std::array<Bundle, bundles> begin(G const& from, History const& history) {
        auto const [own, other] = from.planes();
        board_ = L::board(from.size).all;
        // The empty board cannot repeat, because each turn leaves its own stone.
        past_ = {(own | other) == 0 ? history.end() : history.begin(), history.end()};
        if (seen_.empty()) seen_.resize(reserve);
        for (std::size_t i = 0; i < earlier; ++i) {
            bool const known = past_.size() + i >= earlier;
            Appearance const was = known ? past_[past_.size() + i - earlier] : Appearance{};
            seen_[i].fill({Lanes{} + was.own, Lanes{} + was.other});
        }
        std::array<Bundle, bundles> bundle;
        bundle.fill({Lanes{} + own, Lanes{} + other, Lanes{} + (board_ & ~(own | other))});
        return bundle;
    }

    // R16: the games whose last board, with the color to move, appeared too often.
    Set drawn_among(Set some, std::size_t now, Color to_move) const {
        Set drawn = 0;
        for_each(Word{some}, [&](int number) {
            auto const game = static_cast<unsigned>(number);
            unsigned const b = game / width, lane = game % width;
            Seen const& last = seen_[now][b];
            Appearance const board{last.own[lane], last.other[lane], to_move};
            auto found = std::count(past_.begin(), past_.end(), board);
            for (std::size_t i = earlier + now % 2; i <= now; i += 2) {
                Seen const& seen = seen_[i][b];
                found += seen.own[lane] == board.own && seen.other[lane] == board.other;
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
                over.stones[mover] = bundle.own[lane];
                over.stones[opponent(mover)] = bundle.other[lane];
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
            while (set_of((own.grow() | other.grow()) != 0) != 0) {}
            own.take();
            other.take();
            found.own |= set_of(own.beats(other));
            found.other |= set_of(other.beats(own));
            asked &= ~(found.own | found.other | set_of((own.rest | other.rest) == 0));
        }
        return found;
    }

    // The stones of one color on full boards.
    struct Groups {
        Lanes rest;  // the stones of unknown groups
        Lanes group{};
        Mask left, largest{};  // the number of these stones, and the size of the largest group

        explicit Groups(Lanes stones) : rest(stones), left(counted(stones)) {}

        // Begins with a stone beyond the middle, if there is one, because the largest group nearly
        // always reaches there.
        void seed() {
            Lanes const beyond = rest & (~Word{0} << L::stride * L::largest / 2);
            Lanes const some = beyond != 0 ? beyond : rest;
            group = some & -some;
        }
        // Grows the group by some steps. Returns the new stones.
        Lanes grow() {
            Lanes const before = group;
            for (int i = 0; i < 3; ++i) group |= around(group) & rest;
            return group ^ before;
        }
        void take() {
            Mask const points = counted(group);
            left -= points;
            largest = greater(largest, points);
            rest ^= group;
        }
        Mask beats(Groups const& other) const {
            return largest > greater(other.largest, other.left);
        }
    };

    static Mask greater(Mask a, Mask b) { return a > b ? a : b; }

    // The number of points in each lane (Warren, Hacker's Delight, 5-1).
    static Mask counted(Lanes points) {
        points -= points >> 1 & 0x5555555555555555;
        points = (points & 0x3333333333333333) + (points >> 2 & 0x3333333333333333);
        points = (points + (points >> 4)) & 0x0f0f0f0f0f0f0f0f;
        points += points >> 8;
        points += points >> 16;
        return reinterpret_cast<Mask>((points + (points >> 32)) & 127);
    }

    static Set set_of(Mask mask) {
#if defined(__AVX2__)
        return static_cast<Set>(_mm256_movemask_pd(reinterpret_cast<__m256d>(mask)));
#elif defined(__SSE2__)
        return static_cast<Set>(_mm_movemask_pd(reinterpret_cast<__m128d>(mask)));
#else
        Set set = 0;
        for (unsigned lane = 0; lane < width; ++lane) set |= Set{mask[lane] != 0} << lane;
        return set;
#endif
    }

    std::vector<std::array<Seen, bundles>> seen_;  // boards before the start and after each turn
    std::span<Appearance const> past_;
    Word board_ = 0;
};

}  // namespace patchpie
