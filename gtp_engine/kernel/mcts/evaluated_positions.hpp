// The positions that a search thread has evaluated.
//
// Steps in other orders often lead to the same position: about a tenth of all evaluations of Implo
// 8 and Boloa 9 would repeat an earlier one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "mcts/node.hpp"

namespace patchpie {

// block -- lists the steps of the position and their priors
// value -- Black's probability to win, or no_value where the net gives only priors
struct EvaluatedPosition {
    static constexpr float no_value = -1;

    std::uint64_t key = 0;
    BlockNumber block = no_block;
    float value = no_value;
};

// A hash table that grows with the number of positions, up to 4 MiB. A newer position replaces an
// older one in the same place.
class EvaluatedPositions {
  public:
    // The position with a key, or null.
    EvaluatedPosition const* find(std::uint64_t key) const {
        EvaluatedPosition const& found = table_[place(key)];
        return found.block != no_block && found.key == key ? &found : nullptr;
    }
    void add(EvaluatedPosition const& position) {
        if (++added_ > table_.size() / 2 && table_.size() < most_places) grow();
        table_[place(position.key)] = position;
    }

  private:
    static constexpr std::size_t fewest_places = 1 << 10, most_places = 1 << 18;

    std::size_t place(std::uint64_t key) const { return key % table_.size(); }
    void grow() {
        std::vector<EvaluatedPosition> const before = std::exchange(
            table_, std::vector<EvaluatedPosition>(4 * table_.size()));
        for (EvaluatedPosition const& position : before) {
            if (position.block != no_block) table_[place(position.key)] = position;
        }
    }

    std::vector<EvaluatedPosition> table_ = std::vector<EvaluatedPosition>(fewest_places);
    std::size_t added_ = 0;
};

}  // namespace patchpie
