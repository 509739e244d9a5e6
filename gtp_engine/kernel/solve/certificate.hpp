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
    // The number of a word of the set, below `numbers()`; others have it after an insertion.
    std::size_t number(Word word) const { return word == 0 ? slots_.size() : place(word); }
    std::size_t numbers() const { return slots_.size() + 1; }
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

    // Also throws SearchAborted and TableContradicted.
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
        BestStep const answer = solver_.solve(position, history_, 1);
        if (answer.value != 1) throw TableContradicted{};
        G const next = after(position, answer.step, history_);
        next.to_move == position.to_move ? add_won(next) : add_lost(next);
    }

    SolverAlgorithm<G>& solver_;
    Limits& limits_;
    History history_;
    Canonicalizer<G> canonical_key_{Equivalence::all_images};
    WordSet lost_;
};

// Checks a certificate by the rules, without a solver. From the position that a color is said to win
// it follows each turn of the loser, and one turn of the winner: one that wins at once, or one to a
// position of the set. Each position of the set is followed once.
template <Game G> class CertificateCheck {
  public:
    CertificateCheck(Limits& limits, std::vector<Word> const& words, Color winner)
        : limits_(limits), winner_(winner) {
        for (Word const word : words) lost_.insert(word);
        followed_.resize(lost_.numbers());
    }

    // Returns a position without a proof, which may be `position` itself; none if the winner is
    // proven. Throws SearchAborted. It counts the positions of the set in the limits.
    std::optional<G> unproven(G const& position) {
        Winner const ended = position.outcome(history_).winner;
        try {
            if (ended == Winner::undecided ? wins(position) : ended == won_by(winner_)) return {};
        } catch (Unproven const& found) {
            return found.position;
        }
        return position;
    }

  private:
    // A position of the set that is not proven to be lost.
    struct Unproven {
        G position;
    };

    // Whether each step of the loser leads to a win, or one step of the winner does.
    bool wins(G const& position) {
        bool const chooses = position.to_move == winner_;
        Steps steps;
        position.legal_steps(steps);
        for (Step const step : steps) {
            G const next = after(position, step, history_);
            Winner const ended = next.outcome(history_).winner;
            bool const good = ended != Winner::undecided          ? ended == won_by(winner_)
                              : chooses && next.to_move != winner_ ? answers(next)
                                                                   : wins(next);
            if (good == chooses) return chooses;
        }
        return !chooses;
    }

    // Whether a turn of the winner may lead here: into the set, or to a position without a word
    // that is won.
    bool answers(G const& position) {
        CanonicalKey const key = canonical_key_(position);
        if (key.high != 0) return wins(position);
        if (!lost_.has(key.low)) return false;
        auto followed = followed_[lost_.number(key.low)];
        if (followed) return true;
        followed = true;
        limits_.count();
        if (!wins(position)) throw Unproven{position};
        return true;
    }

    Limits& limits_;
    Color winner_;
    typename G::History history_;
    Canonicalizer<G> canonical_key_{Equivalence::all_images};
    WordSet lost_;
    std::vector<bool> followed_;  // by the number of a word
};

}  // namespace patchpie
