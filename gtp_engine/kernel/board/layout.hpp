// How the points of a board lie in a bitboard. The board size chooses the layout at compile time.
//
// Point (column, row), both from 0, has the number column * stride + row. A stride larger than the
// board leaves a guard row between columns, and what moves off a column falls into it. A stride
// equal to the board (8x8 in one word, 11x11 in two) has none, so vertical moves mask the edge.
// Intersect a moved set with the board: only its points may be kept. Without guard rows do so
// before each move.
#pragma once

#include "board/bits.hpp"
#include "board/symmetry.hpp"

namespace patchpie {

inline constexpr int min_size = 2;
inline constexpr int max_size = 19;
inline constexpr int vertex_stride = max_size + 1;  // of vertex numbers outside of the kernel

template <int Words, int Stride, bool Guarded> struct Layout {
    using Bits = BitsFor<Words>;
    static constexpr int words = Words;
    static constexpr int stride = Stride;
    static constexpr bool guarded = Guarded;
    static constexpr int largest = Guarded ? Stride - 1 : Stride;

    static constexpr int point(int column, int row) { return column * stride + row; }
    static constexpr int column(int point) { return point / stride; }
    static constexpr int row(int point) { return point % stride; }

    // The number that the vertex has outside of the kernel, and back.
    static constexpr int vertex_of(int point) { return column(point) * vertex_stride + row(point); }
    static constexpr int point_of(int vertex) {
        return (vertex / vertex_stride) * stride + vertex % vertex_stride;
    }

    struct Board {
        Bits all{}, bottom{}, top{}, left{}, right{};
    };

    // The points of a board and of its edges.
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

    // All neighbors of a set.
    template <Neighbors neighbors = Neighbors::orthogonal>
    static constexpr Bits around(Bits const& b) {
        Bits const orthogonal = north(b) | south(b) | east(b) | west(b);
        if constexpr (neighbors == Neighbors::orthogonal) return orthogonal;
        else return orthogonal | north(west(b)) | south(east(b));
    }

    // The image of a set that has columns for rows.
    static constexpr Bits transposed(Bits b) {
        if constexpr (Words == 1 && Stride == 8) {
            // Blocks of 1, 2 and 4 lines exchange their upper and lower halves (Knuth, 7.1.3).
            constexpr std::array<Word, 3> masks{0x00aa00aa00aa00aa, 0x0000cccc0000cccc,
                                                0x00000000f0f0f0f0};
            int places = 7;
            for (Word const mask : masks) {
                Word const changed = (b ^ b >> places) & mask;
                b ^= changed ^ changed << places;
                places *= 2;
            }
            return b;
        } else {
            Bits image{};
            for (; any(b); b = without_lowest(b)) {
                image |= bit<Bits>(point(row(lowest(b)), column(lowest(b))));
            }
            return image;
        }
    }

  private:
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

// The same with fewer layouts, which number points as those above do but move them a little more
// slowly: for what need not be fast, as each layout takes time to compile.
template <class F> decltype(auto) with_general_layout(int size, F&& f) {
    if (size <= Only8::largest) return f.template operator()<Only8>();
    if (size <= Only11::largest) return f.template operator()<Only11>();
    return f.template operator()<UpTo19>();
}

// All points of `within` that steps inside it reach from `seed`, `seed` included.
template <class L, Neighbors neighbors = Neighbors::orthogonal>
constexpr typename L::Bits component(typename L::Bits seed, typename L::Bits const& within) {
    for (;;) {
        auto const grown = (seed | L::template around<neighbors>(seed)) & within;
        if (grown == seed) return seed;
        seed = grown;
    }
}

}  // namespace patchpie
