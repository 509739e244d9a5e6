// Bitboards of one, two or six machine words. Bit n stands for point number n (layout.hpp).
//
// One word is std::uint64_t, two are unsigned __int128, six are Wide. All three types support
// | & ^ ~ == and the functions below. No function allocates, and the number of words is known at
// compile time.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__BMI2__)
#if defined(__clang__)
#include <immintrin.h>
#else
#include <x86gprintrin.h>  // what we need of GCC's immintrin.h; it compiles ten times faster
#endif
#endif

namespace patchpie {

#if defined(__BMI2__)
// AMD's processors before Zen 3 need tens or hundreds of cycles for PDEP and PEXT, others need 3.
inline bool const fast_pdep = [] {
    __builtin_cpu_init();
    return !__builtin_cpu_is("amdfam15h") && !__builtin_cpu_is("amdfam17h");
}();
#else
inline constexpr bool fast_pdep = false;
#endif

using Word = std::uint64_t;
__extension__ typedef unsigned __int128 TwoWords;

inline constexpr int word_bits = 64;

// Six words, lowest first.
struct Wide {
    static constexpr int words = 6;
    std::array<Word, words> word;

    friend constexpr bool operator==(Wide const&, Wide const&) = default;

    friend constexpr Wide operator|(Wide a, Wide const& b) { return a |= b; }
    friend constexpr Wide operator&(Wide a, Wide const& b) { return a &= b; }
    friend constexpr Wide operator^(Wide a, Wide const& b) { return a ^= b; }
    friend constexpr Wide operator~(Wide a) {
        for (Word& each : a.word) each = ~each;
        return a;
    }
    constexpr Wide& operator|=(Wide const& b) {
        for (std::size_t i = 0; i < words; ++i) word[i] |= b.word[i];
        return *this;
    }
    constexpr Wide& operator&=(Wide const& b) {
        for (std::size_t i = 0; i < words; ++i) word[i] &= b.word[i];
        return *this;
    }
    constexpr Wide& operator^=(Wide const& b) {
        for (std::size_t i = 0; i < words; ++i) word[i] ^= b.word[i];
        return *this;
    }
};

template <int Words> struct BitsOf;
template <> struct BitsOf<1> { using type = Word; };
template <> struct BitsOf<2> { using type = TwoWords; };
template <> struct BitsOf<6> { using type = Wide; };

template <int Words> using BitsFor = typename BitsOf<Words>::type;

template <class B> inline constexpr int words_in = sizeof(B) / sizeof(Word);

// Word number i of a set.
constexpr Word word_of(Word b, int) { return b; }
constexpr Word word_of(TwoWords b, int i) { return static_cast<Word>(i == 0 ? b : b >> word_bits); }
constexpr Word word_of(Wide const& b, int i) { return b.word[static_cast<std::size_t>(i)]; }

// A word as a ring of bits, turned by 0 to 63 places. Standard libraries disagree on the sign of the
// count in std::rotr; compilers make this one instruction, too.
constexpr Word rotate_right(Word b, int by) { return b >> by | b << (-by & (word_bits - 1)); }
constexpr Word rotate_left(Word b, int by) { return b << by | b >> (-by & (word_bits - 1)); }

// A set of two words.
template <class B> constexpr B of_words(Word low, Word high) {
    if constexpr (std::is_same_v<B, TwoWords>) return static_cast<B>(high) << word_bits | low;
    else return B(low, high);
}

// The set if the condition holds, otherwise the empty set; without a branch.
template <class B> constexpr B when(bool condition, B b) {
    Word const all = Word{} - condition;
    if constexpr (words_in<B> == 1) return b & all;
    else if constexpr (words_in<B> == 2) return b & of_words<B>(all, all);
    else {
        for (Word& each : b.word) each &= all;
        return b;
    }
}

constexpr bool any(Word b) { return b != 0; }
constexpr bool any(TwoWords b) { return b != 0; }
constexpr bool any(Wide const& b) {
    Word all = 0;
    for (Word each : b.word) all |= each;
    return all != 0;
}

constexpr int count(Word b) {
#if defined(__x86_64__) && !defined(__POPCNT__)
    // Without a popcnt instruction, compilers call a library function. Parallel sums are faster.
    b -= b >> 1 & 0x5555555555555555;
    b = (b & 0x3333333333333333) + (b >> 2 & 0x3333333333333333);
    b = (b + (b >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return static_cast<int>(b * 0x0101010101010101 >> 56);
#else
    return std::popcount(b);
#endif
}
constexpr int count(TwoWords b) { return count(word_of(b, 0)) + count(word_of(b, 1)); }
constexpr int count(Wide const& b) {
    int total = 0;
    for (Word each : b.word) total += count(each);
    return total;
}

// The set that holds point number i.
template <class B> constexpr B bit(int i) {
    if constexpr (words_in<B> == 1) {
        return B{1} << i;
    } else if constexpr (words_in<B> == 2) {
        // Compilers turn a shift of two words into a branch. This has none.
        Word const one = Word{1} << (i % word_bits);
        Word const high = ~Word{0} * static_cast<Word>(i / word_bits);
        return of_words<B>(one & ~high, one & high);
    } else {
        B b{};
        b.word[static_cast<std::size_t>(i / word_bits)] = Word{1} << (i % word_bits);
        return b;
    }
}

template <class B> constexpr bool has(B const& b, int i) {
    return word_of(b, i / word_bits) >> (i % word_bits) & 1;
}
constexpr bool has(TwoWords b, int i) { return static_cast<bool>(b >> i & 1); }

// The number of the lowest point of a nonempty set.
constexpr int lowest(Word b) { return std::countr_zero(b); }
constexpr int lowest(TwoWords b) {
    Word const low = word_of(b, 0);
    return low != 0 ? std::countr_zero(low) : word_bits + std::countr_zero(word_of(b, 1));
}
constexpr int lowest(Wide const& b) {
    int i = 0;
    while (i < Wide::words - 1 && word_of(b, i) == 0) ++i;
    return i * word_bits + std::countr_zero(word_of(b, i));
}

// A nonempty set without its lowest point.
constexpr Word without_lowest(Word b) { return b & (b - 1); }
constexpr TwoWords without_lowest(TwoWords b) { return b & (b - 1); }
constexpr Wide without_lowest(Wide b) {
    std::size_t i = 0;
    while (i < Wide::words - 1 && b.word[i] == 0) ++i;
    b.word[i] &= b.word[i] - 1;
    return b;
}

// The set of the lowest point of a set; empty for the empty set.
constexpr Word lowest_point(Word b) { return b & (~b + 1); }
constexpr TwoWords lowest_point(TwoWords b) { return b & (~b + 1); }
constexpr Wide lowest_point(Wide const& b) { return any(b) ? bit<Wide>(lowest(b)) : b; }

// A set shifted by K places, 0 < K < 64. Points that leave the words are lost.
template <int K> constexpr Word up(Word b) { return b << K; }
template <int K> constexpr Word down(Word b) { return b >> K; }
template <int K> constexpr TwoWords up(TwoWords b) {
    // By single words, because the double shift instruction is slow on some processors.
    Word const low = word_of(b, 0), high = word_of(b, 1);
    Word const carried = high << K | low >> (word_bits - K);
    return of_words<TwoWords>(low << K, carried);
}
template <int K> constexpr TwoWords down(TwoWords b) {
    Word const low = word_of(b, 0), high = word_of(b, 1);
    Word const carried = low >> K | high << (word_bits - K);
    return of_words<TwoWords>(carried, high >> K);
}
template <int K> constexpr Wide up(Wide const& b) {
    Wide moved{};
    moved.word[0] = b.word[0] << K;
    for (std::size_t i = 1; i < Wide::words; ++i) {
        moved.word[i] = b.word[i] << K | b.word[i - 1] >> (word_bits - K);
    }
    return moved;
}
template <int K> constexpr Wide down(Wide const& b) {
    Wide moved{};
    for (std::size_t i = 0; i + 1 < Wide::words; ++i) {
        moved.word[i] = b.word[i] >> K | b.word[i + 1] << (word_bits - K);
    }
    moved.word[Wide::words - 1] = b.word[Wide::words - 1] >> K;
    return moved;
}

// select_in_byte[k][b]: the index of the bit of byte b with exactly k lower bits set.
inline constexpr auto select_in_byte = [] {
    std::array<std::array<std::uint8_t, 256>, 8> table{};
    for (unsigned byte = 0; byte < 256; ++byte) {
        unsigned k = 0;
        for (unsigned place = 0; place < 8; ++place) {
            if (byte >> place & 1) table[k++][byte] = static_cast<std::uint8_t>(place);
        }
    }
    return table;
}();

// `select` without PDEP. Each byte gets the number of points up to that byte (Vigna, WEA 2008).
inline int select_by_bytes(Word b, int k) {
    constexpr Word ones = 0x0101010101010101, tops = 0x8080808080808080;
    Word sums = b - (b >> 1 & 0x5555555555555555);
    sums = (sums & 0x3333333333333333) + (sums >> 2 & 0x3333333333333333);
    sums = ((sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0f) * ones;
    Word const rank = static_cast<Word>(k);
    Word const before = ((rank * ones | tops) - sums) & tops;
    int const place = static_cast<int>((before >> 7) * ones >> 56) * 8;
    auto const inside = static_cast<std::size_t>(rank - (sums << 8 >> place & 0xff));
    return place + select_in_byte[inside][b >> place & 0xff];
}

// The number of the point of a set with exactly k lower points in the set; k < count(b).
inline int select(Word b, int k) {
#if defined(__BMI2__)
    if (fast_pdep) [[likely]] return std::countr_zero(_pdep_u64(Word{1} << k, b));
#endif
    return select_by_bytes(b, k);
}
inline int select(TwoWords b, int k) {
    // No branch: the processor could not predict the word.
    Word const low = word_of(b, 0), high = word_of(b, 1);
    int const inside = count(low), beyond = -static_cast<int>(k >= inside);
    Word const word = low ^ ((low ^ high) & static_cast<Word>(std::int64_t{beyond}));
    return select(word, k - (inside & beyond)) + (word_bits & beyond);
}
inline int select(Wide const& b, int k) {
    int word = 0, before = 0;
    for (int i = 0, passed = 0; i < Wide::words - 1; ++i) {
        passed += count(word_of(b, i));
        bool const beyond = k >= passed;  // no branch, as above
        word += beyond;
        before = beyond ? passed : before;
    }
    return word * word_bits + select(word_of(b, word), k - before);
}

// The one of n sets that holds element k of all elements; k becomes its index in that set. The
// code has no branches, because the processor could not predict them.
template <int n, class F> int set_with(int& k, F&& set) {
    int found = 0, passed = 0, before = 0;
#pragma GCC unroll 8
    for (int i = 0; i < n - 1; ++i) {
        passed += count(set(i));
        bool const beyond = k >= passed;
        found += beyond;
        before = beyond ? passed : before;
    }
    k -= before;
    return found;
}

// Calls f with the number of each point of a set, in ascending order.
template <class B, class F> constexpr void for_each(B b, F&& f) {
    for (; any(b); b = without_lowest(b)) f(lowest(b));
}

}  // namespace patchpie
