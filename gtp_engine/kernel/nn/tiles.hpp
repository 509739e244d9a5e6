// Sums of products by the tiles of Intel AMX, for inference.cpp.
//
// A tile is a matrix of up to 16 rows of 64 bytes. One instruction multiplies the activations of 16
// points by the weights of 16 outputs.
#pragma once

#include <immintrin.h>

#include "nn/integer_vectors.hpp"

namespace patchpie::PATCHPIE_ISA {
namespace {

// The sums of a layer over the 3 x 3 points around each point (reach 3), or over each point alone
// (reach 1). Tiles 0 to 3 are sums, 4 and 5 activations, 6 and 7 weights.
template <int inputs, int outputs, int reach> struct TileProducts {
    static constexpr int most_points = 32, vectors = outputs / width < 2 ? 1 : 2;
    using Sums = Ints[static_cast<unsigned>(most_points)][static_cast<unsigned>(vectors)];

    // Sets the shape of the tiles, before `sum`. From then to `end` each switch of threads saves them.
    static void begin() {
        struct alignas(64) {
            unsigned char palette = 1, start_row = 0, reserved[14] = {};
            unsigned short row_bytes[16] = {};
            unsigned char rows[16] = {};
        } shape;
        for (int tile = 0; tile < 8; ++tile) {
            shape.row_bytes[tile] = tile == 4 || tile == 5 ? chunk : 64;
            shape.rows[tile] = tile < 6 ? 16 : chunk / group;
        }
        _tile_loadconfig(&shape);
    }
    static void end() { _tile_release(); }

    // Sums some points. They follow each other in memory, and `from` is the first input of the first
    // one; a row of the board has `row` inputs.
    static void sum(int points, Weight const* weights, Activation const* from, int row, Sums& out) {
        if (points > 16) sum_points<2>(weights, from, row, out);
        else sum_points<1>(weights, from, row, out);
    }

  private:
    // The inputs of `reach` points follow each other. Tiles take them in equal chunks.
    static constexpr int run = reach * inputs, chunks = (run + 63) / 64, chunk = run / chunks;
    static_assert(width == 16 && group == 4 && run % chunks == 0 && chunk % group == 0);

    template <int tiles>
    static void sum_points(Weight const* weights, Activation const* from, int row, Sums& out) {
        __asm__ volatile("" ::: "memory");  // GCC 12 does not know that tiles read memory
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
        for (int i = 0; i < reach; ++i, from += row) {
            for (int c = 0; c < run; c += chunk, weights += chunk * outputs) {
                _tile_loadd(4, from + c, inputs);
                _tile_loadd(6, weights, outputs * group);
                _tile_dpbusd(0, 4, 6);
                if constexpr (tiles == 2) {
                    _tile_loadd(5, from + c + 16 * inputs, inputs);
                    _tile_dpbusd(2, 5, 6);
                }
                if constexpr (vectors == 2) {
                    _tile_loadd(7, weights + 64, outputs * group);
                    _tile_dpbusd(1, 4, 7);
                    if constexpr (tiles == 2) _tile_dpbusd(3, 5, 7);
                }
            }
        }
        constexpr int stride = vectors * 64;
        _tile_stored(0, &out[0][0], stride);
        if constexpr (vectors == 2) _tile_stored(1, &out[0][1], stride);
        if constexpr (tiles == 2) {
            _tile_stored(2, &out[16][0], stride);
            if constexpr (vectors == 2) _tile_stored(3, &out[16][1], stride);
        }
    }
};

}  // namespace
}  // namespace patchpie::PATCHPIE_ISA
