// Colors, steps and outcomes (rules/step.py).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace patchpie {

enum Color : std::uint8_t { BLACK, WHITE };

constexpr Color opponent(Color color) { return color == BLACK ? WHITE : BLACK; }

enum class Pie : std::uint8_t { off, pieces, sides };

// One step in 22 bits: its kind and the numbers of its points (0 for none). Kinds have the order
// of GAME.kinds in the Python file of the game; swaps come last.
using Step = std::uint32_t;

inline constexpr int swap_pieces_kind = 14;
inline constexpr int swap_sides_kind = 15;

constexpr Step make_step(int kind, int first = 0, int second = 0) {
    return static_cast<Step>(kind << 18 | first << 9 | second);
}
constexpr int kind_of(Step step) { return static_cast<int>(step >> 18 & 15); }
constexpr int first_of(Step step) { return static_cast<int>(step >> 9 & 511); }
constexpr int second_of(Step step) { return static_cast<int>(step & 511); }

inline constexpr Step swap_pieces = make_step(swap_pieces_kind);
inline constexpr Step swap_sides = make_step(swap_sides_kind);

constexpr bool is_swap(Step step) { return step == swap_pieces || step == swap_sides; }

// A list of steps that never allocates. The capacity suffices for any position: at most four
// captures or displacements for each of 361 points, or two steps for each empty point.
struct Steps {
    static constexpr int capacity = 2048;
    int count = 0;
    std::array<Step, capacity> step;

    void add(Step each) { step[static_cast<std::size_t>(count++)] = each; }
    Step operator[](int i) const { return step[static_cast<std::size_t>(i)]; }
    Step const* begin() const { return step.data(); }
    Step const* end() const { return step.data() + count; }
};

enum class Winner : std::uint8_t { undecided, black, white, draw };

constexpr Winner won_by(Color color) { return color == BLACK ? Winner::black : Winner::white; }

// The outcome of a game. The margin is the difference in score, or -1 if the rules define no
// score.
struct Outcome {
    Winner winner = Winner::undecided;
    int margin = -1;

    friend constexpr bool operator==(Outcome const&, Outcome const&) = default;
};

}  // namespace patchpie
