// Alpha-beta search over steps for exact values, with a transposition table.
//
// Games without history never repeat a position, so the table can keep any value. In games with
// history (Robble), repetitions must not make an entry wrong:
//
// - A position that repeats on the line from the root counts as a draw. This misses no win: a
//   color that can win can always move to a position fewer turns from the end, and so repeats
//   nothing. A position that appeared too often before the root is a draw by the rules.
// - Wins and losses depend only on ends of the game. They hold on every line, so the table keeps
//   them. Draws may depend on the line, so the table never keeps them.
// - Lines can be very long, so iterative deepening goes one step deeper until it knows the value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "solve/algorithm.hpp"
#include "solve/limits.hpp"
#include "solve/successors.hpp"
#include "solve/transposition_table.hpp"

namespace patchpie {

template <Game G> class AlphaBeta final : public SolverAlgorithm<G> {
  public:
    using History = typename G::History;

    AlphaBeta(std::size_t bytes, Limits& limits)
        : canonical_key_(has_history<G> ? Equivalence::exact : Equivalence::all_images),
          table_(bytes), limits_(limits) {}

    std::size_t used_bytes() const override { return table_.bytes(); }

    BestStep solve(G const& position, History& history) override {
        path_.clear();
        history_ = &history;
        CanonicalKey const key = canonical_key_(position);
        for (int depth = has_history<G> ? 1 : Depth::deepest; depth <= Depth::deepest; ++depth) {
            Bounds const found = search(position, key, {}, {depth, depth}, 0);
            if (found.exact()) return {found.lower, best_step(found.lower)};
        }
        throw SearchAborted{};
    }

  private:
    static bool settles(Bounds found, Bounds window) {
        return found.exact() || found.lower >= window.upper || found.upper <= window.lower;
    }

    // Returns bounds that are exact or outside the window, if the depth is sufficient.
    Bounds search(G const& position, CanonicalKey const& key, Bounds window, Depth depth,
                  std::size_t ply) {
        limits_.count();
        auto const before = limits_.positions();
        if constexpr (has_history<G>) path_.push_back(key);
        Successors& successors = plies_[ply];
        expand(position, successors, depth);
        Bounds found = best_of(successors);
        if (!settles(found, window) && depth.left > 1) {
            Depth const deeper{depth.all, has_history<G> ? depth.left - 1 : depth.left};
            arrange(position, successors);
            for (auto& successor : successors) {
                Bounds const rest{std::max(window.lower, found.lower), window.upper};
                Bounds& bounds = successor.bounds;
                if (bounds.upper <= rest.lower || bounds.exact() || successor.searched) continue;
                bounds = bounds & follow(position, successor, rest, deeper, ply + 1);
                found.lower = std::max(found.lower, bounds.lower);
                if (found.lower >= window.upper) break;
            }
            found = best_of(successors);
        }
        if constexpr (has_history<G>) path_.pop_back();
        keep(key, found, depth, limits_.positions() - before + 1);
        return found;
    }

    // Searches a successor. Returns its bounds for the color that makes the step.
    Bounds follow(G const& position, Successor const& successor, Bounds window, Depth depth,
                  std::size_t ply) {
        auto const mark = history_->mark();
        G const next = after(position, successor.step, *history_);
        Bounds const seen = successor.other_to_move ? -window : window;
        Bounds const found = search(next, successor.key, seen, depth, ply);
        history_->rewind(mark);
        return successor.other_to_move ? -found : found;
    }

    static Bounds best_of(Successors const& successors) {
        Bounds best = Bounds::exactly(-1);
        for (auto const& successor : successors) {
            best.lower = std::max(best.lower, successor.bounds.lower);
            best.upper = std::max(best.upper, successor.bounds.upper);
        }
        return best;
    }

    void expand(G const& position, Successors& successors, Depth depth) {
        list_successors(successors, position, *history_, canonical_key_);
        for (auto& successor : successors) {
            if (successor.is_over()) {
                int const value = value_for(successor.winner, position.to_move);
                successor.bounds = Bounds::exactly(value);
            } else {
                table_.prefetch(successor.key);
            }
        }
        if (successors.back().bounds.lower == 1) return;
        for (auto& successor : successors) {
            if (!successor.is_over()) look_up(successor, depth);
        }
    }

    void look_up(Successor& successor, Depth depth) {
        if constexpr (has_history<G>) {
            if (std::find(path_.begin(), path_.end(), successor.key) != path_.end()) {
                successor.bounds = Bounds::exactly(0);
                return;
            }
        }
        if (BoundsEntry const* const known = table_.find(successor.key)) {
            limits_.hit();
            successor.bounds = successor.other_to_move ? -known->bounds() : known->bounds();
            if constexpr (has_history<G>) {
                Depth const before = known->depth();
                successor.searched = before.all == depth.all && before.left >= depth.left - 1;
            }
        }
    }

    // Orders successors by random games. In games with history, random games are too long for
    // this.
    void arrange(G const& position, Successors& successors) {
        if (has_history<G>) return;
        auto const planes = position.planes();
        int const empties = position.size * position.size - count(planes[0] | planes[1]);
        int const games = empties > 8 ? 16 : empties > 5 ? 4 : 0;
        if (games == 0) return;
        for (auto& successor : successors) {
            if (successor.bounds.exact()) continue;
            limits_.check();
            successor.score = playout_score(position, successor.step, games);
        }
        sort_by_score(successors);
    }

    int playout_score(G const& position, Step step, int games) {
        int sum = 0;
        auto const mark = history_->mark();
        G const next = after(position, step, *history_);
        StepCount unused;
        for (int i = 0; i < games; ++i) {
            G line = next;
            sum += value_for(line.playout(rng_, *history_, unused), position.to_move);
        }
        history_->rewind(mark);
        return sum;
    }

    void keep(CanonicalKey const& key, Bounds found, Depth depth, std::uint64_t positions) {
        if constexpr (has_history<G>) {
            // A draw may depend on the line, so a later search must not rely on this depth.
            if (found.lower == 0 || found.upper == 0) depth = {};
            found = {found.lower == 1 ? 1 : -1, found.upper == -1 ? -1 : 1};
            if (depth.all == 0 && found == Bounds{}) return;
        }
        BoundsEntry* known = table_.find(key);
        if (known) found = found & known->bounds();
        else known = &table_.place(key);
        known->set(found, depth, positions);
    }

    // The step at the root that reaches the value: for a win the one with the least work,
    // otherwise the one with the most, which is the hardest to refute.
    Step best_step(int value) {
        return best_successor(plies_[0], [&](auto const& successor) {
            bool const over = successor.is_over();
            BoundsEntry const* const known = over ? nullptr : table_.find(successor.key);
            int const work = known ? static_cast<int>(known->work()) : 0;
            return std::pair(successor.bounds.lower == value, value == 1 ? -work : work);
        });
    }

    Canonicalizer<G> canonical_key_;
    TranspositionTable<BoundsEntry> table_;
    Limits& limits_;
    Rng rng_{1};
    History* history_ = nullptr;
    PlyStack<Successors> plies_;
    std::vector<CanonicalKey> path_;
};

}  // namespace patchpie
