// The concept that every game models: the mirror of rules/game.py.
//
// A game is a class template over a Layout, in games/<game>/<game>.hpp. Its objects are positions:
// trivially copyable values that contain their unfinished turn. Sentence numbers in the comments
// of a game (I16, P12) are those of protocol_specs/games/ and of its Python file.
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

// For games whose positions need no history. Robble has one.
struct NoHistory {
    struct Mark {};
    Mark mark() const { return {}; }
    void rewind(Mark) {}
    friend constexpr bool operator==(NoHistory const&, NoHistory const&) = default;
};

// A playout tells its steps to a trace. There are few traces: the compiler makes a copy of each
// playout for each of them.
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

// assemble    -- the position with the given content; throws UnreadablePosition for words and
//                fields that mean nothing, nothing else is checked
// content     -- the other way
// open        -- whether the color to move is inside a turn
// legal_steps -- all legal steps but the swap, appended in the order of the Python file; only
//                called while the outcome is undecided
// apply       -- makes a position the one after a legal step
// outcome     -- how the game ended, or undecided
// held        -- the points that count as each color's, as the position stands
// mirrored    -- the image in which all pieces have the other color, and the other color moves
// planes      -- sets of points that tell positions apart, seen by the color to move: equal for
//                a position and its mirror image, but for the color mirror. The first two
//                are the own and the other points, with neutral ones in both, and together all
//                that are not empty. A third one alone is another kind of piece; several are the
//                digits of the height of a stack
// extra_state -- what planes, size and color leave open, in four bits
// key         -- 64 bits that equal positions share and different ones hardly ever do
// playout     -- plays uniformly random legal steps (no swap) to the end and returns the winner;
//                calls the trace with each step and the color that played it. The position is
//                spent
// kinds       -- how many kinds of steps there are, swaps apart
// two_point_kind -- the kind whose steps name two points, -1 for none
//
// History is what the rules remember beside the position. It belongs to the line of play:
// `apply` and `playout` add to it, and `rewind` takes back all that was added since `mark`.
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
    { G::color_mirror } -> std::convertible_to<ColorMirror>;
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

// Mixes sets of points, and whatever else is in words, into one key.
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
