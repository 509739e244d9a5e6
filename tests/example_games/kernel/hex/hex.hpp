// Hex (rules/hex.py). H1 to H6 are the sentences of its rules.
#pragma once

#include "rules/game.hpp"

namespace patchpie {

template <class L> struct Hex {
    using Layout = L;
    using Bits = typename L::Bits;
    using History = NoHistory;
    static constexpr std::string_view name = "hex";
    enum Kind : int { place, kinds };
    static constexpr int two_point_kind = -1;
    static constexpr Symmetry symmetry = Symmetry::half_turn;
    static constexpr Image color_mirror = Image::transposed;
    static constexpr Neighbors neighbors = Neighbors::hexagonal;

    std::uint8_t size = 0;
    Color to_move = BLACK;
    std::array<Bits, 2> stones{};

    static Hex assemble(Content<L> const& content, History&) {
        content.expect({"B", "W"});
        Hex made;
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
        for_each(empty(), [&](int point) { steps.add(make_step(place, point)); });  // H4
    }

    void apply(Step step, History&) {
        stones[to_move] |= bit<Bits>(first_of(step));
        to_move = opponent(to_move);
    }

    // H5.
    Outcome outcome(History const&) const {
        for (Color const color : {BLACK, WHITE}) {
            if (connected(color)) return {won_by(color)};
        }
        return {};
    }

    Hex mirrored(History&) const {
        Hex image = *this;
        image.to_move = opponent(to_move);
        image.stones = {L::image_of(stones[WHITE], color_mirror, size),
                        L::image_of(stones[BLACK], color_mirror, size)};
        return image;
    }

    // Uniformly random stones until a chain wins.
    template <class Trace> Winner playout(Rng& rng, History& history, Trace& trace) {
        Winner winner = outcome(history).winner;
        while (winner == Winner::undecided) {
            Bits const free = empty();
            Step const step = make_step(place, select(free, rng.below(count(free))));
            trace(to_move, step);
            apply(step, history);
            winner = outcome(history).winner;
        }
        return winner;
    }

  private:
    typename L::Board const& board() const { return L::board(size); }

    bool connected(Color color) const {
        Bits const start = color == BLACK ? board().bottom : board().left;
        Bits const goal = color == BLACK ? board().top : board().right;
        return any(component<L, neighbors>(stones[color] & start, stones[color]) & goal);
    }
};

}  // namespace patchpie
