// The children of a node.
//
// A block without priors has a node for each child. Their first visits follow a pseudorandom
// order: a random start and a stride that is coprime to their number.
//
// A block with priors lists the steps and the priors of all children, and has nodes only for the
// first children: those that have been visited. A search with a net visits few children of most
// nodes. PUCT visits children for the first time in the order of their priors, so the most
// probable child without a node always comes next.
//
// In memory, the nodes come after the block. With priors, the first few nodes come there, then the
// list. More nodes lie in chunks of growing size, which are allocated when they are needed.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "mcts/node.hpp"
#include "nn/prior.hpp"

namespace patchpie {

// room   -- the number of nodes behind the block itself
// opened -- the children that have been given to a visit; with priors, those that have a node. A
//           release store publishes them
// amaf   -- the block number of the AMAF table, if the node has one
struct alignas(Node) Block {
    std::uint16_t count = 0;
    std::uint16_t room = 0;
    std::uint16_t first = 0;
    std::uint16_t stride = 1;
    std::uint16_t has_priors = 0;
    std::atomic<std::uint16_t> opened{0};
    std::atomic<BlockNumber> amaf{no_block};

    // Chunks ---------------------------------------------------------------------------------

    // The index of the first child of each chunk. The last chunk holds all further children.
    static constexpr std::array<std::uint32_t, 3> chunk_starts{2, 8, 32};
    static constexpr std::size_t chunks = chunk_starts.size();
    static constexpr std::uint32_t room_with_priors = chunk_starts[0];

    std::uint32_t chunk_end(std::size_t chunk) const {
        std::uint32_t const all = count;
        return chunk + 1 < chunks ? std::min(chunk_starts[chunk + 1], all) : all;
    }
    std::uint32_t chunk_size(std::size_t chunk) const {
        return chunk_end(chunk) - chunk_starts[chunk];
    }
    bool has_chunk(std::size_t chunk) const {
        return room < count && chunk < chunks && chunk_starts[chunk] < visited();
    }
    // The place of a chunk, in nodes from the block on.
    std::uint32_t& chunk_distance(std::size_t chunk) { return list<std::uint32_t>(0)[chunk]; }
    Node* chunk(std::size_t chunk) {
        return std::launder(reinterpret_cast<Node*>(this) + chunk_distance(chunk));
    }

    // Children -------------------------------------------------------------------------------

    Node* begin() { return std::launder(reinterpret_cast<Node*>(this + 1)); }
    Node& child(std::uint32_t i) {
        if (i < room) return begin()[i];
        std::size_t in = 0;
        while (i >= chunk_end(in)) ++in;
        return chunk(in)[i - chunk_starts[in]];
    }
    // Calls each(node) for the first `n` children, which must have nodes.
    template <class F> void each_child(std::uint32_t n, F&& each) {
        std::uint32_t const here = std::min<std::uint32_t>(n, room);
        for (Node* node = begin(); node != begin() + here; ++node) each(*node);
        if (n == here) return;
        for (std::size_t c = 0; c < chunks && chunk_starts[c] < n; ++c) {
            Node* const nodes = chunk(c);
            std::uint32_t const size = std::min(chunk_end(c), n) - chunk_starts[c];
            for (std::uint32_t i = 0; i < size; ++i) each(nodes[i]);
        }
    }
    // The number of children that have nodes. They come first.
    std::uint32_t nodes() const { return has_priors ? visited() : count; }
    // The number of children that visits have been given. They come first in the order of visits.
    std::uint32_t visited() const {
        std::uint32_t const given = opened.load(std::memory_order_acquire) & ~locked;
        return std::min<std::uint32_t>(given, count);
    }
    // The n-th child in the order of first visits.
    Node& in_order(std::uint32_t n) { return child(place_in_order(n)); }
    std::uint32_t place_in_order(std::uint32_t n) const { return (first + n * stride) % count; }
    // Marks all children as visited. Each must have a node.
    void mark_all_visited() { opened.store(count, std::memory_order_relaxed); }

