// df-pn: depth-first proof-number search (Nagai, 2002).
//
// It uses the 1 + epsilon threshold (Pawlewicz and Lew, 2007) and weak proof numbers (Ueda et al.,
// 2008). Weak proof numbers do not add up disproof numbers, because transpositions would count
// twice.
//
// It works for games without history, and only while it meets no draw.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "solve/algorithm.hpp"
#include "solve/late_search.hpp"
#include "solve/limits.hpp"
#include "solve/successors.hpp"
#include "solve/transposition_table.hpp"

namespace patchpie {

template <Game G> class DfPn final : public SolverAlgorithm<G> {
  public:
    using History = typename G::History;

    DfPn(std::size_t bytes, Limits& limits)
        : canonical_key_(Equivalence::all_images),
          late_(bytes, limits),
          table_(bytes - late_.bytes()),
          limits_(limits) {}

    std::size_t used_bytes() const override { return table_.bytes() + late_.bytes(); }

    std::string saved_part(std::size_t& first) const override {
        std::vector<typename Table::Saved> part;
        while (first < table_.buckets() && part.size() < saved_at_once) {
            table_.save(first++, least_saved_work, part);
        }
        if (first == table_.buckets()) first = 0;
        std::string bytes(part.size() * sizeof part[0], '\0');
        std::memcpy(bytes.data(), part.data(), bytes.size());
        return bytes;
    }

    void restore_part(std::string_view bytes) override {
        typename Table::Saved saved;
        if (bytes.size() % sizeof saved != 0) throw std::invalid_argument("half an entry");
        for (std::size_t at = 0; at < bytes.size(); at += sizeof saved) {
            std::memcpy(&saved, bytes.data() + at, sizeof saved);
            table_.restore(saved);
        }
    }

    // Also throws DrawFound.
    BestStep solve(G const& position, History& history) override {
        history_ = &history;
        constexpr std::uint32_t never = ProofNumbers::never;
        ProofNumbers const found = search(position, canonical_key_(position), {never, never}, 0);
        bool const won = found.proof == 0;
        return {won ? 1 : -1, best_step(won)};
    }

  private:
    using Table = TranspositionTable<ProofEntry>;

    // Most entries have less work: to do it again is faster than to read them.
    static constexpr unsigned least_saved_work = 3;  // four positions
    static constexpr std::size_t saved_at_once = 1 << 16;

    // The numbers of a node from its successors, the most promising successor, and its thresholds.
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
        ProofEntry* known = table_.find(key);
        if (!known) known = &table_.place(key);
        known->set(found, limits_.positions() - before);
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
        while (sum.numbers.proof < limit.proof && sum.numbers.disproof < limit.disproof) {
            auto& successor = *sum.best;
            ProofNumbers const seen = successor.other_to_move ? sum.limit.turned() : sum.limit;
            G const next = after(position, successor.step, *history_);
            ProofNumbers const found = search(next, successor.key, seen, ply + 1);
            successor.numbers = successor.other_to_move ? found.turned() : found;
            sum = sum_of(successors, limit);
        }
        return sum.numbers;
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
        std::uint32_t const enough = second + second / 8 + 1;
        return {{best->numbers.proof, all},
                best,
                {std::min(limit.proof, enough),
                 limit.disproof == never ? never : limit.disproof - others}};
    }

    void expand(G const& position, Successors& successors) {
        list_successors(successors, position, *history_, canonical_key_);
        for (auto& successor : successors) {
            if (successor.winner == Winner::draw) throw DrawFound{};
            if (successor.is_over()) {
                bool const won = successor.winner == won_by(position.to_move);
                successor.numbers = ProofNumbers::decided(won);
            } else {
                table_.prefetch(successor.key);
            }
        }
        if (successors.back().numbers.proof == 0) return;
        for (auto& successor : successors) {
            if (successor.is_over()) continue;
            ProofEntry const* const known = table_.find(successor.key);
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

    // The step at the root: the win with the least work, or the loss with the most work.
    Step best_step(bool won) {
        return best_successor(plies_[0], [&](auto const& successor) {
            bool const over = successor.is_over();
            ProofEntry const* const known = over ? nullptr : table_.find(successor.key);
            int const work = known ? static_cast<int>(known->work()) : 0;
            return won ? std::pair(successor.numbers.proof == 0, -work) : std::pair(true, work);
        });
    }

    Canonicalizer<G> canonical_key_;
    LateSearch<G> late_;
    Table table_;
    Limits& limits_;
    History* history_ = nullptr;
    PlyStack<Successors> plies_;
};

}  // namespace patchpie
