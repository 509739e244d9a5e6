// The history of Robble: every board that has appeared, with the color to move, for R16.
//
// R16 is a sentence of protocol_specs/games/robble.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/game.hpp"

namespace patchpie {

// A board with the color to move. R16 compares these.
template <class Bits> struct RobbleAppearance {
    Bits own, other;  // the stones of the color to move, and those of its opponent
    Color to_move;

    constexpr Bits black() const { return to_move == BLACK ? own : other; }
    constexpr Bits white() const { return to_move == BLACK ? other : own; }
    friend constexpr bool operator==(RobbleAppearance const&, RobbleAppearance const&) = default;
};

// Detects new appearances quickly: one bit for each hash value. Nearly all appearances are new.
// Only if the bit is already set must the history compare all appearances.
template <class Bits> class RepetitionFilter {
  public:
    // Adds an appearance by the stones of the color that moved last; they suffice for a good hash.
    // Returns whether the appearance may be a repetition.
    bool add(Bits const& moved) {
        std::size_t const at = hash(moved);
        Word& word = words_[at / word_bits];
        bool const familiar = word >> (at % word_bits) & 1;
        word |= Word{1} << (at % word_bits);
        return familiar;
    }

  private:
    static constexpr int bits = 12;

    static constexpr std::size_t hash(Bits const& moved) {
        Word sum = 0;
        for (int i = 0; i < words_in<Bits>; ++i) {
            sum = (sum << 23 | sum >> (word_bits - 23)) ^ word_of(moved, i);
        }
        return static_cast<std::size_t>(sum * 0x9e3779b97f4a7c15 >> (word_bits - bits));
    }

    std::array<Word, (1 << bits) / word_bits> words_{};
};

// All appearances so far in a line of play, that of the current position last (R16).
//
// A mark holds a copy of the whole filter, so `rewind` costs one short copy, however many
// appearances were added.
template <class Bits> class RobbleHistory {
  public:
    using Appearance = RobbleAppearance<Bits>;

    struct Mark {
        std::size_t first, end;
        RepetitionFilter<Bits> filter;
    };
    Mark mark() const { return {first_, end_, filter_}; }
    void rewind(Mark const& mark) {
        first_ = mark.first;
        end_ = mark.end;
        filter_ = mark.filter;
    }

    // Removes all appearances. `rewind` cannot restore them.
    void clear() {
        restart();
        first_ = end_ = 0;
        filter_ = {};
    }

    // Starts an empty count. Only `rewind` restores the appearances before it.
    void restart() { first_ = end_; }

    // Adds an appearance. Returns whether it may be a repetition.
    bool add(Appearance const& now) {
        if (end_ == room_) [[unlikely]] grow();
        seen_[end_++] = now;
        return filter_.add(now.other);
    }

    // The number of times that the last appearance occurred, including itself.
    int appearances() const {
        return static_cast<int>(std::count(begin(), end(), *(end() - 1)));
    }

    // Whether an appearance before the last one has occurred more than so many times.
    [[gnu::cold]] bool earlier_more_than(int times) const {
        constexpr std::size_t words = words_in<Bits>;
        std::vector<std::array<Word, 2 * words + 1>> all;
        for (auto const* each = begin(); each < end() - 1; ++each) {
            auto& made = all.emplace_back();
            for (std::size_t i = 0; i < words; ++i) {
                made[i] = word_of(each->own, static_cast<int>(i));
                made[words + i] = word_of(each->other, static_cast<int>(i));
            }
            made.back() = each->to_move;
        }
        std::sort(all.begin(), all.end());
        auto const apart = static_cast<std::size_t>(times);
        for (std::size_t i = apart; i < all.size(); ++i) {
            if (all[i] == all[i - apart]) return true;
        }
        return false;
    }

    // Replaces all appearances by their mirror images.
    void mirror() {
        std::size_t const first = first_, last = end_;
        restart();
        for (std::size_t i = first; i < last; ++i) {
            Appearance const was = seen_[i];
            add({was.own, was.other, opponent(was.to_move)});
        }
    }

    Appearance const* begin() const { return seen_.data() + first_; }
    Appearance const* end() const { return seen_.data() + end_; }

  private:
    static constexpr std::size_t reserve = 1024;

    void grow() {
        room_ = std::max(reserve, 2 * room_);
        seen_.resize(room_);
    }

    std::vector<Appearance> seen_;  // `room_` elements; those from `first_` to `end_` are in use
    std::size_t first_ = 0, end_ = 0, room_ = 0;
    RepetitionFilter<Bits> filter_;
};

// A number with one digit in base 3 for each square. The field `seen` writes it in base 32. Memory
// holds it in limbs of 32 bits, lowest first.
class BoardNumber {
  public:
    static constexpr int digits_at_once = 20;  // 3^20 is below 2^32

    BoardNumber() = default;

    // Throws for a word that is not a number, or a number too large for a board.
    explicit BoardNumber(std::string_view text) {
        if (text.empty() || (text[0] == '0' && text.size() > 1)) throw unreadable(text);
        if (text.size() * 5 > limb_.size() * 32) throw unreadable(text);
        for (char const letter : text) {
            auto const digit = alphabet.find(letter);
            if (digit == alphabet.npos) throw unreadable(text);
            multiply_and_add(alphabet.size(), static_cast<std::uint32_t>(digit));
        }
    }

    std::string text() const {
        std::string written;
        for (BoardNumber rest = *this; written.empty() || !rest.zero();) {
            written += alphabet[rest.divide(alphabet.size())];
        }
        return {written.rbegin(), written.rend()};
    }

    void multiply_and_add(std::uint64_t factor, std::uint32_t summand) {
        std::uint64_t carry = summand;
        for (std::uint32_t& limb : limb_) {
            carry += limb * factor;
            limb = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
    }

    // Divides by the divisor and returns the remainder.
    std::uint32_t divide(std::uint64_t divisor) {
        std::uint64_t rest = 0;
        for (std::size_t i = limb_.size(); i-- > 0;) {
            rest = rest << 32 | limb_[i];
            limb_[i] = static_cast<std::uint32_t>(rest / divisor);
            rest %= divisor;
        }
        return static_cast<std::uint32_t>(rest);
    }

    bool zero() const { return limb_ == decltype(limb_){}; }

    static UnreadablePosition unreadable(std::string_view text) {
        return UnreadablePosition("seen holds " + std::string(text.substr(0, 20)) +
                                  ", which is no position of this board");
    }

  private:
    static constexpr std::string_view alphabet = "0123456789abcdefghijklmnopqrstuv";
    // 361 digits in base 3 take 573 bits.
    std::array<std::uint32_t, 20> limb_{};
};

}  // namespace patchpie
