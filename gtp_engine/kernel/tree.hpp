// The nodes of a search tree, and the memory they live in.
//
// A node is 16 bytes. The children of a node stand in one block, behind a block head of the
// size of a node; blocks are never freed one by one. Everything that threads share is atomic:
// counts are relaxed, a block is published by a release store of its number.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "step.hpp"

namespace patchpie {

// Results count in half points for Black, so that sums are whole numbers on every machine.
inline constexpr std::uint32_t points_a_game = 2;

enum class Proof : std::uint8_t { none, white, draw, black };  // by value for Black

constexpr Proof proof_of(Winner winner) {
    switch (winner) {
        case Winner::black: return Proof::black;
        case Winner::white: return Proof::white;
        case Winner::draw: return Proof::draw;
        case Winner::undecided: break;
    }
    return Proof::none;
}
constexpr Proof win_of(Color color) { return color == BLACK ? Proof::black : Proof::white; }

// The half points for Black of a proof that is not none.
constexpr std::uint32_t points_of(Proof proof) { return static_cast<std::uint32_t>(proof) - 1; }

using BlockNumber = std::uint32_t;
inline constexpr BlockNumber no_block = 0;
inline constexpr BlockNumber block_in_making = 1;
inline constexpr BlockNumber first_block = 2;

struct Stats {
    std::uint32_t visits = 0;
    std::uint32_t points = 0;  // the sum of the half points for Black
};

class Node {
  public:
    Node() = default;
    explicit Node(Step step) : step_and_proof_(step) {}

    Step step() const { return step_and_proof_.load(std::memory_order_relaxed) & step_mask; }
    Proof proof() const {
        return static_cast<Proof>(step_and_proof_.load(std::memory_order_relaxed) >> proof_place);
    }
    // A proof is found once or found again, never changed.
    void prove(Proof proof) {
        step_and_proof_.store(step() | static_cast<std::uint32_t>(proof) << proof_place,
                              std::memory_order_relaxed);
    }

