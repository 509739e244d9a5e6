// Bitboards for sliding stacks: one copy of the board for each of the four directions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "board/layout.hpp"

namespace patchpie {

// A set of squares in four copies, one for each direction of a move.
//
// The copy for a direction consists of the lines in that direction: a step along a line goes one
// place down. One vector holds word i of all copies, so one operation works for all directions.
// Above each line is a guard place, always empty, that stops carries. On boards of one word each
// line is a byte instead, and bytes are added separately.
//
// A place is the number of a bit in a copy: its word * 64 + its number in the word. The copy for
// SOUTH has the order of points; its lines are the columns from row 1 up.
template <class L> struct Lines {
    static constexpr int SOUTH = 0, WEST = 1, NORTH = 2, EAST = 3, directions = 4;

    using Bits = typename L::Bits;
    typedef Word Quad __attribute__((vector_size(directions * sizeof(Word))));
    typedef std::uint8_t Bytes __attribute__((vector_size(sizeof(Quad))));

    static constexpr bool in_bytes = L::words == 1;
    static constexpr int pitch = in_bytes ? 8 : L::largest + 1;
    static constexpr int per_word = word_bits / pitch;
    static constexpr int words = (L::largest + per_word - 1) / per_word;
    static constexpr int places = words * word_bits;

    std::array<Quad, std::size_t{words}> quad;

    Quad& operator[](int i) { return quad[static_cast<std::size_t>(i)]; }
    Quad const& operator[](int i) const { return quad[static_cast<std::size_t>(i)]; }

    void operator|=(Lines const& b) {
        for_each_word([&](int i) { (*this)[i] |= b[i]; });
    }
    void operator^=(Lines const& b) {
        for_each_word([&](int i) { (*this)[i] ^= b[i]; });
    }
    bool has(int place) const { return (*this)[place / word_bits][SOUTH] >> place % word_bits & 1; }

    template <class F> static void for_each_word(F&& f) {
#pragma GCC unroll 8
        for (int i = 0; i < words; ++i) f(i);
    }

    // Computes the open places that no run reaches. A run goes up a line from just above a stop,
    // on open places only: adding one there carries to the end of the run. The result is undefined
    // on places that are not open.
    static void unreached(Quad& rest, Quad const& open, Quad const& stops) {
        if constexpr (in_bytes) {
            auto const bytes = reinterpret_cast<Bytes>(stops);
            rest = reinterpret_cast<Quad>(reinterpret_cast<Bytes>(open) + (bytes + bytes));
        } else {
            rest = open + (stops + stops);
        }
    }

    // Conversion between points and places of the copy for SOUTH.
    static constexpr int point(int place) {
        return L::point(place / word_bits * per_word + place % word_bits / pitch,
                        place % word_bits % pitch);
    }
    static constexpr int place(int point) { return place_of(L::column(point), L::row(point)); }

    // The place in the copy for SOUTH of a place in the copy for a direction.
    static int home(int direction, int place) {
        return homes[static_cast<std::size_t>(direction * places + place)];
    }

    Bits points() const {
        if constexpr (in_bytes) {
            return (*this)[0][SOUTH];
        } else {
            // Lines with the same distance in both layouts are copied together.
            constexpr int together = pitch == L::stride ? per_word : 1;
            constexpr Word mask = (Word{1} << together * pitch) - 1;
            Bits all{};
            for (int line = 0; line < L::largest; line += together) {
                Word const chunk = (*this)[line / per_word][SOUTH] >> line % per_word * pitch;
                deposit(all, chunk & mask, line * L::stride);
            }
            return all;
        }
    }

    // Calls f(home, direction, place) for all squares and directions.
    template <class F> static constexpr void for_each_square(F&& f) {
        constexpr int last = L::largest - 1;
        for (int column = 0; column <= last; ++column) {
            for (int row = 0; row <= last; ++row) {
                int const home = place_of(column, row);
                f(home, SOUTH, home);
                f(home, WEST, place_of(row, column));
                f(home, NORTH, place_of(column, last - row));
                f(home, EAST, place_of(row, last - column));
            }
        }
    }

  private:
    static constexpr int place_of(int line, int index) {
        return line / per_word * word_bits + line % per_word * pitch + index;
    }
    static void deposit(TwoWords& all, Word chunk, int offset) { all |= TwoWords{chunk} << offset; }
    static void deposit(Wide& all, Word chunk, int offset) {
        auto const i = static_cast<std::size_t>(offset / word_bits);
        TwoWords const moved = TwoWords{chunk} << offset % word_bits;
        all.word[i] |= word_of(moved, 0);
        if (i + 1 < Wide::words) all.word[i + 1] |= word_of(moved, 1);
    }
    static constexpr auto homes = [] {
        std::array<std::uint16_t, std::size_t{directions * places}> all{};
        for_each_square([&](int home, int direction, int place) {
            all[static_cast<std::size_t>(direction * places + place)] =
                static_cast<std::uint16_t>(home);
        });
        return all;
    }();
};

// For each place of the copy for SOUTH, the set of its square.
template <class L> inline constexpr auto single_squares = [] {
    using Squares = Lines<L>;
    constexpr std::size_t words = Squares::words;
    std::array<std::array<Word, Squares::directions>, Squares::places * words> word{};
    Squares::for_each_square([&](int home, int direction, int place) {
        auto const i = static_cast<std::size_t>(home * Squares::words + place / word_bits);
        word[i][static_cast<std::size_t>(direction)] = Word{1} << place % word_bits;
    });
    std::array<Squares, std::size_t{Squares::places}> all{};
    for (std::size_t i = 0; i < word.size(); ++i) {
        auto const [south, west, north, east] = word[i];
        all[i / words].quad[i % words] = typename Squares::Quad{south, west, north, east};
    }
    return all;
}();

}  // namespace patchpie
