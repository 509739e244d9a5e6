// Starts, times and stops the threads of a search; see search_threads.hpp.
#include "mcts/search_threads.hpp"

#include <stdexcept>
#include <utility>

namespace patchpie {

void SearchThreads::start(int count, std::int64_t visits, Clock::time_point end, Work work) {
    work_ = std::move(work);
    visits_left_ = visits;
    end_ = end;
    stopped_ = false;
    running_ = count;
    for (int i = 0; i < count; ++i) {
        try {
            threads_.emplace_back([this, i] { run(static_cast<std::size_t>(i)); });
        } catch (...) {
            std::lock_guard const lock(mutex_);
            --running_;
            resumed_.notify_all();
        }
    }
    if (threads_.empty()) throw std::runtime_error("the system gives no thread to search with");
}

bool SearchThreads::wait(double seconds) {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, std::chrono::duration<double>(seconds),
                           [this] { return running_ == 0; });
}

void SearchThreads::stop_and_join() {
    stopped_ = true;
    for (auto& thread : threads_) thread.join();
    threads_.clear();
}

void SearchThreads::run(std::size_t number) {
    try {
        std::uint32_t since_clock_read = visits_between_clock_reads;
        while (!stopped_.load(std::memory_order_relaxed)) {
            if (work_.wants_pause() && Clock::now() < end_ - work_.pause) {
                pause();
                since_clock_read = visits_between_clock_reads;
            }
            if (visits_left_.fetch_sub(1, std::memory_order_relaxed) <= 0) break;
            if (since_clock_read >= visits_between_clock_reads) {
                if (Clock::now() >= end_) break;
                since_clock_read = 0;
            }
            std::uint32_t const visits = work_.visit(number);
            if (visits == 0) break;
            if (visits > 1) visits_left_.fetch_sub(visits - 1, std::memory_order_relaxed);
            since_clock_read += visits;
        }
    } catch (...) {
        // Memory ran out for a longer line of play. The results so far stay valid.
    }
    stopped_ = true;
    std::lock_guard const lock(mutex_);
    resumed_.notify_all();
    if (--running_ == 0) ended_.notify_all();
}

// Waits for all other threads; the last one calls `in_pause`. Once any thread has ended, the search
// ends, and nobody waits.
void SearchThreads::pause() {
    std::unique_lock lock(mutex_);
    struct Pausing {
        int& number;
        explicit Pausing(int& counted) : number(counted) { ++number; }
        ~Pausing() { --number; }  // also where memory runs out in the pause
    } const pausing(pausing_);
    auto const before = pauses_;
    while (!stopped_ && pauses_ == before) {
        if (pausing_ < running_) {
            resumed_.wait(lock);
        } else {
            work_.in_pause();
            ++pauses_;
            resumed_.notify_all();
        }
    }
}

}  // namespace patchpie
