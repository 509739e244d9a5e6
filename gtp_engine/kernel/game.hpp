// The contract that every game fulfills: the mirror of rules/game.py.
//
// A game is a class template over a Layout, one header in games/, whose objects are positions:
// trivially copyable values that contain their unfinished turn. Sentence numbers in the comments
// of a game (I16, P12) are those of protocol_specs/games/ and of its Python file.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "layout.hpp"
#include "rng.hpp"
#include "step.hpp"

namespace patchpie {

// A text that describes no position; it never leaves the edge of the kernel.
struct UnreadablePosition : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// Everything that a position is, in the terms that all games share.
//
// layers -- the points of each word of the position text
// fields -- what the rules remember beside that, as texts
template <class L> struct Content {
    int size = 0;
    Color to_move = BLACK;
    std::map<std::string, typename L::Bits, std::less<>> layers;
    std::map<std::string, std::string, std::less<>> fields;

    typename L::Bits layer(std::string_view word) const {
        auto const found = layers.find(word);
        return found == layers.end() ? typename L::Bits{} : found->second;
    }
    void add(std::string const& word, typename L::Bits const& points) {
        if (any(points)) layers[word] = points;
    }

    // Throws where there is any other word or field.
    void expect(std::initializer_list<std::string_view> words,
                std::initializer_list<std::string_view> names = {}) const {
        for (auto const& [word, points] : layers) check(word, words, "piece ");
        for (auto const& [name, text] : fields) check(name, names, "field ");
    }

  private:
    static void check(std::string const& text, std::initializer_list<std::string_view> known,
                      char const* what) {
        if (std::find(known.begin(), known.end(), text) == known.end()) {
            throw UnreadablePosition("the game has no " + (what + text));
        }
    }
};

// For games whose positions remember nothing that is not in them: see Robble for one that does.
struct NoMemory {
    struct Mark {};
    Mark mark() const { return {}; }
    void rewind(Mark) {}
    friend constexpr bool operator==(NoMemory const&, NoMemory const&) = default;
};

struct NoTrace {
    void operator()(Color, Step) const {}
};

// Which images of a board are as good as the board: all eight; or, where colors own edges, the
// four that keep these, and the other four with the colors exchanged.
enum class Symmetry : std::uint8_t { full, keeping_edges };

// assemble    -- the position with the given content; throws UnreadablePosition for words and
//                fields that mean nothing, nothing else is checked
// content     -- the other way
// open        -- whether the color to move is inside a turn
// legal_steps -- all legal steps but the swap, appended in the order of the Python file; only
//                called while the outcome is undecided
// after       -- makes a position the one after a legal step
// outcome     -- how the game ended, or undecided
// held        -- the points that count as each color's, as the position stands
// mirrored    -- the image in which all pieces have the other color, and the other color moves
// planes      -- sets of points that tell positions apart, seen by the color to move: equal for
//                a position and its mirror image, but for what the symmetry says. The first two
//                are the own and the other points, with neutral ones in both, and together all
//                that are not empty. A third one alone is another kind of piece; several are the
//                digits of the height of a stack
// rest        -- what planes, size and color leave open, in four bits
// key         -- 64 bits that equal positions share and different ones hardly ever do
// playout     -- plays uniformly random legal steps (no swap) to the end and returns the winner;
//                calls the trace with each step and the color that played it. The position is
//                spent
// kinds       -- how many kinds of steps there are, swaps apart
// paired      -- the kind whose steps name two points, -1 for none
//
// Memory is what else a line of play leaves behind. It belongs to the line that is being played:
// `after` and `playout` add to it, and `rewind` takes back all that was added since `mark`.
template <class G>
concept Game = std::is_trivially_copyable_v<G> &&
               requires(G position, G const& fixed, typename G::Memory& memory,
                        typename G::Memory const& remembered, Steps& steps, Rng& rng,
                        Content<typename G::Layout> const& content) {
    { G::name } -> std::convertible_to<std::string_view>;
    { G::kinds } -> std::convertible_to<int>;
    { G::paired } -> std::convertible_to<int>;
    { fixed.size } -> std::convertible_to<int>;
    { fixed.to_move } -> std::convertible_to<Color>;
    { G::assemble(content, memory) } -> std::same_as<G>;
    { fixed.content(remembered) } -> std::same_as<Content<typename G::Layout>>;
    { fixed.open() } -> std::same_as<bool>;
    { fixed.legal_steps(steps) } -> std::same_as<void>;
    { position.after(Step{}, memory) } -> std::same_as<void>;
    { fixed.outcome(remembered) } -> std::same_as<Outcome>;
    { fixed.held() } -> std::same_as<std::array<typename G::Layout::Bits, 2>>;
    { fixed.mirrored(memory) } -> std::same_as<G>;
    { G::symmetry } -> std::convertible_to<Symmetry>;
    { word_of(fixed.planes()[0], 0) | word_of(fixed.planes()[1], 0) } -> std::same_as<Word>;
    { fixed.rest() } -> std::same_as<Word>;
    { fixed.key() } -> std::same_as<std::uint64_t>;
    { position.playout(rng, memory, NoTrace{}) } -> std::same_as<Winner>;
    { memory.rewind(remembered.mark()) };
};

template <Game G>
inline constexpr bool remembers = !std::is_same_v<typename G::Memory, NoMemory>;

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
