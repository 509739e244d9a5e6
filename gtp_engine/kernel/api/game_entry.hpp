// The entry of a game in the list of games: it makes positions, searches and solvers.
#pragma once

#include "api/playout_benchmark.hpp"
#include "api/position_impl.hpp"
#include "api/search_impl.hpp"
#include "api/solver_impl.hpp"

namespace patchpie {

// The functions of the game with the given class template. Searches and benchmarks use the fastest
// layout for the size. The others use one of three general layouts, to save compile time.
template <template <class> class Rules> struct GameEntryOf {
    static std::unique_ptr<AnyPosition> position(PositionText const& text) {
        int const size = text.content.size;
        return with_general_layout(size, [&]<class L>() -> std::unique_ptr<AnyPosition> {
            return std::make_unique<PositionImpl<Rules<L>>>(text);
        });
    }
    static std::unique_ptr<AnySearch> search(PositionText const& text, SearchOptions const& options,
                                             std::vector<Step> const& among) {
        return with_layout(text.content.size, [&]<class L>() -> std::unique_ptr<AnySearch> {
            return std::make_unique<SearchImpl<Rules<L>>>(text, options, among);
        });
    }
    static std::unique_ptr<AnySolver> solver(PositionText const& text, std::size_t bytes,
                                             SolverMethod method) {
        return with_general_layout(text.content.size, [&]<class L>() -> std::unique_ptr<AnySolver> {
            return std::make_unique<SolverImpl<Rules<L>>>(text, bytes, method);
        });
    }
    static PlayoutTally play_games(PositionText const& text, double seconds, std::uint64_t seed,
                                   bool step_by_step) {
        return with_layout(text.content.size, [&]<class L>() {
            return patchpie::play_games<Rules<L>>(text, seconds, seed, step_by_step);
        });
    }
    static Shape shape(int channels, int blocks) {
        return shape_of<Rules<Only8>>(channels, blocks);
    }
};

}  // namespace patchpie
