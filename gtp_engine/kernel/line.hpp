// A line of play: a position, what it remembers, and the swap that may still be ahead.
//
// Here is what all games share, the second half of rules/game.py, and the position text of
// protocol_specs/notation.md, by which positions cross the edge of the kernel both ways.
#pragma once

#include <charconv>
#include <utility>
#include <vector>

#include "game.hpp"

namespace patchpie {

inline constexpr std::string_view empty_cell = ".";

// The words of a position text.
struct TextParts {
    std::string_view game;
    int size = 0;
    std::vector<std::vector<std::string_view>> rows;  // from the top
    Color to_move = BLACK;
    Pie pie = Pie::off;
    std::map<std::string, std::string, std::less<>> fields;
};

inline std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        auto const end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

inline constexpr std::array<std::pair<std::string_view, Pie>, 3> pie_names{
    {{"off", Pie::off}, {"pieces", Pie::pieces}, {"sides", Pie::sides}}};

inline Pie read_pie(std::string_view text) {
    for (auto const& [name, pie] : pie_names) {
        if (name == text) return pie;
    }
    throw UnreadablePosition("pie is off, pieces or sides");
}

inline std::string_view pie_name(Pie pie) {
    for (auto const& [name, each] : pie_names) {
        if (each == pie) return name;
    }
    return "off";
}

// A row's cells: one character each, and the digits after it.
inline std::vector<std::string_view> read_row(std::string_view row, int size) {
    std::vector<std::string_view> cells;
    while (!row.empty()) {
        auto end = row.find_first_not_of("0123456789", 1);
        if (end == std::string_view::npos) end = row.size();
        cells.push_back(row.substr(0, end));
        row.remove_prefix(end);
    }
    if (static_cast<int>(cells.size()) != size) throw UnreadablePosition("a row of another length");
    return cells;
}

// Throws UnreadablePosition.
inline TextParts read_text(std::string_view text) {
    auto const words = split(text, ' ');
    if (words.size() < 4) throw UnreadablePosition("it reads GAME SIZE ROW/ROW/... COLOR ...");
    TextParts parts;
    parts.game = words[0];
    auto const number = words[1];
    auto const read = std::from_chars(number.data(), number.data() + number.size(), parts.size);
    if (read.ec != std::errc{} || read.ptr != number.data() + number.size() ||
        parts.size < min_size || parts.size > max_size) {
        throw UnreadablePosition("sizes are 2 to 19");
    }
    auto const rows = split(words[2], '/');
    if (static_cast<int>(rows.size()) != parts.size) throw UnreadablePosition("not SIZE rows");
    for (auto const row : rows) parts.rows.push_back(read_row(row, parts.size));
    if (words[3] != "b" && words[3] != "w") throw UnreadablePosition("the color is b or w");
    parts.to_move = words[3] == "b" ? BLACK : WHITE;
    for (auto word = words.begin() + 4; word != words.end(); ++word) {
        auto const end = word->find('=');
        if (end == std::string_view::npos) throw UnreadablePosition("a field reads NAME=VALUE");
        auto const [name, value] = std::pair{word->substr(0, end), word->substr(end + 1)};
        if (name == "pie") parts.pie = read_pie(value);
        else parts.fields.emplace(name, value);
    }
    return parts;
}

// Plays the forced steps of an open turn, those without an alternative.
template <Game G> void settle(G& position, typename G::Memory& memory) {
    while (position.open()) {
        Steps steps;
        position.legal_steps(steps);
        if (steps.count != 1) return;
        position.after(steps[0], memory);
    }
}

template <Game G> class Line {
  public:
    using L = typename G::Layout;

    explicit Line(TextParts const& parts)
        : position_(G::assemble(content_of(parts), memory_)), pie_(parts.pie) {}

    G const& position() const { return position_; }
    typename G::Memory const& memory() const { return memory_; }
    Pie pie() const { return pie_; }
    Outcome outcome() const { return position_.outcome(memory_); }

    // All legal steps; none exactly when the game is over.
    void legal_steps(Steps& steps) const {
        if (outcome().winner != Winner::undecided) return;
        position_.legal_steps(steps);
        // Pie rule: White, on the first turn only, may swap instead of a regular move.
        if (pie_ != Pie::off && position_.to_move == WHITE) {
            steps.add(pie_ == Pie::pieces ? swap_pieces : swap_sides);
        }
    }

    // The line after a legal step; any other step gives nonsense.
    void play(Step step) {
        if (position_.to_move == WHITE) pie_ = Pie::off;
        if (step == swap_pieces) position_ = position_.mirrored(memory_);
        else if (step != swap_sides) position_.after(step, memory_);
    }

    void settle() { patchpie::settle(position_, memory_); }

    std::uint64_t key() const {
        int const rest = static_cast<int>(pie_) << 8 | position_.size;
        return Rng::mixed(position_.key() ^ Rng::mixed(static_cast<std::uint64_t>(rest)));
    }

    // The position text.
    std::string text() const {
        auto const content = position_.content(memory_);
        std::vector<std::string> cells(static_cast<std::size_t>(content.size * content.size),
                                       std::string(empty_cell));
        for (auto const& [word, points] : content.layers) {
            for_each(points, [&](int point) {
                cells[cell(content.size, L::column(point), L::row(point))] = word;
            });
        }
        std::string text = std::string(G::name) + ' ' + std::to_string(content.size) + ' ';
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (i > 0 && i % static_cast<std::size_t>(content.size) == 0) text += '/';
            text += cells[i];
        }
        text += content.to_move == BLACK ? " b" : " w";
        text += " pie=" + std::string(pie_name(pie_));
        for (auto const& [name, value] : content.fields) text += ' ' + name + '=' + value;
        return text;
    }

  private:
    // Where a point stands in the text, which begins with the top row.
    static std::size_t cell(int size, int column, int row) {
        return static_cast<std::size_t>((size - 1 - row) * size + column);
    }

    static Content<L> content_of(TextParts const& parts) {
        Content<L> content;
        content.size = parts.size;
        content.to_move = parts.to_move;
        content.fields = parts.fields;
        for (int row = 0; row < parts.size; ++row) {
            auto const& words = parts.rows[static_cast<std::size_t>(parts.size - 1 - row)];
            for (int column = 0; column < parts.size; ++column) {
                auto const word = words[static_cast<std::size_t>(column)];
                if (word == empty_cell) continue;
                content.layers[std::string(word)] |= bit<typename L::Bits>(L::point(column, row));
            }
        }
        return content;
    }

    typename G::Memory memory_;  // before the position: it is filled while that is assembled
    G position_;
    Pie pie_;
};

}  // namespace patchpie
