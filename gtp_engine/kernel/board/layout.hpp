// The layout of the points of a board in a bitboard. Each range of board sizes has its own layout.
//
// Point (column, row), both from 0, has the number column * stride + row. A stride larger than the
// board leaves a guard row between columns for points that move off a column. A stride equal to
// the board (8x8 in one word, 11x11 in two) has no guard row, so vertical moves mask the edge. The
// caller must intersect a moved set with the board to remove points off the board; without guard
// rows, before each further move.
#pragma once

#include "board/bits.hpp"
#include "board/symmetry.hpp"

namespace patchpie {

inline constexpr int min_size = 2;
inline constexpr int max_size = 19;
inline constexpr int vertex_stride = max_size + 1;  // of vertex numbers outside of the kernel

template <int Words, int Stride, bool Guarded, class Set = BitsFor<Words>> struct Layout {
    using Bits = Set;
    static constexpr int words = Words;
    static constexpr int stride = Stride;
    static constexpr bool guarded = Guarded;
    static constexpr int largest = Guarded ? Stride - 1 : Stride;

    static constexpr int point(int column, int row) { return column * stride + row; }
    static constexpr int column(int point) { return point / stride; }
    static constexpr int row(int point) { return point % stride; }

    // Conversion between points and the vertex numbers outside of the kernel.
    static constexpr int vertex_of(int point) { return column(point) * vertex_stride + row(point); }
    static constexpr int point_of(int vertex) {
        return (vertex / vertex_stride) * stride + vertex % vertex_stride;
    }

    struct Board {
        Bits all{}, bottom{}, top{}, left{}, right{};
    };

    // The sets of the points of a board and of its edges.
    static constexpr Board const& board(int size) { return boards[static_cast<std::size_t>(size)]; }

    static constexpr Bits north(Bits const& b) {
        if constexpr (Guarded) return up<1>(b);
        else return up<1>(b & ~exact.top);
    }
    static constexpr Bits south(Bits const& b) {
        if constexpr (Guarded) return down<1>(b);
        else return down<1>(b & ~exact.bottom);
    }
    static constexpr Bits east(Bits const& b) { return up<Stride>(b); }
    static constexpr Bits west(Bits const& b) { return down<Stride>(b); }

    // The neighbors of all points of a set.
    template <Neighbors neighbors = Neighbors::orthogonal>
    static constexpr Bits around(Bits const& b) {
        Bits const orthogonal = north(b) | south(b) | east(b) | west(b);
        if constexpr (neighbors == Neighbors::orthogonal) return orthogonal;
        else return orthogonal | north(west(b)) | south(east(b));
    }

    // The image of a set of points of a board of size x size.
    static constexpr Bits image_of(Bits b, Image image, int size) {
        if constexpr (Words == 1 && Stride == 8) {
            if (transposes(image)) b = transposed(b);
            if (reverses_rows(image)) b = rows_reversed(b) >> (Stride - size);
            if (reverses_columns(image)) b = __builtin_bswap64(b) >> Stride * (Stride - size);
            return b;
        } else {
            Bits made{};
            for (; any(b); b = without_lowest(b)) {
                int const from = lowest(b);
                Place const to = patchpie::image_of({column(from), row(from)}, image, size);
                made |= bit<Bits>(point(to.column, to.row));
            }
            return made;
        }
    }

  private:
    // Swaps the off-diagonal blocks of 1, 2 and 4 lines (Knuth, 7.1.3): columns become rows.
    static constexpr Word transposed(Word b) {
        constexpr std::array<Word, 3> masks{0x00aa00aa00aa00aa, 0x0000cccc0000cccc,
                                            0x00000000f0f0f0f0};
        int places = 7;
        for (Word const mask : masks) {
            Word const changed = (b ^ b >> places) & mask;
            b ^= changed ^ changed << places;
            places *= 2;
        }
        return b;
    }
    static constexpr Word rows_reversed(Word b) {
        b = (b >> 1 & 0x5555555555555555) | (b & 0x5555555555555555) << 1;
        b = (b >> 2 & 0x3333333333333333) | (b & 0x3333333333333333) << 2;
        return (b >> 4 & 0x0f0f0f0f0f0f0f0f) | (b & 0x0f0f0f0f0f0f0f0f) << 4;
    }
    static constexpr Board make_board(int size) {
        Board made;
        for (int i = 0; i < size; ++i) {
            made.bottom |= bit<Bits>(point(i, 0));
            made.top |= bit<Bits>(point(i, size - 1));
            made.left |= bit<Bits>(point(0, i));
            made.right |= bit<Bits>(point(size - 1, i));
            for (int j = 0; j < size; ++j) made.all |= bit<Bits>(point(i, j));
        }
        return made;
    }
    static constexpr Board exact = make_board(largest);
    static constexpr auto boards = [] {
        std::array<Board, static_cast<std::size_t>(largest) + 1> all{};
        for (int size = min_size; size <= largest; ++size) {
            all[static_cast<std::size_t>(size)] = make_board(size);
        }
        return all;
    }();
};

using UpTo7 = Layout<1, 8, true>;
using Only8 = Layout<1, 8, false>;
using UpTo10 = Layout<2, 11, true>;
using Only11 = Layout<2, 11, false>;
using UpTo19 = Layout<6, 20, true>;

// Calls f.operator()<L>() with the layout for a size, min_size to max_size.
template <class F> decltype(auto) with_layout(int size, F&& f) {
    if (size <= UpTo7::largest) return f.template operator()<UpTo7>();
    if (size <= Only8::largest) return f.template operator()<Only8>();
    if (size <= UpTo10::largest) return f.template operator()<UpTo10>();
    if (size <= Only11::largest) return f.template operator()<Only11>();
    return f.template operator()<UpTo19>();
}

// Like with_layout, but with fewer layouts: their moves are a little slower, but each layout costs
// compile time. For code that need not be fast. Points have the same numbers in both.
template <class F> decltype(auto) with_general_layout(int size, F&& f) {
    if (size <= Only8::largest) return f.template operator()<Only8>();
    if (size <= Only11::largest) return f.template operator()<Only11>();
    return f.template operator()<UpTo19>();
}

// The seed and all points of `within` connected to it (flood fill).
template <class L, Neighbors neighbors = Neighbors::orthogonal>
constexpr typename L::Bits component(typename L::Bits seed, typename L::Bits const& within) {
    for (;;) {
        auto const grown = (seed | L::template around<neighbors>(seed)) & within;
        if (grown == seed) return seed;
        seed = grown;
    }
}

}  // namespace patchpie
