// Positions and searches of one game: what edge.hpp promises, for any Game.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "edge.hpp"
#include "solve.hpp"

namespace patchpie {

using Clock = std::chrono::steady_clock;

// The legal step that the outside calls by a number; throws where there is none.
template <Game G> Step inward(Line<G> const& line, Step step) {
    Steps steps;
    line.legal_steps(steps);
    for (Step const each : steps) {
        if (outward<typename G::Layout>(each) == step) return each;
    }
    throw std::invalid_argument("an illegal step");
}

template <Game G> class PositionOf final : public AnyPosition {
  public:
    using L = typename G::Layout;

    explicit PositionOf(TextParts const& parts) : line_(parts) {}

    std::vector<Step> legal_steps() const override {
        Steps steps;
        line_.legal_steps(steps);
        std::vector<Step> all;
        for (Step const step : steps) all.push_back(outward<L>(step));
        return all;
    }
    void play(Step step) override { line_.play(inward(line_, step)); }
    bool open() const override { return line_.position().open(); }
    Outcome outcome() const override { return line_.outcome(); }
    std::uint64_t key() const override { return line_.key(); }
    std::string text() const override { return line_.text(); }
    std::uint64_t perft(int depth) const override { return perft(line_, depth); }

    Seen seen() const override {
        using S = Sight<G>;
        G const& position = line_.position();
        auto const area = static_cast<std::size_t>(position.size * position.size);
        Seen seen{std::vector<float>(area * S::inputs), std::vector<float>(sight_globals), {}};
        S::look(position, seen.points.data(), seen.globals.data());
        Steps steps;
        position.legal_steps(steps);
        for (Step const step : steps) {
            int const kind = kind_of(step);
            seen.steps.push_back({outward<L>(step), kind, S::place(position, first_of(step)),
                                  kind == G::paired ? S::place(position, second_of(step)) : -1});
        }
        return seen;
    }
    float judged_by(Net const& net, std::int64_t times) const override {
        Judge<G> judge(net, line_.position().size);
        float value = judge.value(line_.position());
        for (; times > 1; --times) value = judge.value(line_.position());
        return value;
    }
    std::vector<float> outputs_by(Net const& net) const override {
        Judge<G> judge(net, line_.position().size);
        judge.value(line_.position());
        return judge.outputs();
    }

    std::pair<std::vector<Step>, Winner> playout(std::uint64_t seed,
                                                 bool decisive) const override {
        std::vector<Step> steps;
        if (Winner const winner = line_.outcome().winner; winner != Winner::undecided) {
            return {steps, winner};
        }
        Rng rng(seed);
        G position = line_.position();
        auto memory = line_.memory();
        Winner const winner =
            play_out(position, rng, memory, decisive,
                     [&steps](Color, Step step) { steps.push_back(outward<L>(step)); });
        return {steps, winner};
    }

    Tally play_games(double seconds, std::uint64_t seed, bool step_by_step) const override {
        Tally tally;
        if (line_.outcome().winner != Winner::undecided) return tally;
        Rng rng(seed);
        auto memory = line_.memory();
        auto const mark = memory.mark();
        auto const began = Clock::now();
        do {
            for (int i = 0; i < games_between_looks; ++i) {
                G position = line_.position();
                auto const count = [&tally](Color, Step) { ++tally.plies; };
                Winner const winner = step_by_step ? play_slowly(position, memory, rng, tally.plies)
                                                   : position.playout(rng, memory, count);
                memory.rewind(mark);
                ++tally.games;
                tally.black_wins += winner == Winner::black;
                tally.draws += winner == Winner::draw;
            }
            tally.seconds = std::chrono::duration<double>(Clock::now() - began).count();
        } while (tally.seconds < seconds);
        return tally;
    }

    Forecast forecast(std::int64_t games, std::uint64_t seed) const override {
        int const size = line_.position().size;
        Forecast sums;
        sums.held.resize(static_cast<std::size_t>(size * size));
        Rng rng(seed);
        auto memory = line_.memory();
        auto const mark = memory.mark();
        for (; games > 0; --games) {
            std::vector<Step> steps;
            Winner winner = line_.outcome().winner;
            if (winner == Winner::undecided) {
                G spent = line_.position();
                winner = spent.playout(rng, memory,
                                       [&steps](Color, Step step) { steps.push_back(step); });
                memory.rewind(mark);
            }
            sums.black_wins += winner == Winner::black;
            sums.draws += winner == Winner::draw;
            G last = line_.position();
            for (Step const step : steps) last.after(step, memory);
            memory.rewind(mark);
            auto const held = last.held();
            for (Color const color : {BLACK, WHITE}) {
                for_each(held[color], [&](int point) {
                    int const cell = (size - 1 - L::row(point)) * size + L::column(point);
                    sums.held[static_cast<std::size_t>(cell)] += color == BLACK ? 1 : -1;
                });
            }
        }
        return sums;
    }

  private:
    static constexpr int games_between_looks = 32;

    static Winner play_slowly(G& position, typename G::Memory& memory, Rng& rng,
                              std::uint64_t& plies) {
        Outcome outcome;
        while ((outcome = position.outcome(memory)).winner == Winner::undecided) {
            Steps steps;
            position.legal_steps(steps);
            position.after(steps[rng.below(steps.count)], memory);
            ++plies;
        }
        return outcome.winner;
    }

    static std::uint64_t perft(Line<G> const& line, int depth) {
        if (depth == 0) return 1;
        Steps steps;
        line.legal_steps(steps);
        if (depth == 1) return static_cast<std::uint64_t>(steps.count);
        std::uint64_t total = 0;
        for (Step const step : steps) {
            Line<G> next = line;
            next.play(step);
            total += perft(next, depth - 1);
        }
        return total;
    }

    static_assert(alignof(G) <= alignment);
    Line<G> line_;
};

template <Game G> class SearchOf final : public AnySearch {
  public:
    using L = typename G::Layout;

    SearchOf(TextParts const& parts, Options const& options, std::vector<Step> const& among)
        : options_(options), tree_(parts, options, inward_all(parts, among)) {}

    ~SearchOf() override { halt(); }
    SearchOf(SearchOf const&) = delete;
    SearchOf& operator=(SearchOf const&) = delete;

    void start(std::optional<std::int64_t> visits, std::optional<double> seconds) override {
        auto const began = Clock::now();
        halt();
        std::lock_guard const guard(structure_);
        end_ = seconds ? began + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(*seconds))
                       : Clock::time_point::max();
        std::int64_t const done = tree_.stats().visits;
        left_ = std::min(visits.value_or(most_visits), most_visits) - done;
        stopped_ = false;
        std::vector<typename Tree<G>::Worker> workers;
        for (int i = 0; i < options_.threads; ++i) {
            workers.push_back(tree_.worker(stream_++));
        }
        tree_.prepare(workers.front());
        launch(std::move(workers));
    }

