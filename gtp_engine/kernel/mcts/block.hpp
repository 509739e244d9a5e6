// The children of a node.
//
// A block without priors has a node for each child. Their first visits follow a pseudorandom
// order: a random start and a stride that is coprime to their number.
//
// A block with priors has nodes only for the first children: those that have been visited. A search
// with a net visits few children of most nodes. PUCT visits children for the first time in the
// order of their priors. So a block may list the steps and the priors of the most probable children
// only, in this order. The net evaluates the position again if the search ever needs a longer list.
//
// In memory, the first nodes come after the block, then the first list. More nodes lie in chunks of
// growing size, which are allocated when they are needed. A longer list lies behind such a chunk.
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
#include "rules/step.hpp"

namespace patchpie {

// The steps of a position with their priors.
struct Edges {
    Steps steps;
    std::array<Prior, Steps::capacity> priors;

    // Moves the most probable steps to the places `from` to `to`, in order; of equal ones, the
    // first.
    void sort(std::uint32_t from, std::uint32_t to) {
        auto const count = static_cast<std::uint32_t>(steps.count);
        for (std::uint32_t i = from; i < count; ++i) keys_[i] = key(i, priors[i]);
        for (std::uint32_t n = from; n < to; ++n) {
            std::uint32_t highest = 0;
            for (std::uint32_t i = n; i < count; ++i) highest = std::max(highest, keys_[i]);
            std::uint32_t const best = UINT16_MAX - (highest & UINT16_MAX);
            keys_[best] = key(best, priors[n]);
            std::swap(priors[n], priors[best]);
            std::swap(steps.step[n], steps.step[best]);
        }
    }

  private:
    // Of two keys, the higher one is that of the higher prior, or of the earlier place. A maximum
    // compiles to vector instructions.
    static std::uint32_t key(std::uint32_t place, Prior prior) {
        return std::uint32_t{prior} << 16 | (UINT16_MAX - place);
    }

    std::array<std::uint32_t, Steps::capacity> keys_;
};

// room         -- the number of nodes behind the block itself
// listed_first -- the number of children in the first list; 0 without priors
// opened       -- the children that have been given to a visit; with priors, those that have a
//                 node. A release store publishes them
// amaf         -- the block number of the AMAF table, if the node has one
struct alignas(Node) Block {
    Block(std::uint32_t children, std::uint32_t nodes_behind, std::uint32_t in_first_list)
        : count(static_cast<std::uint16_t>(children)),
          room(static_cast<std::uint16_t>(nodes_behind)),
          listed_first(static_cast<std::uint16_t>(in_first_list)) {}

    std::uint16_t count = 0;
    std::uint16_t room = 0;
    std::uint16_t first = 0;
    std::uint16_t stride = 1;
    std::uint16_t listed_first = 0;
    std::atomic<std::uint16_t> opened{0};
    std::atomic<BlockNumber> amaf{no_block};

    // Chunks ---------------------------------------------------------------------------------

    // The index of the first child of each chunk. The last chunk holds all further children.
    static constexpr std::array<std::uint32_t, 3> chunk_starts{2, 7, 32};
    static constexpr std::size_t chunks = chunk_starts.size();
    static constexpr std::uint32_t room_with_priors = chunk_starts[0];

    std::uint32_t chunk_end(std::size_t chunk) const {
        std::uint32_t const all = count;
        return chunk + 1 < chunks ? std::min(chunk_starts[chunk + 1], all) : all;
    }
    std::uint32_t chunk_size(std::size_t chunk) const {
        return chunk_end(chunk) - chunk_starts[chunk];
    }
    // The chunk that begins with a child; `chunks` if none does.
    std::size_t chunk_from(std::uint32_t child) const {
        auto const* const start = std::ranges::find(chunk_starts, child);
        return child < room ? chunks : static_cast<std::size_t>(start - chunk_starts.begin());
    }
    bool has_chunk(std::size_t chunk) const {
        return room < count && chunk < chunks && chunk_starts[chunk] < visited();
    }
    // The place of a chunk, in nodes from the block on.
    std::uint32_t& chunk_distance(std::size_t chunk) {
        return *at<std::uint32_t>(begin() + room, sizeof(std::uint32_t) * chunk);
    }
    Node* chunk(std::size_t chunk) {
        return std::launder(reinterpret_cast<Node*>(this) + chunk_distance(chunk));
    }

