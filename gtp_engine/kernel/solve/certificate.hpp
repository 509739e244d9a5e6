// Certificates: sets of positions that prove who wins. A solver makes them, the rules check them.
//
// A certificate for a position is a set of positions that are lost for the color to move, such that
// from it and from all positions of the set each step of the loser is answered by a step into the
// set, or by one that wins. Games without history never repeat a position, so such a set is a proof.
// protocol_specs/clients/certificates.md says how another program checks it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "rules/canonical_key.hpp"
#include "solve/algorithm.hpp"
#include "solve/limits.hpp"
#include "solve/successors.hpp"

namespace patchpie {

// A growing set of words.
class WordSet {
  public:
    bool has(Word word) const { return slots_[place(word)] == word || (word == 0 && zero_); }
    // Returns whether the word is new.
    bool insert(Word word) {
        if (has(word)) return false;
        if (word == 0) return zero_ = true;
        if (2 * ++count_ > slots_.size()) grow();
        slots_[place(word)] = word;
        return true;
    }
    std::vector<Word> sorted() const {
        std::vector<Word> all(zero_ ? 1 : 0, 0);
        for (Word const word : slots_) {
            if (word != 0) all.push_back(word);
        }
        std::sort(all.begin(), all.end());
        return all;
    }

  private:
    // The slot of a word, or the empty one (0) where it belongs.
    std::size_t place(Word word) const {
        std::size_t at = Rng::mixed(word) & (slots_.size() - 1);
        while (slots_[at] != word && slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
        return at;
    }
    void grow() {
        std::vector<Word> const before(std::move(slots_));
        slots_.assign(2 * before.size(), 0);
        for (Word const word : before) {
            if (word != 0) slots_[place(word)] = word;
        }
    }

    std::vector<Word> slots_ = std::vector<Word>(1024);
    std::size_t count_ = 0;
    bool zero_ = false;
};

// Collects a certificate with the help of a solver, which answers at once where it has proven a
// position, and proves again what it has forgotten.
//
// The set holds `low` of the canonical key, for the positions whose `high` is 0. The others are
// few, and each is a step away from positions of the set.
template <Game G> class Certificate {
  public:
    using History = typename G::History;

    // Also throws SearchAborted.
    Certificate(SolverAlgorithm<G>& solver, Limits& limits, G const& position, bool won)
        : solver_(solver), limits_(limits) {
        won ? add_won(position) : add_lost(position);
    }

    std::vector<Word> sorted() const { return lost_.sorted(); }

  private:
    bool known(G const& position) const {
        CanonicalKey const key = canonical_key_(position);
        return key.high == 0 && lost_.has(key.low);
    }

    // Adds a position that the color to move loses, and what follows its steps.
    void add_lost(G const& position) {
        CanonicalKey const key = canonical_key_(position);
        if (key.high == 0 && !lost_.insert(key.low)) return;
        limits_.check();
        Steps steps;
        position.legal_steps(steps);
        for (Step const step : steps) {
            G const next = after(position, step, history_);
            if (next.outcome(history_).winner != Winner::undecided) continue;
            next.to_move == position.to_move ? add_lost(next) : add_won(next);
        }
    }

    // Adds what follows a winning step of the color to move: of one into the set, if there is one.
    void add_won(G const& position) {
        Steps steps;
        position.legal_steps(steps);
        for (Step const step : steps) {
            G const next = after(position, step, history_);
            if (next.outcome(history_).winner == won_by(position.to_move)) return;
            if (next.to_move != position.to_move && known(next)) return;
        }
        G const next = after(position, solver_.solve(position, history_).step, history_);
        next.to_move == position.to_move ? add_won(next) : add_lost(next);
    }

    SolverAlgorithm<G>& solver_;
    Limits& limits_;
    History history_;
    Canonicalizer<G> canonical_key_{Equivalence::all_images};
    WordSet lost_;
};

// Checks a certificate by the rules, without a solver. `wins` must be true for the opponent of the
// color to move in the positions of all words, and for the winner in the position that the
// certificate is about.
//
// A position without a word is followed to those with a word.
template <Game G> class CertificateCheck {
  public:
    explicit CertificateCheck(std::vector<Word> const& words) {
        for (Word const word : words) lost_.insert(word);
    }

    // Whether each turn of the opponent is answered, or a turn of the color to move is an answer: it
    // wins at once, or leads to a position of the set.
    bool wins(Color color, G const& position) {
        bool const chooses = position.to_move == color;
        Steps steps;
        position.legal_steps(steps);
        for (Step const step : steps) {
            G const next = after(position, step, history_);
            Winner const winner = next.outcome(history_).winner;
            bool const answers = chooses && next.to_move != color;
            bool const good = winner != Winner::undecided ? winner == won_by(color)
                              : answers                   ? is_lost(next)
                                                          : wins(color, next);
            if (good == chooses) return chooses;
        }
        return !chooses;
    }

  private:
    bool is_lost(G const& position) {
        CanonicalKey const key = canonical_key_(position);
        return key.high == 0 ? lost_.has(key.low) : wins(opponent(position.to_move), position);
    }

    typename G::History history_;
    Canonicalizer<G> canonical_key_{Equivalence::all_images};
    WordSet lost_;
};

}  // namespace patchpie
