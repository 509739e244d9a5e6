// Patches of Implo: territories of at most four points. I7 and I8 are sentences of
// protocol_specs/games/implo.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include "board/groups.hpp"

namespace patchpie {

template <class L> struct ImploPatches {
    using Bits = typename L::Bits;
    static constexpr int most_points = 4;  // I8

    // The patches beside a new stone: a flood fill from each neighbor, inside a window. A patch
    // found may be only the part of a larger territory inside the window.
    static Bits beside(int stone, Bits const& empty) {
        Window const& window = windows[static_cast<std::size_t>(stone)];
        Word const inside = word_at(empty, window.start);
        Four const within{inside, inside, inside, inside};
        Four reached;
        std::memcpy(&reached, window.beside.data(), sizeof reached);
        reached &= within;
        for (int i = 1; i < most_points; ++i) grow(reached, within);
        Four further = reached, beyond_four = reached;
        grow(further, within);
        for (int i = 0; i < most_points; ++i) beyond_four &= beyond_four - 1;
        reached &= (beyond_four | (further ^ reached)) == 0;
        Word const found = (reached[0] | reached[1]) | (reached[2] | reached[3]);
        if constexpr (L::words == 1) {
            return found;
        } else {
            if (found == 0) return {};
            Bits const patches = placed_at(found, window.start);
            if (!any(L::around(patches) & empty & ~patches)) return patches;
            return touching(L::around(bit<Bits>(stone)), empty);
        }
    }

    // The empty points where a stone may make a patch. A patch that it makes has a point with at most
    // two empty neighbors before, one or two steps from the stone.
    static Bits makers(Bits const& empty) {
        Bits const north = L::north(empty), south = L::south(empty);
        Bits const east = L::east(empty), west = L::west(empty);
        Bits const three = (north & south & (east | west)) | ((north | south) & east & west);
        Bits const near = L::around(empty & ~three) & empty;
        return near | (L::around(near) & empty);
    }

    // I8: the patches that intersect a set of points.
    static Bits touching(Bits const& points, Bits const& empty) {
        Bits found{};
        for (Bits seeds = points & empty; any(seeds);) {
            Bits const territory = grown(lowest_point(seeds), empty);
            seeds &= ~territory;
            if (count(territory) <= most_points) found |= territory;
        }
        return found;
    }

    // The patch that contains the point.
    static Bits containing(Bits point, Bits const& patches) {
        for (int i = 1; i < most_points; ++i) point = (point | L::around(point)) & patches;
        return point;
    }

    // The patches after one of them was resolved, which removed a group, if any.
    // I18: the removal of a group may make a patch, merge patches, or open a patch.
    static Bits after(Bits patches, Bits const& patch, Bits const& group, Bits const& empty) {
        Bits const territory = grown(group, empty);
        patches &= ~(patch | territory);
        return count(territory) <= most_points ? patches | territory : patches;
    }

  private:
    // The points within four steps of a connected set of empty points. If the territory is a
    // patch, this is all of it, complete after three steps; otherwise it has more than four
    // points.
    static Bits grown(Bits territory, Bits const& empty) {
        for (int i = 0; i < most_points; ++i) {
            territory = (territory | L::around(territory)) & empty;
        }
        return territory;
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
};

}  // namespace patchpie
