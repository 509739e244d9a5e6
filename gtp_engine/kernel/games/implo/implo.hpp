// Implo: place a stone, then resolve patches until none is left (rules/implo.py).
// I1 to I23 are the sentences of protocol_specs/games/implo.md. "Adjacent" is orthogonal (I4).
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "board/groups.hpp"
#include "rules/game.hpp"

namespace patchpie {

template <class L> struct Implo {
    using Layout = L;
    using Bits = typename L::Bits;
    using History = NoHistory;
    static constexpr std::string_view name = "implo";

    enum Kind { place, resolve, resolve_removing, kinds };
    static constexpr int two_point_kind = resolve_removing;
    static constexpr int largest_patch = 4;

    // stones, markers -- a set of points for each color
    // patches         -- the points of all patches while a turn is open. Patches are whole
    //                    territories, so no two are adjacent and each is a component
    std::array<Bits, 2> stones{}, markers{};
    Bits patches{};
    int size = 0;
    Color to_move = BLACK;

    static Implo assemble(Content<L> const& content, History&) {
        content.expect({"B", "W", "b", "w"}, {"open"});
        if (!content.fields.empty() && content.fields.begin()->second != "yes") {
            throw UnreadablePosition("open is yes, or is not there");
        }
        Implo position;
        position.stones = {content.layer("B"), content.layer("W")};
        position.markers = {content.layer("b"), content.layer("w")};
        position.size = content.size;
        position.to_move = content.to_move;
        Bits const empty = position.empty();
        if (!content.fields.empty()) position.patches = patches_touching(empty, empty);
        return position;
    }

    Content<L> content(History const&) const {
        Content<L> made;
        made.size = size;
        made.to_move = to_move;
        made.add("B", stones[BLACK]);
        made.add("W", stones[WHITE]);
        made.add("b", markers[BLACK]);
        made.add("w", markers[WHITE]);
        if (open()) made.fields["open"] = "yes";
        return made;
    }

    bool open() const { return any(patches); }
    Bits empty() const { return L::board(size).all & ~(planes()[0] | planes()[1]); }
    std::array<Bits, 2> held() const {
        return {stones[BLACK] | markers[BLACK], stones[WHITE] | markers[WHITE]};
    }

    Implo mirrored(History&) const {
        Implo image = *this;
        image.stones = {stones[WHITE], stones[BLACK]};
        image.markers = {markers[WHITE], markers[BLACK]};
        image.to_move = opponent(to_move);
        return image;
    }

    std::uint64_t key() const {
        Key key;
        for (Color const color : {BLACK, WHITE}) key.add(stones[color]).add(markers[color]);
        return key.add(static_cast<Word>(size << 2 | open() << 1 | to_move)).value();
    }

    static constexpr Symmetry symmetry = Symmetry::square;
    static constexpr ColorMirror color_mirror = ColorMirror::same;
    static constexpr Neighbors neighbors = Neighbors::orthogonal;

    // The points of the color to move, the points of the other color, and all markers.
    std::array<Bits, 3> planes() const {
        auto const all = held();
        return {all[to_move], all[opponent(to_move)], markers[BLACK] | markers[WHITE]};
    }
    Word extra_state() const { return open(); }
    static constexpr bool sees_regions = true;  // a small one becomes a patch (I7)
    Insight<Bits, 0> insight() const {
        return {{}, leader<L>(markers[to_move], markers[opponent(to_move)])};  // I20
    }

    // A turn ------------------------------------------------------------------------------

    [[gnu::noinline]] void legal_steps(Steps& steps) const {
        if (!open()) {  // I16: a stone on an empty point.
            for_each(empty(), [&steps](int point) { steps.add(make_step(place, point)); });
            return;
        }
        // I17: any single patch; I12: the player resolving it chooses among tied groups.
        for (Bits rest = patches; any(rest);) {
            Bits const patch = component<L>(lowest_point(rest), rest);
            rest &= ~patch;
            Claim const claim = claim_to(patch);
            if (claim.ties <= 1) {
                steps.add(make_step(resolve, lowest(patch)));
                continue;
            }
            for (Bits seeds = claim.biggest & L::around(patch); any(seeds);) {
                Bits const group = component<L>(lowest_point(seeds), claim.biggest);
                seeds &= ~group;
                steps.add(make_step(resolve_removing, lowest(patch), lowest(group)));
            }
        }
    }

    [[gnu::noinline]] void apply(Step step, History&) {
        Bits const point = bit<Bits>(first_of(step));
        if (kind_of(step) == place) return put_stone(point);
        Bits const patch = component<L>(point, patches);
        Claim claim = claim_to(patch);
        if (kind_of(step) == resolve_removing) {
            claim.biggest = component<L>(bit<Bits>(second_of(step)), claim.biggest);
        }
        put_markers(patch, claim.by_mover ? to_move : opponent(to_move), claim.biggest);
    }

    Outcome outcome(History const&) const {
        if (any(empty())) return {};  // I19; inside a turn there is a patch
        int const lead = leader<L>(markers[BLACK], markers[WHITE]);
        if (lead != 0) return {won_by(lead > 0 ? BLACK : WHITE)};  // I20
        int const surplus = count(stones[BLACK]) - count(stones[WHITE]);
        if (surplus != 0) return {won_by(surplus > 0 ? BLACK : WHITE)};  // I21
        return {won_by(to_move)};  // I22
    }

    // Plays with local variables, which stay in registers.
    template <class Trace> Winner playout(Rng& rng, History& history, Trace& trace) {
        Color color = to_move;
        Bits own = stones[color], other = stones[opponent(color)];
        Bits own_markers = markers[color], other_markers = markers[opponent(color)];
        Bits free = empty(), pending = patches;
        while (any(free)) {
            if (!any(pending)) {
                int const stone = select(free, rng.below(count(free)));
                trace(color, make_step(place, stone));
                own |= bit<Bits>(stone);
                free &= ~bit<Bits>(stone);
                pending = patches_beside(stone, free);
            }
            while (any(pending)) {
                // All choices of all patches are equally likely: each patch replaces the chosen
                // one with a probability of its share of the choices so far.
                Bits patch{}, rest = pending;
                Claim claim{};
                int choices = 0, choice = 0;
                do {
                    Bits const next = patch_at(lowest_point(rest), rest);
                    Claim const next_claim = claim_to(next, own, other);
                    int const more = next_claim.ties > 1 ? next_claim.ties : 1;
                    choices += more;
                    int const drawn = rng.below(choices);
                    if (drawn < more) patch = next, claim = next_claim, choice = drawn;
                    rest &= ~next;
                } while (any(rest));
                Bits group = claim.biggest;
                if (claim.ties > 1) {
                    group = tied_group(claim, patch, choice);
                    trace(color, make_step(resolve_removing, lowest(patch), lowest(group)));
                } else {
                    trace(color, make_step(resolve, lowest(patch)));
                }
                Bits const none{};
                own_markers |= claim.by_mover ? patch : none;
                other_markers |= claim.by_mover ? none : patch;
                own &= ~group;
                other &= ~group;
                free = (free & ~patch) | group;
                pending = patches_after(pending, patch, group, free);
            }
            std::swap(own, other);
            std::swap(own_markers, other_markers);
            color = opponent(color);
        }
        bool const black = color == BLACK;
        stones = {black ? own : other, black ? other : own};
        markers = {black ? own_markers : other_markers, black ? other_markers : own_markers};
        patches = pending;
        to_move = color;
        return outcome(history).winner;
    }

  private:
    // The owner of a patch, and the groups that the owner can lose by it: none, one or several.
    //
    // by_mover -- whether the owner is the color to move
    // biggest  -- all points of these groups
    // ties     -- the number of these groups
    struct Claim {
        bool by_mover;
        Bits biggest;
        int ties;
    };

    // The biggest groups of a color beside a patch.
    struct Groups {
        Bits biggest;
        int ties, size;
    };

    // I16. New patches are always adjacent to the new stone.
    void put_stone(Bits const& point) {
        stones[to_move] |= point;
        patches = patches_beside(lowest(point), empty());
        go_on();
    }

    // I11: puts a marker of the owner on each point, and removes the group, if any (I13).
    void put_markers(Bits const& patch, Color owner, Bits const& group) {
        markers[owner] |= patch;
        stones[owner] &= ~group;
        patches = patches_after(patches, patch, group, empty());
        go_on();
    }

    // I18: the turn lasts until no patches remain; then the other color plays (I15).
    void go_on() { to_move = open() ? to_move : opponent(to_move); }

    // I9: the player with the biggest adjacent group; I10: else the placer's opponent. Patches
    // exist only inside the turn of the player who placed the last stone.
    static Claim claim_to(Bits const& patch, Bits const& own, Bits const& other) {
        Bits const beside = L::around(patch);
        Groups const mine = biggest_of(own, own & beside);
        Groups const theirs = biggest_of(other, other & beside);
        bool const by_mover = mine.size > theirs.size;
        return {by_mover, by_mover ? mine.biggest : theirs.biggest,
                by_mover ? mine.ties : theirs.ties};
    }
    Claim claim_to(Bits const& patch) const {
        return claim_to(patch, stones[to_move], stones[opponent(to_move)]);
    }

    // The biggest groups (I5) that contain the given stones. Single stones need no flood fill.
    static Groups biggest_of(Bits const& stones, Bits const& given) {
        Bits linked = given & L::around(stones);
        if (!any(linked)) return {given, count(given), any(given)};
        Groups groups{};
        do {
            Bits const group = component<L>(lowest_point(linked), stones);
            linked &= ~group;
            int const points = count(group);
            if (points > groups.size) groups = {group, 1, points};
            else if (points == groups.size) groups.biggest |= group, ++groups.ties;
        } while (any(linked));
        return groups;
    }

    // I12: one of the tied groups, 0 to ties - 1.
    static Bits tied_group(Claim const& claim, Bits const& patch, int number) {
        if (count(claim.biggest) == claim.ties) return bit<Bits>(select(claim.biggest, number));
        for (Bits seeds = claim.biggest & L::around(patch);; --number) {
            Bits const group = component<L>(lowest_point(seeds), claim.biggest);
            if (number == 0) return group;
            seeds &= ~group;
        }
    }

    // I18: the removal of a group may make a patch, merge patches, or open a patch.
    static Bits patches_after(Bits patches, Bits const& patch, Bits const& group,
                              Bits const& empty) {
        Bits const territory = grown(group, empty);
        patches &= ~(patch | territory);
        return count(territory) <= largest_patch ? patches | territory : patches;
    }

    // One word of the board: the whole board, or some columns around a point.
    //
    // beside -- the neighbors of that point, each as a set of one point
    // start  -- the number of the point of the lowest bit of the word
    struct Window {
        alignas(4 * sizeof(Word)) std::array<Word, 4> beside;
        int start;
    };

    static constexpr auto windows = [] {
        constexpr std::size_t bits = L::largest * L::stride;
        constexpr int columns = word_bits / L::stride;
        constexpr int last = L::largest > columns ? L::largest - columns : 0;
        std::array<Window, bits> all{};
        for (std::size_t i = 0; i < bits; ++i) {
            int const point = static_cast<int>(i);
            int const wished = L::column(point) - columns / 2;
            int const first = wished < 0 ? 0 : wished > last ? last : wished;
            int const place = point - L::point(first, 0);
            auto const neighbor = [place](int step) {
                int const there = place + step;
                return there < 0 || there >= word_bits ? Word{0} : Word{1} << there;
            };
            all[i] = {{L::row(point) + 1 < L::largest ? neighbor(1) : 0,
                       L::row(point) > 0 ? neighbor(-1) : 0, neighbor(L::stride),
                       neighbor(-L::stride)},
                      L::point(first, 0)};
        }
        return all;
    }();

    static Word word_at(Bits const& points, int start) {
        if constexpr (L::words <= 2) {
            return static_cast<Word>(points >> start);
        } else {
            int const i = start / word_bits, shift = start % word_bits;
            Word const next = i + 1 < L::words ? word_of(points, i + 1) : 0;
            return word_of(points, i) >> shift | next << 1 << (word_bits - 1 - shift);
        }
    }
    static Bits placed_at(Word word, int start) {
        if constexpr (L::words <= 2) {
            return static_cast<Bits>(word) << start;
        } else {
            std::size_t const i = static_cast<std::size_t>(start / word_bits);
            int const shift = start % word_bits;
            Bits points{};
            points.word[i] = word << shift;
            if (i + 1 < L::words) points.word[i + 1] = word >> 1 >> (word_bits - 1 - shift);
            return points;
        }
    }

    // Four sets of points of a window, for a flood fill of all four at once.
    using Four = Word __attribute__((vector_size(4 * sizeof(Word))));

    static void grow(Four& sets, Four const& within) {
        Four north = sets, south = sets;
        if constexpr (!L::guarded) {
            static constexpr auto const& board = L::board(L::largest);
            north &= ~word_of(board.top, 0);
            south &= ~word_of(board.bottom, 0);
        }
        sets |= north << 1 | south >> 1 | sets << L::stride | sets >> L::stride;
        sets &= within;
    }

    // The patches beside a new stone: a flood fill from each neighbor, inside a window. A patch
    // found may be only the part of a larger territory inside the window.
    static Bits patches_beside(int stone, Bits const& empty) {
        Window const& window = windows[static_cast<std::size_t>(stone)];
        Word const inside = word_at(empty, window.start);
        Four const within{inside, inside, inside, inside};
        Four reached;
        std::memcpy(&reached, window.beside.data(), sizeof reached);
        reached &= within;
        for (int i = 1; i < largest_patch; ++i) grow(reached, within);
        Four further = reached, beyond_four = reached;
        grow(further, within);
        for (int i = 0; i < largest_patch; ++i) beyond_four &= beyond_four - 1;
        reached &= (beyond_four | (further ^ reached)) == 0;
        Word const found = (reached[0] | reached[1]) | (reached[2] | reached[3]);
        if constexpr (L::words == 1) {
            return found;
        } else {
            if (found == 0) return {};
            Bits const patches = placed_at(found, window.start);
            if (!any(L::around(patches) & empty & ~patches)) return patches;
            return patches_touching(L::around(bit<Bits>(stone)), empty);
        }
    }

    // I8: the patches that intersect a set.
    static Bits patches_touching(Bits const& beside, Bits const& empty) {
        Bits found{};
        for (Bits seeds = beside & empty; any(seeds);) {
            Bits const territory = grown(lowest_point(seeds), empty);
            seeds &= ~territory;
            if (count(territory) <= largest_patch) found |= territory;
        }
        return found;
    }

    // The patch that contains the point.
    static Bits patch_at(Bits point, Bits const& patches) {
        for (int i = 1; i < largest_patch; ++i) point = (point | L::around(point)) & patches;
        return point;
    }

    // The points within four steps of a connected set of empty points. If the territory is a
    // patch, this is all of it, complete after three steps; otherwise it has more than four
    // points.
    static Bits grown(Bits territory, Bits const& empty) {
        for (int i = 0; i < largest_patch; ++i) {
            territory = (territory | L::around(territory)) & empty;
        }
        return territory;
    }
};

}  // namespace patchpie
