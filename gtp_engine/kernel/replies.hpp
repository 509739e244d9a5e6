// What can follow a position, as the solvers look at it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "identity.hpp"
#include "line.hpp"

namespace patchpie {

// A step with the forced ones behind it, and the position where they lead.
//
// turned -- whether the other color is to move there
// winner -- who has won there
// known  -- what a solver knows about it, for the color that makes the step
template <Game G, class Known> struct Reply {
    Step step;
    G position;
    Identity identity{};
    bool turned = false;
    Winner winner = Winner::undecided;
    Known known{};

    bool decided() const { return winner != Winner::undecided; }
};

// The value of an end for a color: 1 won, 0 drawn, -1 lost.
constexpr int worth(Winner winner, Color color) {
    return winner == Winner::draw ? 0 : winner == won_by(color) ? 1 : -1;
}

template <Game G, class Known> using Replies = std::vector<Reply<G, Known>>;

// Lists all replies to a position that is not over; after one that wins the list ends.
template <Game G, class Known>
[[gnu::noinline]] void list_replies(Replies<G, Known>& replies, G const& position,
                                    typename G::Memory& memory) {
    replies.clear();
    Steps steps;
    position.legal_steps(steps);
    for (Step const step : steps) {
        auto& reply = replies.emplace_back(Reply<G, Known>{step, position});
        auto const mark = memory.mark();
        reply.position.after(step, memory);
        settle(reply.position, memory);
        reply.turned = reply.position.to_move != position.to_move;
        reply.winner = reply.position.outcome(memory).winner;
        memory.rewind(mark);
        if (reply.winner == won_by(position.to_move)) return;
    }
}

// Identifies the replies after which the game goes on, and drops those that lead to the same
// position as one before. `meet` is called with the identity of each of the others.
template <Game G, class Known, class F>
void identify_replies(Replies<G, Known>& replies, Identifier<G> const& identify, F&& meet) {
    std::size_t kept = 0;
    for (auto& reply : replies) {
        if (!reply.decided()) {
            reply.identity = identify(reply.position);
            auto const* const first = replies.data();
            if (std::any_of(first, first + kept, [&reply](auto const& other) {
                    return !other.decided() && other.identity == reply.identity;
                })) {
                continue;
            }
            meet(reply.identity);
        }
        if (&replies[kept] != &reply) replies[kept] = reply;
        ++kept;
    }
    while (replies.size() > kept) replies.pop_back();
}

// The step of the reply with the highest rank, the first of them.
template <Game G, class Known, class F>
Step best_reply(Replies<G, Known> const& replies, F&& rank) {
    return std::max_element(replies.begin(), replies.end(), [&rank](auto const& a, auto const& b) {
               return rank(a) < rank(b);
           })->step;
}

// A value for the color to move, and the step that reaches it.
struct Answer {
    int value = 0;
    Step step{};
};

// How many positions of a board are won and lost for the color to move, and how many neither; and
// the most turns to the end of one that is won or lost.
struct Census {
    std::uint64_t won = 0, lost = 0, drawn = 0;
    int longest = 0;
};

// A way to find exact values.
template <Game G> class Solving {
  public:
    using Memory = typename G::Memory;

    Solving() = default;
    virtual ~Solving() = default;
    Solving(Solving const&) = delete;
    Solving& operator=(Solving const&) = delete;

    // Of a position that is not over, and settled. Throws GaveUp.
    virtual Answer solve(G const& position, Memory& memory) = 0;
    virtual std::size_t used_bytes() const = 0;

    // Whether a line of play that goes on so can be solved with what is known already.
    virtual bool goes_on(Memory const&) const { return true; }
    // Of all positions of the board, once they are known.
    virtual std::optional<Census> census() const { return {}; }
};

// The part of a solver that grows with the depth of its search: a T for each ply, that stays
// where it is.
template <class T> class Plies {
  public:
    T& operator[](std::size_t ply) {
        while (plies_.size() <= ply) plies_.push_back(std::make_unique<T>());
        return *plies_[ply];
    }

  private:
    std::vector<std::unique_ptr<T>> plies_;
};

}  // namespace patchpie
