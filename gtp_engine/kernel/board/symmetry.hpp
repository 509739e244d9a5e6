// Images of a board, and the neighbors of a point: what a game declares about its board.
#pragma once

#include <cstdint>

namespace patchpie {

// The images of a board that have its value, a bit for each. The numbers of images are sums: 1 for
// rows in reverse order, 2 for columns in reverse order, 4 for both exchanged before.
//
// square     -- all eight
// edges_kept -- the four that keep the pair of edges of each color
// half_turn  -- itself and the half turn
// none       -- itself alone
enum class Symmetry : std::uint8_t {
    square = 0xff,
    edges_kept = 0x0f,
    half_turn = 0x09,
    none = 0x01
};

// The image of the board that goes with an exchange of colors, so that the other color has the same
// chances: transposed where colors own edges.
enum class ColorMirror : std::uint8_t { same, transposed };

// In which directions the neighbors of a point lie: four, or six as on a board of hexagons, where
// the upper left and the lower right one are neighbors too.
enum class Neighbors : std::uint8_t { orthogonal, hexagonal };

}  // namespace patchpie
