// Breakthrough (rules/breakthrough.py). T1 to T8 are the sentences of its rules.
#pragma once

#include <string>

#include "rules/flaws.hpp"

namespace patchpie {

template <class L> struct Breakthrough {
    using Layout = L;
    using Bits = typename L::Bits;
    using History = NoHistory;
    static constexpr std::string_view name = "breakthrough";
    enum Kind : int { move, kinds };
    static constexpr int two_point_kind = move;
    static constexpr Symmetry symmetry = Symmetry::left_right;
    static constexpr Image color_mirror = Image::rows_reversed;
    static constexpr Neighbors neighbors = Neighbors::orthogonal;

    std::uint8_t size = 0;
    Color to_move = BLACK;
    std::array<Bits, 2> pieces{};

    static Breakthrough assemble(Content<L> const& content, History&) {
        content.expect({"B", "W"});
        Breakthrough made;
        made.size = static_cast<std::uint8_t>(content.size);
        made.to_move = content.to_move;
        made.pieces = {content.layer("B"), content.layer("W")};
        return made;
    }

    Content<L> content(History const&) const {
        Content<L> made;
        made.size = size;
        made.to_move = to_move;
        made.add("B", pieces[BLACK]);
        made.add("W", pieces[WHITE]);
        return made;
    }

    bool open() const { return false; }
    std::array<Bits, 2> held() const { return pieces; }
    std::array<Bits, 2> planes() const { return {pieces[to_move], pieces[opponent(to_move)]}; }
    Word extra_state() const { return 0; }
    std::uint64_t key() const {
        return Key{}.add(pieces[BLACK]).add(pieces[WHITE]).add(Word{to_move}).value();
    }

    void legal_steps(Steps& steps) const {
        auto const goals = all_goals();
        for_each(pieces[to_move], [&](int start) {
            int goal = start + forward() - L::stride;
            for (Bits const& set : goals) {
                bool const on_board = 0 <= goal && goal < L::largest * L::stride;
                if (on_board && has(set, goal)) steps.add(make_step(move, start, goal));
                goal += L::stride;
            }
        });
    }

    void apply(Step step, History&) {
        pieces[to_move] &= ~bit<Bits>(first_of(step));
        pieces[to_move] |= bit<Bits>(second_of(step));
        to_move = opponent(to_move);
        pieces[to_move] &= ~bit<Bits>(second_of(step));
    }

    // T7 and T8.
    Outcome outcome(History const&) const {
        for (Color const color : {BLACK, WHITE}) {
            if (reached_last_row(color) || !any(pieces[opponent(color)])) return {won_by(color)};
        }
        return {};
    }

    // Too many pieces, or a turn after the end.
    [[gnu::cold]] Flaw flaw(History const& history) const {
        int const most = size * (size < 4 ? 1 : 2);
        if (count(pieces[BLACK]) > most || count(pieces[WHITE]) > most) {
            return "a color begins with " + std::to_string(most) + " pieces (T2)";
        }
        if (outcome(history).winner != won_by(to_move)) return {};
        return std::string("the game was over before the last turn (") +
               (reached_last_row(to_move) ? "T7)" : "T8)");
    }

    Breakthrough mirrored(History&) const {
        Breakthrough image = *this;
        image.to_move = opponent(to_move);
        image.pieces = {L::image_of(pieces[WHITE], color_mirror, size),
                        L::image_of(pieces[BLACK], color_mirror, size)};
        return image;
    }

    // Uniformly random moves until the end.
    template <class Trace> Winner playout(Rng& rng, History& history, Trace& trace) {
        Winner winner = outcome(history).winner;
        while (winner == Winner::undecided) {
            auto const goals = all_goals();
            int const all = count(goals[0]) + count(goals[1]) + count(goals[2]);
            int number = rng.below(all), start_of = L::stride - forward();
            for (Bits const& set : goals) {
                if (number < count(set)) {
                    int const goal = select(set, number);
                    Step const step = make_step(move, goal + start_of, goal);
                    trace(to_move, step);
                    apply(step, history);
                    break;
                }
                number -= count(set);
                start_of -= L::stride;
            }
            winner = outcome(history).winner;
        }
        return winner;
    }

  private:
    typename L::Board const& board() const { return L::board(size); }

    bool reached_last_row(Color color) const {
        return any(pieces[color] & (color == BLACK ? board().top : board().bottom));
    }

    int forward() const { return to_move == BLACK ? 1 : -1; }

    // The goals of all moves to the left, straight ahead and to the right (T4, T5).
    std::array<Bits, 3> all_goals() const {
        Bits const own = pieces[to_move], other = pieces[opponent(to_move)];
        Bits const ahead = to_move == BLACK ? L::north(own) : L::south(own);
        Bits const free = board().all & ~own;
        return {L::west(ahead) & free, ahead & free & ~other, L::east(ahead) & free};
    }
};

}  // namespace patchpie
