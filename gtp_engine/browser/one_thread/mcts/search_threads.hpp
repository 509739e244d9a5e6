// Stands in for mcts/search_threads.hpp where there is one thread: a search runs while it is waited
// for, and goes on at the next wait. So it makes the same visits as a thread of its own.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

namespace patchpie {

class SearchThreads {
  public:
    using Clock = std::chrono::steady_clock;

    struct Work {
        std::function<std::uint32_t(std::size_t)> visit;
        std::function<bool()> wants_pause;
        std::function<void()> in_pause;
        Clock::duration pause{};
    };

    void start(int, std::int64_t visits, Clock::time_point end, Work work) {
        work_ = std::move(work);
        visits_left_ = visits;
        end_ = end;
        running_ = true;
    }

    bool wait(double seconds) {
        auto const slice = std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(std::min(seconds, longest_slice)));
        try {
            for (auto const pause = Clock::now() + slice; running_ && Clock::now() < pause;) run();
        } catch (...) {  // memory ran out; the results so far stay valid
            running_ = false;
        }
        return !running_;
    }
    void stop() { running_ = false; }
    void stop_and_join() { stop(); }

  private:
    static constexpr std::uint32_t visits_between_clock_reads = 16;
    static constexpr double longest_slice = 0.1;

    void run() {
        running_ = Clock::now() < end_;
        for (std::uint32_t made = 0; running_ && made < visits_between_clock_reads;) {
            if (work_.wants_pause() && Clock::now() < end_ - work_.pause) work_.in_pause();
            std::uint32_t const visits = visits_left_ > 0 ? work_.visit(0) : 0;
            visits_left_ -= visits;
            made += visits;
            if (visits == 0) running_ = false;
        }
    }

    Work work_;
    std::int64_t visits_left_ = 0;
    Clock::time_point end_;
    bool running_ = false;
};

}  // namespace patchpie
