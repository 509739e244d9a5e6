// What a search reports about one step at the root.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "board/struct_fields.hpp"
#include "rules/step.hpp"

namespace patchpie {

// The statistics of a step at the root. Values are for Black, from 0 to 1. `lcb` is the lower end
// of the 95 % confidence interval of the value for the color to move. `pv` begins with this step;
// `ends` tells after how many of its steps, and the forced ones that follow, each turn is over.
struct AnalysisRow {
    Step step = 0;
    std::uint32_t visits = 0;
    double value = 0.5;
    double prior = 0;
    double lcb = 0;
    std::optional<double> proven;
    std::vector<Step> pv;
    std::vector<std::uint32_t> ends;

    static constexpr auto fields() {
        using Row = AnalysisRow;
        return std::tuple(Field{"step", &Row::step}, Field{"visits", &Row::visits},
                          Field{"value", &Row::value}, Field{"prior", &Row::prior},
                          Field{"lcb", &Row::lcb}, Field{"proven", &Row::proven},
                          Field{"pv", &Row::pv}, Field{"ends", &Row::ends});
    }
};

}  // namespace patchpie
