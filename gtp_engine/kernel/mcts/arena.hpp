// The memory of a search tree: one fixed arena for the blocks of nodes and for AMAF tables.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "board/huge_pages.hpp"
#include "mcts/block.hpp"
#include "mcts/proof_numbers.hpp"

namespace patchpie {

// The slots of an arena that are kept when the others are freed.
//
// One bit for each slot. Kept slots move to the front, in their order: the new place of a slot is
// the number of kept slots before it.
class KeptSlots {
  public:
    explicit KeptSlots(std::size_t slots) : words_(slots / 64 + 1), before_(words_.size()) {}

    void keep(std::size_t first, std::size_t count) {
        for (std::size_t slot = first; slot < first + count; ++slot) {
            words_[slot / 64] |= std::uint64_t{1} << slot % 64;
        }
    }
    bool kept(std::size_t slot) const { return words_[slot / 64] >> slot % 64 & 1; }
    // Returns the number of kept slots. Call it before `new_place`, after the last `keep`.
    std::size_t count() {
        std::size_t all = 0;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            before_[i] = all;
            all += static_cast<std::size_t>(std::popcount(words_[i]));
        }
        return all;
    }
    std::uint32_t new_place(std::size_t slot) const {
        std::uint64_t const earlier = (std::uint64_t{1} << slot % 64) - 1;
        auto const in_word = static_cast<std::size_t>(std::popcount(words_[slot / 64] & earlier));
        return static_cast<std::uint32_t>(before_[slot / 64] + in_word);
    }
    // Calls move(from, to, count) for each run of kept slots, from the front.
    template <class F> void each_run(F&& move) const {
        std::size_t to = 0;
        for (std::size_t slot = 0; slot < words_.size() * 64;) {
            std::size_t const from = slot;
            while (slot < words_.size() * 64 && kept(slot)) ++slot;
            if (slot > from) move(from, to, slot - from);
            to += slot - from;
            while (slot < words_.size() * 64 && !kept(slot)) ++slot;
        }
    }

  private:
    std::vector<std::uint64_t> words_;
    std::vector<std::size_t> before_;  // the number of kept slots before each word
};

// A fixed amount of memory, allocated from the front. A full arena stops the growth of the tree,
// but the search goes on.
class Arena {
  public:
    // Reserves up to the given number of bytes, with proof numbers for the nodes or without. If the
    // system refuses, it halves the request.
    Arena(std::size_t bytes, bool with_proof_numbers) : with_proof_numbers_(with_proof_numbers) {
        std::size_t slots = bytes / slot_bytes();
        if (slots > largest) slots = largest;
        while (slots > least) {
            memory_.reset(static_cast<std::byte*>(
                ::operator new(slots * slot_bytes(), std::align_val_t{huge_page}, std::nothrow)));
            if (memory_) break;
            slots /= 2;
        }
        slots_ = memory_ ? slots : 0;
        if (memory_) use_huge_pages(memory_.get(), slots_ * slot_bytes());
    }

