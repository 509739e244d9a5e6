// The nodes of a search tree, and the memory they live in.
//
// A node is 16 bytes. The children of a node stand in one block, behind a block head of the
// size of a node; blocks are never freed one by one. Everything that threads share is atomic:
// counts are relaxed, a block is published by a release store of its number.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <queue>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "proof.hpp"

namespace patchpie {

using BlockNumber = std::uint32_t;
inline constexpr BlockNumber no_block = 0;
inline constexpr BlockNumber block_in_making = 1;
inline constexpr BlockNumber first_block = 2;

struct Stats {
    std::uint32_t visits = 0;
    std::uint32_t points = 0;  // the sum of what Black got: see points_a_game
};

// How likely a step is played, before anything is searched; the priors of a node's children have
// the sum of certain.
using Prior = std::uint16_t;
inline constexpr float certain = UINT16_MAX;

class Node {
  public:
    Node() = default;
    explicit Node(Step step) : step_and_facts_(step) {}

    Step step() const { return step_and_facts_.load(std::memory_order_relaxed) & step_mask; }
    Facts facts() const {
        return step_and_facts_.load(std::memory_order_relaxed) >> facts_place;
    }
    Proof proof() const { return proof_of(facts()); }
    void learn(Facts facts) {
        step_and_facts_.fetch_or(facts << facts_place, std::memory_order_relaxed);
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
        step_and_facts_.store(other.step_and_facts_.load(std::memory_order_relaxed),
                              std::memory_order_relaxed);
        return *this;
    }

  private:
    static constexpr int facts_place = 24;
    static constexpr std::uint32_t step_mask = (1U << facts_place) - 1;

    std::atomic<std::uint64_t> stats_{0};
    std::atomic<BlockNumber> block_{no_block};
    std::atomic<std::uint32_t> step_and_facts_{0};
};
static_assert(sizeof(Node) == 16);

// The children of a node. They are visited for the first time in an order that looks random: a
// stride through all of them, from anywhere.
//
// amaf   -- the number of the block with what all moves as first say, if the node has one
// judged -- whether the children have priors, which lie behind them
struct alignas(Node) Block {
    std::uint16_t count = 0;
    std::uint16_t first = 0;
    std::uint16_t stride = 1;
    std::uint16_t judged = 0;
    std::atomic<std::uint32_t> tried{0};
    std::atomic<BlockNumber> amaf{no_block};

    // An order for a random number. The strides are primes above any number of children.
    void set_order(std::uint64_t random) {
        constexpr std::array<std::uint32_t, 4> strides{2711, 3253, 4441, 6079};
        first = static_cast<std::uint16_t>(static_cast<std::uint32_t>(random >> 32) % count);
        stride = static_cast<std::uint16_t>(strides[random % strides.size()] % count);
    }

    Node* begin() { return std::launder(reinterpret_cast<Node*>(this + 1)); }
    Node& child(std::uint32_t i) { return begin()[i]; }
    // Of a child: what its prior says, or the same for all.
    double prior(Node const& child) {
        auto const i = &child - begin();
        return judged ? priors()[i] / double{certain} : 1.0 / count;
    }
    Prior* priors() { return std::launder(reinterpret_cast<Prior*>(begin() + count)); }

    // Of a block with so many children, its head included.
    static constexpr std::size_t slots(std::size_t count, bool judged) {
        std::size_t const bytes = judged ? count * sizeof(Prior) : 0;
        return 1 + count + (bytes + sizeof(Node) - 1) / sizeof(Node);
    }
    std::size_t slots() const { return slots(count, judged != 0); }

    // The child that is, or was, the n-th to be visited.
    Node& in_order(std::uint32_t n) { return child((first + n * stride) % count); }
    // Makes all children as good as visited: for a search that picks the next one by itself.
    void hand_out() { tried.store(count, std::memory_order_relaxed); }
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

    // A block for some nodes, with room for their priors or without, or null. Neither nodes nor
    // priors are made yet.
    Block* allocate(std::uint32_t count, bool judged, BlockNumber& number) {
        if (!take(Block::slots(count, judged), number)) return nullptr;
        auto* const block = new (place(number)) Block;
        block->count = static_cast<std::uint16_t>(count);
        block->judged = judged;
        return block;
    }
    // A table made of nothing, or null.
    template <class Table> Table* allocate_table(BlockNumber& number) {
        return take(Table::slots(), number) ? new (place(number)) Table : nullptr;
    }

