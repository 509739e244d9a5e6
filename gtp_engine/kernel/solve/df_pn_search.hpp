// One thread of a df-pn search; df_pn.hpp names the algorithm.
//
// Threads share a table, and each searches from the root. Where another one is in the most
// promising successor, a thread takes the next best one if it promises nearly as much. That is the
// aim of virtual proof numbers (Kaneko, "Parallel Depth First Proof Number Search", AAAI 2010). A
// thread sees what others have found when it enters a position.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "solve/late_search.hpp"
#include "solve/limits.hpp"
#include "solve/successors.hpp"
#include "solve/transposition_table.hpp"

namespace patchpie {

// How many threads are in a position: counts by hash.
class Visitors {
    using Count = std::atomic<std::uint8_t>;

  public:
    // One of them, while it lives.
    class Visit {
      public:
        explicit Visit(Count& count) : count_(count) {
            count_.fetch_add(1, std::memory_order_relaxed);
        }
        ~Visit() { count_.fetch_sub(1, std::memory_order_relaxed); }
        Visit(Visit const&) = delete;
        Visit& operator=(Visit const&) = delete;

      private:
        Count& count_;
    };

    Visit enter(CanonicalKey const& key) { return Visit(at(key)); }
    bool any(CanonicalKey const& key) { return at(key).load(std::memory_order_relaxed) > 0; }

  private:
    Count& at(CanonicalKey const& key) { return counts_[key.hash() % counts_.size()]; }

