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

    // visit(i)      -- makes visits in thread number i. Returns their number, or 0 once the result
    //                  is proven
    // wants_pause() -- whether `in_pause` should be called
    // in_pause()    -- one thread calls it while no other thread makes a visit
    // pause         -- how long `in_pause` takes. It is not called when less time is left
    struct Work {
        std::function<std::uint32_t(std::size_t)> visit;
        std::function<bool()> wants_pause;
        std::function<void()> in_pause;
        Clock::duration pause{};
    };

    // Starts up to `count` threads, or fewer if the system allows fewer. Throws std::runtime_error
    // if no thread starts.
    void start(int count, std::int64_t visits, Clock::time_point end, Work work);

    // Waits for the end of the search for at most `seconds`. Returns whether it has ended.
    bool wait(double seconds);
    void stop() { stopped_ = true; }
    void stop_and_join();

  private:
    static constexpr std::uint32_t visits_between_clock_reads = 16;

    void run(std::size_t number);
    void pause();

    Work work_;
    std::atomic<bool> stopped_{true};
    std::atomic<std::int64_t> visits_left_{0};
    Clock::time_point end_;
    std::mutex mutex_;
    std::condition_variable ended_, resumed_;
    int running_ = 0, pausing_ = 0;  // numbers of threads; guarded by mutex_, as is the next one
    std::uint64_t pauses_ = 0;
    std::vector<std::thread> threads_;
};

}  // namespace patchpie
