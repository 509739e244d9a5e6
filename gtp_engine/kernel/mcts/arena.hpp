// The memory of a search tree: one fixed arena for the blocks of nodes and for AMAF tables.
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

#include "mcts/node.hpp"

namespace patchpie {

// A fixed amount of memory, allocated from the front. A full arena stops the growth of the tree,
// but the search goes on.
class Arena {
  public:
    // Reserves up to the given number of bytes. If the system refuses, it halves the request.
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
        // The search writes to the whole tree. With small pages, every third block would cause a
        // page fault.
        if (memory_) madvise(memory_.get(), slots_ * sizeof(Node), MADV_HUGEPAGE);
#endif
    }

    // Allocates a block for `count` nodes, with or without priors. Returns null if the arena is
    // full. The caller constructs the nodes and the priors.
    Block* allocate(std::uint32_t count, bool has_priors, BlockNumber& number) {
        if (!take(Block::slots(count, has_priors), number)) return nullptr;
        auto* const block = new (place(number)) Block;
        block->count = static_cast<std::uint16_t>(count);
        block->has_priors = has_priors;
        return block;
    }
    // Returns an empty table, or null if the arena is full.
    template <class Table> Table* allocate_table(BlockNumber& number) {
        return take(Table::slots(), number) ? new (place(number)) Table : nullptr;
    }

    Block& operator[](BlockNumber number) {
        return *std::launder(reinterpret_cast<Block*>(place(number)));
    }
    template <class Table> Table& table(BlockNumber number) {
        return *std::launder(reinterpret_cast<Table*>(place(number)));
    }

    // Moves the tree below a root to the front and frees the rest. Returns the number of nodes.
    // Must not run during a search. A block lies behind the block of its parent, and a table
    // behind its block, so each owner moves before what it owns.
    template <class Table> std::size_t compact(Node& root) {
        struct Owned {
            BlockNumber number;
            Node* node;    // the parent of the block; null for a table
            Block* owner;  // the block of the table; null for a block
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

    // The factor on the visits that a node needs before it gets memory. It grows with memory use.
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
    // Allocates slots. Returns false if too few are left.
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

    // Moves a block to a lower place. The two places may overlap.
    Block& move(BlockNumber from, BlockNumber to) {
        Block& old = (*this)[from];
        auto const [count, first, stride, has_priors] =
            std::array{old.count, old.first, old.stride, old.has_priors};
        auto const visited = old.visited();
        auto const amaf = old.amaf.load(std::memory_order_relaxed);
        auto& moved = *new (place(to)) Block;
        moved.count = count;
        moved.first = first;
        moved.stride = stride;
        moved.has_priors = has_priors;
        moved.tried.store(visited, std::memory_order_relaxed);
        moved.amaf.store(amaf, std::memory_order_relaxed);
        for (std::uint32_t i = 0; i < count && from != to; ++i) {
            Node const child(old.child(i));
            new (&moved.child(i)) Node(child);
        }
        if (has_priors != 0 && from != to) {
            // The moved nodes end before the old priors, so those are still intact.
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
