// Exact values by depth-first search over steps: negamax with a table of what is proven.
//
// Games whose positions remember nothing never come back to a position, so that any value may be
// kept and used again. In others (Robble) repetition must not falsify what is kept:
//
// - A position that is met again on the line from the root counts as a draw. Who can win at all
//   can do so without coming back anywhere, always to positions that are fewer turns from the
//   end: so no win is missed. What has appeared too often before the root is a draw by the rules.
// - Wins and losses rest on ends of the game alone, so they hold on every line, and are kept.
//   Draws may rest on the line, and are never kept.
// - Lines can be very long: the search goes one step deeper again and again, until it knows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "effort.hpp"
#include "proofs.hpp"
#include "replies.hpp"

namespace patchpie {

template <Game G> class DepthFirst final : public Solving<G> {
  public:
    using Memory = typename G::Memory;

    DepthFirst(std::size_t bytes, Effort& effort)
        : identify_(remembers<G> ? Alike::itself : Alike::images), table_(bytes),
          effort_(effort) {}

    std::size_t used_bytes() const override { return table_.bytes(); }

    Answer solve(G const& position, Memory& memory) override {
        path_.clear();
        memory_ = &memory;
        Identity const identity = identify_(position);
        for (int depth = remembers<G> ? 1 : Depth::deepest; depth <= Depth::deepest; ++depth) {
            Bounds const found = search(position, identity, {}, {depth, depth}, 0);
            if (found.exact()) return {found.lower, best_step(found.lower)};
        }
        throw GaveUp{};
    }

  private:
    struct Known {
        Bounds bounds{};
        bool searched = false;  // in this iteration, as deep as it would be searched now
        int promise = 0;
    };
    using List = Replies<G, Known>;

    static bool settles(Bounds found, Bounds window) {
        return found.exact() || found.lower >= window.upper || found.upper <= window.lower;
    }

    // Bounds that are exact or on one side of the window, where the depth is enough.
    Bounds search(G const& position, Identity const& identity, Bounds window, Depth depth,
                  std::size_t ply) {
        effort_.count();
        auto const before = effort_.positions();
        if constexpr (remembers<G>) path_.push_back(identity);
        List& replies = plies_[ply];
        expand(position, replies, depth);
        Bounds found = best_of(replies);
        if (!settles(found, window) && depth.left > 1) {
            Depth const deeper{depth.all, remembers<G> ? depth.left - 1 : depth.left};
            arrange(position, replies);
            for (auto& reply : replies) {
                Bounds const rest{std::max(window.lower, found.lower), window.upper};
                Bounds& bounds = reply.known.bounds;
                if (bounds.upper <= rest.lower || bounds.exact() || reply.known.searched) continue;
                bounds = bounds & follow(position, reply, rest, deeper, ply + 1);
                found.lower = std::max(found.lower, bounds.lower);
                if (found.lower >= window.upper) break;
            }
            found = best_of(replies);
        }
        if constexpr (remembers<G>) path_.pop_back();
        keep(identity, found, depth, effort_.positions() - before + 1);
        return found;
    }

    // The bounds of a reply for the color that makes the step, its position searched.
    Bounds follow(G const& position, Reply<G, Known> const& reply, Bounds window, Depth depth,
                  std::size_t ply) {
        auto const mark = memory_->mark();
        if constexpr (remembers<G>) {
            G next = position;
            next.after(reply.step, *memory_);
            settle(next, *memory_);
        }
        Bounds const seen = reply.turned ? -window : window;
        Bounds const found = search(reply.position, reply.identity, seen, depth, ply);
        memory_->rewind(mark);
        return reply.turned ? -found : found;
    }

    static Bounds best_of(List const& replies) {
        Bounds best = Bounds::exactly(-1);
        for (auto const& reply : replies) {
            best.lower = std::max(best.lower, reply.known.bounds.lower);
            best.upper = std::max(best.upper, reply.known.bounds.upper);
        }
        return best;
    }

    void expand(G const& position, List& replies, Depth depth) {
        list_replies(replies, position, *memory_);
        for (auto& reply : replies) {
            if (!reply.decided()) continue;
            reply.known.bounds = Bounds::exactly(worth(reply.winner, position.to_move));
        }
        if (replies.back().known.bounds.lower == 1) return;
        identify_replies(replies, identify_,
                         [this](Identity const& identity) { table_.prefetch(identity); });
        for (auto& reply : replies) {
            if (!reply.decided()) look_up(reply, depth);
        }
    }

    void look_up(Reply<G, Known>& reply, Depth depth) {
        if constexpr (remembers<G>) {
            if (std::find(path_.begin(), path_.end(), reply.identity) != path_.end()) {
                reply.known.bounds = Bounds::exactly(0);
                return;
            }
        }
        if (Proven const* const known = table_.find(reply.identity)) {
            effort_.hit();
            reply.known.bounds = reply.turned ? -known->bounds() : known->bounds();
            if constexpr (remembers<G>) {
                Depth const before = known->depth();
                reply.known.searched = before.all == depth.all && before.left >= depth.left - 1;
            }
        }
    }

    // Puts the most promising replies first: random games tell, where they cost little. They are
    // long where positions come back.
    void arrange(G const& position, List& replies) {
        if (remembers<G>) return;
        auto const planes = position.planes();
        int const empties = position.size * position.size - count(planes[0] | planes[1]);
        int const games = empties > 8 ? 16 : empties > 5 ? 4 : 0;
        if (games == 0) return;
        for (auto& reply : replies) {
            if (reply.known.bounds.exact()) continue;
            effort_.check();
            reply.known.promise = promise(position.to_move, reply, games);
        }
        std::stable_sort(replies.begin(), replies.end(), [](auto const& a, auto const& b) {
            return a.known.promise > b.known.promise;
        });
    }

    int promise(Color color, Reply<G, Known> const& reply, int games) {
        int sum = 0;
        auto const mark = memory_->mark();
        for (int i = 0; i < games; ++i) {
            G line = reply.position;
            sum += worth(line.playout(rng_, *memory_, NoTrace{}), color);
            memory_->rewind(mark);
        }
        return sum;
    }

    void keep(Identity const& identity, Bounds found, Depth depth, std::uint64_t positions) {
        if constexpr (remembers<G>) {
            // A search that met a draw may find more on another line.
            if (found.lower == 0 || found.upper == 0) depth = {};
            found = {found.lower == 1 ? 1 : -1, found.upper == -1 ? -1 : 1};
            if (depth.all == 0 && found == Bounds{}) return;
        }
        Proven* known = table_.find(identity);
        if (known) found = found & known->bounds();
        else known = &table_.place(identity);
        known->set(found, depth, positions);
    }

    // The step at the root that reaches the value, rather one that took little work to win with;
    // of lost ones, the one that took most.
    Step best_step(int value) {
        return best_reply(plies_[0], [&](auto const& reply) {
            Proven const* const known = reply.decided() ? nullptr : table_.find(reply.identity);
            int const work = known ? static_cast<int>(known->work()) : 0;
            return std::pair(reply.known.bounds.lower == value, value == 1 ? -work : work);
        });
    }

    Identifier<G> identify_;
    Remembered<Proven> table_;
    Effort& effort_;
    Rng rng_{1};
    Memory* memory_ = nullptr;
    Plies<List> plies_;
    std::vector<Identity> path_;
};

}  // namespace patchpie
