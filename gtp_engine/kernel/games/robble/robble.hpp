// Robble: a placed stone pushes, flips or drives off its neighbors (rules/robble.py).
//
// R1 to R17 are the sentences of protocol_specs/games/robble.md.
//
// Without the first option GCC 12 stops inlining in a file of this size, and playouts lose a tenth.
// Without the others it spills vectors of lanes between dependent instructions, and a visit takes
// 1.06 of the time:
// GCC options: --param=inline-unit-growth=400 -fschedule-insns -fsched-pressure
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "games/robble/repetition.hpp"
#include "games/robble/simd_playouts.hpp"
#include "games/robble/unmove.hpp"
#include "games/robble/window.hpp"
#include "rules/flaws.hpp"

namespace patchpie {

template <class L> struct Robble {
    using Layout = L;
    using Bits = typename L::Bits;
    using History = RobbleHistory<Bits>;
    using Appearance = RobbleAppearance<Bits>;
    using Unmove = RobbleUnmove;
    using SimdPlayouts = RobbleSimdPlayouts<Robble>;
    static constexpr bool has_simd_playouts = words_in<Bits> <= 2;
    static constexpr std::string_view name = "robble";

    enum Kind { place, kinds };
    static constexpr int two_point_kind = -1;
    static constexpr int appearances_that_draw = 3;

    int size = 0;
    Color to_move = BLACK;
    std::array<Bits, 2> stones{};
    int appearances = 1;  // how often this position occurred in its line of play

    static Robble assemble(Content<L> const& content, History& history) {
        content.expect({"B", "W"}, {"seen"});
        Robble position;
        position.size = content.size;
        position.to_move = content.to_move;
        position.stones = {content.layer("B"), content.layer("W")};
        history.clear();
        for (auto const& [field, text] : content.fields) {
            std::string_view rest = text;
            for (bool more = true; more;) {
                std::size_t const comma = rest.find(',');
                history.add(parse_appearance(rest.substr(0, comma), content.size));
                more = comma != rest.npos;
                if (more) rest.remove_prefix(comma + 1);
            }
        }
        position.appear(history);
        return position;
    }

    Content<L> content(History const& history) const {
        Content<L> made;
        made.size = size;
        made.to_move = to_move;
        made.add("B", stones[BLACK]);
        made.add("W", stones[WHITE]);
        std::string earlier;
        for (auto const* each = history.begin(); each < history.end() - 1; ++each) {
            if (!earlier.empty()) earlier += ',';
            earlier += appearance_text(*each, size);
        }
        if (!earlier.empty()) made.fields["seen"] = earlier;
        return made;
    }

    // Every turn is one step (R7).
    bool open() const { return false; }
    std::array<Bits, 2> held() const { return stones; }

    // R8: any empty square.
    [[gnu::noinline]] void legal_steps(Steps& steps) const {
        for_each(empty(), [&](int point) { steps.add(make_step(place, point)); });
    }

    [[gnu::noinline]] void apply(Step step, History& history) {
        // The empty board cannot repeat, because each turn leaves its own stone.
        if (!any(occupied())) history.restart();
        Turn turn{stones[to_move], stones[opponent(to_move)], empty()};
        turn.play(bit<Bits>(first_of(step)), L::board(size).all);
        stones[to_move] = turn.own;
        to_move = opponent(to_move);
        stones[to_move] = turn.other;
        appear(history);
    }

    Outcome outcome(History const&) const {
        if (!any(empty())) return {leader()};
        if (appearances >= appearances_that_draw) return {Winner::draw};  // R16
        return {};
    }

    // A swap is not an appearance (R16): it only mirrors the appearances before it.
    Robble mirrored(History& history) const {
        history.mirror();
        Robble image = *this;
        image.to_move = opponent(to_move);
        std::swap(image.stones[BLACK], image.stones[WHITE]);
        return image;
    }

    std::uint64_t key() const {
        Word const rest = static_cast<Word>(size << 16 | appearances << 8 | to_move);
        return Key{}.add(stones[BLACK]).add(stones[WHITE]).add(rest).value();
    }

    static constexpr Symmetry symmetry = Symmetry::square;
    static constexpr Image color_mirror = Image::same;
    static constexpr Neighbors neighbors = Neighbors::orthogonal;
    std::array<Bits, 2> planes() const { return {stones[to_move], stones[opponent(to_move)]}; }
    Word extra_state() const { return 0; }

    template <class Trace> Winner playout(Rng& rng, History& history, Trace& trace) {
        Outcome const already = outcome(history);
        if (already.winner != Winner::undecided) return already.winner;
        if (!any(occupied())) history.restart();
        Bits const board = L::board(size).all;
        Turn turn{stones[to_move], stones[opponent(to_move)], empty()};
        Color mover = to_move;
        // Local copies, which compilers keep in registers.
        Rng random = rng;
        Trace told = std::move(trace);
        bool drawn = false;
        do {
            int const point = select(turn.empty, random.below(count(turn.empty)));
            told(mover, make_step(place, point));
            turn.play_at(point, board);
            std::swap(turn.own, turn.other);
            mover = opponent(mover);
            if (history.add({turn.own, turn.other, mover})) {
                drawn = history.appearances() >= appearances_that_draw;
            }
        } while (any(turn.empty) && !drawn);
        rng = random;
        trace = std::move(told);
        if (any(turn.empty)) return Winner::draw;
        to_move = mover;
        stones[mover] = turn.own;
        stones[opponent(mover)] = turn.other;
        return leader();
    }

    // An earlier third appearance, or a last mover without a stone.
    [[gnu::cold]] Flaw flaw(History const& history) const {
        if (history.earlier_more_than(appearances_that_draw - 1)) {
            return "the game ended with the third appearance of a position (R16)";
        }
        Color const last = opponent(to_move);
        if (any(occupied()) && !any(stones[last])) {
            return color_names[last] + std::string(" has placed the last stone and has none (R8)");
        }
        return {};
    }

  private:
    friend SimdPlayouts;

    // The sets that a turn changes, from the view of its color.
    struct Turn {
        Bits own, other, empty;

        // R8 to R11. The order of the directions does not matter, because each has its own
        // squares.
        void play(Bits const& placed, Bits const& board) {
            Bits const occupied = own | other;
            // All stones at once, for each direction of a push.
            Bits const north = L::north(occupied), south = L::south(occupied);
            Bits const east = L::east(occupied), west = L::west(occupied);
            Bits const to_north = L::north(placed), to_south = L::south(placed);
            Bits const to_east = L::east(placed), to_west = L::west(placed);
            Bits const beside = (to_north | to_south | to_east | to_west) & occupied;
            // R11: a stone with a stone behind it is flipped. The others leave their squares.
            Bits const flipped = beside & ((to_north & south) | (to_south & north) |
                                           (to_east & west) | (to_west & east));
            Bits const gone = beside & ~flipped;
            // R9: a stone with an empty square behind it moves there. R10: others are removed.
            Bits const onto_north = L::north(to_north) & north & empty;
            Bits const onto_south = L::south(to_south) & south & empty;
            Bits const onto_east = L::east(to_east) & east & empty;
            Bits const onto_west = L::west(to_west) & west & empty;
            Bits const reached = onto_north | onto_south | onto_east | onto_west;
            Bits const own_reached = (onto_north & L::north(own)) | (onto_south & L::south(own)) |
                                     (onto_east & L::east(own)) | (onto_west & L::west(own));
            own = ((own ^ flipped) & ~gone) | own_reached | placed;
            empty = (empty | gone) & ~(reached | placed);
            other = board & ~(empty | own);
        }

        // The same on a square, in the fastest way.
        void play_at(int point, Bits const& board) {
#if defined(__BMI2__)
            if (fast_pdep) return play_near(point, board);
#endif
            play(bit<Bits>(point), board);
        }

#if defined(__BMI2__)
        // Only around the new stone.
        void play_near(int point, Bits const& board) {
            using Window = RobbleWindow<L>;
            Window const window(point);
            Word const all = window.of(own | other), free = window.of(empty);
            Word stone = Window::beside(all), behind = Window::behind(all);
            Word space = Window::behind(free);
            if constexpr (Window::needs_table) {
                stone &= Window::real_beside(point);
                behind &= Window::real_behind(point);
                space &= Window::real_behind(point);
            }
            Word const mine = Window::beside(window.of(own));
            Word const flipped = stone & behind, gone = stone & ~behind, moved = stone & space;
            window.toggle(empty, Window::placed | Window::to_beside(gone) | Window::to_behind(moved));
            window.toggle(own, Window::placed | Window::to_beside(flipped | (gone & mine)) |
                                   Window::to_behind(moved & mine));
            other = board & ~(empty | own);
        }
#endif
    };

    Bits occupied() const { return stones[BLACK] | stones[WHITE]; }
    Bits empty() const { return L::board(size).all & ~occupied(); }

    // Adds this position to the line of play.
    void appear(History& history) {
        bool const familiar = history.add({stones[to_move], stones[opponent(to_move)], to_move});
        appearances = familiar ? std::min(history.appearances(), appearances_that_draw) : 1;
    }

    // R13: equal groups cancel; R14: the biggest group left wins; R15: else the last mover loses.
    //
    // It floods one group of each color at a time, until one is bigger than any possible group of
    // the other color. If that never happens, it compares the numbers of groups of each size.
    Winner leader() const {
        std::array<std::int16_t, static_cast<std::size_t>(L::largest * L::largest) + 1> surplus{};
        std::array<Bits, 2> rest = stones;
        std::array<int, 2> left{}, largest{};
        for (Color const color : {BLACK, WHITE}) {
            Bits const lone = rest[color] & ~L::around(rest[color]);
            int const single = count(lone);
            rest[color] &= ~lone;
            left[color] = count(rest[color]);
            largest[color] = single != 0;
            surplus[1] = static_cast<std::int16_t>(color == BLACK ? single : surplus[1] - single);
        }
        while (left[BLACK] + left[WHITE] > 0) {
            std::array<Bits, 2> group{lowest_point(rest[BLACK]), lowest_point(rest[WHITE])};
            while (!flooded(group, rest)) {}
            for (Color const color : {BLACK, WHITE}) {
                int const points = count(group[color]);
                std::int16_t& more = surplus[static_cast<std::size_t>(points)];
                color == BLACK ? ++more : --more;
                rest[color] ^= group[color];
                left[color] -= points;
                largest[color] = std::max(largest[color], points);
            }
            for (Color const color : {BLACK, WHITE}) {
                Color const foe = opponent(color);
                if (largest[color] > std::max(largest[foe], left[foe])) return won_by(color);
            }
        }
        for (int i = std::max(largest[BLACK], largest[WHITE]); i > 0; --i) {
            int const more = surplus[static_cast<std::size_t>(i)];
            if (more != 0) return won_by(more > 0 ? BLACK : WHITE);
        }
        return won_by(to_move);
    }

    // Grows two sets inside others by some steps. Returns whether they are complete.
    static bool flooded(std::array<Bits, 2>& group, std::array<Bits, 2> const& within) {
        std::array<Bits, 2> before = group;
        for (int i = 0; i < 3; ++i) {
            before = group;
            group[0] |= L::around(group[0]) & within[0];
            group[1] |= L::around(group[1]) & within[1];
        }
        return group == before;
    }

    // The letter of the color to move, then the board as a number: one digit in base 3 for each
    // square (0 empty, 1 Black, 2 White; A1 is the highest), written in base 32.
    static std::string appearance_text(Appearance const& appearance, int size) {
        Bits const black = appearance.black(), white = appearance.white();
        BoardNumber number;
        std::uint32_t digits = 0, scale = 1;
        for (int i = 0; i < size * size; ++i) {
            int const point = L::point(i / size, i % size);
            digits = digits * 3 + has(black, point) + 2 * std::uint32_t{has(white, point)};
            scale *= 3;
            if ((i + 1) % BoardNumber::digits_at_once == 0 || i + 1 == size * size) {
                number.multiply_and_add(scale, digits);
                digits = 0;
                scale = 1;
            }
        }
        return (appearance.to_move == BLACK ? 'b' : 'w') + number.text();
    }

    // The inverse of `appearance_text`.
    static Appearance parse_appearance(std::string_view word, int size) {
        if (word.empty() || (word[0] != 'b' && word[0] != 'w')) {
            throw BoardNumber::unreadable(word);
        }
        BoardNumber number(word.substr(1));
        constexpr std::uint32_t all_at_once = 3486784401;  // 3^20
        std::array<Bits, 3> points{};
        std::uint32_t digits = 0;
        for (int i = size * size; i-- > 0;) {
            if ((size * size - 1 - i) % BoardNumber::digits_at_once == 0) {
                digits = number.divide(all_at_once);
            }
            points[digits % 3] |= bit<Bits>(L::point(i / size, i % size));
            digits /= 3;
        }
        if (digits != 0 || !number.zero()) throw BoardNumber::unreadable(word);
        Color const to_move = word[0] == 'b' ? BLACK : WHITE;
        return {points[to_move == BLACK ? 1 : 2], points[to_move == BLACK ? 2 : 1], to_move};
    }
};

}  // namespace patchpie
