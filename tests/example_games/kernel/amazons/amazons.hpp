// Amazons (rules/amazons.py). Z1 to Z8 are the sentences of its rules.
#pragma once

#include <string>

#include "rules/flaws.hpp"

namespace patchpie {

template <class L> struct Amazons {
    using Layout = L;
    using Bits = typename L::Bits;
    using History = NoHistory;
    static constexpr std::string_view name = "amazons";
    enum Kind : int { move, shot, kinds };
    static constexpr int two_point_kind = move;
    static constexpr Symmetry symmetry = Symmetry::left_right;
    static constexpr Image color_mirror = Image::rows_reversed;
    static constexpr Neighbors neighbors = Neighbors::orthogonal;

    // moved -- the amazon that has moved and has to shoot
    std::uint8_t size = 0;
    Color to_move = BLACK;
    std::array<Bits, 2> amazons{};
    Bits arrows{}, moved{};

    static Amazons assemble(Content<L> const& content, History&) {
        content.expect({"B", "W", "b", "w", "x"});
        Amazons made;
        made.size = static_cast<std::uint8_t>(content.size);
        made.to_move = content.to_move;
        made.amazons = {content.layer("B") | content.layer("b"),
                        content.layer("W") | content.layer("w")};
        made.arrows = content.layer("x");
        made.moved = content.layer("b") | content.layer("w");
        return made;
    }

    Content<L> content(History const&) const {
        Content<L> made;
        made.size = size;
        made.to_move = to_move;
        made.add("B", amazons[BLACK] & ~moved);
        made.add("W", amazons[WHITE] & ~moved);
        made.add("b", amazons[BLACK] & moved);
        made.add("w", amazons[WHITE] & moved);
        made.add("x", arrows);
        return made;
    }

    Bits empty() const { return board().all & ~(amazons[BLACK] | amazons[WHITE] | arrows); }
    bool open() const { return any(moved); }
    std::array<Bits, 2> held() const { return amazons; }

    // Arrows are neutral, so they are in both of the first planes.
    std::array<Bits, 3> planes() const {
        return {amazons[to_move] | arrows, amazons[opponent(to_move)] | arrows, moved};
    }
    Word extra_state() const { return 0; }
    std::uint64_t key() const {
        Key key;
        key.add(amazons[BLACK]).add(amazons[WHITE]).add(arrows).add(moved);
        return key.add(Word{to_move}).value();
    }

    void legal_steps(Steps& steps) const {
        Bits const free = empty();
        if (open()) {  // Z5
            for_each(reached(moved, free), [&](int point) { steps.add(make_step(shot, point)); });
            return;
        }
        for_each(amazons[to_move], [&](int start) {  // Z4
            for_each(reached(bit<Bits>(start), free), [&](int goal) {
                steps.add(make_step(move, start, goal));
            });
        });
    }

    void apply(Step step, History&) {
        if (kind_of(step) == move) {
            moved = bit<Bits>(second_of(step));
            amazons[to_move] ^= bit<Bits>(first_of(step)) | moved;
            return;
        }
        arrows |= bit<Bits>(first_of(step));
        moved = {};
        to_move = opponent(to_move);
    }

    // Z8.
    Outcome outcome(History const&) const {
        if (open() || any(beside(amazons[to_move]) & empty())) return {};
        return {won_by(opponent(to_move))};
    }

    // Another number of amazons, or a moved one that is not in its turn or cannot shoot.
    [[gnu::cold]] Flaw flaw(History const&) const {
        int const each = size < 4 ? 2 : 4;
        if (count(amazons[BLACK]) != each || count(amazons[WHITE]) != each) {
            return "each color has " + std::to_string(each) + " amazons (Z2)";
        }
        if (count(moved) > 1 || any(moved & ~amazons[to_move])) {
            return "only one amazon of the color to move has moved (Z4)";
        }
        if (open() && !any(beside(moved) & empty())) {
            return "an amazon that has moved can shoot where it came from (Z6)";
        }
        return {};
    }

    Amazons mirrored(History&) const {
        auto const image_of = [&](Bits const& set) { return L::image_of(set, color_mirror, size); };
        Amazons image = *this;
        image.to_move = opponent(to_move);
        image.amazons = {image_of(amazons[WHITE]), image_of(amazons[BLACK])};
        image.arrows = image_of(arrows);
        image.moved = image_of(moved);
        return image;
    }

    // Uniformly random steps until a player cannot move.
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

    // Calls f with each of the eight ways to shift a set by one square.
    template <class F> static void for_each_direction(F&& f) {
        f([](Bits const& b) { return L::north(b); });
        f([](Bits const& b) { return L::south(b); });
        f([](Bits const& b) { return L::east(b); });
        f([](Bits const& b) { return L::west(b); });
        f([](Bits const& b) { return L::east(L::north(b)); });
        f([](Bits const& b) { return L::east(L::south(b)); });
        f([](Bits const& b) { return L::west(L::north(b)); });
        f([](Bits const& b) { return L::west(L::south(b)); });
    }

    static Bits beside(Bits const& squares) {
        Bits found{};
        for_each_direction([&](auto const& shifted) { found |= shifted(squares); });
        return found;
    }

    // The squares in straight lines from a square, over free squares only.
    static Bits reached(Bits const& start, Bits const& free) {
        Bits found{};
        for_each_direction([&](auto const& shifted) {
            for (Bits at = start; any(at = shifted(at) & free);) found |= at;
        });
        return found;
    }
};

}  // namespace patchpie
