// Boloa: connect your two edges with stones; smothered pawns turn into stones.
// B1 to B17 are the sentences of protocol_specs/games/boloa.md. The code assumes legal positions:
// no smothered party, and no broken pair of either color.
#pragma once

#include <algorithm>

#include "board/vector_pair.hpp"
#include "games/boloa/local_window.hpp"
#include "rules/flaws.hpp"

namespace patchpie {

template <class Given> struct Boloa {
    using L = InVectors<Given>;
    using Layout = L;
    using Bits = typename L::Bits;
    using History = NoHistory;
    using Pair = std::array<Bits, 2>;  // a set of points for each color
    static constexpr std::string_view name = "boloa";
    enum Kind : int { pawn, stone, displace, kinds };
    static constexpr int two_point_kind = displace;

    std::uint8_t size = 0;
    Color to_move = BLACK;
    Pair pawns{};
    Pair stones{};
    // For each color, its first edge (bottom or left) and its second edge (top or right). Each set
    // also holds the stones connected to the edge and the points beside them.
    Pair reach{}, beyond{};

    static Boloa assemble(Content<L> const& content, History&) {
        content.expect({"B", "W", "b", "w"});
        Boloa made;
        made.size = static_cast<std::uint8_t>(content.size);
        made.to_move = content.to_move;
        made.pawns = {content.layer("b"), content.layer("w")};
        made.stones = {content.layer("B"), content.layer("W")};
        made.connect();
        return made;
    }

    Content<L> content(History const&) const {
        Content<L> made;
        made.size = size;
        made.to_move = to_move;
        made.add("B", stones[BLACK]);
        made.add("W", stones[WHITE]);
        made.add("b", pawns[BLACK]);
        made.add("w", pawns[WHITE]);
        return made;
    }

    Bits all_pawns() const { return pawns[BLACK] | pawns[WHITE]; }
    Bits all_stones() const { return stones[BLACK] | stones[WHITE]; }
    Bits empty() const { return board().all & ~(all_pawns() | all_stones()); }
    bool open() const { return false; }
    Pair held() const { return {stones[BLACK] | pawns[BLACK], stones[WHITE] | pawns[WHITE]}; }

    static constexpr Symmetry symmetry = Symmetry::edges_kept;
    static constexpr Image color_mirror = Image::transposed;
    static constexpr Neighbors neighbors = Neighbors::orthogonal;

    // The points of the color to move, the points of the other color, and all pawns.
    std::array<Bits, 3> planes() const {
        Color const foe = opponent(to_move);
        return {pawns[to_move] | stones[to_move], pawns[foe] | stones[foe], all_pawns()};
    }
    Word extra_state() const { return 0; }

    // A turn -------------------------------------------------------------------------------

    // If a step smothers nothing, it breaks B15 only by its own stone. Only steps beside pawns
    // with little air can smother a party, so only these steps need a trial.
    [[gnu::noinline]] void legal_steps(Steps& steps) const {
        Bits const pawned = all_pawns(), free = empty(), crossing = crossings(stones[to_move]);
        Bits const n = L::north(free), s = L::south(free), e = L::east(free), w = L::west(free);
        Bits const airy = n | s | e | w, twice = (n & s) | (e & w) | ((n | s) & (e | w));
        Bits const beside_airless = L::around(pawned & ~airy);
        Bits const last_air = free & L::around(pawned & ~twice);
        auto const permits = [&](int kind, int point, int goal) {
            bool const safe = kind == stone ? !has(last_air, point)
                                            : !has(beside_airless, point) && has(airy, goal) &&
                                                  !has(last_air, goal);
            if (safe) return !has(crossing, point);
            Boloa next = *this;
            Bits const at = bit<Bits>(point);
            next.act(to_move, false, at, kind == displace ? bit<Bits>(goal) : Bits{});
            if (next.smother(to_move, next.shaken(false, at))) return !next.broken(to_move);
            return !has(crossing, point);
        };
        for_each(free, [&](int point) {
            steps.add(make_step(pawn, point));                                             // B9
            if (permits(stone, point, 0)) steps.add(make_step(stone, point));              // B10
        });
        for_each(pawned, [&](int point) {
            for_each(L::around(bit<Bits>(point)) & (free | pawned), [&](int goal) {        // B11
                if (permits(displace, point, goal)) steps.add(make_step(displace, point, goal));
            });
        });
    }

    [[gnu::noinline]] void apply(Step step, History&) {
        Pair const before = stones;
        bool const is_pawn = kind_of(step) == pawn;
        Bits const point = bit<Bits>(first_of(step));
        Bits const goal = kind_of(step) == displace ? bit<Bits>(second_of(step)) : Bits{};
        act(to_move, is_pawn, point, goal);
        smother(to_move, shaken(is_pawn, point));
        join(added_to(before));
        to_move = opponent(to_move);
    }

    // B16: a chain of either color ends the game. Two chains at the same time are impossible.
    Outcome outcome(History const&) const {
        if (any(stones[BLACK] & reach[BLACK] & board().top)) return {Winner::black};
        if (any(stones[WHITE] & reach[WHITE] & board().right)) return {Winner::white};
        return {};
    }

    // A smothered party, a broken pair, or a single piece whose color is to move again.
    [[gnu::cold]] Flaw flaw(History const&) const {
        Bits const pawned = all_pawns();
        Bits const airless = pawned & ~connected(pawned & L::around(empty()), pawned);
        if (any(airless)) {
            Bits const party = connected(lowest_point(airless), airless);
            return "the party " + named<L>(party) + " is smothered (B7)";
        }
        for (Color const color : {BLACK, WHITE}) {
            Bits const& set = stones[color];
            Bits const apart = set & ~L::east(set);
            Bits const rising = apart & L::east(L::north(set)) & ~L::north(set);
            Bits const falling = apart & L::east(L::south(set)) & ~L::south(set);
            if (!any(rising | falling)) continue;
            int const right = lowest(any(rising) ? rising : falling);
            int const left = right - L::stride - (any(rising) ? 1 : -1);
            return vertex_name<L>(left) + " and " + vertex_name<L>(right) +
                   " are diagonal, with no stone adjacent to both (B15)";
        }
        // B8 to B12: the number of pieces never decreases, so a single one is from the first turn.
        Pair const all = held();
        if (count(all[to_move]) == 1 && !any(all[opponent(to_move)])) {
            return color_names[opponent(to_move)] + std::string(" has made the only turn (B8)");
        }
        return {};
    }

    // All pieces change color. The reflection on the diagonal of A1 keeps the edges of each color.
    Boloa mirrored(History&) const {
        Boloa image = *this;
        image.to_move = opponent(to_move);
        for (Color const color : {BLACK, WHITE}) {
            image.pawns[color] = L::image_of(pawns[opponent(color)], color_mirror, size);
            image.stones[color] = L::image_of(stones[opponent(color)], color_mirror, size);
        }
        image.connect();
        return image;
    }

    std::uint64_t key() const {
        Key key;
        for (Color const color : {BLACK, WHITE}) key.add(pawns[color]).add(stones[color]);
        return key.add(static_cast<Word>(to_move)).value();
    }

    template <class Trace> Winner playout(Rng& rng, History& history, Trace& trace) {
        return play_on<false>(rng, history, trace);
    }

    // Like `playout`, but a color that can connect its edges by a stone does so.
    template <class Trace> Winner decisive_playout(Rng& rng, History& history, Trace& trace) {
        return play_on<true>(rng, history, trace);
    }

    // Whether the color to move can connect by a stone.
    bool wins_at_once() const {
        StepCount unused;
        return any(gaps(to_move)) && Boloa(*this).connects(to_move, unused);
    }

  private:
    typename L::Board const& board() const { return L::board(size); }

    template <bool decisive, class Trace>
    Winner play_on(Rng& rng, History& history, Trace& trace) {
        Boloa line = *this;  // a local copy that can live in registers
        bool over = outcome(history).winner != Winner::undecided;
        bool skip = to_move == WHITE;
        while (!over) {
            over = (!skip && line.template random_turn<BLACK, decisive>(rng, history, trace)) ||
                   line.template random_turn<WHITE, decisive>(rng, history, trace);
            skip = false;
        }
        return line.outcome(history).winner;
    }

    // The points where a stone connects the edges of a color.
    Bits gaps(Color color) const {
        return reach[color] & beyond[color] & board().all & ~all_stones();
    }

    // Plays a legal stone that connects the edges of the mover. Returns false if there is none.
    template <class Trace> [[gnu::noinline]] bool connects(Color mover, Trace& trace) {
        Bits const pawned = all_pawns(), goals = board().all & ~all_stones();
        for (Bits left = gaps(mover); any(left); left = without_lowest(left)) {
            Bits const point = lowest_point(left);
            bool const displaces = any(point & pawned);
            Bits targets = displaces ? L::around(point) & goals : point;
            for (; any(targets); targets = without_lowest(targets)) {
                Boloa next = *this;
                next.act(mover, false, point, when(displaces, lowest_point(targets)));
                next.smother(mover, next.shaken(false, point));
                if (next.broken(mover)) continue;
                int const goal = displaces ? lowest(targets) : 0;
                trace(mover, make_step(displaces ? displace : stone, lowest(point), goal));
                next.join(next.added_to(stones));
                *this = next;
                return true;
            }
        }
        return false;
    }

    void connect() {
        reach = {board().bottom, board().left};
        beyond = {board().top, board().right};
        join(stones);
    }

    // Unrolled, so that colors are constants for the compiler.
    template <class F> static void both(F&& f) {
        f(BLACK);
        f(WHITE);
    }

    // B9 to B12. Without a displacement the goal is empty.
    void act(Color mover, bool is_pawn, Bits const& point, Bits const& goal) {
        both([&](Color color) {
            Bits const moved = when(any(pawns[color] & point), goal);
            pawns[color] = (pawns[color] & ~(point | goal)) | moved;
        });
        pawns[mover] |= when(is_pawn, point);
        stones[mover] |= when(!is_pawn, point);
    }

    // Pawns of all parties that a step may have smothered. Other parties have lost neither a pawn
    // nor an empty neighbor. A new or moved pawn belongs to the party of its neighbors.
    Bits shaken(bool is_pawn, Bits const& point) const {
        return all_pawns() & (point | when(!is_pawn, L::around(point)));
    }

    // B13, B14 for the parties of the given pawns. Returns whether a party was smothered.
    [[gnu::noinline]] bool smother(Color mover, Bits seeds) {
        Bits const pawned = all_pawns(), airy = pawned & L::around(empty());
        bool smothered = false;
        for (seeds &= ~airy; any(seeds);) {
            Bits const party = stopped_component(lowest_point(seeds), pawned, airy);  // B5, B6
            seeds &= ~party;
            if (any(party & airy)) continue;  // B7
            int const black = count(pawns[BLACK] & party), white = count(pawns[WHITE] & party);
            Color const color = black > white ? BLACK : white > black ? WHITE : opponent(mover);
            pawns[BLACK] &= ~party;
            pawns[WHITE] &= ~party;
            stones[color] |= party;
            smothered = true;
        }
        return smothered;
    }

    // All points of a set that are connected to the seed.
    static Bits connected(Bits const& seed, Bits const& within) {
        return stopped_component(seed, within, Bits{});
    }

    // The component of a seed. The flood fill stops early when it meets the goal.
    static Bits stopped_component(Bits seed, Bits const& within, Bits const& goal) {
        for (;;) {
            Bits const once = seed | (within & L::around(seed));
            Bits const grown = once | (within & L::around(once));
            if (grown == seed || any(grown & goal)) return grown;
            seed = grown;
        }
    }

    // B15: the points that form a broken pair with a stone of the set if they hold such a stone.
    static Bits crossings(Bits const& set) {
        Bits const above = L::south(set), below = L::north(set);
        Bits const right = L::west(set), left = L::east(set);
        return (L::west(above) & ~above & ~right) | (L::west(below) & ~below & ~right) |
               (L::east(above) & ~above & ~left) | (L::east(below) & ~below & ~left);
    }

    bool broken(Color color) const { return any(stones[color] & crossings(stones[color])); }

    using Near = LocalWindow<L>;
    using Window = typename Near::Window;
    static constexpr Window middle = Near::middle;

    static constexpr bool broken_in(Window set) {
        Window const left = set << L::stride;
        Window const rising = left << 1 & ~(set << 1), falling = left >> 1 & ~(set >> 1);
        return any(set & ~left & (rising | falling));
    }

    // The effect of a step in its window. The ways are a pawn, a stone and four displacements.
    struct Way {
        int offset;
        Window new_pawn, new_stone, filled, shaken;
    };
    static constexpr Way displacement(int offset) {
        Window const goal = offset > 0 ? middle << offset : middle >> -offset;
        return {offset, goal, middle, goal, Near::beside(middle)};
    }
    static constexpr std::array<Way, 6> ways = {
        Way{0, middle, 0, middle, middle}, Way{0, 0, middle, middle, Near::beside(middle)},
        displacement(1), displacement(-1), displacement(L::stride), displacement(-L::stride)};

    // Plays a uniformly random turn. Returns whether it ended the game.
    template <Color mover, bool decisive, class Trace>
    [[gnu::always_inline]] bool random_turn(Rng& rng, History& history, Trace& trace) {
        if constexpr (decisive) {
            if (any(gaps(mover)) && connects(mover, trace)) [[unlikely]] return true;
        }
        Bits const pawned = all_pawns(), goals = board().all & ~all_stones();
        Bits const free = goals & ~pawned;
        // The points of each way, and the number of actions before each way.
        std::array<Bits, 6> const points = {
            free, free, pawned & L::south(goals), pawned & L::north(goals),
            pawned & L::west(goals), pawned & L::east(goals)};
        std::array<int, 6> first;
        int total = 0;
        for (std::size_t i = 0; i < 6; ++i) {
            first[i] = total;
            total += count(points[i]);
        }
        for (int tries = 0; tries < 32; ++tries) {
            int const drawn = rng.below(total);
            std::size_t chosen = 0;
            for (std::size_t i = 1; i < 6; ++i) chosen += drawn >= first[i];
            Way const& way = ways[chosen];
            int const at = select(points[chosen], drawn - first[chosen]);
            int const to = at + way.offset;
            bool const is_pawn = chosen == 0;
            Bits const point = bit<Bits>(at), goal = when(chosen > 1, bit<Bits>(to));

            Window const box = Near::windows[static_cast<std::size_t>(at)];
            Window const now_pawned = (Near::view(pawned, at) & box & ~middle) | way.new_pawn;
            Window const breath = Near::beside(Near::view(free, at) & box & ~way.filled);
            Window const airy = now_pawned & breath;
            Window const stifled = now_pawned & way.shaken & ~breath;
            Window const lone = stifled & ~Near::beside(now_pawned);
            Boloa next = *this;
            next.act(mover, is_pawn, point, goal);
            if (any(stifled & ~lone & ~Near::beside(airy))) [[unlikely]] {
                Boloa exact = next;
                exact.smother(mover, Near::unview(stifled & ~Near::beside(airy), at));
                if (exact.broken(mover)) continue;
                next = exact;
            } else {
                Bits const turned = Near::unview(lone, at);
                Window const own = Near::view(next.pawns[mover], at) & lone;
                Window const others = Near::view(stones[mover], at) & box;
                if (broken_in(others | way.new_stone | own)) continue;
                both([&](Color color) {
                    next.stones[color] |= turned & next.pawns[color];
                    next.pawns[color] &= ~turned;
                });
            }
            int const kind = chosen > 1 ? displace : static_cast<int>(chosen);
            trace(mover, make_step(kind, at, chosen > 1 ? to : 0));
            Pair const added = next.added_to(stones);
            *this = next;
            // Only decisive playouts use `beyond`, to find gaps.
            Pair linked = reach;
            if constexpr (decisive) both([&](Color color) { linked[color] |= beyond[color]; });
            if (!any((added[BLACK] & linked[BLACK]) | (added[WHITE] & linked[WHITE]))) return false;
            join(added);
            return won(BLACK) || won(WHITE);
        }
        Boloa next = *this;
        bool const over = next.listed_turn(mover, rng, history, trace);
        *this = next;
        return over;
    }

    // Draws from the list of legal steps, for positions where few actions are legal.
    template <class Trace>
    [[gnu::noinline]] bool listed_turn(Color mover, Rng& rng, History& history, Trace& trace) {
        to_move = mover;
        Steps steps;
        legal_steps(steps);
        Step const step = steps[rng.below(steps.count)];
        trace(mover, step);
        apply(step, history);
        return won(BLACK) || won(WHITE);
    }

    bool won(Color color) const {
        return any(stones[color] & reach[color] & (color == BLACK ? board().top : board().right));
    }

    // The new stones since `before`.
    Pair added_to(Pair const& before) const {
        return {stones[BLACK] & ~before[BLACK], stones[WHITE] & ~before[WHITE]};
    }

    // B16: extends the connections of the edges by new stones.
    void join(Pair const& added) {
        both([&](Color color) {
            spread(reach[color], added[color], stones[color]);
            spread(beyond[color], added[color], stones[color]);
        });
    }
    static void spread(Bits& reached, Bits fresh, Bits const& among) {
        fresh &= reached;
        while (any(fresh)) {
            Bits const grown = L::around(fresh) & ~reached;
            reached |= grown;
            fresh = among & grown;
        }
    }
};

}  // namespace patchpie