    bool wait(double seconds) override {
        std::unique_lock lock(mutex_);
        return ended_.wait_for(lock, std::chrono::duration<double>(seconds),
                               [this] { return running_ == 0; });
    }

    void stop() override { stopped_ = true; }

    void advance(Step step) override {
        halt();
        std::lock_guard const guard(structure_);
        tree_.advance(inward(tree_.line(), step));
    }

    bool follow(std::string_view text) override {
        auto const parts = read_text(text);
        halt();
        std::lock_guard const guard(structure_);
        return parts.game == G::name && tree_.follow(parts);
    }

    Stats stats() const override { return tree_.stats(); }
    Proof proof() const override { return tree_.proof(); }
    std::size_t nodes() const override { return tree_.nodes(); }
    std::size_t used_bytes() const override { return tree_.used_bytes(); }

    std::vector<Row> rows(std::size_t longest_pv) override {
        std::lock_guard const guard(structure_);
        auto rows = tree_.rows(longest_pv);
        for (Row& row : rows) {
            row.step = outward<L>(row.step);
            for (Step& step : row.pv) step = outward<L>(step);
        }
        return rows;
    }

    std::string text() const override {
        std::lock_guard const guard(structure_);
        return tree_.line().text();
    }

  private:
    static constexpr std::int64_t most_visits = 250'000'000;  // their points fit in 31 bits
    static constexpr std::uint32_t visits_between_looks = 16;

