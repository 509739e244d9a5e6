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

#include "mcts/block.hpp"

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

    // Allocates a block for `count` children, with `room` nodes behind it, with or without priors.
    // Returns null if the arena is full. The caller constructs the nodes and the list.
    Block* allocate(std::uint32_t count, std::uint32_t room, bool has_priors,
                    BlockNumber& number) {
        Block const wanted(count, room, has_priors);
        if (!take(wanted.slots(), number)) return nullptr;
        return new (place(number)) Block(count, room, has_priors);
    }
    // Makes nodes for all children of a block.
    void make_nodes(Block& block, Steps const& steps) {
        Node* node = block.begin();
        for (Step const step : steps) new (node++) Node(step);
        nodes_.fetch_add(block.count, std::memory_order_relaxed);
    }
    // Makes a node for the n-th child of a block with priors. All children before it have nodes,
    // and another thread may have made its node. If the node begins a chunk with a list, `edges`
    // must be in the order of that list. Returns false if the arena is full.
    bool open(Block& block, std::uint32_t n, Edges const& edges, bool shared) {
        if (shared) block.lock();
        bool const made = block.nodes() > n;
        bool const possible = made || allocate_chunk(block, n, edges);
        if (!made && possible) {
            block.open(n);
            nodes_.fetch_add(1, std::memory_order_relaxed);
        } else if (shared) {
            block.unlock();
        }
        return possible;
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

    // Moves the tree below a root to the front and frees the rest. Must not run during a visit. If
    // the tree needs more than half of the memory, or than `most_kept`, blocks of nodes with few
    // visits are freed, too: fewer than `few`, or that number doubled as often as needed.
    //
    // A block lies behind the block of its parent, and tables and chunks behind their block, so
    // each owner moves before what it owns.
    template <class Table> void compact(Node& root, std::uint32_t few) {
        std::uint32_t const least_visits = visits_that_fit<Table>(root, few);
        struct Owned {
            BlockNumber number;
            Node* node;         // the parent of the block; null for a table or chunk
            Block* owner;       // the block of the table or chunk; null for a block
            std::size_t chunk;  // its number; `Block::chunks` for a table
            bool operator>(Owned const& other) const { return number > other.number; }
        };
        std::priority_queue<Owned, std::vector<Owned>, std::greater<>> waiting;
        std::size_t end = first_block, nodes = 0;
        auto const add_blocks = [&](Node* first, std::uint32_t count) {
            for (Node* node = first; node != first + count; ++node) {
                if (node->block() < first_block) continue;
                if (node->stats().visits >= least_visits) {
                    waiting.push({node->block(), node, nullptr, 0});
                } else {
                    node->set_block(no_block);
                }
            }
        };
        add_blocks(&root, 1);
        while (!waiting.empty()) {
            auto const [number, node, owner, chunk] = waiting.top();
            waiting.pop();
            auto const to = static_cast<BlockNumber>(end);
            if (node != nullptr) {
                Block& block = move(number, to);
                node->set_block(to);
                nodes += block.nodes();
                add_blocks(block.begin(), std::min<std::uint32_t>(block.nodes(), block.room));
                for (std::size_t c = 0; block.has_chunk(c); ++c) {
                    waiting.push({number + block.chunk_distance(c), nullptr, &block, c});
                }
                BlockNumber const table = block.amaf.load(std::memory_order_relaxed);
                if (table >= first_block) waiting.push({table, nullptr, &block, Block::chunks});
                end += block.slots();
            } else if (chunk < Block::chunks) {
                std::uint32_t const made =
                    std::min(owner->nodes(), owner->chunk_end(chunk)) - Block::chunk_starts[chunk];
                move_nodes(number, to, made);
                if (owner->has_list(chunk)) {
                    move_list(*owner, chunk, number, to, owner->chunk_size(chunk));
                }
                owner->chunk_distance(chunk) = to - number_of(*owner);
                add_blocks(owner->chunk(chunk), made);
                end += owner->chunk_slots(chunk);
            } else {
                move_table<Table>(number, to);
                owner->amaf.store(to, std::memory_order_relaxed);
                end += Table::slots();
            }
        }
        used_.store(end, std::memory_order_relaxed);
        nodes_.store(nodes, std::memory_order_relaxed);
    }

    // How long `compact` takes at most on a usual machine.
    double seconds_to_compact() const {
        return static_cast<double>(slots_to_keep()) / slots_moved_in_a_second;
    }
    bool has_room(std::size_t slots) const { return used() + slots <= slots_; }
    bool is_nearly_full() const { return used() > slots_ - slots_ / 16; }

    std::size_t slots() const { return slots_; }
    // The number of nodes in memory.
    std::size_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
    std::size_t used() const { return used_.load(std::memory_order_relaxed); }

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

    // Allocates the chunk that begins with the n-th child, if one does, and fills its list. Returns
    // false if the arena is full.
    bool allocate_chunk(Block& block, std::uint32_t n, Edges const& edges) {
        std::size_t const chunk = block.chunk_from(n);
        if (chunk == Block::chunks) return true;
        BlockNumber number = no_block;
        if (!take(block.chunk_slots(chunk), number)) return false;
        block.chunk_distance(chunk) = number - number_of(block);
        if (block.has_list(chunk)) block.set_list(chunk, edges);
        return true;
    }

    // The number of visits, 0 or `few` or that number doubled as often as needed, such that the
    // blocks of all nodes with so many take at most `slots_to_keep`. The root has so many.
    template <class Table> std::uint32_t visits_that_fit(Node& root, std::uint32_t few) {
        std::uint32_t visits = 0;
        while (!fit<Table>(root, visits)) {
            std::uint32_t const more = std::max(few, 2 * visits);
            if (more > root.stats().visits) break;
            visits = more;
        }
        return visits;
    }
    template <class Table> bool fit(Node& root, std::uint32_t least_visits) {
        std::vector<Block*> waiting;
        auto const add = [&](Node const& node) {
            if (node.block() < first_block || node.stats().visits < least_visits) return;
            waiting.push_back(&(*this)[node.block()]);
        };
        std::size_t const most = slots_to_keep();
        std::size_t slots = first_block;
        add(root);
        while (!waiting.empty() && slots <= most) {
            Block& block = *waiting.back();
            waiting.pop_back();
            slots += block.slots();
            for (std::size_t c = 0; block.has_chunk(c); ++c) slots += block.chunk_slots(c);
            if (block.amaf.load(std::memory_order_relaxed) >= first_block) slots += Table::slots();
            block.each_child(block.nodes(), add);
        }
        return slots <= most;
    }

    // Moves a block to a lower place. The two places may overlap.
    Block& move(BlockNumber from, BlockNumber to) {
        Block& old = (*this)[from];
        std::uint32_t const count = old.count, room = old.room;
        bool const has_priors = old.has_priors != 0;
        std::uint16_t const first = old.first, stride = old.stride;
        auto const nodes = std::min(old.nodes(), room);
        auto const visited = static_cast<std::uint16_t>(old.visited());
        auto const amaf = old.amaf.load(std::memory_order_relaxed);
        auto& moved = *new (place(to)) Block(count, room, has_priors);
        moved.first = first;
        moved.stride = stride;
        moved.opened.store(visited, std::memory_order_relaxed);
        moved.amaf.store(amaf, std::memory_order_relaxed);
        move_nodes(from + 1, to + 1, nodes);
        if (has_priors) move_list(moved, 0, from, to, std::size_t{1} + room);
        return moved;
    }
    // Moves a list with its chunk or block, behind `nodes` nodes. The moved nodes end before the
    // old list, so it is still intact.
    void move_list(Block const& block, std::size_t list, BlockNumber from, BlockNumber to,
                   std::size_t nodes) {
        if (from == to) return;
        std::memmove(place(to) + nodes * sizeof(Node), place(from) + nodes * sizeof(Node),
                     block.slots_of_list(list) * sizeof(Node));
    }
    void move_nodes(BlockNumber from, BlockNumber to, std::uint32_t count) {
        if (from == to) return;
        auto* const old = std::launder(reinterpret_cast<Node*>(place(from)));
        auto* const moved = reinterpret_cast<Node*>(place(to));
        for (std::uint32_t i = 0; i < count; ++i) {
            Node const node(old[i]);
            new (moved + i) Node(node);
        }
    }
    template <class Table> void move_table(BlockNumber from, BlockNumber to) {
        if (from == to) return;
        Table copy;
        table<Table>(from).copy_to(copy);
        copy.copy_to(*new (place(to)) Table);
    }

    BlockNumber number_of(Block const& block) const {
        auto const* const at = reinterpret_cast<std::byte const*>(&block);
        return static_cast<BlockNumber>(
            static_cast<std::size_t>(at - memory_.get()) / sizeof(Node));
    }

    static constexpr double slots_moved_in_a_second = 12e6;
    static constexpr std::size_t most_kept = std::size_t{1} << 24;

    std::size_t slots_to_keep() const { return std::min(slots_ / 2, most_kept); }

    static constexpr std::size_t huge_page = std::size_t{1} << 21;
    static constexpr std::size_t least = 1 << 10;
    static constexpr std::size_t largest = UINT32_MAX;

    std::unique_ptr<std::byte, Free> memory_;
    std::size_t slots_ = 0;
    std::atomic<std::size_t> used_{first_block}, nodes_{0};
};

}  // namespace patchpie
