// Canonical keys: 128 bits that only positions of equal value share.
//
// Keys are exact if the planes of a position fit: on boards up to 5x5, and up to 6x6 in games of
// three planes. On larger boards keys are hashes: the probability of a collision among n positions
// is about n^2 / 2^129, which is 1 in 10^20 for a billion positions.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "rules/game.hpp"

namespace patchpie {

// On boards up to 4x4, `low` holds the first four planes, and `high` the other planes and the other
// state: so `high` is 0 in most positions.
struct CanonicalKey {
    Word high = 0, low = 0;

    Word hash() const { return Rng::folded(low, high ^ 0x9e3779b97f4a7c15); }

    friend constexpr bool operator==(CanonicalKey const&, CanonicalKey const&) = default;
};

// Which positions share a key.
//
// all_images -- all symmetric images of a position, with the same or with exchanged colors; on
//               boards larger than 4x4, where a search hardly ever meets two images of a board,
//               only the position with exchanged colors
// exact      -- only identical positions
enum class Equivalence : std::uint8_t { all_images, exact };

// All planes of a board up to 4x4 in one number, so that an image of the board needs a few shifts.
//
// Each plane has 16 bits: point (column, row), both from 0, is bit 4 * column + row.
template <std::size_t n> struct PackedPlanes {
    static constexpr int largest = 4;
    static constexpr std::size_t plane_bits = largest * largest;
    static_assert(n * plane_bits <= 2 * word_bits);
    using Number = std::conditional_t<n * plane_bits <= word_bits, Word, TwoWords>;

    template <class L>
    static constexpr Number packed(std::array<typename L::Bits, n> const& planes) {
        Number all = 0;
        for (std::size_t i = n; i-- > 0;) {
            Word plane = 0;
            for (int column = 0; column < largest; ++column) {
                Word const points = word_of(planes[i], 0) >> L::point(column, 0) & 15;
                plane |= points << largest * column;
            }
            all = all << plane_bits | plane;
        }
        return all;
    }

    static constexpr Number image_of(Number b, Image image, int size) {
        int const rest = largest - size;
        if (transposes(image)) {
            b = exchanged<3>(b, 0x0a0a0a0a0a0a0a0a);
            b = exchanged<6>(b, 0x00cc00cc00cc00cc);
        }
        if (reverses_columns(image)) {
            b = exchanged<4>(b, 0x0f0f0f0f0f0f0f0f);
            b = exchanged<8>(b, 0x00ff00ff00ff00ff) >> largest * rest;
        }
        if (reverses_rows(image)) {
            b = exchanged<1>(b, 0x5555555555555555);
            b = exchanged<2>(b, 0x3333333333333333) >> rest;
        }
        return b;
    }

    template <Symmetry symmetry> static constexpr Number lowest_image(Number b, int size) {
        Number lowest = b;
#pragma GCC unroll 8
        for (int image = 1; image < 8; ++image) {
            if (!(static_cast<int>(symmetry) >> image & 1)) continue;
            lowest = std::min(lowest, image_of(b, static_cast<Image>(image), size));
        }
        return lowest;
    }

  private:
    // Exchanges each bit of the mask with the bit so many places above it (Knuth, 7.1.3).
    template <int places> static constexpr Number exchanged(Number b, Word mask) {
        Number masks = mask;
        if constexpr (sizeof(Number) > sizeof(Word)) masks |= masks << word_bits;
        Number const changed = (b ^ b >> places) & masks;
        return b ^ changed ^ changed << places;
    }
};

// Computes the canonical keys of the positions of one game and size.
template <Game G> class Canonicalizer {
  public:
    using L = typename G::Layout;
    using Bits = typename L::Bits;

    explicit Canonicalizer(Equivalence equivalence) : equivalence_(equivalence) {}

    CanonicalKey operator()(G const& position) const {
        auto planes = position.planes();
        using Packed = PackedPlanes<planes.size()>;
        Word rest = position.extra_state() << 1;
        bool turned = false;
        if (equivalence_ == Equivalence::exact) rest |= position.to_move;
        else turned = G::color_mirror != Image::same && position.to_move == WHITE;
        if (position.size <= Packed::largest) {
            auto all = Packed::template packed<L>(planes);
            if (turned) all = Packed::image_of(all, G::color_mirror, position.size);
            if (equivalence_ == Equivalence::all_images) {
                all = Packed::template lowest_image<G::symmetry>(all, position.size);
            }
            Word high = rest << (word_bits - rest_bits);
            if constexpr (sizeof(all) > sizeof(Word)) high |= word_of(all, 1);
            return {high, static_cast<Word>(all)};
        }
        if (turned) {
            for (Bits& plane : planes) plane = L::image_of(plane, G::color_mirror, position.size);
        }
        return joined(planes, position.size, rest);
    }

  private:
    static constexpr int rest_bits = 5;

    template <std::size_t n>
    static CanonicalKey joined(std::array<Bits, n> const& planes, int size, Word rest) {
        if (static_cast<int>(n) * size * size + rest_bits <= 2 * word_bits) {
            TwoWords all = rest;
            for (Bits const& plane : planes) {
                for (int column = 0; column < size; ++column) {
                    Word const points = word_of(plane, 0) >> L::point(column, 0);
                    all = all << size | (points & ((Word{1} << size) - 1));
                }
            }
            return {word_of(all, 1), word_of(all, 0)};
        }
        Key high, low;
        low.add(rest);
        for (Bits const& plane : planes) {
            high.add(plane);
            low.add(plane);
        }
        return {high.add(rest).value(), low.value()};
    }

    Equivalence equivalence_;
};

}  // namespace patchpie
