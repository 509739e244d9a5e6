// Implo: place a stone, then resolve patches until none is left (rules/implo.py).
// I1 to I23 are the sentences of protocol_specs/games/implo.md. "Adjacent" is orthogonal (I4).
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "board/groups.hpp"
#include "games/implo/patches.hpp"
#include "rules/flaws.hpp"

namespace patchpie {

template <class L> struct Implo {
    using Layout = L;
    using Bits = typename L::Bits;
    using History = NoHistory;
    using Patches = ImploPatches<L>;
    static constexpr std::string_view name = "implo";

    enum Kind { place, resolve, resolve_removing, kinds };
    static constexpr int two_point_kind = resolve_removing;

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
        if (!content.fields.empty()) position.open_turn();
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
    static constexpr Image color_mirror = Image::same;
    static constexpr Neighbors neighbors = Neighbors::orthogonal;

    // The points of the color to move, the points of the other color, and all markers.
    std::array<Bits, 3> planes() const {
        auto const all = held();
        return {all[to_move], all[opponent(to_move)], markers[BLACK] | markers[WHITE]};
    }
    Word extra_state() const { return open(); }
    static constexpr bool sees_regions = true;  // a small one becomes a patch (I7)

    // gains, gifts             -- where a stone of the mover makes a patch of the mover, or of the
    //                             opponent; inside a turn, the points of these patches
    // other_gains, other_gifts -- where a stone of the opponent makes a patch of the opponent, or
    //                             of the mover
    // removed, other_removed   -- the groups that the patches of these stones remove
    Insight<Bits, 6> insight() const {
        enum { gains, gifts, other_gifts, other_gains, removed, other_removed };
        Insight<Bits, 6> found{{}, leader<L>(markers[to_move], markers[opponent(to_move)])};  // I20
        auto& sets = found.sets;
        Bits const own = stones[to_move], other = stones[opponent(to_move)], free = empty();
        for_each_patch(patches, [&](Bits const& patch) {
            Claim const claim = claim_to(patch, own, other);
            sets[claim.by_mover ? gains : gifts] |= patch;
            sets[removed] |= claim.biggest;
        });
        if (open()) return found;
        for_each(Patches::makers(free), [&](int point) {
            Bits const stone = bit<Bits>(point);
            for_each_patch(Patches::beside(point, free & ~stone), [&](Bits const& patch) {
                Claim const claim = claim_to(patch, own | stone, other);
                sets[claim.by_mover ? gains : gifts] |= stone;
                sets[removed] |= claim.biggest;
                Claim const other_claim = claim_to(patch, other | stone, own);
                sets[other_claim.by_mover ? other_gains : other_gifts] |= stone;
                sets[other_removed] |= other_claim.biggest;
            });
        });
        return found;
    }

    // A turn ------------------------------------------------------------------------------

    [[gnu::noinline]] void legal_steps(Steps& steps) const {
        if (!open()) {  // I16: a stone on an empty point.
            for_each(empty(), [&steps](int point) { steps.add(make_step(place, point)); });
            return;
        }
        // I17: any single patch; I12: the player resolving it chooses among tied groups.
        for_each_patch(patches, [&](Bits const& patch) {
            Claim const claim = claim_to(patch);
            if (claim.ties <= 1) return steps.add(make_step(resolve, lowest(patch)));
            for (Bits seeds = claim.biggest & L::around(patch); any(seeds);) {
                Bits const group = component<L>(lowest_point(seeds), claim.biggest);
                seeds &= ~group;
                steps.add(make_step(resolve_removing, lowest(patch), lowest(group)));
            }
        });
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

    // A patch outside of a turn, or impossible counts.
    [[gnu::cold]] Flaw flaw(History const&) const {
        Bits const free = empty();
        if (free == L::board(size).all) return {};
        if (Bits const rest = Patches::touching(free, free); any(rest) && !open()) {
            return "the patch " + named<L>(Patches::containing(lowest_point(rest), rest)) +
                   " is unresolved outside of a turn (I18)";
        }
        // I11: a color whose own stone was removed has markers, and these stay.
        Color const newest = open() ? to_move : opponent(to_move);
        if (!any(held()[newest])) {
            return color_names[newest] +
                   std::string(" has placed the last stone and has no piece (I11)");
        }
        if (any(markers[BLACK] | markers[WHITE])) return {};
        std::array<int, 2> const counts{count(stones[BLACK]), count(stones[WHITE])};
        return alternation_flaw(newest, counts, "stones", most_extra_turns);  // I15, I16
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
                pending = Patches::beside(stone, free);
            }
            while (any(pending)) {
                // All choices of all patches are equally likely: each patch replaces the chosen
                // one with a probability of its share of the choices so far.
                Bits patch{}, rest = pending;
                Claim claim{};
                int choices = 0, choice = 0;
                do {
                    Bits const next = Patches::containing(lowest_point(rest), rest);
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
                pending = Patches::after(pending, patch, group, free);
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
    static constexpr int most_extra_turns = 4;  // of a handicap

    // Throws UnreadablePosition where no turn can be open.
    [[gnu::cold]] void open_turn() {
        Bits const free = empty();
        patches = Patches::touching(free, free);
        if (free == L::board(size).all) {
            throw UnreadablePosition("an open turn has begun with a stone (I16)");
        }
        if (!open()) throw UnreadablePosition("an open turn needs a patch to resolve (I18)");
    }

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
        patches = Patches::beside(lowest(point), empty());
        go_on();
    }

    // I11: puts a marker of the owner on each point, and removes the group, if any (I13).
    void put_markers(Bits const& patch, Color owner, Bits const& group) {
        markers[owner] |= patch;
        stones[owner] &= ~group;
        patches = Patches::after(patches, patch, group, empty());
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

    template <class F> static void for_each_patch(Bits rest, F&& each) {
        while (any(rest)) {
            Bits const patch = Patches::containing(lowest_point(rest), rest);
            rest &= ~patch;
            each(patch);
        }
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
};

}  // namespace patchpie
