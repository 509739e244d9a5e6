// Random points of sets side by side, one set in each lane of vectors.
//
// Each lane has 16 random bits, the lowest for lane 0. The same bits choose the same points in every
// build.
#pragma once

#include <array>

#include "board/rng.hpp"
#include "board/lane_sets.hpp"

namespace patchpie {

inline constexpr int random_bits_a_lane = 16;

// The random bits of some games for one turn: the same bits for a game whatever the number of lanes.
template <unsigned games> class LaneRandom {
  public:
    explicit LaneRandom(Rng& rng) {
        for (Word& word : words_) word = rng.next();
    }
    // The bits of bundle number b, each bundle with a game in each lane.
    Word of_bundle(unsigned b) const {
        static_assert(lanes_at_once * random_bits_a_lane <= word_bits);
        unsigned const at = b * lanes_at_once * random_bits_a_lane;
        return words_[at / word_bits] >> at % word_bits;
    }
    Word of_game(unsigned game) const {
        constexpr Word mask = ~Word{0} >> (word_bits - random_bits_a_lane);
        unsigned const at = game * random_bits_a_lane;
        return (words_[at / word_bits] >> at % word_bits) & mask;
    }

  private:
    std::array<Word, games * random_bits_a_lane / word_bits> words_;
};

#if defined(__AVX2__)

// Words as vectors of bytes. No set leaves the vectors: tables with an entry for each half of a
// byte count points and find them (Mula, Kurz and Lemire, Computer Journal 2018).
class LaneBytes {
  public:
    explicit LaneBytes(Lanes const& words)
        : lower_(bytes(words) & all(15)), upper_(_mm256_srli_epi16(bytes(words), 4) & all(15)),
          in_lower_(in_half(lower_)), in_byte_(_mm256_add_epi8(in_lower_, in_half(upper_))) {}

    // The number of points in each lane.
    LaneCounts count() const { return reinterpret_cast<LaneCounts>(sum_of_bytes(in_byte_)); }

    // The number of the point with exactly `rank` lower points in its word; 64 if there is none.
    Lanes select(LaneCounts const& rank) const {
        // The byte of the point. All ranks are repeated in each byte of their lane.
        Bytes const in_all_bytes = _mm256_setr_epi64x(0, repeated(8), 0, repeated(8));
        Bytes const ranks = _mm256_shuffle_epi8(reinterpret_cast<Bytes>(rank), in_all_bytes);
        Bytes up_to = in_byte_;
        up_to = _mm256_add_epi8(up_to, _mm256_slli_epi64(up_to, 8));
        up_to = _mm256_add_epi8(up_to, _mm256_slli_epi64(up_to, 16));
        up_to = _mm256_add_epi8(up_to, _mm256_slli_epi64(up_to, 32));
        Bytes const reached = _mm256_cmpgt_epi8(up_to, ranks);  // this byte and all higher ones
        Bytes const here = _mm256_andnot_si256(_mm256_slli_epi64(reached, 8), reached);
        // The half of that byte.
        Bytes left = _mm256_sub_epi8(ranks, _mm256_sub_epi8(up_to, in_byte_));
        Bytes const is_lower = _mm256_cmpgt_epi8(in_lower_, left);
        left = _mm256_sub_epi8(left, _mm256_andnot_si256(is_lower, in_lower_));
        Bytes half = chosen(is_lower, lower_, upper_);
        // The place in that half. A shift makes bit 1 or 0 of what is left the sign of its byte.
        half = chosen(_mm256_slli_epi16(left, 6), without_two(half), half);
        Bytes place = chosen(_mm256_slli_epi16(left, 7), second(half), lowest(half));
        place = _mm256_add_epi8(place, _mm256_andnot_si256(is_lower, all(4)));
        return reinterpret_cast<Lanes>(
            sum_of_bytes(_mm256_andnot_si256(reached, all(8)) | (place & here)));
    }

  private:
    using Bytes = __m256i;

