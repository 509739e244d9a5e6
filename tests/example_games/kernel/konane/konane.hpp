// Konane (rules/konane.py). K1 to K8 are the sentences of its rules.
#pragma once

#include <string>

#include "rules/flaws.hpp"

namespace patchpie {

template <class L> struct Konane {
    using Layout = L;
    using Bits = typename L::Bits;
    using History = NoHistory;
    static constexpr std::string_view name = "konane";
    enum Kind : int { removal, jump, kinds };
    static constexpr int two_point_kind = jump;
    static constexpr Symmetry symmetry = Symmetry::diagonals;
    static constexpr Image color_mirror = Image::same;
    static constexpr Neighbors neighbors = Neighbors::orthogonal;

    std::uint8_t size = 0;
    Color to_move = BLACK;
    std::array<Bits, 2> stones{};

    static Konane assemble(Content<L> const& content, History&) {
        content.expect({"B", "W"});
        Konane made;
        made.size = static_cast<std::uint8_t>(content.size);
        made.to_move = content.to_move;
        made.stones = {content.layer("B"), content.layer("W")};
        return made;
    }

    Content<L> content(History const&) const {
        Content<L> made;
        made.size = size;
        made.to_move = to_move;
        made.add("B", stones[BLACK]);
        made.add("W", stones[WHITE]);
        return made;
    }

    Bits empty() const { return board().all & ~(stones[BLACK] | stones[WHITE]); }
    bool open() const { return false; }
    std::array<Bits, 2> held() const { return stones; }
    std::array<Bits, 2> planes() const { return {stones[to_move], stones[opponent(to_move)]}; }
    Word extra_state() const { return 0; }
    std::uint64_t key() const {
        return Key{}.add(stones[BLACK]).add(stones[WHITE]).add(Word{to_move}).value();
    }

    void legal_steps(Steps& steps) const {
        Bits const free = empty();
        if (count(free) < 2) {  // K4, K5
            Bits const from = any(free) ? L::around(free) : corners() | middle();
            for_each(stones[to_move] & from, [&](int point) {
                steps.add(make_step(removal, point));
            });
            return;
        }
        for_each(stones[to_move] & movable(free), [&](int start) {
            for_each(goals(bit<Bits>(start), free), [&](int goal) {
                steps.add(make_step(jump, start, goal));
            });
        });
    }

    void apply(Step step, History&) {
        int const start = first_of(step);
        stones[to_move] &= ~bit<Bits>(start);
        Color const other = opponent(to_move);
        if (kind_of(step) == jump) {
            int const goal = second_of(step), along = (goal - start) % L::stride ? 1 : L::stride;
            int const forward = goal > start ? along : -along;
            stones[to_move] |= bit<Bits>(goal);
            for (int over = start + forward; over != goal + forward; over += 2 * forward) {
                stones[other] &= ~bit<Bits>(over);
            }
        }
        to_move = other;
    }

    // K8.
    Outcome outcome(History const&) const {
        Bits const free = empty();
        if (count(free) < 2 || any(stones[to_move] & movable(free))) return {};
        return {won_by(opponent(to_move))};
    }

    // Stones of both colors on squares of one color, or a last mover without a stone.
    [[gnu::cold]] Flaw flaw(History const&) const {
        Bits dark{};
        for_each(board().all, [&](int point) {
            if ((L::column(point) + L::row(point)) % 2 == 0) dark |= bit<Bits>(point);
        });
        bool const usual = !any((stones[BLACK] & ~dark) | (stones[WHITE] & dark));
        bool const exchanged = !any((stones[WHITE] & ~dark) | (stones[BLACK] & dark));
        if (!usual && !exchanged) return "the stones of a color stand on squares of one color (K2)";
        Color const last = opponent(to_move);
        if (any(stones[last])) return {};
        return color_names[last] + std::string(" has jumped and has no stone (K6)");
    }

    Konane mirrored(History&) const {
        Konane image = *this;
        image.to_move = opponent(to_move);
        image.stones = {stones[WHITE], stones[BLACK]};
        return image;
    }

    // Uniformly random steps until a player cannot jump.
    template <class Trace> Winner playout(Rng& rng, History& history, Trace& trace) {
        for (;;) {
            if (Winner const winner = outcome(history).winner; winner != Winner::undecided) {
                return winner;
            }
            Steps steps;
            legal_steps(steps);
            Step const step = steps[rng.below(steps.count)];
            trace(to_move, step);
            apply(step, history);
        }
    }

  private:
    typename L::Board const& board() const { return L::board(size); }

    Bits corners() const {
        return (board().bottom | board().top) & (board().left | board().right);
    }
    Bits middle() const {
        int const high = size / 2, low = (size - 1) / 2;
        return bit<Bits>(L::point(low, low)) | bit<Bits>(L::point(low, high)) |
               bit<Bits>(L::point(high, low)) | bit<Bits>(L::point(high, high));
    }

    // K6: the squares from which a stone of the color to move can jump.
    Bits movable(Bits const& free) const {
        Bits const other = stones[opponent(to_move)];
        return L::north(other & L::north(free)) | L::south(other & L::south(free)) |
               L::east(other & L::east(free)) | L::west(other & L::west(free));
    }

    // K6, K7: the squares that a stone reaches by jumps in one direction.
    Bits goals(Bits const& start, Bits const& free) const {
        Bits const other = stones[opponent(to_move)];
        Bits found{};
        auto const jump_on = [&](auto const& shifted) {
            Bits at = start;
            while (any(at = shifted(shifted(at) & other) & free)) found |= at;
        };
        jump_on([](Bits const& b) { return L::north(b); });
        jump_on([](Bits const& b) { return L::south(b); });
        jump_on([](Bits const& b) { return L::east(b); });
        jump_on([](Bits const& b) { return L::west(b); });
        return found;
    }
};

}  // namespace patchpie
