// Proof numbers in the tree of a search (PN-MCTS: Kowalski et al., IEEE Transactions on Games,
// 2024).
//
// They only guide the selection. What is proven is in the score bounds.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "mcts/score_bounds.hpp"

namespace patchpie {

// For each color, the least number of leaves whose proofs would prove that the color wins. A node
// without children is one leaf.
struct ProofNumbers {
    static constexpr std::uint32_t impossible = 1'000'000'000;

    std::array<std::uint32_t, 2> to_win{1, 1};

    // The numbers of a node, given those of its children. One child is enough for the color to
    // move; the other color must win all of them. Each of the `unopened` children is one leaf.
    template <class EachChild>
    static ProofNumbers of_parent(Color to_move, std::uint32_t unopened, EachChild&& each_child) {
        std::uint32_t least = unopened > 0 ? 1 : impossible;
        std::uint64_t sum = unopened;
        each_child([&](ProofNumbers const& child) {
            least = std::min(least, child.to_win[to_move]);
            sum += child.to_win[opponent(to_move)];
        });
        ProofNumbers made;
        // 0 would say that it is proven, which only bounds can say.
        made.to_win[to_move] = std::max(least, 1U);
        made.to_win[opponent(to_move)] =
            static_cast<std::uint32_t>(std::clamp<std::uint64_t>(sum, 1, impossible));
        return made;
    }

    // These numbers, with what proven bounds say.
    ProofNumbers within(ScoreBounds bounds) const {
        ProofNumbers made = *this;
        for (Color const color : {BLACK, WHITE}) {
            if (bounds & bounds_for(opponent(color))) made.to_win[color] = impossible;
            if (wins(bounds, color)) made.to_win[color] = 0;
        }
        return made;
    }
};

}  // namespace patchpie
