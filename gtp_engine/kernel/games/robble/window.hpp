// The squares around a new stone of Robble, extracted by PEXT and put back by PDEP.
#pragma once

#if defined(__BMI2__)

#include <array>
#include <cstddef>
#include <cstdint>

#include "board/layout.hpp"

namespace patchpie {

// The squares up to two steps from a center in a straight line, in fixed bits of a word. Four bits
// tell of the four adjacent squares, or of the four behind those: west, south, north, east.
//
// Squares off the board must be neither occupied nor empty. Guard rows ensure this, because the
// word is treated as a ring. Without guard rows, a table tells which squares are on the board.
template <class L> class RobbleWindow {
  public:
    using Bits = typename L::Bits;
    static constexpr int center = 2 * L::stride;
    static constexpr Word placed = Word{1} << center;

    explicit RobbleWindow(int point) : from_((point - center) & (words_in<Bits> * word_bits - 1)) {}

    Word of(Word b) const { return rotate_right(b, from_); }
    Word of(TwoWords b) const {
        int const by = from_ % word_bits;
        Word const swapped = (word_of(b, 0) ^ word_of(b, 1)) & upper();
        Word const low = word_of(b, 0) ^ swapped, high = word_of(b, 1) ^ swapped;
        return low >> by | high << 1 << (word_bits - 1 - by);
    }

    // Toggles the squares of the window in `changed`.
    void toggle(Word& b, Word changed) const { b ^= rotate_left(changed, from_); }
    void toggle(TwoWords& b, Word changed) const {
        int const by = from_ % word_bits;
        Word const low = changed << by, high = changed >> 1 >> (word_bits - 1 - by);
        Word const swapped = (low ^ high) & upper();
        b ^= static_cast<TwoWords>(high ^ swapped) << word_bits | (low ^ swapped);
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
    static constexpr Word squares_behind = placed << 2 * L::stride | placed << 2 | placed >> 2 |
                                           placed >> 2 * L::stride;

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
