// The concept that every game models: the mirror of rules/game.py.
//
// A game is a class template over a Layout in games/<game>/<game>.hpp. Its objects are positions:
// trivially copyable values that include an open turn. The sentence numbers in the comments of a
// game (I16, P12) are those of protocol_specs/games/ and of its Python file.
#pragma once

#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>
#include <vector>

#include "board/layout.hpp"
#include "board/rng.hpp"
#include "board/symmetry.hpp"
#include "rules/position_text.hpp"

namespace patchpie {

// The history of games that need none. Robble needs one.
struct NoHistory {
    struct Mark {};
    Mark mark() const { return {}; }
    void rewind(Mark) {}
    friend constexpr bool operator==(NoHistory const&, NoHistory const&) = default;
};

// A playout calls a trace for each step. The compiler makes a copy of each playout for each type
// of trace, so there are few of them.
struct StepCount {
    std::uint64_t steps = 0;
    void operator()(Color, Step) { ++steps; }
};
struct StepList {
    struct Played {
        Step step;
        Color color;
    };
    std::vector<Played> steps;
    void operator()(Color color, Step step) { steps.push_back({step, color}); }
};

// What a game may tell a net beside its planes, by a member `insight`, from the view of the color
// to move.
//
// sets -- sets of points
// lead -- how far the color to move would be ahead if the game ended now
template <class Bits, std::size_t count> struct Insight {
    static constexpr int size = static_cast<int>(count);
    std::array<Bits, count> sets;
    int lead;
};

// assemble    -- makes a position from its content; throws UnreadablePosition for unknown words
//                and fields, and for what no position of the class can hold
// content     -- the inverse of `assemble`
// open        -- whether the color to move is inside a turn
// legal_steps -- appends all legal steps except the swap, in the order of the Python file; the
//                outcome must be undecided
// apply       -- makes a legal step
// outcome     -- the outcome of the game, or undecided
// held        -- the points that each color holds in this position
// mirrored    -- the image with exchanged colors of all pieces and of the color to move
// planes      -- sets of points that distinguish positions, from the view of the color to move: a
//                position and its mirror image have equal planes, up to `color_mirror`. The first
//                plane holds the own points and the second one the other points. Neutral points
//                are in both, so their union is all points that are not empty. A single third
//                plane is another kind of piece; several more are the binary digits of the height
//                of a stack
// extra_state -- four bits for the state that planes, size and color do not contain
// key         -- 64 bits that equal positions share and different ones hardly ever do
// playout     -- plays uniformly random legal steps (no swap) to the end and returns the winner;
//                it calls the trace with the color and the step. The position must not be used
//                afterwards
// flaw        -- why this position cannot occur in a game, in the words of the Python file; may be
//                missing (flaws.hpp). A text with a flaw is refused, so all other functions may rely
//                on positions that can occur
// kinds       -- the number of kinds of steps without swaps
// two_point_kind -- the kind of steps with two points, -1 for none
//
// The history holds the state of the line of play that rules need beside the position. `apply` and
// `playout` add to it, and `rewind` removes all additions since `mark`.
template <class G>
concept Game = std::is_trivially_copyable_v<G> &&
               requires(G position, G const& fixed, typename G::History& history,
                        typename G::History const& fixed_history, Steps& steps, Rng& rng,
                        StepCount& count, StepList& list,
                        Content<typename G::Layout> const& content) {
    { G::name } -> std::convertible_to<std::string_view>;
    { G::kinds } -> std::convertible_to<int>;
    { G::two_point_kind } -> std::convertible_to<int>;
    { fixed.size } -> std::convertible_to<int>;
    { fixed.to_move } -> std::convertible_to<Color>;
    { G::assemble(content, history) } -> std::same_as<G>;
    { fixed.content(fixed_history) } -> std::same_as<Content<typename G::Layout>>;
    { fixed.open() } -> std::same_as<bool>;
    { fixed.legal_steps(steps) } -> std::same_as<void>;
    { position.apply(Step{}, history) } -> std::same_as<void>;
    { fixed.outcome(fixed_history) } -> std::same_as<Outcome>;
    { fixed.held() } -> std::same_as<std::array<typename G::Layout::Bits, 2>>;
    { fixed.mirrored(history) } -> std::same_as<G>;
    { G::symmetry } -> std::convertible_to<Symmetry>;
    { G::color_mirror } -> std::convertible_to<Image>;
    { G::neighbors } -> std::convertible_to<Neighbors>;
    { word_of(fixed.planes()[0], 0) | word_of(fixed.planes()[1], 0) } -> std::same_as<Word>;
    { fixed.extra_state() } -> std::same_as<Word>;
    { fixed.key() } -> std::same_as<std::uint64_t>;
    { position.playout(rng, history, count) } -> std::same_as<Winner>;
    { position.playout(rng, history, list) } -> std::same_as<Winner>;
    { history.rewind(fixed_history.mark()) };
};

template <Game G>
inline constexpr bool has_history = !std::is_same_v<typename G::History, NoHistory>;

// Hashes words and sets of points into one key.
class Key {
  public:
    constexpr Key& add(Word word) {
        value_ = Rng::folded(value_ ^ word, 0xe7037ed1a0b428db ^ (value_ << 1 | 1));
        return *this;
    }
    template <class B>
        requires(words_in<B> > 1)
    constexpr Key& add(B const& points) {
        for (int i = 0; i < words_in<B>; ++i) add(word_of(points, i));
        return *this;
    }
    constexpr std::uint64_t value() const { return Rng::mixed(value_); }

  private:
    std::uint64_t value_ = 0xa0761d6478bd642f;
};

}  // namespace patchpie
