// Parses and writes position texts; see position_text.hpp.
#include "rules/position_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace patchpie {
namespace {

constexpr std::string_view empty_cell = ".";

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        auto const end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

constexpr std::array<std::pair<std::string_view, Pie>, 3> pie_names{
    {{"off", Pie::off}, {"pieces", Pie::pieces}, {"sides", Pie::sides}}};

Pie read_pie(std::string_view text) {
    for (auto const& [name, pie] : pie_names) {
        if (name == text) return pie;
    }
    throw UnreadablePosition("pie is off, pieces or sides");
}

std::string_view pie_name(Pie pie) {
    for (auto const& [name, each] : pie_names) {
        if (each == pie) return name;
    }
    return "off";
}

// Splits a row into cells. A cell is one character and the digits after it.
std::vector<std::string_view> read_row(std::string_view row, int size) {
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

void check(std::string const& text, std::initializer_list<std::string_view> known,
           char const* what) {
    if (std::find(known.begin(), known.end(), text) == known.end()) {
        throw UnreadablePosition("the game has no " + (what + text));
    }
}

}  // namespace

void PositionContent::expect(std::initializer_list<std::string_view> words,
                             std::initializer_list<std::string_view> names) const {
    for (auto const& [word, vertices] : layers) check(word, words, "piece ");
    for (auto const& [name, text] : fields) check(name, names, "field ");
}

PositionText parse_position_text(std::string_view text) {
    auto const words = split(text, ' ');
    if (words.size() < 4) throw UnreadablePosition("expected GAME SIZE ROW/ROW/... COLOR ...");
    PositionText parsed;
    parsed.game = words[0];
    PositionContent& content = parsed.content;
    auto const number = words[1];
    auto const read = std::from_chars(number.data(), number.data() + number.size(), content.size);
    if (read.ec != std::errc{} || read.ptr != number.data() + number.size() ||
        content.size < min_size || content.size > max_size) {
        throw UnreadablePosition("sizes are 2 to 19");
    }
    auto const rows = split(words[2], '/');
    if (static_cast<int>(rows.size()) != content.size) throw UnreadablePosition("not SIZE rows");
    for (int i = 0; i < content.size; ++i) {  // from the top
        auto const cells = read_row(rows[static_cast<std::size_t>(i)], content.size);
        for (int column = 0; column < content.size; ++column) {
            auto const cell = cells[static_cast<std::size_t>(column)];
            if (cell == empty_cell) continue;
            int const row = content.size - 1 - i;
            content.layers[std::string(cell)].push_back(column * vertex_stride + row);
        }
    }
    if (words[3] != "b" && words[3] != "w") throw UnreadablePosition("the color is b or w");
    content.to_move = words[3] == "b" ? BLACK : WHITE;
    for (auto word = words.begin() + 4; word != words.end(); ++word) {
        auto const end = word->find('=');
        if (end == std::string_view::npos) throw UnreadablePosition("a field reads NAME=VALUE");
        auto const [name, value] = std::pair{word->substr(0, end), word->substr(end + 1)};
        if (name == "pie") parsed.pie = read_pie(value);
        else content.fields.emplace(name, value);
    }
    return parsed;
}

std::string write_position_text(std::string_view game, PositionContent const& content, Pie pie) {
    int const size = content.size;
    std::vector<std::string> cells(static_cast<std::size_t>(size * size), std::string(empty_cell));
    for (auto const& [word, vertices] : content.layers) {
        for (int const vertex : vertices) {
            int const column = vertex / vertex_stride, row = vertex % vertex_stride;
            cells[static_cast<std::size_t>((size - 1 - row) * size + column)] = word;
        }
    }
    std::string text = std::string(game) + ' ' + std::to_string(size) + ' ';
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0 && i % static_cast<std::size_t>(size) == 0) text += '/';
        text += cells[i];
    }
    text += content.to_move == BLACK ? " b" : " w";
    text += " pie=" + std::string(pie_name(pie));
    for (auto const& [name, value] : content.fields) text += ' ' + name + '=' + value;
    return text;
}

}  // namespace patchpie
