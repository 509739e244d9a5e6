// The threads of one search. They run until the visits or the time are used up, the result is
// proven, or `stop` is called.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace patchpie {

class SearchThreads {
  public:
    using Clock = std::chrono::steady_clock;

    SearchThreads() = default;
    ~SearchThreads() { stop_and_join(); }
    SearchThreads(SearchThreads const&) = delete;
    SearchThreads& operator=(SearchThreads const&) = delete;

    // Starts up to `count` threads, or fewer if the system allows fewer. Thread number i calls
    // visit(i), which returns the number of visits made, or 0 once the result is proven. Throws
    // std::runtime_error if no thread starts.
    void start(int count, std::int64_t visits, Clock::time_point end,
               std::function<std::uint32_t(std::size_t)> visit);

    // Waits for the end of the search for at most `seconds`. Returns whether it has ended.
    bool wait(double seconds);
    void stop() { stopped_ = true; }
    void stop_and_join();

  private:
    static constexpr std::uint32_t visits_between_clock_reads = 16;

    void run(std::size_t number);

    std::function<std::uint32_t(std::size_t)> visit_;
    std::atomic<bool> stopped_{true};
    std::atomic<std::int64_t> visits_left_{0};
    Clock::time_point end_;
    std::mutex mutex_;
    std::condition_variable ended_;
    int running_ = 0;  // guarded by mutex_
    std::vector<std::thread> threads_;
};

}  // namespace patchpie
