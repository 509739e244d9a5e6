// Exact values of all positions of a small board, from the ends backward.
//
// For games of two colors of stones whose positions come back: a position is won where a turn
// leads to one that is lost, lost where all turns lead to ones that are won, and drawn where
// neither can be said. That is right under a rule by which a position that appears for the third
// time is a draw (Robble, R16), whatever happened before, for these reasons.
//
// - Who has a won position can always go to one that is fewer turns from the end, so comes
//   back nowhere.
// - Who has a drawn position can always go to one that is drawn or won. The game cannot end with a
//   full board then but in a win; else it comes back somewhere and is a draw.
// - What has appeared twice before would be a draw at once: such positions are barred, that is,
//   counted as drawn ends. One that appeared once can still be gone through, once.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "effort.hpp"
#include "replies.hpp"

namespace patchpie {

template <class G>
concept Reversible = Game<G> && remembers<G> && requires { typename G::Backward; };

template <Reversible G> class Retrograde final : public Solving<G> {
  public:
    using L = typename G::Layout;
    using Bits = typename L::Bits;
    using Memory = typename G::Memory;
    using Board = typename G::Backward::Board;
    using Squares = typename G::Backward::Squares;
    using Appearance = typename Memory::Appearance;

    static constexpr int largest = 4;

    // The most memory that it takes.
    static std::size_t bytes_for(int size) { return 2 * boards_of(size); }

    Retrograde(int size, Effort& effort)
        : size_(size), boards_(boards_of(size)), backward_(size), effort_(effort) {
        for (std::uint32_t squares = 1; squares < ternary_.size(); ++squares) {
            auto const lowest = static_cast<std::size_t>(std::countr_zero(squares));
            ternary_[squares] = ternary_[squares & (squares - 1)] + powers[lowest];
        }
        for (std::uint32_t own = 0; own < half_squares; ++own) {
            for (std::uint32_t other = 0; other < half_squares; ++other) {
                if (own & other) continue;
                halves_[ternary_[own] + 2 * ternary_[other]] = {own, other};
            }
        }
    }

    std::size_t used_bytes() const override { return codes_.size(); }

    Answer solve(G const& position, Memory& memory) override {
        fill(memory);
        Replies<G, int> replies;
        list_replies(replies, position, memory);
        for (auto& reply : replies) reply.known = rank(reply, position.to_move);
        Step const step = best_reply(replies, [](auto const& reply) { return reply.known; });
        for (auto const& reply : replies) {
            if (reply.step == step) return {(reply.known > 0) - (reply.known < 0), step};
        }
        return {};
    }

    bool goes_on(Memory const& memory) const override { return barred_by(memory) == barred_; }

    // None where some are barred.
    std::optional<Census> census() const override { return census_; }

  private:
    // Below first_loss: so many turns may still be no wins. Else twice the turns to the end, and
    // one more for a win.
    using Code = std::uint8_t;
    static constexpr Code first_loss = largest * largest + 2, draw = 255;
    static constexpr Code lost_in(int turns) { return static_cast<Code>(first_loss + 2 * turns); }
    static constexpr Code won_in(int turns) { return static_cast<Code>(lost_in(turns) + 1); }
    static constexpr bool known(Code code) { return code >= first_loss && code != draw; }
    static constexpr bool won(Code code) { return (code - first_loss) % 2 == 1; }
    static constexpr int turns(Code code) { return (code - first_loss) / 2; }
    static constexpr int most_turns = (draw - first_loss) / 2 - 1;

    // Boards are numbers with a digit to the base 3 for each square: 0 empty, 1 own, 2 other.
    static constexpr auto powers = [] {
        std::array<std::uint32_t, largest * largest + 1> made{1};
        for (std::size_t i = 1; i < made.size(); ++i) made[i] = 3 * made[i - 1];
        return made;
    }();
    static constexpr std::uint32_t half_squares = 1 << largest * largest / 2;
    static constexpr std::uint32_t half_boards = powers[largest * largest / 2];

    static std::size_t boards_of(int size) { return powers[static_cast<std::size_t>(size * size)]; }

    // The place of a board with a color to move. Colors can be told apart only by what is barred.
    std::size_t place(Board const& board, Color color) const {
        std::size_t const number = ternary_[board.own] + 2 * std::size_t{ternary_[board.other]};
        return barred_.empty() || color == BLACK ? number : number + boards_;
    }
    Board board_at(std::size_t place) const {
        Board const low = halves_[place % half_boards], high = halves_[place / half_boards];
        return {low.own | high.own * half_squares, low.other | high.other * half_squares};
    }

    Board board_of(std::array<Bits, 2> const& planes) const {
        auto const squares = [this](Bits const& plane) {
            Squares all = 0;
            for (int column = size_; column-- > 0;) {
                Word const points = word_of(plane, 0) >> L::point(column, 0);
                all = all << size_ | static_cast<Squares>(points & ((Word{1} << size_) - 1));
            }
            return all;
        };
        return {squares(planes[0]), squares(planes[1])};
    }

    Content<L> content_of(Board const& board) const {
        Content<L> content;
        content.size = size_;
        for (int i = 0; i < size_ * size_; ++i) {
            Bits const point = bit<Bits>(L::point(i / size_, i % size_));
            if (board.own >> i & 1) content.layers["B"] |= point;
            if (board.other >> i & 1) content.layers["W"] |= point;
        }
        return content;
    }

    // How good a reply is for the color that makes it: soon won, drawn, lost late.
    int rank(Reply<G, int> const& reply, Color color) const {
        if (reply.decided()) return worth(reply.winner, color) * 1000;
        Board const board = board_of(reply.position.planes());
        Code const code = codes_[place(board, reply.position.to_move)];
        if (!known(code)) return 0;
        return won(code) ? turns(code) - 999 : 999 - turns(code);
    }

    // Finds the values of all positions, unless they are known.
    void fill(Memory const& memory) {
        auto barred = barred_by(memory);
        if (filled_ && barred == barred_) return;
        filled_ = false;
        barred_ = std::move(barred);
        codes_.assign((barred_.empty() ? 1 : 2) * boards_, 0);
        begin();
        for (int turns = 0; spread(turns); ++turns) {
            if (turns == most_turns) throw GaveUp{};
        }
        filled_ = true;
        if (barred_.empty()) census_ = counted();
        else census_.reset();
    }

    Census counted() const {
        Census all;
        for (Code const code : codes_) {
            if (!known(code)) {
                ++all.drawn;
                continue;
            }
            ++(won(code) ? all.won : all.lost);
            all.longest = std::max(all.longest, turns(code));
        }
        return all;
    }

    // What has appeared twice.
    static std::vector<Appearance> barred_by(Memory const& memory) {
        std::vector<Appearance> barred;
        for (auto each = memory.begin(); each < memory.end(); ++each) {
            if (std::count(memory.begin(), each, *each) == 1) barred.push_back(*each);
        }
        return barred;
    }

    void begin() {
        Squares const all = (Squares{1} << size_ * size_) - 1;
        for (std::size_t place = 0; place < codes_.size(); ++place) {
            if (place % half_boards == 0) effort_.check();
            Board const board = board_at(place % boards_);
            Squares const empty = all & ~(board.own | board.other);
            codes_[place] = static_cast<Code>(count(Word{empty}));
            if (empty == 0) codes_[place] = end_of(board);
        }
        for (Appearance const& each : barred_) {
            codes_[place(board_of({each.own, each.other}), each.to_move)] = draw;
        }
    }

    Code end_of(Board const& board) const {
        Memory memory;
        G const full = G::assemble(content_of(board), memory);
        return full.outcome(memory).winner == won_by(full.to_move) ? won_in(0) : lost_in(0);
    }

    // From the positions that are won or lost in so many turns to those before them. Returns
    // whether there were any.
    bool spread(int turns) {
        bool found = false;
        for (std::size_t at = 0; at < codes_.size(); ++at) {
            if (at % half_boards == 0) effort_.check();
            Code const code = codes_[at];
            if (code != won_in(turns) && code != lost_in(turns)) continue;
            found = true;
            effort_.count();
            Color const before = at < boards_ ? WHITE : BLACK;
            backward_.for_each_before(board_at(at % boards_), [&](Board const& board) {
                Code& other = codes_[place(board, before)];
                if (other >= first_loss) return;
                if (code == lost_in(turns)) other = won_in(turns + 1);
                else if (--other == 0) other = lost_in(turns + 1);
            });
        }
        return found;
    }

    int size_;
    std::size_t boards_;
    typename G::Backward backward_;
    Effort& effort_;
    std::vector<Code> codes_;  // for BLACK to move; then, where some are barred, for WHITE
    std::vector<Appearance> barred_;
    std::array<std::uint32_t, 1 << largest * largest> ternary_{};
    std::array<Board, half_boards> halves_{};
    bool filled_ = false;
    std::optional<Census> census_;
};

}  // namespace patchpie
