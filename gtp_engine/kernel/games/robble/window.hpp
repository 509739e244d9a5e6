// The squares around a new stone of Robble, extracted by PEXT and put back by PDEP.
#pragma once

#if defined(__BMI2__)

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "board/layout.hpp"

namespace patchpie {

// The squares up to two steps from a center in a straight line, in fixed bits of a word. Four bits
// tell of the four adjacent squares, or of the four behind those: west, south, north, east.
//
// Squares off the board must be neither occupied nor empty. Guard rows ensure this on boards of one
// or two words, because the words are treated as a ring. On other boards a table tells which squares
// are on the board.
template <class L> class RobbleWindow {
  public:
    using Bits = typename L::Bits;
    static constexpr int center = 2 * L::stride;
    static constexpr Word placed = Word{1} << center;

    static constexpr bool needs_table = !L::guarded || L::words > 2;

    explicit RobbleWindow(int point) : from_(in_ring(point - center)) {}

    Word of(Word b) const { return rotate_right(b, from_); }
    Word of(TwoWords b) const {
        int const by = from_ % word_bits;
        Word const swapped = (word_of(b, 0) ^ word_of(b, 1)) & upper();
        Word const low = word_of(b, 0) ^ swapped, high = word_of(b, 1) ^ swapped;
        return low >> by | high << 1 << (word_bits - 1 - by);
    }

    Word of(Wide const& b) const {
        int const by = from_ % word_bits;
        Word const low = word(b, from_), high = word(b, from_ + word_bits);
        Word const near = low >> by | high << 1 << (word_bits - 1 - by);
        return (near & ~far_east) | (has(b, in_ring(from_ + 2 * center)) ? far_east : 0);
    }

    // Toggles the squares of the window in `changed`.
    void toggle(Word& b, Word changed) const { b ^= rotate_left(changed, from_); }
    void toggle(TwoWords& b, Word changed) const {
        int const by = from_ % word_bits;
        Word const low = changed << by, high = changed >> 1 >> (word_bits - 1 - by);
        Word const swapped = (low ^ high) & upper();
        b ^= of_words<TwoWords>(low ^ swapped, high ^ swapped);
    }

    void toggle(Wide& b, Word changed) const {
        int const by = from_ % word_bits, east = in_ring(from_ + 2 * center);
        Word const near = changed & ~far_east;
        word(b, from_) ^= near << by;
        word(b, from_ + word_bits) ^= near >> 1 >> (word_bits - 1 - by);
        word(b, east) ^= changed / far_east << east % word_bits;
    }

    // From the squares of a window to four bits, and back.
    static Word beside(Word window) { return _pext_u64(window, squares_beside); }
    static Word behind(Word window) { return _pext_u64(window, squares_behind); }
    static Word to_beside(Word four) { return _pdep_u64(four, squares_beside); }
    static Word to_behind(Word four) { return _pdep_u64(four, squares_behind); }

    // Which of the four squares are on the board, for layouts without guard rows.
    static Word real_beside(int point) { return real[static_cast<std::size_t>(point)] & 15; }
    static Word real_behind(int point) { return real[static_cast<std::size_t>(point)] >> 4; }

  private:
    static constexpr Word squares_beside = placed << L::stride | placed << 1 | placed >> 1 |
                                           placed >> L::stride;
    // The square two steps to the east has the last bit if it is too far for a word.
    static constexpr Word far_east = Word{1} << std::min(2 * center, word_bits - 1);
    static constexpr Word squares_behind = far_east | placed << 2 | placed >> 2 |
                                           placed >> 2 * L::stride;

    static constexpr int in_ring(int place) {
        constexpr unsigned places = L::words * word_bits;
        return static_cast<int>(static_cast<unsigned>(place + L::words * word_bits) % places);
    }
    // The word that holds a place of the ring.
    template <class B> static auto& word(B& b, int place) {
        return b.word[static_cast<std::size_t>(in_ring(place) / word_bits)];
    }

    // All bits if the window begins in the upper word, otherwise none.
    Word upper() const { return ~Word{0} * static_cast<Word>(from_ / word_bits); }

    static constexpr auto real = [] {
        constexpr int last = L::largest - 1;
        std::array<std::uint8_t, static_cast<std::size_t>(L::stride * L::stride)> made{};
        for (int point = 0; point < L::stride * L::stride; ++point) {
            int const column = L::column(point), row = L::row(point);
            made[static_cast<std::size_t>(point)] = static_cast<std::uint8_t>(
                (column > 0) | (row > 0) << 1 | (row < last) << 2 | (column < last) << 3 |
                (column > 1) << 4 | (row > 1) << 5 | (row < last - 1) << 6 |
                (column < last - 1) << 7);
        }
        return made;
    }();

    int from_;
};

}  // namespace patchpie

#endif
