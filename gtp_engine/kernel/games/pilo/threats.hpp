// Threats of Pilo: inputs of its net.
//
// P11 to P15 are sentences of protocol_specs/games/pilo.md.
#pragma once

#include <span>

#include "board/bits.hpp"

namespace patchpie {

// What the stacks of a color threaten.
//
// captured  -- the stacks of the other color that a stack of this color can capture
// capturing -- the stacks of this color that can capture
// guarded   -- the stacks of this color that another one would recapture: it is one higher (P14)
// covered   -- the empty squares where a new disk of the other color could be captured
// aiming    -- the empty squares where a new disk of this color could capture
template <class L> struct PiloThreats {
    using Bits = typename L::Bits;

    Bits captured{}, capturing{}, guarded{}, covered{}, aiming{};

    // `own` and `other` hold the squares of the stacks of a color by height - 1.
    PiloThreats(std::span<Bits const> own, std::span<Bits const> other, Bits const& empty) {
        Bits open = empty;  // P15: a stack may jump over stacks of its own color
        for (Bits const& stacks : own) open |= stacks;
        for (std::size_t i = 0; i < own.size(); ++i) {
            Bits const reached = in_line(own[i], open), starts = in_line(other[i], open);
            captured |= reached & other[i];  // P13: of the same height
            capturing |= starts & own[i];
            if (i > 0) guarded |= reached & own[i - 1];
            else covered = reached & empty, aiming = starts & empty;
        }
    }

  private:
    // The squares in a straight line from some squares, across open squares up to the first one
    // that is not open, included.
    static Bits in_line(Bits const& from, Bits const& open) {
        Bits north = from, south = from, east = from, west = from, all{};
        while (any(north | south | east | west)) {
            north = L::north(north), south = L::south(south);
            east = L::east(east), west = L::west(west);
            all |= north | south | east | west;
            north &= open, south &= open, east &= open, west &= open;
        }
        return all;
    }
};

}  // namespace patchpie