    std::array<Count, 1 << 12> counts_{};
};

// What the threads of a search share. With `over` they end.
template <Game G> struct DfPnShared {
    using Table = TranspositionTable<ProofEntry>;

    explicit DfPnShared(std::size_t bytes)
        : table(bytes - LateSearch<G>::bytes_of(bytes)), late(LateSearch<G>::bytes_of(bytes)) {}

    std::size_t bytes() const { return table.bytes() + (SeesEnd<G> ? late.bytes() : 0); }

    Canonicalizer<G> canonical_key{Equivalence::all_images};
    Table table, late;
    alignas(64) std::atomic<bool> over{false};
    alignas(64) Visitors visitors;
};

template <Game G> class DfPnSearch {
  public:
    using History = typename G::History;

    DfPnSearch(DfPnShared<G>& shared, Limits& limits)
        : shared_(shared), late_(shared.late, limits), limits_(limits) {}

    // The numbers of a root, decided or after this many positions. Throws SearchAborted and
    // DrawFound.
    ProofNumbers alone(G const& position, History& history, std::uint64_t most) {
        several_ = false;
        end_ = limits_.positions_after(most);
        return from_root(position, history);
    }

    // The same beside other threads, decided or when all shall end.
    ProofNumbers together(G const& position, History& history) {
        several_ = true;
        return from_root(position, history);
    }

    // The step at the root: the win with the least work, or the loss with the most work.
    Step best_step(bool won) {
        return best_successor(plies_[0], [&](auto const& successor) {
            auto const known = successor.is_over() ? std::nullopt
                                                   : shared_.table.find(successor.key);
            int const work = known ? static_cast<int>(known->work()) : 0;
            return won ? std::pair(successor.numbers.proof == 0, -work) : std::pair(true, work);
        });
    }

  private:
    // To mark shorter visits, too, takes more time than it saves.
    static constexpr unsigned least_marked_work = 7;  // 64 positions

    ProofNumbers from_root(G const& position, History& history) {
        history_ = &history;
        constexpr std::uint32_t never = ProofNumbers::never;
        return search(position, shared_.canonical_key(position), {never, never}, 0);
    }

    // The numbers of a node from its successors, the successor to search next, and its limit.
    struct Sum {
        ProofNumbers numbers;
        Successor* best;
        ProofNumbers limit;
    };

    // Searches a position until it is solved or reaches the limit. Returns its numbers for the
    // color to move, and stores them.
    ProofNumbers search(G const& position, CanonicalKey const& key, ProofNumbers limit,
                        std::size_t ply) {
        auto const before = limits_.positions();
        ProofNumbers const found = numbers_of(position, limit, ply);
        shared_.table.store(key, ProofEntry(found, limits_.positions() - before));
        return found;
    }

    // The same without the entry of the position itself.
    ProofNumbers numbers_of(G const& position, ProofNumbers limit, std::size_t ply) {
        if constexpr (SeesEnd<G>) {
            // The root needs its successors, of which one is the best step.
            if (ply > 0 && position.nearly_over()) {
                return ProofNumbers::decided(late_.wins(position, *history_));
            }
        }
        limits_.count();
        Successors& successors = plies_[ply];
        expand(position, successors);
        Sum sum = sum_of(successors, limit);
        while (reaches_neither(sum.numbers, limit) && !over()) {
            if (several_) look_aside(successors, sum, limit);
            auto& successor = *sum.best;
            ProofNumbers const seen = successor.other_to_move ? sum.limit.turned() : sum.limit;
            ProofNumbers const found = follow(position, successor, seen, ply + 1);
            successor.numbers = successor.other_to_move ? found.turned() : found;
            sum = sum_of(successors, limit);
        }
        return sum.numbers;
    }

    static bool reaches_neither(ProofNumbers numbers, ProofNumbers limit) {
        return numbers.proof < limit.proof && numbers.disproof < limit.disproof;
    }

    bool over() const {
        if (several_) return shared_.over.load(std::memory_order_relaxed);
        return limits_.positions() >= end_;
    }

    // Searches a successor, unless another thread has brought it to the limit.
    ProofNumbers follow(G const& position, Successor const& successor, ProofNumbers limit,
                        std::size_t ply) {
        G const next = after(position, successor.step, *history_);
        if (several_) {
            auto const known = shared_.table.find(successor.key);
            if (known && !reaches_neither(known->numbers(), limit)) {
                limits_.count();  // nothing is searched, but no thread turns without a look
                return known->numbers();
            }
            if (known && known->work() >= least_marked_work) {
                auto const visit = shared_.visitors.enter(successor.key);
                return search(next, successor.key, limit, ply);
            }
        }
        return search(next, successor.key, limit, ply);
    }

    static Sum sum_of(Successors& successors, ProofNumbers limit) {
        constexpr std::uint32_t never = ProofNumbers::never;
        Successor* best = nullptr;
        std::uint32_t second = never, largest = 0, left = 0;
        for (auto& successor : successors) {
            auto const [proof, disproof] = successor.numbers;
            left += disproof > 0;
            largest = std::max(largest, disproof);
            if (best && proof >= best->numbers.proof) {
                second = std::min(second, proof);
                continue;
            }
            if (best) second = best->numbers.proof;
            best = &successor;
        }
        if (best->numbers.proof == 0) return {ProofNumbers::decided(true), best, {}};
        if (left == 0) return {ProofNumbers::decided(false), best, {}};
        // The weak sum: the largest disproof number, plus one for each other undecided successor.
        std::uint32_t const others = left - 1, all = std::min(largest + others, never - 1);
        return {{best->numbers.proof, all},
                best,
                {std::min(limit.proof, enough(second)),
                 limit.disproof == never ? never : limit.disproof - others}};
    }

    // A number slightly above another: a search goes on so far before it changes to a brother.
    static std::uint32_t enough(std::uint32_t other) { return other + other / 8 + 1; }

    // Where another thread is in the best successor, changes to the best one without a thread that
    // needs at most `tolerated` times its number.
    void look_aside(Successors& successors, Sum& sum, ProofNumbers limit) {
        if (!shared_.visitors.any(sum.best->key)) return;
        std::uint32_t const lowest = sum.best->numbers.proof;
        std::uint32_t least = std::min(limit.proof, tolerated(lowest) + 1);
        for (auto& successor : successors) {
            std::uint32_t const proof = successor.numbers.proof;
            if (proof >= least || shared_.visitors.any(successor.key)) continue;
            least = proof;
            sum.best = &successor;
            sum.limit.proof = std::min(limit.proof, enough(proof));
        }
    }

    static std::uint32_t tolerated(std::uint32_t lowest) { return 2 * lowest + 2; }

    void expand(G const& position, Successors& successors) {
        list_successors(successors, position, *history_, shared_.canonical_key);
        for (auto& successor : successors) {
            if (successor.winner == Winner::draw) throw DrawFound{};
            if (successor.is_over()) {
                bool const won = successor.winner == won_by(position.to_move);
                successor.numbers = ProofNumbers::decided(won);
            } else {
                shared_.table.prefetch(successor.key);
            }
        }
        if (successors.back().numbers.proof == 0) return;
        for (auto& successor : successors) {
            if (successor.is_over()) continue;
            auto const known = shared_.table.find(successor.key);
            if (known) limits_.hit();
            ProofNumbers const numbers =
                known ? known->numbers() : first_guess(successor, successors.size());
            successor.numbers = successor.other_to_move ? numbers.turned() : numbers;
        }
    }

    // The first estimate for a leaf. A win needs an answer to every step of the opponent, so more
    // steps mean a larger number. The siblings of the leaf tell their number well enough, but few
    // of them answer a threat.
    static ProofNumbers first_guess(Successor const& leaf, std::size_t siblings) {
        return {1, leaf.threatens ? 2 : 1 + static_cast<std::uint32_t>(siblings)};
    }

    DfPnShared<G>& shared_;
    LateSearch<G> late_;
    Limits& limits_;
    History* history_ = nullptr;
    bool several_ = false;
    std::uint64_t end_ = 0;
    PlyStack<Successors> plies_;
};

}  // namespace patchpie
