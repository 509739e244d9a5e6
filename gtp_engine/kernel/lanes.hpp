// Several random games of Robble side by side in the lanes of vectors, for boards of one word: the
// same games as `playout` plays, but faster.
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

#include "game.hpp"

namespace patchpie {

// Games that play so; they name the class that does.
template <class G>
concept InLanes = requires {
    requires G::in_lanes;
    typename G::Lanes;
};

// That class, or nothing.
template <class G> struct LanesOf {
    struct Type {};
};
template <InLanes G> struct LanesOf<G> {
    using Type = typename G::Lanes;
};

// Plays as many of some games in lanes as goes, and calls end(winner) for each; how many are left.
template <Game G, class F>
std::uint32_t play_in_lanes(typename LanesOf<G>::Type& lanes, G const& from, Rng& rng,
                            typename G::Memory const& memory, std::uint32_t games, F&& end) {
    if constexpr (InLanes<G>) {
        for (; games >= G::Lanes::games; games -= G::Lanes::games) {
            lanes.play(from, rng, memory, end);
        }
    }
    return games;
}

template <class G> class RobbleLanes {
  public:
    using L = typename G::Layout;
    using Memory = typename G::Memory;
    using Appearance = typename G::Appearance;
    static_assert(words_in<typename L::Bits> == 1);

    static constexpr unsigned games = 8;

    // Plays so many games from a position that is not over, and calls end(winner) for each.
    template <class F> void play(G const& from, Rng& rng, Memory const& memory, F&& end) {
        begin(from, memory);
        Color mover = from.to_move;
        Rng random = rng;
        for (std::size_t turn = 0; running_ != 0; ++turn) {
            mover = opponent(mover);
            if (turn == seen_.size()) seen_.resize(2 * turn + reserve);
            for (std::size_t q = 0; q < quads; ++q) {
                turn_[q].play(random, board_);
                seen_[turn][q] = {turn_[q].own, turn_[q].other};
            }
            unsigned familiar = 0, over = 0;
            for (unsigned game = 0; game < games; ++game) {
                Quad const& quad = turn_[game / width];
                familiar |= unsigned{filters_[game].add(quad.other[game % width])} << game;
                over |= unsigned{quad.empty[game % width] == 0} << game;
            }
            each(familiar & running_ & ~over, [&](unsigned game) {
                if (appearances(turn, game, mover) < G::appearances_that_draw) return;
                running_ &= ~(1U << game);
                end(Winner::draw);  // R16
            });
            each(over & running_, [&](unsigned game) {
                G last = from;
                last.to_move = mover;
                last.stones[mover] = turn_[game / width].own[game % width];
                last.stones[opponent(mover)] = turn_[game / width].other[game % width];
                end(last.leader());
            });
            running_ &= ~over;
        }
        rng = random;
    }

  private:
    static constexpr unsigned width = 4, quads = games / width;
    static constexpr std::size_t reserve = 128;
    using Lanes = Word __attribute__((vector_size(width * sizeof(Word))));

    // Boards of some games, seen by the color to move.
    struct Seen {
        Lanes own, other;
    };

    struct Quad {
        Lanes own, other, empty;

        // R8 to R11, seen by who plays; then by the other one. Where there is no empty square
        // nothing is placed.
        void play(Rng& rng, Word board) {
            Lanes const placed{one_of(empty[0], rng), one_of(empty[1], rng),
                               one_of(empty[2], rng), one_of(empty[3], rng)};
            Lanes const occupied = board & ~empty;
            Lanes beside{}, flipped{}, reached{}, own_reached{};
            auto const push = [&](auto to, auto back) {
                Lanes const stone = to(placed) & occupied, behind = to(stone);
                beside |= stone;
                flipped |= back(behind & occupied);        // R11: a stone is behind it
                reached |= behind & empty;                 // R9: an empty square is; R10: neither
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

        static Word one_of(Word squares, Rng& rng) {
            int const number = rng.below(std::popcount(squares));
#if defined(__BMI2__)
            return _pdep_u64(Word{1} << number, squares);
#else
            return squares == 0 ? 0 : Word{1} << select(squares, number);
#endif
        }

        // As the moves of the layout.
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
    };

    void begin(G const& from, Memory const& memory) {
        auto const [own, other] = from.planes();
        board_ = L::board(from.size).all;
        for (Quad& quad : turn_) {
            quad = {Lanes{} + own, Lanes{} + other, Lanes{} + (board_ & ~(own | other))};
        }
        // The empty board never comes back: a turn leaves its own stone.
        bool const anew = (own | other) == 0;
        past_ = {anew ? memory.end() : memory.begin(), memory.end()};
        filters_.fill(anew ? typename Memory::Filter() : memory.filter());
        running_ = (1U << games) - 1;
    }

    // How often the board of a game was there, with who is to move now, after its last turn.
    int appearances(std::size_t turn, unsigned game, Color to_move) const {
        unsigned const q = game / width, lane = game % width;
        Appearance const now{turn_[q].own[lane], turn_[q].other[lane], to_move};
        auto found = std::count(past_.begin(), past_.end(), now);
        for (std::size_t i = turn % 2; i <= turn; i += 2) {
            Seen const& seen = seen_[i][q];
            found += seen.own[lane] == now.own && seen.other[lane] == now.other;
        }
        return static_cast<int>(found);
    }

    template <class F> static void each(unsigned set, F&& f) {
        for (; set != 0; set &= set - 1) f(static_cast<unsigned>(std::countr_zero(set)));
    }

    std::array<Quad, quads> turn_;
    std::vector<std::array<Seen, quads>> seen_;  // after each turn
    std::array<typename Memory::Filter, games> filters_;
    std::span<Appearance const> past_;
    Word board_ = 0;
    unsigned running_ = 0;  // a bit for each game
};

}  // namespace patchpie
