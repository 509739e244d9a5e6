// Sets of points of several boards side by side, one board in each lane of vectors.
//
// Boards of one word take one vector, boards of two words a pair. Both types support | & ^ ~, their
// assignments, and the functions below. Masks have all bits or none in each lane.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "board/layout.hpp"

namespace patchpie {

// Vectors are as wide as registers, because the compiler splits wider vectors badly.
#if defined(__AVX2__)
inline constexpr unsigned lanes_at_once = 4;
#else
inline constexpr unsigned lanes_at_once = 2;
#endif

using Lanes = Word __attribute__((vector_size(lanes_at_once * sizeof(Word))));
using LaneMask = std::int64_t __attribute__((vector_size(lanes_at_once * sizeof(Word))));
using LaneCounts = LaneMask;

// The lower and the upper words of boards of two words.
struct LanePairs {
    Lanes low{}, high{};

    LanePairs() = default;
    LanePairs(Lanes const& lower, Lanes const& upper) : low(lower), high(upper) {}

    // Not the default: GCC 12 copies pairs word by word.
    LanePairs(LanePairs const& b) : low(b.low), high(b.high) {}
    LanePairs& operator=(LanePairs const& b) {
        low = b.low;
        high = b.high;
        return *this;
    }

    LanePairs& operator|=(LanePairs const& b) { return *this = *this | b; }
    friend LanePairs operator|(LanePairs const& a, LanePairs const& b) {
        return {a.low | b.low, a.high | b.high};
    }
    friend LanePairs operator&(LanePairs const& a, LanePairs const& b) {
        return {a.low & b.low, a.high & b.high};
    }
    friend LanePairs operator^(LanePairs const& a, LanePairs const& b) {
        return {a.low ^ b.low, a.high ^ b.high};
    }
    LanePairs& operator^=(LanePairs const& b) { return *this = *this ^ b; }
    friend LanePairs operator~(LanePairs const& a) { return {~a.low, ~a.high}; }
};

template <class Bits> struct LaneSetsOf { using Type = Lanes; };
template <> struct LaneSetsOf<TwoWords> { using Type = LanePairs; };
template <class Bits> using LaneSets = typename LaneSetsOf<Bits>::Type;

// The same set in all lanes.
inline Lanes in_all_lanes(Word set) { return Lanes{} + set; }
inline LanePairs in_all_lanes(TwoWords set) {
    return {Lanes{} + word_of(set, 0), Lanes{} + word_of(set, 1)};
}

// The set of one lane.
inline Word in_lane(Lanes const& sets, unsigned lane) { return sets[lane]; }
inline TwoWords in_lane(LanePairs const& sets, unsigned lane) {
    return of_words<TwoWords>(sets.low[lane], sets.high[lane]);
}

// Sets shifted by K places, 0 < K < 64. Points that leave the words are lost.
template <int K> Lanes up(Lanes const& b) {
    if constexpr (K == 1) return b + b;  // processors add in more units than they shift in
    else return b << K;
}
template <int K> Lanes down(Lanes const& b) { return b >> K; }
template <int K> LanePairs up(LanePairs const& b) {
    return {up<K>(b.low), up<K>(b.high) | b.low >> (word_bits - K)};
}
template <int K> LanePairs down(LanePairs const& b) {
    return {down<K>(b.low) | b.high << (word_bits - K), down<K>(b.high)};
}

// The lanes whose sets are empty.
inline LaneMask none(Lanes const& sets) { return sets == 0; }
inline LaneMask none(LanePairs const& sets) { return (sets.low | sets.high) == 0; }

// The lowest point of each set; none of an empty set.
inline Lanes lowest_points(Lanes const& sets) { return sets & -sets; }
inline LanePairs lowest_points(LanePairs const& sets) {
    return {lowest_points(sets.low), lowest_points(sets.low == 0 ? sets.high : Lanes{})};
}

// The sets of `a` in the lanes of the mask, otherwise those of `b`.
inline Lanes chosen(LaneMask const& mask, Lanes const& a, Lanes const& b) { return mask ? a : b; }
inline LanePairs chosen(LaneMask const& mask, LanePairs const& a, LanePairs const& b) {
    return {mask ? a.low : b.low, mask ? a.high : b.high};
}

// The number of points in each lane (Warren, Hacker's Delight, 5-1).
inline LaneCounts count(Lanes points) {
    points -= points >> 1 & 0x5555555555555555;
    points = (points & 0x3333333333333333) + (points >> 2 & 0x3333333333333333);
    points = (points + (points >> 4)) & 0x0f0f0f0f0f0f0f0f;
    points += points >> 8;
    points += points >> 16;
    return reinterpret_cast<LaneCounts>((points + (points >> 32)) & 127);
}
inline LaneCounts count(LanePairs const& points) { return count(points.low) + count(points.high); }

inline LaneCounts greater(LaneCounts const& a, LaneCounts const& b) { return a > b ? a : b; }

// One word of each board of two words, from any point on. The two words are treated as a ring.
class LaneWindows {
  public:
    explicit LaneWindows(Lanes const& from)
        : by_(from % word_bits), upper_(-(from / word_bits & 1)) {}

    Lanes of(LanePairs const& b) const {
        Lanes const swapped = (b.low ^ b.high) & upper_;
        return (b.low ^ swapped) >> by_ | (b.high ^ swapped) << 1 << (word_bits - 1 - by_);
    }

    // Toggles the points of the windows in `changed`.
    void toggle(LanePairs& b, Lanes const& changed) const {
        Lanes const low = changed << by_, high = changed >> 1 >> (word_bits - 1 - by_);
        Lanes const swapped = (low ^ high) & upper_;
        b ^= LanePairs(low ^ swapped, high ^ swapped);
    }

  private:
    Lanes by_, upper_;  // upper_: all bits where the window begins in the upper word
};

// The moves of a layout for boards side by side.
template <class L> struct LaneMoves {
    using Bits = typename L::Bits;
    using Sets = LaneSets<Bits>;

    static Sets north(Sets const& points) {
        if constexpr (L::guarded) return up<1>(points);
        else return up<1>(points & in_all_lanes(static_cast<Bits>(~exact.top)));
    }
    static Sets south(Sets const& points) {
        if constexpr (L::guarded) return down<1>(points);
        else return down<1>(points & in_all_lanes(static_cast<Bits>(~exact.bottom)));
    }
    static Sets east(Sets const& points) { return up<L::stride>(points); }
    static Sets west(Sets const& points) { return down<L::stride>(points); }
    static Sets around(Sets const& points) {
        return north(points) | south(points) | east(points) | west(points);
    }

  private:
    static constexpr auto const& exact = L::board(L::largest);
};

// The lanes of a mask as bits of a number.
inline unsigned bits_of(LaneMask const& mask) {
#if defined(__AVX2__)
    return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(mask)));
#elif defined(__SSE2__)
    return static_cast<unsigned>(_mm_movemask_pd(reinterpret_cast<__m128d>(mask)));
#else
    unsigned bits = 0;
    for (unsigned lane = 0; lane < lanes_at_once; ++lane) bits |= unsigned{mask[lane] != 0} << lane;
    return bits;
#endif
}

}  // namespace patchpie