    static Bytes bytes(Lanes const& words) { return reinterpret_cast<Bytes>(words); }
    static constexpr std::int64_t repeated(std::int64_t byte) { return byte * 0x0101010101010101; }
    static Bytes all(std::int64_t byte) { return _mm256_set1_epi64x(repeated(byte)); }
    // The bytes of `a` where the sign of the mask is set, otherwise those of `b`.
    static Bytes chosen(Bytes const& mask, Bytes const& a, Bytes const& b) {
        return _mm256_blendv_epi8(b, a, mask);
    }
    static Bytes sum_of_bytes(Bytes const& b) { return _mm256_sad_epu8(b, Bytes{}); }

    // Tables: the entry of each byte below 16; in other bytes anything.
    template <class... Entries> static Bytes entry(Bytes const& of, Entries... table) {
        return _mm256_shuffle_epi8(
            _mm256_broadcastsi128_si256(_mm_setr_epi8(static_cast<char>(table)...)), of);
    }
    static Bytes in_half(Bytes const& b) {
        return entry(b, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    }
    static Bytes without_two(Bytes const& b) {  // without the two lowest points
        return entry(b, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 8, 0, 8, 8, 12);
    }
    static Bytes lowest(Bytes const& b) {
        return entry(b, 0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0);
    }
    static Bytes second(Bytes const& b) {
        return entry(b, 0, 0, 0, 1, 0, 2, 2, 1, 0, 3, 3, 1, 3, 2, 2, 1);
    }

    Bytes lower_, upper_, in_lower_, in_byte_;  // the halves of bytes, and their numbers of points
};

// Random numbers from 0 to n - 1, as Rng::scaled; 0 where n is 0. n < 2^16.
inline LaneCounts scaled(Word random, LaneCounts const& n) {
    auto const bits = _mm256_cvtepu16_epi64(_mm_cvtsi64_si128(static_cast<std::int64_t>(random)));
    auto const product = _mm256_mul_epu32(bits, reinterpret_cast<__m256i>(n));
    return reinterpret_cast<LaneCounts>(_mm256_srli_epi64(product, random_bits_a_lane));
}

// A random point of each set; none of an empty set.
inline Lanes random_points(Lanes const& sets, Word random) {
    LaneBytes const words(sets);
    Lanes const number = words.select(scaled(random, words.count()));
    auto const one = _mm256_set1_epi64x(1);  // shifted by 64 places it is gone
    return reinterpret_cast<Lanes>(_mm256_sllv_epi64(one, reinterpret_cast<__m256i>(number)));
}

// The number of a random point of each set; 0 for an empty set.
inline Lanes random_numbers(LanePairs const& sets, Word random) {
    LaneCounts const in_low = LaneBytes(sets.low).count();
    LaneCounts const in_both = in_low + LaneBytes(sets.high).count();
    LaneCounts const rank = scaled(random, in_both);
    LaneMask const is_high = rank >= in_low;
    LaneBytes const words(chosen(is_high, sets.high, sets.low));
    Lanes const number = words.select(rank - (in_low & is_high));
    LaneMask const upper = is_high & word_bits, some = in_both != 0;
    return (number + reinterpret_cast<Lanes>(upper)) & reinterpret_cast<Lanes>(some);
}

#else

// choose(set, k) for the set of each lane that is not empty, with a random k below its number of
// points; 0 for empty sets.
template <class Sets, class F> Lanes random_choice(Sets const& sets, Word random, F&& choose) {
    Lanes made{};
    for (unsigned lane = 0; lane < lanes_at_once; ++lane, random >>= random_bits_a_lane) {
        auto const set = in_lane(sets, lane);
        if (!any(set)) continue;
        constexpr Word mask = ~Word{0} >> (word_bits - random_bits_a_lane);
        made[lane] = choose(set, Rng::scaled<random_bits_a_lane>(random & mask, count(set)));
    }
    return made;
}

// A random point of each set; none of an empty set.
inline Lanes random_points(Lanes const& sets, Word random) {
    return random_choice(sets, random, [](Word set, int k) { return bit<Word>(select(set, k)); });
}

// The number of a random point of each set; 0 for an empty set.
inline Lanes random_numbers(LanePairs const& sets, Word random) {
    return random_choice(sets, random, [](TwoWords set, int k) { return Word(select(set, k)); });
}

#endif

}  // namespace patchpie
