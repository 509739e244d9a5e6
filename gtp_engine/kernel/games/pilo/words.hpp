// The words and fields of Pilo in a position text.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

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
inline std::pair<Color, int> read_stack(std::string const& word, int highest) {
    int const height = word.size() == 2 ? word[1] - '0' : 0;
    if (height < 1 || height > highest || (word[0] != 'B' && word[0] != 'W')) {
        throw UnreadablePosition("Pilo has no piece " + word);
    }
    return {word[0] == 'B' ? BLACK : WHITE, height};
}

}  // namespace patchpie::pilo