    static std::vector<Step> inward_all(TextParts const& parts, std::vector<Step> const& among) {
        Line<G> const line(parts);
        std::vector<Step> steps;
        for (Step const step : among) steps.push_back(inward(line, step));
        return steps;
    }

    // Starts a thread for each worker, or as many as the system gives.
    void launch(std::vector<typename Tree<G>::Worker> workers) {
        bool const shared = workers.size() > 1;
        running_ = static_cast<int>(workers.size());
        for (auto& worker : workers) {
            try {
                threads_.emplace_back([this, shared, own = std::move(worker)]() mutable {
                    shared ? work<true>(own) : work<false>(own);
                });
            } catch (...) {
                std::lock_guard const lock(mutex_);
                --running_;
            }
        }
        if (threads_.empty()) throw std::runtime_error("the system gives no thread to search with");
    }

    template <bool Shared> void work(typename Tree<G>::Worker& worker) {
        try {
            std::uint32_t since_look = visits_between_looks;
            while (!stopped_.load(std::memory_order_relaxed)) {
                if (tree_.proof() != Proof::none) break;
                if (left_.fetch_sub(1, std::memory_order_relaxed) <= 0) break;
                if (since_look >= visits_between_looks) {
                    if (Clock::now() >= end_) break;
                    since_look = 0;
                }
                std::uint32_t const weight = tree_.template visit<Shared>(worker);
                if (weight > 1) left_.fetch_sub(weight - 1, std::memory_order_relaxed);
                since_look += weight;
            }
        } catch (...) {
            // Out of memory for a longer line of play: what has been found so far stands.
        }
        stopped_ = true;
        std::lock_guard const lock(mutex_);
        if (--running_ == 0) ended_.notify_all();
    }

    void halt() {
        stopped_ = true;
        for (auto& thread : threads_) thread.join();
        threads_.clear();
    }

    Options options_;
    Tree<G> tree_;
    std::uint64_t stream_ = 0;
    mutable std::mutex structure_;  // held while blocks may move, and while rows are read

    std::atomic<bool> stopped_{true};
    std::atomic<std::int64_t> left_{0};
    Clock::time_point end_;
    std::mutex mutex_;
    std::condition_variable ended_;
    int running_ = 0;  // guarded by mutex_
    std::vector<std::thread> threads_;
};

// The class of a game whose template is given: GameOf<Implo>::position(parts).
template <template <class> class Rules> struct EntryOf {
    static std::unique_ptr<AnyPosition> position(TextParts const& parts) {
        return with_layout(parts.size, [&]<class L>() -> std::unique_ptr<AnyPosition> {
            return std::make_unique<PositionOf<Rules<L>>>(parts);
        });
    }
    static std::unique_ptr<AnySearch> search(TextParts const& parts, Options const& options,
                                             std::vector<Step> among) {
        return with_layout(parts.size, [&]<class L>() -> std::unique_ptr<AnySearch> {
            return std::make_unique<SearchOf<Rules<L>>>(parts, options, among);
        });
    }
    static Shape shape(int channels, int blocks) {
        return shape_of<Rules<UpTo7>>(channels, blocks);
    }
    static std::unique_ptr<AnySolver> solver(TextParts const& parts, std::size_t bytes,
                                             Method method) {
        return with_layout(parts.size, [&]<class L>() -> std::unique_ptr<AnySolver> {
            return std::make_unique<SolverOf<Rules<L>>>(parts, bytes, method);
        });
    }
};

}  // namespace patchpie
