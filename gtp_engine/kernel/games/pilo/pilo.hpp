// Pilo: place disks, capture stacks of equal height, leave blocks; score the patches.
//
// P1 to P25 are the sentences of protocol_specs/games/pilo.md. BLACK is Blue, WHITE is Orange.
// Functions have the same names as in rules/pilo.py.
//
// Without these options GCC 12 spills vectors of lanes between dependent instructions, and SIMD
// playouts take 1.07 of the time:
// GCC options: -fschedule-insns -fsched-pressure
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <string>
#include <utility>

#include "board/groups.hpp"
#include "games/pilo/rays.hpp"
#include "games/pilo/simd_playouts.hpp"
#include "games/pilo/threats.hpp"
#include "games/pilo/words.hpp"
#include "rules/flaws.hpp"

namespace patchpie {

// size, to_move and passes are those of the Python file.
//
// empty   -- the squares without a stack or block
// of      -- the squares of the stacks of each color
// stacks  -- the squares of the stacks of both colors, by height - 1
// tallest -- an upper bound of the heights of all stacks
template <class L> struct Pilo {
    using Layout = L;
    using Bits = typename L::Bits;
    using History = NoHistory;
    using Squares = Lines<L>;
    using Quad = typename Squares::Quad;
    using SimdPlayouts = PiloSimdPlayouts<Pilo>;
    static constexpr bool has_simd_playouts = Squares::in_bytes;

    static constexpr std::string_view name = "pilo";
    enum Kind { place, capture, pass, kinds };
    static constexpr int two_point_kind = capture;
    static constexpr std::string_view block = "x";

    // A stack of height h needs 2^(h - 1) disks (P14). A position has one disk for each filled
    // square, and each empty square allows one more disk.
    static constexpr auto highest = int(std::bit_width(2u * L::largest * L::largest - 1));

    Squares empty;
    std::array<Squares, 2> of;
    std::array<Squares, std::size_t{highest}> stacks;
    std::int8_t size;
    std::int8_t tallest;
    std::int8_t passes;
    Color to_move;

    static Pilo assemble(Content<L> const& content, History&) {
        Pilo made{};
        made.size = static_cast<std::int8_t>(content.size);
        made.to_move = content.to_move;
        made.passes = pilo::read_passes(content.fields);
        pilo::require_filled_squares(content.layers, block);
        Bits free = L::board(content.size).all;
        for (auto const& [word, vertices] : content.layers) {
            Bits const points = content.layer(word);
            free &= ~points;
            if (word == block) continue;
            auto const [color, height] = pilo::read_stack(word);
            add(made.of[color], points);
            add(made.high(height), points);
            made.tallest = std::max(made.tallest, static_cast<std::int8_t>(height));
        }
        add(made.empty, free);
        return made;
    }

    Content<L> content(History const&) const {
        Content<L> made;
        made.size = size;
        made.to_move = to_move;
        made.add(std::string(block), L::board(size).all & ~unblocked());
        for (Color const color : {BLACK, WHITE}) {
            Bits const own = of[color].points();
            for (int height = 1; height <= tallest; ++height) {
                made.add("BW"[color] + std::to_string(height), own & high(height).points());
            }
        }
        if (passes > 0) made.fields["passes"] = std::to_string(passes);
        return made;
    }

    bool open() const { return false; }

    // A turn ------------------------------------------------------------------------------------

    // P11 to P15: board plays; P16: a pass if there is no board play, and only then (P17).
    [[gnu::noinline]] void legal_steps(Steps& steps) const {
        int const before = steps.count;
        for_each_place(empty, [&](int where) {
            steps.add(make_step(place, Squares::point(where)));
        });
        Squares capturing;
        captures(capturing);
        for (int height = 1; height <= tallest; ++height) {
            Squares own = of[to_move];
            Squares::for_each_word([&](int i) { own[i] &= high(height)[i]; });
            for_each_place(own, [&](int start) { add_captures(steps, capturing, start); });
        }
        if (steps.count == before) steps.add(make_step(pass));
    }

    [[gnu::noinline]] void apply(Step step, History&) {
        int const first = Squares::place(first_of(step));
        switch (kind_of(step)) {
            case place: put(first); break;
            case capture: take(first, Squares::place(second_of(step))); break;
            default: yield();
        }
    }

    // Plays a whole game. It draws an empty square before it counts the captures, from the other
    // half of the same random number, so that the next placement does not wait for the count.
    template <class Trace> Winner playout(Rng& rng, History& history, Trace& trace) {
        std::array<Word, std::size_t{Squares::words}> vacant;  // copy for SOUTH of `empty`
        int vacancies = 0;
        for (int i = 0; i < Squares::words; ++i) {
            vacant[static_cast<std::size_t>(i)] = empty[i][Squares::SOUTH];
            vacancies += count(vacant[static_cast<std::size_t>(i)]);
        }
        Squares capturing;
        while (vacancies > 0) {
            std::uint64_t const draw = rng.next();
            int k = Rng::scaled(draw & 0xffffffff, vacancies);
            int const i = set_with<Squares::words>(k, [&](int n) {
                return vacant[static_cast<std::size_t>(n)];
            });
            Word& word = vacant[static_cast<std::size_t>(i)];
            int const where = i * word_bits + select(word, k);
            int const choice = Rng::scaled(draw >> 32, vacancies + captures(capturing));
            if (choice < vacancies) {
                trace(to_move, make_step(place, Squares::point(where)));
                word ^= Word{1} << where % word_bits;
                --vacancies;
                put(where);
            } else {
                take_one(capturing, choice - vacancies, trace);
            }
        }
        while (passes < 2) {
            if (int const choices = captures(capturing); choices > 0) {
                take_one(capturing, rng.below(choices), trace);
            } else {
                trace(to_move, make_step(pass));
                yield();
            }
        }
        return outcome(history).winner;
    }

    // The end -----------------------------------------------------------------------------------

    Outcome outcome(History const&) const {
        if (passes < 2) return {};  // P18
        int const lead = score();
        if (lead > 0) return {Winner::black, lead};  // P22
        if (lead < 0) return {Winner::white, -lead};
        return {won_by(to_move), -1};  // P24: both colors passed after the last board play
    }

    // At most three more disks (P11), and captures, each of which takes a square (P14).
    bool nearly_over() const {
        return count(empty.points()) <= 3 && count(unblocked()) <= 16;
    }

    // An illegal pass, or stacks and blocks that no sequence of plays can leave.
    [[gnu::cold]] Flaw flaw(History const&) const {
        constexpr std::array<char const*, 2> names{"Blue", "Orange"};
        Color const other = opponent(to_move);
        if ((passes > 0 && has_board_play(other)) || (passes > 1 && has_board_play(to_move))) {
            return "a player with a board play cannot have passed (P17)";
        }
        Bits const& board = L::board(size).all;
        if (empty.points() == board) return {};
        Color const last = passes == 1 ? to_move : other;
        std::array<int, 2> const counts{count(of[BLACK].points()), count(of[WHITE].points())};
        if (counts[last] == 0) {
            return names[last] + std::string(" made the last board play and has no stack (P14)");
        }
        if (unblocked() != board) return {};
        return alternation_flaw(last, counts, "disks", most_extra_turns);  // P10, P11
    }

    // The squares of the patches that each color owns.
    std::array<Bits, 2> held() const {
        Bits const black = of[BLACK].points();
        Bits const white = of[WHITE].points();
        Bits const all = unblocked();
        Bits rest = all & L::around(all);  // without patches of one square, the most frequent ones
        std::array<Bits, 2> owned{black & ~rest, white & ~rest};
        while (any(rest)) {  // P7: a patch may hold any pieces (P8)
            Bits const patch = component<L>(lowest_point(rest), rest);
            rest &= ~patch;
            // P19: equal groups cancel in pairs; P20: the color of the biggest group left owns the
            // patch; P21: if none is left, nobody does.
            int const owner = leader<L>(black & patch, white & patch);
            if (owner != 0) owned[owner > 0 ? BLACK : WHITE] |= patch;
        }
        return owned;
    }

    Pilo mirrored(History&) const {
        Pilo image = *this;
        std::swap(image.of[BLACK], image.of[WHITE]);
        image.to_move = opponent(to_move);
        return image;
    }

    std::uint64_t key() const {
        Key key;
        key.add(static_cast<Word>(size << 8 | passes << 4 | to_move));
        auto const add = [&](Squares const& squares) {
            for (int i = 0; i < Squares::words; ++i) key.add(squares[i][Squares::SOUTH]);
        };
        add(empty);
        add(of[BLACK]);
        add(of[WHITE]);
        for (int height = 2; height <= highest; ++height) add(high(height));
        return key.value();
    }

    static constexpr Symmetry symmetry = Symmetry::square;
    static constexpr Image color_mirror = Image::same;
    static constexpr Neighbors neighbors = Neighbors::orthogonal;
    static constexpr auto height_bits = std::size_t{std::bit_width(unsigned{highest - 1})};

    // The own stacks with the blocks, the other stacks with the blocks, and the heights of stacks,
    // less one, in binary.
    std::array<Bits, 2 + height_bits> planes() const {
        std::array<Bits, 2 + height_bits> made{};
        Bits const blocks = L::board(size).all & ~unblocked();
        made[0] = of[to_move].points() | blocks;
        made[1] = of[opponent(to_move)].points() | blocks;
        for (int height = 2; height <= tallest; ++height) {
            Bits const stacked = high(height).points();
            for (std::size_t i = 0; i < height_bits; ++i) {
                if ((height - 1) >> i & 1) made[2 + i] |= stacked;
            }
        }
        return made;
    }
    Word extra_state() const { return static_cast<Word>(passes); }

    // The squares that the mover and the other color hold (P20), and the threats of both.
    Insight<Bits, 12> insight() const {
        auto const owned = held();
        Bits const &own = owned[to_move], &theirs = owned[opponent(to_move)];
        auto const& [we, they] = threats();
        return {{own, theirs, we.captured, they.captured, we.capturing, they.capturing,
                 we.guarded, they.guarded, we.covered, they.covered, we.aiming, they.aiming},
                count(own) - count(theirs)};  // P22
    }

  private:
    static constexpr int most_extra_turns = 4;  // of a handicap

    bool has_board_play(Color color) const {
        Pilo at = *this;
        at.to_move = color;
        Steps steps;
        at.legal_steps(steps);
        return kind_of(steps[0]) != pass;
    }

    friend SimdPlayouts;

    Squares& high(int height) { return stacks[static_cast<std::size_t>(height - 1)]; }
    Squares const& high(int height) const { return stacks[static_cast<std::size_t>(height - 1)]; }

    // The threats of the mover and of the other color.
    std::array<PiloThreats<L>, 2> threats() const {
        std::array<std::array<Bits, std::size_t{highest}>, 2> stacked;
        std::array<Bits, 2> const all{of[to_move].points(), of[opponent(to_move)].points()};
        auto const heights = static_cast<std::size_t>(tallest);
        for (std::size_t i = 0; i < heights; ++i) {
            Bits const of_height = stacks[i].points();
            for (std::size_t side = 0; side < 2; ++side) stacked[side][i] = all[side] & of_height;
        }
        std::span<Bits const> const own{stacked[0].data(), heights};
        std::span<Bits const> const other{stacked[1].data(), heights};
        return {{{own, other, empty.points()}, {other, own, empty.points()}}};
    }

    static Squares const& square_at(int place) {
        return single_squares<L>[static_cast<std::size_t>(place)];
    }
    static void add(Squares& squares, Bits const& points) {
        for_each(points, [&](int point) { squares |= square_at(Squares::place(point)); });
    }
    template <class F> static void for_each_place(Squares const& squares, F&& f) {
        for (int i = 0; i < Squares::words; ++i) {
            for_each(squares[i][Squares::SOUTH], [&](int n) { f(i * word_bits + n); });
        }
    }

    // P12 to P15: finds the stacks of the mover that can capture in each direction. Returns the
    // number of captures.
    //
    // Such a stack is in the run of empty and own squares (P15) that begins just behind an enemy
    // stack (P13) of its height.
    int captures(Squares& capturing) const {
        Squares const& own = of[to_move];
        Squares const& enemies = of[opponent(to_move)];
        Squares::for_each_word([&](int i) {
            Quad const open = own[i] | empty[i];
            Quad found{};
            auto const add = [&](int height) {
                Quad rest;
                Squares::unreached(rest, open, high(height)[i] & enemies[i]);
                found |= high(height)[i] & ~rest;
            };
            add(1);  // a stack above 3 is very rare
            add(2);
            add(3);
            for (int height = 4; height <= tallest; ++height) add(height);
            capturing[i] = found & own[i];
        });
        int total = 0;
        Squares::for_each_word([&](int i) {
            for (int direction = 0; direction < Squares::directions; ++direction) {
                total += count(capturing[i][direction]);
            }
        });
        return total;
    }

    // Adds the captures from one square, in the order of directions of the Python file.
    void add_captures(Steps& steps, Squares const& capturing, int start) const {
        for (int direction : {Squares::NORTH, Squares::EAST, Squares::SOUTH, Squares::WEST}) {
            for (int i = 0; i < Squares::words; ++i) {
                Word const from = capturing[i][direction] & square_at(start)[i][direction];
                if (from == 0) continue;
                int const goal = goal_of(direction, i, from);
                steps.add(make_step(capture, Squares::point(start), Squares::point(goal)));
            }
        }
    }

    // P13: the goal of a capture: the first obstacle down its line.
    int goal_of(int direction, int i, Word start) const {
        Word const obstacles = ~(of[to_move][i][direction] | empty[i][direction]);
        int const n = word_bits - 1 - std::countl_zero(obstacles & (start - 1));
        return Squares::home(direction, i * word_bits + n);
    }

    // Plays capture number k of the set, and calls the trace.
    template <class Trace> void take_one(Squares const& capturing, int k, Trace& trace) {
        constexpr int sets = Squares::words * Squares::directions;
        int const chosen = set_with<sets>(k, [&](int n) {
            return capturing[n / Squares::directions][n % Squares::directions];
        });
        int const i = chosen / Squares::directions;
        int const direction = chosen % Squares::directions;
        int const n = select(capturing[i][direction], k);
        int const start = Squares::home(direction, i * word_bits + n);
        int const goal = goal_of(direction, i, Word{1} << n);
        trace(to_move, make_step(capture, Squares::point(start), Squares::point(goal)));
        take(start, goal);
    }

    // P11.
    void put(int where) {
        Squares const& square = square_at(where);
        empty ^= square;
        of[to_move] |= square;
        high(1) |= square;
        played(1);
    }

    // P14: removes the enemy stack, adds a disk and leaves a block.
    void take(int start, int goal) {
        Squares const& from = square_at(start);
        Squares const& to = square_at(goal);
        int height = 1;
        while (!high(height).has(start)) ++height;
        of[opponent(to_move)] ^= to;
        of[to_move] ^= from;
        of[to_move] ^= to;
        high(height) ^= from;
        high(height) ^= to;
        high(height + 1) ^= to;
        played(height + 1);
    }

    void played(int height) {
        tallest = std::max(tallest, static_cast<std::int8_t>(height));
        passes = 0;
        to_move = opponent(to_move);
    }

    // P16.
    void yield() {
        ++passes;
        to_move = opponent(to_move);
    }

    // All squares without a block.
    Bits unblocked() const { return empty.points() | of[BLACK].points() | of[WHITE].points(); }

    // The score of Black less the score of White (P23).
    int score() const {
        auto const scored = held();
        return count(scored[BLACK]) - count(scored[WHITE]);
    }
};

}  // namespace patchpie
