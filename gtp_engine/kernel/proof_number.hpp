// Who wins, by proof numbers: df-pn (Nagai, 2002), with a threshold that overlooks small
// differences (Pawlewicz and Lew, 2007) and disproofs that are not added up, as the same
// positions are met again and again (Ueda and others, 2008).
//
// It is for games whose positions remember nothing, and as long as no draw is met.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "effort.hpp"
#include "proofs.hpp"
#include "replies.hpp"

namespace patchpie {

// Thrown where a draw is met.
struct NotWonOrLost {};

// About how many positions must still be decided to show that a color wins (proof), or that it
// does not (disproof); a zero says that it is shown.
struct Numbers {
    static constexpr std::uint32_t never = (1 << 28) - 1;

    std::uint32_t proof = 1, disproof = 1;

    static constexpr Numbers decided(bool won) {
        return won ? Numbers{0, never} : Numbers{never, 0};
    }
    constexpr bool solved() const { return proof == 0 || disproof == 0; }
    // The same for the other color.
    constexpr Numbers turned() const { return {disproof, proof}; }
    friend constexpr bool operator==(Numbers, Numbers) = default;
};

// Numbers, and how much work they took.
class Counted {
  public:
    bool used() const { return bits_ != 0; }
    unsigned work() const { return static_cast<unsigned>(bits_ >> 56); }
    Numbers numbers() const {
        return {static_cast<std::uint32_t>(bits_) & Numbers::never,
                static_cast<std::uint32_t>(bits_ >> 28) & Numbers::never};
    }
    void set(Numbers numbers, std::uint64_t positions) {
        auto const work = static_cast<std::uint64_t>(std::bit_width(positions));
        bits_ = numbers.proof | std::uint64_t{numbers.disproof} << 28 | work << 56;
    }

  private:
    std::uint64_t bits_ = 0;
};

template <Game G> class ProofNumber final : public Solving<G> {
  public:
    using Memory = typename G::Memory;

    ProofNumber(std::size_t bytes, Effort& effort)
        : identify_(Alike::images), table_(bytes), effort_(effort) {}

    std::size_t used_bytes() const override { return table_.bytes(); }

    // Throws NotWonOrLost, too.
    Answer solve(G const& position, Memory& memory) override {
        memory_ = &memory;
        constexpr std::uint32_t never = Numbers::never;
        Numbers const found = search(position, identify_(position), {never, never}, 0);
        bool const won = found.proof == 0;
        return {won ? 1 : -1, best_step(won)};
    }

  private:
    using List = Replies<G, Numbers>;

    // What the replies say together, the most promising of them, and how far to search it.
    struct Sum {
        Numbers numbers;
        Reply<G, Numbers>* best;
        Numbers limit;
    };

    // The numbers of a position for its color to move: solved, or at the limit.
    Numbers search(G const& position, Identity const& identity, Numbers limit, std::size_t ply) {
        effort_.count();
        auto const before = effort_.positions();
        List& replies = plies_[ply];
        expand(position, replies);
        Sum sum = sum_of(replies, limit);
        while (sum.numbers.proof < limit.proof && sum.numbers.disproof < limit.disproof) {
            auto& reply = *sum.best;
            Numbers const seen = reply.turned ? sum.limit.turned() : sum.limit;
            Numbers const found = search(reply.position, reply.identity, seen, ply + 1);
            reply.known = reply.turned ? found.turned() : found;
            sum = sum_of(replies, limit);
        }
        Counted* known = table_.find(identity);
        if (!known) known = &table_.place(identity);
        known->set(sum.numbers, effort_.positions() - before + 1);
        return sum.numbers;
    }

    static Sum sum_of(List& replies, Numbers limit) {
        constexpr std::uint32_t never = Numbers::never;
        Reply<G, Numbers>* best = nullptr;
        std::uint32_t second = never, largest = 0, left = 0;
        for (auto& reply : replies) {
            auto const [proof, disproof] = reply.known;
            left += disproof > 0;
            largest = std::max(largest, disproof);
            if (best && proof >= best->known.proof) {
                second = std::min(second, proof);
                continue;
            }
            if (best) second = best->known.proof;
            best = &reply;
        }
        if (best->known.proof == 0) return {Numbers::decided(true), best, {}};
        if (left == 0) return {Numbers::decided(false), best, {}};
        // The largest disproof, and one for each of the others.
        std::uint32_t const others = left - 1, all = std::min(largest + others, never - 1);
        std::uint32_t const enough = second + second / 4 + 1;
        return {{best->known.proof, all},
                best,
                {std::min(limit.proof, enough),
                 limit.disproof == never ? never : limit.disproof - others}};
    }

    void expand(G const& position, List& replies) {
        list_replies(replies, position, *memory_);
        for (auto& reply : replies) {
            if (reply.winner == Winner::draw) throw NotWonOrLost{};
            if (reply.decided()) {
                reply.known = Numbers::decided(reply.winner == won_by(position.to_move));
            }
        }
        if (replies.back().known.proof == 0) return;
        identify_replies(replies, identify_,
                         [this](Identity const& identity) { table_.prefetch(identity); });
        for (auto& reply : replies) {
            if (reply.decided()) continue;
            if (Counted const* const known = table_.find(reply.identity)) {
                effort_.hit();
                reply.known = reply.turned ? known->numbers().turned() : known->numbers();
            } else {
                reply.known = first_guess(reply);
            }
        }
    }

    // Every step of the opponent must be answered: many of them are much to do.
    static Numbers first_guess(Reply<G, Numbers> const& reply) {
        Steps steps;
        reply.position.legal_steps(steps);
        Numbers const guess{1, 1 + static_cast<std::uint32_t>(steps.count)};
        return reply.turned ? guess.turned() : guess;
    }

    // The step at the root that wins, rather one that took little work; of lost ones, the one that
    // took most.
    Step best_step(bool won) {
        return best_reply(plies_[0], [&](auto const& reply) {
            Counted const* const known = reply.decided() ? nullptr : table_.find(reply.identity);
            int const work = known ? static_cast<int>(known->work()) : 0;
            return won ? std::pair(reply.known.proof == 0, -work) : std::pair(true, work);
        });
    }

    Identifier<G> identify_;
    Remembered<Counted> table_;
    Effort& effort_;
    Memory* memory_ = nullptr;
    Plies<List> plies_;
};

}  // namespace patchpie
