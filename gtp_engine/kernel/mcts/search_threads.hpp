// The threads of one search. They visit until there are enough visits, time is up, the result is
// proven, or they are told to stop.
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

    // Starts up to `count` threads, as many as the system gives. Thread number i calls visit(i),
    // which returns how many visits that was, 0 once the result is proven. Throws
    // std::runtime_error where there is no thread at all.
    void start(int count, std::int64_t visits, Clock::time_point end,
               std::function<std::uint32_t(std::size_t)> visit);

    // Waits for the end of the search, at most so long; whether it has ended.
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
