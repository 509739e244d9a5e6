// AMAF statistics (all moves as first) for GRAVE (Cazenave, IJCAI 2015).
//
// For each step, the AMAF table of a node counts the visits through that node in which the step
// was played at any later time. The index of a step is its color, kind and first point. Only nodes
// with many visits have an AMAF table. The tables lie in the arena of the tree.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "mcts/node.hpp"

namespace patchpie {

template <class G> struct AmafIndex {
    using L = typename G::Layout;
    static constexpr std::size_t points = std::size_t{L::largest} * L::stride;
    static constexpr std::size_t kinds = std::size_t{G::kinds};
    static constexpr std::size_t count = 2 * kinds * points;

    static std::size_t number(Color color, Step step) {
        std::size_t const kind = color * kinds + static_cast<std::size_t>(kind_of(step));
        return kind * points + static_cast<std::size_t>(first_of(step));
    }
};

// The steps of one visit: first those of the playout, then those of the tree from leaf to root. It
// keeps the first step at each point only, because later steps there meet a different board.
template <class G> class VisitSteps {
  public:
    void clear() {
        ++visit_;
        count_ = 0;
    }
    // Adds the next step of the playout.
    void add_playout_step(Color color, Step step) {
        Mark& mark = marks_[static_cast<std::size_t>(first_of(step))];
        if (mark.visit == visit_) return;
        mark = {visit_, count_};
        numbers_[count_++] = static_cast<std::uint16_t>(AmafIndex<G>::number(color, step));
    }
    // Adds a step that was played before all steps added so far.
    void add_tree_step(Color color, Step step) {
        Mark& mark = marks_[static_cast<std::size_t>(first_of(step))];
        if (mark.visit != visit_) mark = {visit_, count_++};
        numbers_[mark.place] = static_cast<std::uint16_t>(AmafIndex<G>::number(color, step));
    }
    std::uint16_t const* begin() const { return numbers_.data(); }
    std::uint16_t const* end() const { return numbers_.data() + count_; }

  private:
    struct Mark {
        std::uint32_t visit = 0, place = 0;
    };
    static_assert(AmafIndex<G>::count <= UINT16_MAX);
    std::array<Mark, AmafIndex<G>::points> marks_{};
    std::array<std::uint16_t, AmafIndex<G>::points> numbers_;
    std::uint32_t visit_ = 0, count_ = 0;
};

// Adds the steps of a playout to those of a visit.
template <class G> struct AmafTrace {
    VisitSteps<G>* visit;
    void operator()(Color color, Step step) { visit->add_playout_step(color, step); }
};

// For each step, the number of games with that step and Black's score in them, in half games.
// Threads may overwrite each other's additions; AMAF values are only hints, so lost updates are
// harmless.
template <class G> class alignas(Node) AmafTable {
  public:
    static constexpr std::size_t slots() {
        return (sizeof(AmafTable) + sizeof(Node) - 1) / sizeof(Node);
    }

    std::uint32_t games() const { return games_.load(std::memory_order_relaxed); }

    Stats of(Color color, Step step) const {
        std::uint32_t const packed =
            plays_[AmafIndex<G>::number(color, step)].load(std::memory_order_relaxed);
        return {packed >> 16, (packed & 0xffff) * half_a_game};
    }

    // A table with more than `all_of` games records only one game in `one_in`, to save time.
    void add(VisitSteps<G> const& amaf_steps, std::uint32_t points) {
        std::uint32_t const games = games_.load(std::memory_order_relaxed);
        games_.store(games + 1, std::memory_order_relaxed);
        if (games > all_of && games % one_in != 0) return;
        std::uint32_t const change = (1U << 16) + points / half_a_game;
        for (std::uint16_t const number : amaf_steps) {
            std::uint32_t packed = plays_[number].load(std::memory_order_relaxed);
            if (packed >= full) packed = packed >> 1 & 0x7fff7fff;
            plays_[number].store(packed + change, std::memory_order_relaxed);
        }
    }

  private:
    static constexpr std::uint32_t all_of = 4096, one_in = 8;
    static constexpr std::uint32_t full = 0x7fff0000;  // the points fit in 16 bits

    std::atomic<std::uint32_t> games_{0};
    std::array<std::atomic<std::uint32_t>, AmafIndex<G>::count> plays_{};
};

}  // namespace patchpie