    Block& operator[](BlockNumber number) {
        return *std::launder(reinterpret_cast<Block*>(place(number)));
    }
    template <class Table> Table& table(BlockNumber number) {
        return *std::launder(reinterpret_cast<Table*>(place(number)));
    }

    // Between searches: moves what hangs on a root together to the front, and forgets the rest;
    // returns the number of nodes. A block lies behind the block of its owner, so owners have
    // moved when their blocks do; so does the table of a block.
    template <class Table> std::size_t compact(Node& root) {
        struct Owned {
            BlockNumber number;
            Node* node;    // that has the block, or null:
            Block* owner;  // that has the table
            bool operator>(Owned const& other) const { return number > other.number; }
        };
        std::priority_queue<Owned, std::vector<Owned>, std::greater<>> waiting;
        if (root.block() >= first_block) waiting.push({root.block(), &root, nullptr});
        std::size_t end = first_block, nodes = 0;
        while (!waiting.empty()) {
            auto const [number, node, owner] = waiting.top();
            waiting.pop();
            auto const to = static_cast<BlockNumber>(end);
            if (node == nullptr) {
                move_table<Table>(number, to);
                owner->amaf.store(to, std::memory_order_relaxed);
                end += Table::slots();
                continue;
            }
            Block& block = move(number, to);
            node->set_block(to);
            for (std::uint32_t i = 0; i < block.count; ++i) {
                Node& child = block.child(i);
                if (child.block() >= first_block) waiting.push({child.block(), &child, nullptr});
            }
            BlockNumber const table = block.amaf.load(std::memory_order_relaxed);
            if (table >= first_block) waiting.push({table, nullptr, &block});
            end += block.slots();
            nodes += block.count;
        }
        used_.store(end, std::memory_order_relaxed);
        return nodes;
    }

    std::size_t slots() const { return slots_; }
    std::size_t used() const { return used_.load(std::memory_order_relaxed); }

    // By how much more a node must have been visited to get memory, as that runs out.
    std::uint32_t scarcity() const {
        std::size_t const free = slots_ - std::min(used(), slots_);
        if (free > slots_ / 2) return 1;
        return free > slots_ / 4 ? 4 : 16;
    }

  private:
    struct Free {
        void operator()(std::byte* memory) const {
            ::operator delete(memory, std::align_val_t{huge_page});
        }
    };
    // Takes some slots; whether so many are left.
    bool take(std::size_t wanted, BlockNumber& number) {
        auto const before = used_.fetch_add(wanted, std::memory_order_relaxed);
        if (before + wanted > slots_) {
            used_.fetch_sub(wanted, std::memory_order_relaxed);
            return false;
        }
        number = static_cast<BlockNumber>(before);
        return true;
    }
    std::byte* place(BlockNumber number) {
        return memory_.get() + std::size_t{number} * sizeof(Node);
    }

    // Moves a block to a lower place, over what was there.
    Block& move(BlockNumber from, BlockNumber to) {
        Block& old = (*this)[from];
        auto const [count, first, stride, judged] =
            std::array{old.count, old.first, old.stride, old.judged};
        auto const visited = old.visited();
        auto const amaf = old.amaf.load(std::memory_order_relaxed);
        auto& moved = *new (place(to)) Block;
        moved.count = count;
        moved.first = first;
        moved.stride = stride;
        moved.judged = judged;
        moved.tried.store(visited, std::memory_order_relaxed);
        moved.amaf.store(amaf, std::memory_order_relaxed);
        for (std::uint32_t i = 0; i < count && from != to; ++i) {
            Node const child(old.child(i));
            new (&moved.child(i)) Node(child);
        }
        if (judged != 0 && from != to) {
            // The nodes have been written to places before these.
            std::memmove(place(to) + priors_at(count), place(from) + priors_at(count),
                         count * sizeof(Prior));
        }
        return moved;
    }
    template <class Table> void move_table(BlockNumber from, BlockNumber to) {
        if (from == to) return;
        Table copy;
        table<Table>(from).copy_to(copy);
        copy.copy_to(*new (place(to)) Table);
    }

    static constexpr std::size_t priors_at(std::size_t count) {
        return (1 + count) * sizeof(Node);
    }

    static constexpr std::size_t huge_page = std::size_t{1} << 21;
    static constexpr std::size_t least = 1 << 10;
    static constexpr std::size_t largest = UINT32_MAX;

    std::unique_ptr<std::byte, Free> memory_;
    std::size_t slots_ = 0;
    std::atomic<std::size_t> used_{first_block};
};

}  // namespace patchpie
