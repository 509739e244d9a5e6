// The words and fields of Pilo in a position text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/position_text.hpp"

namespace patchpie::pilo {

// How many passes in succession a position has. Throws UnreadablePosition for other fields.
inline std::int8_t read_passes(std::map<std::string, std::string, std::less<>> const& fields) {
    std::int8_t passes = 0;
    for (auto const& [field, text] : fields) {
        if (field != "passes") throw UnreadablePosition("Pilo has no field " + field);
        if (text != "1" && text != "2") throw UnreadablePosition("passes cannot be " + text);
        passes = static_cast<std::int8_t>(text[0] - '0');
    }
    return passes;
}

// The color and height of a stack, as in B2. Throws UnreadablePosition for any other word.
inline std::pair<Color, int> read_stack(std::string const& word) {
    int const height = word.size() == 2 ? word[1] - '0' : 0;
    if (height < 1 || height > 9 || (word[0] != 'B' && word[0] != 'W')) {
        throw UnreadablePosition("Pilo has no piece " + word);
    }
    return {word[0] == 'B' ? BLACK : WHITE, height};
}

// P11 adds a disk and fills a square. P14 turns two stacks of a height into one that is higher by
// one, and adds a block: a stack of height h stands for 2^(h - 1) placements. Throws
// UnreadablePosition for other numbers, so no stack is higher than the squares of a board allow.
inline void require_filled_squares(
    std::map<std::string, std::vector<int>, std::less<>> const& layers, std::string_view block) {
    std::size_t placed = 0, filled = 0;
    for (auto const& [word, vertices] : layers) {
        filled += vertices.size();
        if (word != block) placed += vertices.size() << (read_stack(word).second - 1);
    }
    if (placed != filled) {
        throw UnreadablePosition("stacks of such heights need " + std::to_string(placed) +
                                 " filled squares, not " + std::to_string(filled) + " (P11, P14)");
    }
}

}  // namespace patchpie::pilo