    // Both at once, so that they always belong together.
    Stats stats() const {
        auto const packed = stats_.load(std::memory_order_relaxed);
        return {static_cast<std::uint32_t>(packed >> 32), static_cast<std::uint32_t>(packed)};
    }
    // Points may be taken away again that were added before: the sum never goes below 0.
    template <bool Shared> void add(std::uint32_t visits, std::int32_t points) {
        auto const change = (static_cast<std::uint64_t>(visits) << 32) +
                            static_cast<std::uint64_t>(static_cast<std::int64_t>(points));
        if constexpr (Shared) {
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

    // Copies are for the time in which no search runs.
    Node(Node const& other) { *this = other; }
    Node& operator=(Node const& other) {
        stats_.store(other.stats_.load(std::memory_order_relaxed), std::memory_order_relaxed);
        block_.store(other.block(), std::memory_order_relaxed);
        step_and_proof_.store(other.step_and_proof_.load(std::memory_order_relaxed),
                              std::memory_order_relaxed);
        return *this;
    }

  private:
    static constexpr int proof_place = 24;
    static constexpr std::uint32_t step_mask = (1U << proof_place) - 1;

    std::atomic<std::uint64_t> stats_{0};
    std::atomic<BlockNumber> block_{no_block};
    std::atomic<std::uint32_t> step_and_proof_{0};
};
static_assert(sizeof(Node) == 16);

// The children of a node. They are visited for the first time in an order that looks random: a
// stride through all of them, from anywhere.
struct alignas(Node) Block {
    std::uint32_t count = 0;
    std::atomic<std::uint32_t> tried{0};
    std::uint32_t first = 0;
    std::uint32_t stride = 1;

    // An order for a random number. The strides are primes above any number of children.
    void set_order(std::uint64_t random) {
        constexpr std::array<std::uint32_t, 4> strides{2711, 3253, 4441, 6079};
        first = static_cast<std::uint32_t>(random >> 32) % count;
        stride = strides[random % strides.size()] % count;
    }

    Node* begin() { return std::launder(reinterpret_cast<Node*>(this + 1)); }
    Node& child(std::uint32_t i) { return begin()[i]; }

    // The child that is, or was, the n-th to be visited.
    Node& in_order(std::uint32_t n) { return child((first + n * stride) % count); }
    std::uint32_t visited() const {
        auto const handed_out = tried.load(std::memory_order_relaxed);
        return handed_out < count ? handed_out : count;
    }
    // Hands out the next child that nobody has visited, or null.
    template <bool Shared> Node* next_child() {
        auto n = tried.load(std::memory_order_relaxed);
        if (n >= count) return nullptr;
        if constexpr (Shared) n = tried.fetch_add(1, std::memory_order_relaxed);
        else tried.store(n + 1, std::memory_order_relaxed);
        return n < count ? &in_order(n) : nullptr;
    }
};
static_assert(sizeof(Block) == sizeof(Node));

// A fixed amount of memory for blocks, given out from the front. When it is used up the tree
// stops growing; nothing fails.
class Arena {
  public:
    // Reserves up to the given number of bytes; where the system refuses, as much as it gives.
    explicit Arena(std::size_t bytes) {
        std::size_t slots = bytes / sizeof(Node);
        if (slots > largest) slots = largest;
        while (slots > least) {
            memory_.reset(static_cast<std::byte*>(
                ::operator new(slots * sizeof(Node), std::align_val_t{huge_page}, std::nothrow)));
            if (memory_) break;
            slots /= 2;
        }
        slots_ = memory_ ? slots : 0;
#if defined(__linux__)
        // A tree is written all over: with small pages every third block would be a page fault.
        if (memory_) madvise(memory_.get(), slots_ * sizeof(Node), MADV_HUGEPAGE);
#endif
    }

    // A block for some nodes, or null. The nodes are not made yet.
    Block* allocate(std::uint32_t count, BlockNumber& number) {
        std::size_t const wanted = count + std::size_t{1};
        auto const before = used_.fetch_add(wanted, std::memory_order_relaxed);
        if (before + wanted > slots_) {
            used_.fetch_sub(wanted, std::memory_order_relaxed);
            return nullptr;
        }
        number = static_cast<BlockNumber>(before);
        auto* const block = new (memory_.get() + before * sizeof(Node)) Block;
        block->count = count;
        return block;
    }

    Block& operator[](BlockNumber number) {
        return *std::launder(
            reinterpret_cast<Block*>(memory_.get() + std::size_t{number} * sizeof(Node)));
    }

    // Between searches: moves a block to a lower place, over what was there; and ends the part
    // that is in use.
    Block& move(BlockNumber from, BlockNumber to) {
        Block& old = (*this)[from];
        auto const [count, first, stride] = std::array{old.count, old.first, old.stride};
        auto const visited = old.visited();
        auto& moved = *new (memory_.get() + std::size_t{to} * sizeof(Node)) Block;
        moved.count = count;
        moved.first = first;
        moved.stride = stride;
        moved.tried.store(visited, std::memory_order_relaxed);
        for (std::uint32_t i = 0; i < count && from != to; ++i) {
            Node const child(old.child(i));
            new (&moved.child(i)) Node(child);
        }
        return moved;
    }
    void keep(std::size_t end) { used_.store(end, std::memory_order_relaxed); }

    std::size_t slots() const { return slots_; }
    std::size_t used() const { return used_.load(std::memory_order_relaxed); }

  private:
    struct Free {
        void operator()(std::byte* memory) const {
            ::operator delete(memory, std::align_val_t{huge_page});
        }
    };
    static constexpr std::size_t huge_page = std::size_t{1} << 21;
    static constexpr std::size_t least = 1 << 10;
    static constexpr std::size_t largest = UINT32_MAX;

    std::unique_ptr<std::byte, Free> memory_;
    std::size_t slots_ = 0;
    std::atomic<std::size_t> used_{first_block};
};

}  // namespace patchpie
