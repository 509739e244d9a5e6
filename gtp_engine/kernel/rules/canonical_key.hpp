// Canonical keys: 128 bits that only positions of equal value share.
//
// Keys are exact if the planes of a position fit: on boards up to 5x5, and up to 6x6 in games of
// three planes. On larger boards keys are hashes: the probability of a collision among n positions
// is about n^2 / 2^129, which is 1 in 10^20 for a billion positions.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "rules/game.hpp"

namespace patchpie {

struct CanonicalKey {
    Word high = 0, low = 0;

    friend constexpr bool operator==(CanonicalKey const&, CanonicalKey const&) = default;
};

// Which positions share a key.
//
// all_images -- all symmetric images of a board, with the same or with exchanged colors
// exact      -- only identical positions
enum class Equivalence : std::uint8_t { all_images, exact };

// Finds the canonical image of a board of one word: the image with the lowest planes, compared
// from the first plane on.
template <class L, std::size_t n> class SymmetricImages {
  public:
    using Planes = std::array<Word, n>;

    static Planes lowest(Planes const& planes, int size, Symmetry symmetry) {
        auto left = static_cast<unsigned>(symmetry);
        Planes found;
        for (std::size_t i = 0; i < n; ++i) {
            if (std::has_single_bit(left)) {
                found[i] = L::image_of(planes[i], first(left), size);
                continue;
            }
            unsigned best = 0;
            found[i] = ~Word{0};
            for (unsigned rest = left; rest != 0; rest &= rest - 1) {
                Word const seen = L::image_of(planes[i], first(rest), size);
                if (seen > found[i]) continue;
                if (seen < found[i]) best = 0;
                found[i] = seen;
                best |= rest & (~rest + 1);
            }
            left = best;
        }
        return found;
    }

  private:
    // The first of some images, one bit for each.
    static Image first(unsigned images) { return static_cast<Image>(std::countr_zero(images)); }
};

// Computes the canonical keys of the positions of one game and size.
template <Game G> class Canonicalizer {
  public:
    using L = typename G::Layout;
    using Bits = typename L::Bits;

    explicit Canonicalizer(Equivalence equivalence) : equivalence_(equivalence) {}

    CanonicalKey operator()(G const& position) const {
        auto planes = position.planes();
        Word rest = position.extra_state() << 1;
        if (equivalence_ == Equivalence::exact) {
            rest |= position.to_move;
        } else if constexpr (G::color_mirror != Image::same) {
            if (position.to_move == WHITE) {
                for (Bits& plane : planes) {
                    plane = L::image_of(plane, G::color_mirror, position.size);
                }
            }
        }
        if constexpr (L::words == 1) {
            // On large, well filled boards a search hardly ever meets two images of a board, so
            // the search for the canonical image would only take time.
            int const occupied = count(planes[0] | planes[1]);
            bool const few = position.size <= max_for_images || occupied <= max_for_images;
            if (equivalence_ == Equivalence::all_images && few) {
                planes = SymmetricImages<L, planes.size()>::lowest(planes, position.size,
                                                                   G::symmetry);
            }
        }
        return joined(planes, position.size, rest);
    }

  private:
    static constexpr int max_for_images = 4;
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