    // Lists of children with priors ----------------------------------------------------------

    // A short first list ends, like each further one but the last, with the first child of the next
    // chunk.
    static constexpr std::uint32_t short_list = chunk_starts[1] + 1;

    bool has_priors() const { return listed_first > 0; }
    // The number of children in a list. List 0 is in the block, list n behind chunk n.
    std::uint32_t listed(std::size_t list) const {
        std::uint32_t const all = count, first_list = listed_first;
        if (list == 0 || first_list == all) return first_list;
        return list + 1 < chunks ? std::min(chunk_starts[list + 1] + 1, all) : all;
    }
    bool has_list(std::size_t chunk) const { return chunk > 0 && listed(chunk - 1) < count; }
    bool needs_list(std::uint32_t child) const {
        std::size_t const chunk = chunk_from(child);
        return chunk < chunks && has_list(chunk);
    }
    // The list for a block with `nodes` nodes. It holds these children and the next one.
    std::size_t list_for(std::uint32_t nodes) const {
        std::size_t list = 0;
        while (nodes >= listed(list) && listed(list) < count) ++list;
        return list;
    }
    // The priors come first: a visit reads some of them, and seldom a step.
    Prior* priors(std::size_t list) { return at<Prior>(end_of_nodes(list), distances(list)); }
    Step* steps(std::size_t list) {
        return at<Step>(end_of_nodes(list), distances(list) + bytes_of_priors(listed(list)));
    }
    void set_list(std::size_t list, Edges const& edges) {
        std::copy_n(edges.steps.begin(), listed(list), steps(list));
        std::copy_n(edges.priors.begin(), listed(list), priors(list));
    }
    // Copies list 0 of another block, which must be as long.
    void copy_list(Block& from) {
        std::copy_n(from.steps(0), listed(0), steps(0));
        std::copy_n(from.priors(0), listed(0), priors(0));
    }
    // The prior of the i-th child, which must have a node. Without priors, all children are
    // equally likely.
    double prior(std::uint32_t i) {
        return has_priors() ? priors(list_for(visited()))[i] / double{certain} : 1.0 / count;
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
    std::uint32_t nodes() const { return has_priors() ? visited() : count; }
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

    // Makes the node of child `n`, the first one without a node, in memory that is allocated.
    void open(std::uint32_t n) {
        new (&child(n)) Node(steps(list_for(n))[n]);
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

    // The block number of the AMAF table, if that is made.
    BlockNumber table() const { return amaf.load(std::memory_order_relaxed); }
    void set_table(BlockNumber number) { amaf.store(number, std::memory_order_relaxed); }
    // The size of a block, in nodes.
    std::size_t slots() const {
        return std::size_t{1} + room + (has_priors() ? slots_of_list(0) : std::size_t{0});
    }
    std::size_t chunk_slots(std::size_t chunk) const {
        return chunk_size(chunk) + (has_list(chunk) ? slots_of_list(chunk) : std::size_t{0});
    }
    std::size_t slots_of_list(std::size_t list) const {
        std::size_t const children = listed(list);
        std::size_t const bytes =
            distances(list) + bytes_of_priors(children) + children * sizeof(Step);
        return (bytes + sizeof(Node) - 1) / sizeof(Node);
    }

  private:
    // The bytes before a list: list 0 follows the distances of the chunks.
    static constexpr std::size_t distances(std::size_t list) {
        return list == 0 ? sizeof(std::uint32_t) * chunks : 0;
    }
    static constexpr std::size_t bytes_of_priors(std::size_t count) {
        return (count + 1) / 2 * 2 * sizeof(Prior);  // so that the steps are aligned
    }
    static constexpr std::uint32_t locked = 1U << 15;
    static_assert(Steps::capacity < locked / 2, "threads may take more children than there are");

    Node* end_of_nodes(std::size_t list) {
        return list == 0 ? begin() + room : chunk(list) + chunk_size(list);
    }
    template <class Number> static Number* at(Node* place, std::size_t offset) {
        auto* const bytes = reinterpret_cast<std::byte*>(place) + offset;
        return std::launder(reinterpret_cast<Number*>(bytes));
    }
};
static_assert(sizeof(Block) == sizeof(Node));

}  // namespace patchpie