    // Allocates a block for `count` children, with `room` nodes behind it and the priors of the
    // first `listed` children; 0 means without priors. Returns null if the arena is full. The
    // caller constructs the nodes and the list.
    Block* allocate(std::uint32_t count, std::uint32_t room, std::uint32_t listed,
                    BlockNumber& number) {
        Block const wanted(count, room, listed);
        if (!take(wanted.slots(), number)) return nullptr;
        return new (place(number)) Block(count, room, listed);
    }
    // Makes nodes for all children of a block.
    void make_nodes(Block& block, Steps const& steps) {
        Node* node = block.begin();
        for (Step const step : steps) {
            new (node) Node(step);
            if (with_proof_numbers_) set_proof_numbers(*node, {});
            ++node;
        }
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
            if (with_proof_numbers_) set_proof_numbers(block.child(n), {});
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

    // The proof numbers of a node in the arena, which must have been made with them. Each is read
    // and written alone, so the numbers of a node may be those of two visits.
    ProofNumbers proof_numbers(Node const& node) const {
        std::uint32_t* const at = numbers_of(node);
        return {{std::atomic_ref(at[0]).load(std::memory_order_relaxed),
                 std::atomic_ref(at[1]).load(std::memory_order_relaxed)}};
    }
    void set_proof_numbers(Node const& node, ProofNumbers const& numbers) {
        std::uint32_t* const at = numbers_of(node);
        std::atomic_ref(at[0]).store(numbers.to_win[0], std::memory_order_relaxed);
        std::atomic_ref(at[1]).store(numbers.to_win[1], std::memory_order_relaxed);
    }

    // Computes the proof numbers of a node again, from its children and its bounds.
    void update_proof_numbers(Node const& node, Color to_move) {
        ProofNumbers made;
        if (BlockNumber const number = node.block(); number >= first_block) {
            Block& block = (*this)[number];
            std::uint32_t const nodes = block.nodes();
            made = ProofNumbers::of_parent(to_move, block.count - nodes, [&](auto&& add) {
                block.each_child(nodes, [&](Node const& child) { add(proof_numbers(child)); });
            });
        }
        set_proof_numbers(node, made.within(node.bounds()));
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
    // Nodes, blocks, lists and tables are numbers, so they move as bytes.
    template <class Table> void compact(Node& root, std::uint32_t few) {
        KeptSlots slots(used());
        slots.keep(0, first_block);
        std::vector<BlockNumber> blocks;
        walk(root, visits_that_fit<Table>(root, few), [&](BlockNumber number, Block& block) {
            blocks.push_back(number);
            slots.keep(number, block.slots());
            for (std::size_t c = 0; block.has_chunk(c); ++c) {
                slots.keep(number + block.chunk_distance(c), block.chunk_slots(c));
            }
            if (block.table() >= first_block) slots.keep(block.table(), Table::slots());
            return true;
        });
        used_.store(slots.count(), std::memory_order_relaxed);
        std::size_t nodes = 0;
        auto const follow = [&](Node& node) {
            BlockNumber const number = node.block();
            if (number < first_block) return;
            node.set_block(slots.kept(number) ? slots.new_place(number) : no_block);
        };
        follow(root);
        for (BlockNumber const number : blocks) {
            Block& block = (*this)[number];
            block.each_child(block.nodes(), follow);
            nodes += block.nodes();
            for (std::size_t c = 0; block.has_chunk(c); ++c) {
                std::uint32_t& distance = block.chunk_distance(c);
                distance = slots.new_place(number + distance) - slots.new_place(number);
            }
            if (block.table() >= first_block) block.set_table(slots.new_place(block.table()));
        }
        nodes_.store(nodes, std::memory_order_relaxed);
        slots.each_run([&](std::size_t from, std::size_t to, std::size_t count) {
            std::memmove(place(to), place(from), count * sizeof(Node));
            if (with_proof_numbers_) {
                std::memmove(numbers(to), numbers(from), count * sizeof(ProofNumbers));
            }
        });
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
    std::size_t used_bytes() const { return used() * slot_bytes(); }

  private:
    struct Free {
        void operator()(std::byte* memory) const {
            ::operator delete(memory, std::align_val_t{huge_page});
        }
    };
    // Allocates slots. Returns false if too few are left; then nothing was taken, not even for a
    // moment: giving it back would take a slot from another thread.
    bool take(std::size_t wanted, BlockNumber& number) {
        auto before = used_.load(std::memory_order_relaxed);
        do {
            if (before + wanted > slots_) return false;
        } while (!used_.compare_exchange_weak(before, before + wanted, std::memory_order_relaxed));
        number = static_cast<BlockNumber>(before);
        return true;
    }
    std::byte* place(std::size_t number) const {
        return memory_.get() + number * sizeof(Node);
    }
    // The proof numbers of all slots come after the slots.
    std::uint32_t* numbers(std::size_t number) const {
        return reinterpret_cast<std::uint32_t*>(place(slots_)) + 2 * number;
    }
    std::uint32_t* numbers_of(Node const& node) const {
        auto const* const at = reinterpret_cast<std::byte const*>(&node);
        return numbers(static_cast<std::size_t>(at - memory_.get()) / sizeof(Node));
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
        std::size_t const most = slots_to_keep();
        std::size_t slots = first_block;
        walk(root, least_visits, [&](BlockNumber, Block& block) {
            slots += block.slots();
            for (std::size_t c = 0; block.has_chunk(c); ++c) slots += block.chunk_slots(c);
            if (block.table() >= first_block) slots += Table::slots();
            return slots <= most;
        });
        return slots <= most;
    }
    // Calls each(number, block) for the blocks of all nodes with so many visits, until it returns
    // false. While it looks at one block, the next ones arrive from memory.
    template <class F> void walk(Node const& root, std::uint32_t least_visits, F&& each) {
        std::vector<BlockNumber> waiting;
        auto const add = [&](Node const& node) {
            if (node.block() < first_block || node.stats().visits < least_visits) return;
            waiting.push_back(node.block());
        };
        add(root);
        std::array<BlockNumber, 16> coming{};
        for (std::size_t i = 0, idle = 0; idle < coming.size(); i = (i + 1) % coming.size()) {
            BlockNumber const number = std::exchange(coming[i], no_block);
            if (number != no_block) {
                Block& block = (*this)[number];
                if (!each(number, block)) return;
                block.each_child(block.nodes(), add);
            }
            idle = number == no_block && waiting.empty() ? idle + 1 : 0;
            if (waiting.empty()) continue;
            coming[i] = waiting.back();
            waiting.pop_back();
            __builtin_prefetch(place(coming[i]));
        }
    }

    BlockNumber number_of(Block const& block) const {
        auto const* const at = reinterpret_cast<std::byte const*>(&block);
        return static_cast<BlockNumber>(
            static_cast<std::size_t>(at - memory_.get()) / sizeof(Node));
    }

    static constexpr double slots_moved_in_a_second = 12e6;
    static constexpr std::size_t most_kept = std::size_t{1} << 24;

    std::size_t slots_to_keep() const { return std::min(slots_ / 2, most_kept); }

    static constexpr std::size_t least = 1 << 10;
    static constexpr std::size_t largest = UINT32_MAX;

    std::size_t slot_bytes() const {
        return sizeof(Node) + (with_proof_numbers_ ? sizeof(ProofNumbers) : 0);
    }

    bool with_proof_numbers_;
    std::unique_ptr<std::byte, Free> memory_;
    std::size_t slots_ = 0;
    std::atomic<std::size_t> used_{first_block}, nodes_{0};
};

}  // namespace patchpie
