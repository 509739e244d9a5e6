// What the games through a node say about a step, whenever it was played in them: all moves as
// first (AMAF), as GRAVE uses it (Cazenave, IJCAI 2015).
//
// Steps go by color, kind and first point. Only nodes with many visits have a table of their own;
// it lies in the tree's memory.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tree.hpp"

namespace patchpie {

template <class G> struct Plays {
    using L = typename G::Layout;
    static constexpr std::size_t points = std::size_t{L::largest} * L::stride;
    static constexpr std::size_t kinds = std::size_t{G::kinds};
    static constexpr std::size_t count = 2 * kinds * points;

    static std::size_t number(Color color, Step step) {
        std::size_t const kind = color * kinds + static_cast<std::size_t>(kind_of(step));
        return kind * points + static_cast<std::size_t>(first_of(step));
    }
};

// The plays of one visit, from the end of the tree on and then back to the root: for each point the
// first play there, as later ones find another board.
template <class G> class Heard {
  public:
    void clear() {
        ++visit_;
        count_ = 0;
    }
    // The next play of the playout.
    void later(Color color, Step step) {
        Mark& mark = marks_[static_cast<std::size_t>(first_of(step))];
        if (mark.visit == visit_) return;
        mark = {visit_, count_};
        numbers_[count_++] = static_cast<std::uint16_t>(Plays<G>::number(color, step));
    }
    // A play before all that were heard.
    void earlier(Color color, Step step) {
        Mark& mark = marks_[static_cast<std::size_t>(first_of(step))];
        if (mark.visit != visit_) mark = {visit_, count_++};
        numbers_[mark.place] = static_cast<std::uint16_t>(Plays<G>::number(color, step));
    }
    std::uint16_t const* begin() const { return numbers_.data(); }
    std::uint16_t const* end() const { return numbers_.data() + count_; }

  private:
    struct Mark {
        std::uint32_t visit = 0, place = 0;
    };
    static_assert(Plays<G>::count <= UINT16_MAX);
    std::array<Mark, Plays<G>::points> marks_{};
    std::array<std::uint16_t, Plays<G>::points> numbers_;
    std::uint32_t visit_ = 0, count_ = 0;
};

// For each play the games with it and the halves of a game that Black got. Threads may lose a game of one
// another, which does no harm: these are hints.
template <class G> class alignas(Node) Amaf {
  public:
    static constexpr std::size_t slots() {
        return (sizeof(Amaf) + sizeof(Node) - 1) / sizeof(Node);
    }

    std::uint32_t games() const { return games_.load(std::memory_order_relaxed); }

    Stats of(Color color, Step step) const {
        std::uint32_t const packed =
            plays_[Plays<G>::number(color, step)].load(std::memory_order_relaxed);
        return {packed >> 16, (packed & 0xffff) * half_a_game};
    }

    // Of a table that knows enough already only some games change anything: they cost time.
    void add(Heard<G> const& heard, std::uint32_t points) {
        std::uint32_t const games = games_.load(std::memory_order_relaxed);
        games_.store(games + 1, std::memory_order_relaxed);
        if (games > all_of && games % one_in != 0) return;
        std::uint32_t const change = (1U << 16) + points / half_a_game;
        for (std::uint16_t const number : heard) {
            std::uint32_t packed = plays_[number].load(std::memory_order_relaxed);
            if (packed >= full) packed = packed >> 1 & 0x7fff7fff;
            plays_[number].store(packed + change, std::memory_order_relaxed);
        }
    }

    // A copy, for the time in which no search runs.
    void copy_to(Amaf& other) const {
        other.games_.store(games(), std::memory_order_relaxed);
        for (std::size_t i = 0; i < plays_.size(); ++i) {
            other.plays_[i].store(plays_[i].load(std::memory_order_relaxed),
                                  std::memory_order_relaxed);
        }
    }

  private:
    static constexpr std::uint32_t all_of = 4096, one_in = 8;
    static constexpr std::uint32_t full = 0x7fff0000;  // the points fit in 16 bits

    std::atomic<std::uint32_t> games_{0};
    std::array<std::atomic<std::uint32_t>, Plays<G>::count> plays_{};
};

}  // namespace patchpie
