// Position texts, by which positions enter and leave the kernel (protocol_specs/clients/notation.md).
#pragma once

#include <initializer_list>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "board/layout.hpp"
#include "rules/step.hpp"

namespace patchpie {

// Thrown for a text that does not describe a position.
struct UnreadablePosition : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// The content of a position in a form that all games share.
//
// layers -- for each word of the position text, the vertices with this word
// fields -- the other state of the position, as texts
struct PositionContent {
    int size = 0;
    Color to_move = BLACK;
    std::map<std::string, std::vector<int>, std::less<>> layers;
    std::map<std::string, std::string, std::less<>> fields;

    // Throws UnreadablePosition if there is any other word or field.
    void expect(std::initializer_list<std::string_view> words,
                std::initializer_list<std::string_view> names = {}) const;
};

// The content of a position with the points of a layout.
template <class L> struct Content : PositionContent {
    using Bits = typename L::Bits;

    Content() = default;
    explicit Content(PositionContent content) : PositionContent(std::move(content)) {}

    Bits layer(std::string_view word) const {
        Bits points{};
        if (auto const found = layers.find(word); found != layers.end()) {
            for (int const vertex : found->second) points |= bit<Bits>(L::point_of(vertex));
        }
        return points;
    }
    void add(std::string const& word, Bits const& points) {
        for_each(points, [&](int point) { layers[word].push_back(L::vertex_of(point)); });
    }
};

struct PositionText {
    std::string_view game;
    PositionContent content;
    Pie pie = Pie::off;
};

// Throws UnreadablePosition. The name of the game refers to the given text, which must outlive it.
PositionText parse_position_text(std::string_view text);

std::string write_position_text(std::string_view game, PositionContent const& content, Pie pie);

}  // namespace patchpie
