// The nodes of a search tree.
//
// A node has 16 bytes. All data that threads share is atomic: counts use relaxed order, and a
// release store of the block number publishes the block of a node's children (block.hpp).
#pragma once

#include <atomic>
#include <cstdint>

#include "mcts/score_bounds.hpp"

namespace patchpie {

using BlockNumber = std::uint32_t;
inline constexpr BlockNumber no_block = 0;
inline constexpr BlockNumber block_in_making = 1;
inline constexpr BlockNumber first_block = 2;

struct Stats {
    std::uint32_t visits = 0;
    std::uint32_t points = 0;  // the sum of Black's results, in units of 1 / points_a_game
};

class Node {
  public:
    Node() = default;
    explicit Node(Step step) : step_and_bounds_(step) {}

    Step step() const { return step_and_bounds_.load(std::memory_order_relaxed) & step_mask; }
    ScoreBounds bounds() const {
        return step_and_bounds_.load(std::memory_order_relaxed) >> bounds_place;
    }
    ProvenResult proven() const { return proven_result(bounds()); }
    void learn(ScoreBounds bounds) {
        step_and_bounds_.fetch_or(bounds << bounds_place, std::memory_order_relaxed);
    }

    // One load reads visits and points, so they are always consistent.
    Stats stats() const {
        auto const packed = stats_.load(std::memory_order_relaxed);
        return {static_cast<std::uint32_t>(packed >> 32), static_cast<std::uint32_t>(packed)};
    }
    // `points` may be negative to take back points added before. The sum must never go below 0.
    void add(std::uint32_t visits, std::int32_t points, bool shared) {
        auto const change = (static_cast<std::uint64_t>(visits) << 32) +
                            static_cast<std::uint64_t>(static_cast<std::int64_t>(points));
        if (shared) {
            stats_.fetch_add(change, std::memory_order_relaxed);
        } else {
            auto const before = stats_.load(std::memory_order_relaxed);
            stats_.store(before + change, std::memory_order_relaxed);
        }
    }

    BlockNumber block() const { return block_.load(std::memory_order_acquire); }
    bool begin_block() {
        BlockNumber expected = no_block;
        return block_.compare_exchange_strong(expected, block_in_making,
                                              std::memory_order_relaxed);
    }
    void set_block(BlockNumber number) { block_.store(number, std::memory_order_release); }

    // Must not be copied during a search.
    Node(Node const& other) { *this = other; }
    Node& operator=(Node const& other) {
        stats_.store(other.stats_.load(std::memory_order_relaxed), std::memory_order_relaxed);
        block_.store(other.block(), std::memory_order_relaxed);
        step_and_bounds_.store(other.step_and_bounds_.load(std::memory_order_relaxed),
                              std::memory_order_relaxed);
        return *this;
    }

  private:
    static constexpr int bounds_place = 24;
    static constexpr std::uint32_t step_mask = (1U << bounds_place) - 1;

    std::atomic<std::uint64_t> stats_{0};
    std::atomic<BlockNumber> block_{no_block};
    std::atomic<std::uint32_t> step_and_bounds_{0};
};
static_assert(sizeof(Node) == 16);

}  // namespace patchpie