    // Without priors -------------------------------------------------------------------------

    // Chooses an order by a random number. Each stride is a prime above any number of children.
    void set_order(std::uint64_t random) {
        constexpr std::array<std::uint32_t, 4> strides{2711, 3253, 4441, 6079};
        first = static_cast<std::uint16_t>(static_cast<std::uint32_t>(random >> 32) % count);
        stride = static_cast<std::uint16_t>(strides[random % strides.size()] % count);
    }
    // Returns the next child that no thread has taken yet, or null.
    Node* next_child(bool shared) {
        std::uint32_t n = opened.load(std::memory_order_relaxed);
        if (n >= count) return nullptr;
        if (shared) n = opened.fetch_add(1, std::memory_order_relaxed);
        else opened.store(static_cast<std::uint16_t>(n + 1), std::memory_order_relaxed);
        return n < count ? &in_order(n) : nullptr;
    }

    // With priors ----------------------------------------------------------------------------

    // The prior of the i-th child. Without priors, all children are equally likely.
    double prior(std::uint32_t i) {
        return has_priors ? priors()[i] / double{certain} : 1.0 / count;
    }
    // The priors come first: a visit reads some of them, and nearly never a step.
    Prior* priors() { return list<Prior>(sizeof(std::uint32_t) * chunks); }
    Step* steps() { return list<Step>(sizeof(std::uint32_t) * chunks + bytes_of_priors(count)); }
    // Puts the most probable child from place `n` on at place `n`; of equal ones, the first.
    void promote(std::uint32_t n) {
        if (n >= count) return;
        Prior* const all = priors();
        Prior highest = 0;
        for (std::uint32_t i = n; i < count; ++i) highest = std::max(highest, all[i]);
        std::uint32_t best = n;
        while (all[best] != highest) ++best;
        std::swap(all[n], all[best]);
        std::swap(steps()[n], steps()[best]);
    }
    // Copies the steps and priors of another block with as many children.
    void copy_list(Block& from, bool shared) {
        if (shared) from.lock();
        std::copy_n(from.steps(), count, steps());
        std::copy_n(from.priors(), count, priors());
        if (shared) from.unlock();
    }
    // Makes the node of child `n`, the first one without a node, in memory that is allocated.
    void open(std::uint32_t n) {
        new (&child(n)) Node(steps()[n]);
        promote(n + 1);
        opened.store(static_cast<std::uint16_t>(n + 1), std::memory_order_release);  // unlocks, too
    }
    // While a thread holds the lock, no other thread opens a child.
    void lock() {
        constexpr auto bit = static_cast<std::uint16_t>(locked);
        while ((opened.fetch_or(bit, std::memory_order_acquire) & locked) != 0) {}
    }
    void unlock() {
        opened.fetch_and(static_cast<std::uint16_t>(~locked), std::memory_order_release);
    }

    // Memory ---------------------------------------------------------------------------------

    // The size of a block, in nodes.
    static constexpr std::size_t slots(std::size_t count, std::size_t room, bool has_priors) {
        constexpr std::size_t distances = sizeof(std::uint32_t) * chunks;
        std::size_t const bytes =
            has_priors ? distances + bytes_of_priors(count) + count * sizeof(Step) : 0;
        return 1 + room + (bytes + sizeof(Node) - 1) / sizeof(Node);
    }
    std::size_t slots() const { return slots(count, room, has_priors != 0); }

  private:
    static constexpr std::size_t bytes_of_priors(std::size_t count) {
        return (count + 1) / 2 * 2 * sizeof(Prior);  // so that the steps are aligned
    }
    static constexpr std::uint32_t locked = 1U << 15;
    static_assert(Steps::capacity < locked / 2, "threads may take more children than there are");

    template <class Number> Number* list(std::size_t offset) {
        auto* const bytes = reinterpret_cast<std::byte*>(begin() + room) + offset;
        return std::launder(reinterpret_cast<Number*>(bytes));
    }
};
static_assert(sizeof(Block) == sizeof(Node));

}  // namespace patchpie
