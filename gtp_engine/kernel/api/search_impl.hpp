// The search of one game and layout, behind the interface AnySearch.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "api/external_steps.hpp"
#include "api/interface.hpp"
#include "mcts/search.hpp"
#include "mcts/search_threads.hpp"

namespace patchpie {

template <Game G> class SearchImpl final : public AnySearch {
  public:
    using L = typename G::Layout;
    using Clock = SearchThreads::Clock;

    [[gnu::cold]] SearchImpl(PositionText const& parts, SearchOptions const& options,
               std::vector<Step> const& among)
        : tree_(parts, options, internal_steps(parts, among)) {}

    [[gnu::cold]] ~SearchImpl() override = default;

    [[gnu::cold]] void set_threads(int threads) override {
        std::lock_guard const alone(control_);
        threads_.stop_and_join();
        tree_.set_threads(threads);
    }

    [[gnu::cold]] void start(std::optional<std::int64_t> visits,
                             std::optional<double> seconds) override {
        std::lock_guard const alone(control_);
        auto const began = Clock::now();
        threads_.stop_and_join();
        auto const end = seconds ? began + duration(*seconds) : Clock::time_point::max();
        std::int64_t const done = tree_.stats().visits;
        std::int64_t const wanted = std::min(visits.value_or(most_visits), most_visits) - done;
        workers_.clear();
        int const count = tree_.threads();
        for (int i = 0; i < count; ++i) workers_.push_back(tree_.worker(stream_++));
        {
            std::lock_guard const guard(structure_);
            tree_.prepare(*workers_.front());
        }
        auto const visit = [this](std::size_t i) -> std::uint32_t {
            return tree_.proven() == ProvenResult::none ? tree_.visit(*workers_[i]) : 0;
        };
        threads_.start(count, wanted, end,
                       {.visit = visit,
                        .wants_pause = [this] { return tree_.is_nearly_full(); },
                        .in_pause = [this] { free_memory(); },
                        .pause = duration(tree_.seconds_to_free_memory())});
    }

    bool wait(double seconds) override { return threads_.wait(seconds); }
    void stop() override { threads_.stop(); }

    [[gnu::cold]] void advance(Step step) override {
        std::lock_guard const alone(control_);
        threads_.stop_and_join();
        std::lock_guard const guard(structure_);
        tree_.advance(internal_step(tree_.line(), step));
    }

    [[gnu::cold]] bool follow(std::string_view text) override {
        auto const parts = parse_position_text(text);
        std::lock_guard const alone(control_);
        threads_.stop_and_join();
        std::lock_guard const guard(structure_);
        return parts.game == G::name && tree_.follow(parts);
    }

    std::uint32_t visits() const override { return tree_.stats().visits; }
    double value() const override { return value_of(tree_.stats(), tree_.proven()); }
    std::optional<double> proven() const override { return proven_value(tree_.proven()); }
    std::size_t nodes() const override { return tree_.nodes(); }
    std::size_t used_bytes() const override { return tree_.used_bytes(); }

    [[gnu::cold]] std::vector<AnalysisRow> rows(std::size_t longest_pv) override {
        std::lock_guard const guard(structure_);
        auto rows = tree_.rows(longest_pv);
        for (AnalysisRow& row : rows) {
            row.step = external_step<L>(row.step);
            for (Step& step : row.pv) step = external_step<L>(step);
        }
        return rows;
    }

    [[gnu::cold]] std::string text() const override {
        std::lock_guard const guard(structure_);
        return tree_.line().text();
    }

  private:
    static constexpr std::int64_t most_visits = 250'000'000;  // so that points fit in 31 bits

    static Clock::duration duration(double seconds) {
        return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }

    [[gnu::cold]] void free_memory() {
        std::lock_guard const guard(structure_);
        tree_.free_memory();
        for (auto const& worker : workers_) worker->evaluated = {};
    }

    [[gnu::cold]] static std::vector<Step> internal_steps(PositionText const& parts,
                                            std::vector<Step> const& among) {
        GameState<G> const line(parts);
        std::vector<Step> steps;
        for (Step const step : among) {
            Step const each = internal_step(line, step);
            if (is_swap(each)) throw std::invalid_argument("a swap is no step of a search");
            if (std::ranges::find(steps, each) == steps.end()) steps.push_back(each);
        }
        return steps;
    }

    Tree<G> tree_;
    std::uint64_t stream_ = 0;
    std::mutex control_;            // locked while threads begin or end
    mutable std::mutex structure_;  // locked while blocks may move and while rows are read
    std::vector<std::unique_ptr<typename Tree<G>::Worker>> workers_;
    SearchThreads threads_;  // last, so that the threads end before their data
};

}  // namespace patchpie
