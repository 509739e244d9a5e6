// The symmetry of a board and the neighbors of a point, as each game declares them.
#pragma once

#include <cstdint>

namespace patchpie {

// The images of a board with the same value, one bit for each image. The number of an image is a
// sum: 4 for a transposition first, 1 for rows in reverse order, 2 for columns in reverse order.
//
// square     -- all eight images
// edges_kept -- the four images that keep the edges of each color
// half_turn  -- the board and its half turn
// none       -- the board only
enum class Symmetry : std::uint8_t {
    square = 0xff,
    edges_kept = 0x0f,
    half_turn = 0x09,
    none = 0x01
};

// The image of the board that keeps the value when the colors are exchanged. If colors own edges,
// the board is transposed.
enum class ColorMirror : std::uint8_t { same, transposed };

// The neighbors of a point: four orthogonal ones, or six as on a hexagonal board, which adds the
// upper left and the lower right point.
enum class Neighbors : std::uint8_t { orthogonal, hexagonal };

}  // namespace patchpie
