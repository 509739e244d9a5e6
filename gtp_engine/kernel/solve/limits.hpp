// The limits of a solver in positions and time, and its use of them.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace patchpie {

// Thrown to unwind a stopped search.
struct SearchAborted {};

// Counts the searched positions. Ends the search after too many positions, after too much time, or
// on request.
class Limits {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::uint64_t no_limit = ~std::uint64_t{0};  // any number of positions

    // Whether to abort a search, asked at every look. Only a build without threads sets it: nobody
    // else can call `stop` there.
    static inline bool (*is_unwanted)() = nullptr;

    void begin(std::uint64_t most_positions, Clock::time_point end) {
        most_positions_ = most_positions;
        end_ = end;
        stopped_ = false;
        go_on();
    }
    // Allows as many positions again. The time limit does not change.
    void go_on() {
        last_ = positions_after(most_positions_);
    }
    void stop() { stopped_ = true; }
    void check() {
        if (stopped_.load(std::memory_order_relaxed) || Clock::now() >= end_ ||
            (is_unwanted != nullptr && is_unwanted())) {
            throw SearchAborted{};
        }
    }
    void count() {
        auto const before = positions();
        if (before >= last_) throw SearchAborted{};
        if (before % positions_between_looks == 0) check();
        positions_.store(before + 1, std::memory_order_relaxed);  // only one thread writes
    }
    // Adds what another thread has counted, beside the limit.
    void add(Limits const& other) {
        positions_.store(positions() + other.positions(), std::memory_order_relaxed);
        hits_.store(hits() + other.hits(), std::memory_order_relaxed);
        last_ += std::min(other.positions(), no_limit - last_);
    }
    void hit() { hits_.store(hits() + 1, std::memory_order_relaxed); }

    std::uint64_t positions() const { return positions_.load(std::memory_order_relaxed); }
    // The count after so many more.
    std::uint64_t positions_after(std::uint64_t more) const {
        return positions() + std::min(more, no_limit - positions());
    }
    std::uint64_t hits() const { return hits_.load(std::memory_order_relaxed); }

  private:
    static constexpr std::uint64_t positions_between_looks = 256;

    std::atomic<bool> stopped_{false};
    std::atomic<std::uint64_t> positions_{0}, hits_{0};
    std::uint64_t most_positions_ = no_limit, last_ = no_limit;
    Clock::time_point end_ = Clock::time_point::max();
};

}  // namespace patchpie
