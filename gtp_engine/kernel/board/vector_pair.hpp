// Sets of points of two words in one vector register, for games that mostly compute on whole
// boards.
//
// Games that often look at single words are faster with TwoWords, because a word must leave the
// vector first. This needs SSE4.1, and GCC, because other compilers lack constant vectors.
#pragma once

#include "board/layout.hpp"

#if defined(__SSE4_1__) && defined(__GNUC__) && !defined(__clang__)

#include <smmintrin.h>

#include <array>
#include <cstddef>
#include <type_traits>

namespace patchpie {

// It has the operations of the types in bits.hpp.
struct VectorPair {
    using Words = Word __attribute__((vector_size(2 * sizeof(Word))));

    Words words{};

    constexpr VectorPair() = default;
    constexpr VectorPair(Word low, Word high) : words{low, high} {}
    constexpr explicit VectorPair(Words both) : words(both) {}

    friend bool operator==(VectorPair a, VectorPair b) { return !any(a ^ b); }

    friend constexpr VectorPair operator|(VectorPair a, VectorPair b) { return a |= b; }
    friend constexpr VectorPair operator&(VectorPair a, VectorPair b) { return a &= b; }
    friend constexpr VectorPair operator^(VectorPair a, VectorPair b) { return a ^= b; }
    friend constexpr VectorPair operator~(VectorPair a) { return VectorPair(~a.words); }
    constexpr VectorPair& operator|=(VectorPair b) {
        words |= b.words;
        return *this;
    }
    constexpr VectorPair& operator&=(VectorPair b) {
        words &= b.words;
        return *this;
    }
    constexpr VectorPair& operator^=(VectorPair b) {
        words ^= b.words;
        return *this;
    }

    friend bool any(VectorPair b) {
        return !_mm_testz_si128(reinterpret_cast<__m128i>(b.words),
                                reinterpret_cast<__m128i>(b.words));
    }
};

constexpr Word word_of(VectorPair b, int i) { return b.words[i]; }

// One load is faster than the operations that make the set.
inline constexpr auto single_points = [] {
    std::array<VectorPair, 2 * std::size_t{word_bits}> made{};
    for (std::size_t i = 0; i < word_bits; ++i) {
        made[i] = {Word{1} << i, 0};
        made[i + word_bits] = {0, Word{1} << i};
    }
    return made;
}();
template <> constexpr VectorPair bit<VectorPair>(int i) {
    return single_points[static_cast<std::size_t>(i)];
}

inline int count(VectorPair b) { return count(word_of(b, 0)) + count(word_of(b, 1)); }

inline int lowest(VectorPair b) { return lowest(of_words<TwoWords>(word_of(b, 0), word_of(b, 1))); }

inline VectorPair lowest_point(VectorPair b) {
    using Signed = std::int64_t __attribute__((vector_size(sizeof(b))));
    auto const no_low = _mm_shuffle_epi32(reinterpret_cast<__m128i>(b.words == 0), 0x44);
    auto const kept = reinterpret_cast<VectorPair::Words>(no_low | __m128i(Signed{-1, 0}));
    return VectorPair(b.words & -b.words & kept);
}

inline VectorPair without_lowest(VectorPair b) { return b ^ lowest_point(b); }

// The lower word in the place of the upper one, or the other way round, and zero beside it.
inline VectorPair::Words raised(VectorPair b) {
    return reinterpret_cast<VectorPair::Words>(
        _mm_slli_si128(reinterpret_cast<__m128i>(b.words), sizeof(Word)));
}
inline VectorPair::Words lowered(VectorPair b) {
    return reinterpret_cast<VectorPair::Words>(
        _mm_srli_si128(reinterpret_cast<__m128i>(b.words), sizeof(Word)));
}
template <int K> VectorPair up(VectorPair b) {
    return VectorPair(b.words << K | raised(b) >> (word_bits - K));
}
template <int K> VectorPair down(VectorPair b) {
    return VectorPair(b.words >> K | lowered(b) << (word_bits - K));
}

inline int select(VectorPair b, int k) {
    return select(of_words<TwoWords>(word_of(b, 0), word_of(b, 1)), k);
}

// A layout whose sets of two words are in vectors.
template <class L>
using InVectors = Layout<L::words, L::stride, L::guarded,
                         std::conditional_t<L::words == 2, VectorPair, typename L::Bits>>;

}  // namespace patchpie

#else

namespace patchpie {
template <class L> using InVectors = L;
}

#endif
