// The nodes of a search tree.
//
// A node has 16 bytes. One block holds all children of a node behind a header of the size of a
// node. Blocks are never freed one by one. All data that threads share is atomic: counts use
// relaxed order, and a release store of the block number publishes a block.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "mcts/score_bounds.hpp"
#include "nn/prior.hpp"

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

// The children of a node. Their first visits follow a pseudorandom order: a random start and a
// stride that is coprime to their number.
//
// amaf       -- the block number of the AMAF table, if the node has one
// has_priors -- whether the priors of the children lie behind them
struct alignas(Node) Block {
    std::uint16_t count = 0;
    std::uint16_t first = 0;
    std::uint16_t stride = 1;
    std::uint16_t has_priors = 0;
    std::atomic<std::uint32_t> tried{0};
    std::atomic<BlockNumber> amaf{no_block};

    // Chooses an order by a random number. Each stride is a prime above any number of children.
    void set_order(std::uint64_t random) {
        constexpr std::array<std::uint32_t, 4> strides{2711, 3253, 4441, 6079};
        first = static_cast<std::uint16_t>(static_cast<std::uint32_t>(random >> 32) % count);
        stride = static_cast<std::uint16_t>(strides[random % strides.size()] % count);
    }

    Node* begin() { return std::launder(reinterpret_cast<Node*>(this + 1)); }
    Node& child(std::uint32_t i) { return begin()[i]; }
    // The prior of a child. Without priors, all children are equally likely.
    double prior(Node const& child) {
        auto const i = &child - begin();
        return has_priors ? priors()[i] / double{certain} : 1.0 / count;
    }
    Prior* priors() { return std::launder(reinterpret_cast<Prior*>(begin() + count)); }

    // The number of slots of a block with `count` children, including its header.
    static constexpr std::size_t slots(std::size_t count, bool has_priors) {
        std::size_t const bytes = has_priors ? count * sizeof(Prior) : 0;
        return 1 + count + (bytes + sizeof(Node) - 1) / sizeof(Node);
    }
    std::size_t slots() const { return slots(count, has_priors != 0); }

    // The n-th child in the order of first visits.
    Node& in_order(std::uint32_t n) { return child((first + n * stride) % count); }
    // Marks all children as visited, for a selection that does not need an order of first visits.
    void mark_all_visited() { tried.store(count, std::memory_order_relaxed); }
    std::uint32_t visited() const {
        auto const given_out = tried.load(std::memory_order_relaxed);
        return given_out < count ? given_out : count;
    }
    // Returns the next child that no thread has taken yet, or null.
    Node* next_child(bool shared) {
        auto n = tried.load(std::memory_order_relaxed);
        if (n >= count) return nullptr;
        if (shared) n = tried.fetch_add(1, std::memory_order_relaxed);
        else tried.store(n + 1, std::memory_order_relaxed);
        return n < count ? &in_order(n) : nullptr;
    }
};
static_assert(sizeof(Block) == sizeof(Node));

}  // namespace patchpie
