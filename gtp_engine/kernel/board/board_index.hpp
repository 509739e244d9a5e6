// The index of a small board of stones in a table of all boards: a number in base 3.
//
// The canonical board is the symmetric image with the lowest index, of eight.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace patchpie {

// The stones of the color to move and of its opponent. Squares are numbered column by column
// without gaps, so that a set of squares of a board up to 5x5 fits in 32 bits.
struct TwoColorBoard {
    using Squares = std::uint32_t;
    Squares own, other;
    auto operator<=>(TwoColorBoard const&) const = default;
};

// An index has a digit in base 3 for each square: 0 empty, 1 own, 2 other.
class BoardIndex {
  public:
    using Number = std::uint32_t;
    using Squares = TwoColorBoard::Squares;

    static constexpr int largest = 4;
    static constexpr std::uint8_t images = 8;

    // The index of the canonical image of a board, and the number of the eight images equal to it.
    struct Canonical {
        Number number;
        std::uint8_t alike;
    };

    explicit BoardIndex(int size) : size_(size) {
        for (std::size_t own = 0; own < number_of_half.size(); ++own) {
            for (std::size_t other = 0; other < number_of_half.size(); ++other) {
                if (own & other) continue;
                TwoColorBoard const half{static_cast<Number>(own), static_cast<Number>(other)};
                Number const number = number_of_half[own] + 2 * number_of_half[other];
                halves_[number] = half;
                for (unsigned image = 0; image < images; ++image) {
                    lower_images_[number][image] = number_of_image(half, image);
                    upper_images_[number][image] = number_of_image(raised(half), image);
                }
            }
        }
    }

    static std::size_t boards(int size) { return powers[static_cast<std::size_t>(size * size)]; }

    int size() const { return size_; }
    std::size_t boards() const { return boards(size_); }
    Squares squares() const { return (Squares{1} << size_ * size_) - 1; }

    Number number(TwoColorBoard const& board) const {
        return lower(board) + half_boards * upper(board);
    }

    TwoColorBoard board(Number number) const {
        TwoColorBoard const low = halves_[number % half_boards];
        TwoColorBoard const high = raised(halves_[number / half_boards]);
        return {low.own | high.own, low.other | high.other};
    }

    Canonical canonical(TwoColorBoard const& board) const {
        Numbers const &low = lower_images_[lower(board)], &high = upper_images_[upper(board)];
        Numbers all;
        for (std::size_t i = 0; i < images; ++i) all[i] = low[i] + high[i];
        Number least = all[0];
        for (Number const each : all) least = std::min(least, each);
        auto const alike = std::count(all.begin(), all.end(), least);
        return {least, static_cast<std::uint8_t>(alike)};
    }

  private:
    using Numbers = std::array<Number, images>;

    static constexpr std::size_t half_squares = largest * largest / 2;
    static constexpr auto powers = [] {
        std::array<Number, 2 * half_squares + 1> made{1};
        for (std::size_t i = 1; i < made.size(); ++i) made[i] = 3 * made[i - 1];
        return made;
    }();
    static constexpr Number half_boards = powers[half_squares];
    static constexpr Number half_mask = (1 << half_squares) - 1;

    static constexpr auto number_of_half = [] {
        std::array<Number, half_mask + 1> made{};
        for (std::size_t squares = 1; squares < made.size(); ++squares) {
            auto const lowest = static_cast<std::size_t>(std::countr_zero(squares));
            made[squares] = made[squares & (squares - 1)] + powers[lowest];
        }
        return made;
    }();

    static Number lower(TwoColorBoard const& board) {
        return number_of_half[board.own & half_mask] +
               2 * number_of_half[board.other & half_mask];
    }
    static Number upper(TwoColorBoard const& board) {
        return number_of_half[board.own >> half_squares] +
               2 * number_of_half[board.other >> half_squares];
    }
    static TwoColorBoard raised(TwoColorBoard const& half) {
        return {half.own << half_squares, half.other << half_squares};
    }

    // The index of one of the eight images of a board. Squares off the board do not count.
    Number number_of_image(TwoColorBoard const& board, unsigned image) const {
        Number number = 0;
        for (int square = 0; square < size_ * size_; ++square) {
            int column = square / size_, row = square % size_;
            if (image & 1) column = size_ - 1 - column;
            if (image & 2) row = size_ - 1 - row;
            if (image & 4) std::swap(column, row);
            Number const power = powers[static_cast<std::size_t>(column * size_ + row)];
            number += (board.own >> square & 1) * power + (board.other >> square & 1) * 2 * power;
        }
        return number;
    }

    int size_;
    std::array<TwoColorBoard, half_boards> halves_{};
    // The parts of the indices of the eight images that the lower and the upper half contribute.
    alignas(32) std::array<Numbers, half_boards> lower_images_{}, upper_images_{};
};

}  // namespace patchpie
