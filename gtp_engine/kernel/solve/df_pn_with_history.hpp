// df-pn for games with history, where positions can repeat.
//
// It asks two questions: can the color to move force a win, and can the other color? Each has its
// attacker and its own proof numbers. If neither can, the position is a draw.
//
// A position that repeats on the line from the root counts as no win for the attacker. So a proof
// never needs a position twice, and it holds on every line:
//
// - Each proven position leads only to positions proven before it. A win along such positions
//   cannot come back to an earlier one, so it is a win whatever the line before it was.
// - The history holds the positions of the game up to the root. A step to a position that appeared
//   too often among them ends the game by the rules. No other repetition can end it on the way.
// - A refutation may need the line above it: the attacker only fails because it would repeat a
//   position there. The table does not keep such refutations (the graph history interaction
//   problem, Kishimoto and Mueller, 2004). It keeps those that repeat positions below them only:
//   the defender can answer the same way each time.
//
// Proof numbers measure how far the end is: the most empty points that are left in the best line of
// both colors. The disproof number of a node is the largest one of its successors, not the sum.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "solve/algorithm.hpp"
#include "solve/limits.hpp"
#include "solve/proof_numbers.hpp"
#include "solve/successors.hpp"
#include "solve/transposition_table.hpp"

namespace patchpie {

template <Game G> class DfPnWithHistory final : public SolverAlgorithm<G> {
    static_assert(has_history<G>);

  public:
    using History = typename G::History;

    DfPnWithHistory(std::size_t bytes, Limits& limits)
        : canonical_key_(Equivalence::exact), tables_{Table(bytes / 2), Table(bytes / 2)},
          limits_(limits) {}

    std::size_t used_bytes() const override { return tables_[0].bytes() + tables_[1].bytes(); }

    // A position that came a second time must not come again, and a stored proof may need it.
    bool still_valid(History const& history) const override { return history.appearances() == 1; }

    // The questions are the successors of a node above the root.
    BestStep solve(G const& position, History& history, int) override {
        history_ = &history;
        path_.clear();
        in_path_ = {};
        CanonicalKey const key = canonical_key_(position);
        ProofNumbers win, loss;  // that the color to move forces a win, or that the other one does
        Step drawing{};
        while (win.disproof > 0 || loss.disproof > 0) {
            bool const ours = win.proof <= loss.proof;
            std::uint32_t const limit = enough(ours ? loss.proof : win.proof);
            attacker_ = ours ? position.to_move : opponent(position.to_move);
            ProofNumbers const limits{limit, ProofNumbers::never};
            Found const found = search(position, key, ours ? limits : limits.turned(), 0);
            (ours ? win : loss) = ours ? found.numbers : found.numbers.turned();
            if (win.proof == 0) return {1, shortest(plies_[0])->step};
            if (loss.proof == 0) return {-1, longest(plies_[0])->step};
            if (!ours && loss.disproof == 0) drawing = shortest(plies_[0])->step;
        }
        return {0, drawing};
    }

  private:
    // The numbers of a position for the color to move, which wants a win if it is the attacker, and
    // no win of the attacker otherwise.
    //
    // turns -- if solved: the length of the line in steps
    // above -- if refuted: the lowest ply of a position that the refutation repeats
    struct Found {
        ProofNumbers numbers;
        std::uint32_t turns = 0;
        std::uint32_t above = nowhere;
    };
    static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

    // What the table knows of a position. The numbers of a solved position leave one field free,
    // for its turns.
    class Entry {
      public:
        Entry() = default;
        Entry(Found found, std::uint64_t positions) {
            auto [proof, disproof] = found.numbers;
            if (proof == 0) disproof = found.turns;
            else if (disproof == 0) proof = found.turns;
            auto const work = static_cast<std::uint64_t>(std::bit_width(positions));
            bits_ = proof | std::uint64_t{disproof} << width | work << 2 * width;
        }

        bool used() const { return bits_ != 0; }
        unsigned work() const { return static_cast<unsigned>(bits_ >> 2 * width); }
        Found found() const {
            constexpr std::uint32_t never = ProofNumbers::never;
            auto const proof = static_cast<std::uint32_t>(bits_) & never;
            auto const disproof = static_cast<std::uint32_t>(bits_ >> width) & never;
            if (proof == 0) return {ProofNumbers::decided(true), disproof};
            if (disproof == 0) return {ProofNumbers::decided(false), proof};
            return {{proof, disproof}};
        }

      private:
        static constexpr int width = std::bit_width(ProofNumbers::never);
        std::uint64_t bits_ = 0;
    };
    using Table = TranspositionTable<Entry>;

    // A step with the forced steps after it, and the resulting position. The numbers are for the
    // color that makes the step.
    struct Reply {
        Step step;
        G position;
        CanonicalKey key{};
        bool other_to_move = false, over = false;
        Found found{};

        Found seen(Found next) const {
            if (other_to_move) next.numbers = next.numbers.turned();
            return next;
        }
    };
    using Replies = std::vector<Reply>;

    // Which of the positions on the path may be equal to one: counts by hash.
    class PathFilter {
      public:
        std::uint16_t& operator[](CanonicalKey const& key) {
            return counts_[key.hash() % counts_.size()];
        }

      private:
        std::array<std::uint16_t, 1 << 10> counts_{};
    };

    // A number slightly above another: a search goes on so far before it changes to a brother.
    static std::uint32_t enough(std::uint32_t other) {
        return std::min(ProofNumbers::never, other + other / 4 + 1);
    }

    // Searches a position until it is solved or reaches the limit.
    Found search(G const& position, CanonicalKey const& key, ProofNumbers limit, std::uint32_t ply) {
        limits_.count();
        auto const before = limits_.positions();
        path_.push_back(key);
        ++in_path_[key];
        Replies& replies = plies_[ply];
        expand(position, replies);
        Found sum = sum_of(replies);
        while (sum.numbers.proof < limit.proof && sum.numbers.disproof < limit.disproof) {
            auto const [best, second] = best_two(replies);
            ProofNumbers const seen{std::min(limit.proof, enough(second)), limit.disproof};
            best->found = best->seen(search(best->position, best->key,
                                            best->other_to_move ? seen.turned() : seen, ply + 1));
            sum = sum_of(replies);
        }
        --in_path_[key];
        path_.pop_back();
        if (sum.above >= ply) sum.above = nowhere;
        if (sum.above == nowhere) {
            tables_[attacker_].store(key, Entry(sum, limits_.positions() - before + 1));
        }
        return sum;
    }

    // The numbers of a node. A color with a way to its aim takes the shortest one, if possible one
    // that repeats nothing above; a color without one takes the longest line.
    static Found sum_of(Replies const& replies) {
        Found sum{ProofNumbers::decided(false)};
        for (auto const& reply : replies) {
            auto const& [numbers, turns, above] = reply.found;
            sum.numbers.proof = std::min(sum.numbers.proof, numbers.proof);
            sum.numbers.disproof = std::max(sum.numbers.disproof, numbers.disproof);
            sum.turns = std::max(sum.turns, turns + 1);
            sum.above = std::min(sum.above, above);
        }
        if (sum.numbers.proof == 0) {
            Found const& best = shortest(replies)->found;
            return {ProofNumbers::decided(true), best.turns + 1, best.above};
        }
        return sum.numbers.disproof == 0 ? sum : Found{sum.numbers};
    }

    // The reply that reaches the aim. One that depends on nothing above comes first.
    static Reply const* shortest(Replies const& replies) {
        Reply const* best = nullptr;
        for (auto const& reply : replies) {
            if (reply.found.numbers.proof != 0) continue;
            auto const rank = [](Found const& found) {
                return std::pair(nowhere - found.above, found.turns);
            };
            if (!best || rank(reply.found) < rank(best->found)) best = &reply;
        }
        return best;
    }

    // The reply with the longest line, if none reaches the aim.
    static Reply const* longest(Replies const& replies) {
        auto const shorter = [](auto const& a, auto const& b) {
            return a.found.turns < b.found.turns;
        };
        return &*std::max_element(replies.begin(), replies.end(), shorter);
    }

    // The reply with the lowest proof number, and the second lowest number.
    static std::pair<Reply*, std::uint32_t> best_two(Replies& replies) {
        Reply* best = &replies.front();
        std::uint32_t second = ProofNumbers::never;
        for (auto& reply : replies) {
            if (&reply == best) continue;
            auto const proof = reply.found.numbers.proof, lowest = best->found.numbers.proof;
            second = std::min(second, std::max(proof, lowest));
            if (proof < lowest) best = &reply;
        }
        return {best, second};
    }

    // Lists the replies with what is known of them. The list ends after the first that reaches the
    // aim at once.
    void expand(G const& position, Replies& replies) {
        replies.clear();
        Steps steps;
        position.legal_steps(steps);
        bool const attacks = position.to_move == attacker_;
        auto const mark = history_->mark();
        for (Step const step : steps) {
            Reply& reply = replies.emplace_back(Reply{step, position});
            Winner const winner = play(reply.position, step);
            history_->rewind(mark);
            reply.other_to_move = reply.position.to_move != position.to_move;
            reply.over = winner != Winner::undecided;
            if (reply.over) {
                bool const reached = (winner == won_by(attacker_)) == attacks;
                reply.found = {ProofNumbers::decided(reached)};
                if (reached) return;
            } else {
                reply.key = canonical_key_(reply.position);
                tables_[attacker_].prefetch(reply.key);
            }
        }
        for (Reply& reply : replies) {
            if (!reply.over) look_up(reply, attacks);
        }
    }

    // Plays a step, and steps without a choice after it.
    Winner play(G& position, Step step) {
        for (;;) {
            position.apply(step, *history_);
            Winner const winner = position.outcome(*history_).winner;
            if (winner != Winner::undecided) return winner;
            Steps steps;
            position.legal_steps(steps);
            if (steps.count != 1) return winner;
            step = steps[0];
        }
    }

    void look_up(Reply& reply, bool attacks) {
        if (in_path_[reply.key] > 0) {
            auto const at = std::find(path_.begin(), path_.end(), reply.key);
            if (at != path_.end()) {
                auto const ply = static_cast<std::uint32_t>(at - path_.begin());
                reply.found = {ProofNumbers::decided(!attacks), 0, ply};
                return;
            }
        }
        if (auto const known = tables_[attacker_].find(reply.key)) {
            limits_.hit();
            reply.found = reply.seen(known->found());
        } else {
            reply.found = reply.seen(first_guess(reply.position));
        }
    }

    // The first estimate for a leaf. The number of empty points decides, and among equal numbers
    // the color with more points.
    static Found first_guess(G const& position) {
        constexpr int most_empty = 20, most_lead = 12, unit = 32;
        auto const planes = position.planes();
        int const own = count(planes[0]), other = count(planes[1]);
        int const empty = std::min(position.size * position.size - own - other, most_empty);
        int const lead = std::clamp(own - other, -most_lead, most_lead);
        return {{static_cast<std::uint32_t>(unit - lead) << empty,
                 static_cast<std::uint32_t>(unit + lead) << empty}};
    }

    Canonicalizer<G> canonical_key_;
    std::array<Table, 2> tables_;  // for each attacker
    Limits& limits_;
    Color attacker_ = BLACK;
    History* history_ = nullptr;
    PlyStack<Replies> plies_;
    std::vector<CanonicalKey> path_;
    PathFilter in_path_;
};

}  // namespace patchpie
