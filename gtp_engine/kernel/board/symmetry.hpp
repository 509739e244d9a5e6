// The symmetry of a board and the neighbors of a point, as each game declares them.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>

namespace patchpie {

// An image of a board: one of its eight rotations and reflections. Its number is a sum: 4 for a
// transposition first, 1 for rows in reverse order, 2 for columns in reverse order. Image{5} is a
// quarter turn.
enum class Image : std::uint8_t {
    same = 0,
    rows_reversed = 1,
    columns_reversed = 2,
    half_turn = 3,
    transposed = 4
};

constexpr bool transposes(Image image) { return static_cast<int>(image) & 4; }
constexpr bool reverses_columns(Image image) { return static_cast<int>(image) & 2; }
constexpr bool reverses_rows(Image image) { return static_cast<int>(image) & 1; }

// The images of a board with the same value, one bit for each image: a group. Any other group is
// written as `Symmetry{bits}`.
//
// square     -- all eight images
// edges_kept -- the four images that keep the edges of each color
// diagonals  -- the board, its reflections on both diagonals, and its half turn
// diagonal   -- the board and its reflection on the diagonal of A1
// left_right -- the board and its reflection with columns in reverse order
// half_turn  -- the board and its half turn
// none       -- the board only
enum class Symmetry : std::uint8_t {
    square = 0xff,
    edges_kept = 0x0f,
    diagonals = 0x99,
    diagonal = 0x11,
    left_right = 0x05,
    half_turn = 0x09,
    none = 0x01
};

// An image of a symmetry, by a random number.
constexpr Image random_image(Symmetry symmetry, std::uint64_t random) {
    auto const images = static_cast<unsigned>(symmetry);
    int nth = static_cast<int>(random % static_cast<unsigned>(std::popcount(images)));
    int image = 0;
    while (!(images >> image & 1) || nth-- > 0) ++image;
    return static_cast<Image>(image);
}

// The neighbors of a point: four orthogonal ones, or six as on a hexagonal board, which adds the
// upper left and the lower right point.
enum class Neighbors : std::uint8_t { orthogonal, hexagonal };

struct Place {
    int column, row;
};

// The image of a place on a board of size x size.
constexpr Place image_of(Place at, Image image, int size) {
    if (transposes(image)) std::swap(at.column, at.row);
    if (reverses_columns(image)) at.column = size - 1 - at.column;
    if (reverses_rows(image)) at.row = size - 1 - at.row;
    return at;
}

}  // namespace patchpie
