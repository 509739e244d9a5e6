// Alpha-beta search over steps for exact values, with a transposition table.
//
// It is for games without history: they never repeat a position, so the table can keep any value.
#pragma once

#include <algorithm>
#include <cstdint>

#include "solve/algorithm.hpp"
#include "solve/limits.hpp"
#include "solve/successors.hpp"
#include "solve/transposition_table.hpp"

namespace patchpie {

template <Game G> class AlphaBeta final : public SolverAlgorithm<G> {
    static_assert(!has_history<G>);

  public:
    using History = typename G::History;

    AlphaBeta(std::size_t bytes, Limits& limits)
        : canonical_key_(Equivalence::all_images), table_(bytes), limits_(limits) {}

    std::size_t used_bytes() const override { return table_.bytes(); }

    BestStep solve(G const& position, History& history, int) override {
        history_ = &history;
        int const value = search(position, canonical_key_(position), {}, 0).lower;
        return {value, best_step(value)};
    }

  private:
    static bool settles(Bounds found, Bounds window) {
        return found.exact() || found.lower >= window.upper || found.upper <= window.lower;
    }

    // Returns bounds that are exact or outside the window.
    Bounds search(G const& position, CanonicalKey const& key, Bounds window, std::size_t ply) {
        limits_.count();
        auto const before = limits_.positions();
        Successors& successors = plies_[ply];
        expand(position, successors);
        Bounds found = best_of(successors);
        if (!settles(found, window)) {
            arrange(position, successors);
            for (auto& successor : successors) {
                Bounds const rest{std::max(window.lower, found.lower), window.upper};
                Bounds& bounds = successor.bounds;
                if (bounds.upper <= rest.lower || bounds.exact()) continue;
                bounds = bounds & follow(position, successor, rest, ply + 1);
                found.lower = std::max(found.lower, bounds.lower);
                if (found.lower >= window.upper) break;
            }
            found = best_of(successors);
        }
        keep(key, found, limits_.positions() - before + 1);
        return found;
    }

    // Searches a successor. Returns its bounds for the color that makes the step.
    Bounds follow(G const& position, Successor const& successor, Bounds window, std::size_t ply) {
        G const next = after(position, successor.step, *history_);
        Bounds const seen = successor.other_to_move ? -window : window;
        Bounds const found = search(next, successor.key, seen, ply);
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

    void expand(G const& position, Successors& successors) {
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
            if (!successor.is_over()) look_up(successor);
        }
    }

    void look_up(Successor& successor) {
        if (auto const known = table_.find(successor.key)) {
            limits_.hit();
            successor.bounds = successor.other_to_move ? -known->bounds() : known->bounds();
        }
    }

    // Orders successors by random games.
    void arrange(G const& position, Successors& successors) {
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
        G const next = after(position, step, *history_);
        StepCount unused;
        for (int i = 0; i < games; ++i) {
            G line = next;
            sum += value_for(line.playout(rng_, *history_, unused), position.to_move);
        }
        return sum;
    }

    void keep(CanonicalKey const& key, Bounds found, std::uint64_t positions) {
        if (auto const known = table_.find(key)) found = found & known->bounds();
        table_.store(key, BoundsEntry(found, positions));
    }

    // The step at the root that reaches the value: for a win the one with the least work,
    // otherwise the one with the most, which is the hardest to refute.
    Step best_step(int value) {
        return best_successor(plies_[0], [&](auto const& successor) {
            auto const known = successor.is_over() ? std::nullopt : table_.find(successor.key);
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
};

}  // namespace patchpie
