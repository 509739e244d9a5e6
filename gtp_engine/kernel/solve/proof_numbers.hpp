// Proof and disproof numbers.
#pragma once

#include <cstdint>

namespace patchpie {

// Estimates of the number of positions still to decide to show that a color wins (proof), or that
// it does not win (disproof). Zero means shown.
struct ProofNumbers {
    static constexpr std::uint32_t never = (1 << 28) - 1;

    std::uint32_t proof = 1, disproof = 1;

    static constexpr ProofNumbers decided(bool won) {
        return won ? ProofNumbers{0, never} : ProofNumbers{never, 0};
    }
    // Whether a search can find them: exactly decided positions have a zero, and then `never`.
    constexpr bool possible() const {
        return (proof == 0) == (disproof == never) && (disproof == 0) == (proof == never);
    }
    constexpr bool solved() const { return proof == 0 || disproof == 0; }
    // The numbers for the other color.
    constexpr ProofNumbers turned() const { return {disproof, proof}; }
    friend constexpr bool operator==(ProofNumbers, ProofNumbers) = default;
};

}  // namespace patchpie
