// What a solver may take, and what it has taken.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace patchpie {

// Thrown through a search that is stopped.
struct GaveUp {};

// Counts the positions that are searched, and ends the search when time is up or it is told to.
class Effort {
  public:
    using Clock = std::chrono::steady_clock;

    void begin(Clock::time_point end) {
        end_ = end;
        stopped_ = false;
        // A search that is over before it begins is not to begin at all.
        if (Clock::now() >= end_) stopped_ = true;
    }
    void stop() { stopped_ = true; }
    void check() {
        if (stopped_.load(std::memory_order_relaxed) || Clock::now() >= end_) throw GaveUp{};
    }
    void count() {
        auto const before = positions_.fetch_add(1, std::memory_order_relaxed);
        if (before % positions_between_looks == 0) check();
    }
    void hit() { hits_.fetch_add(1, std::memory_order_relaxed); }

    std::uint64_t positions() const { return positions_.load(std::memory_order_relaxed); }
    std::uint64_t hits() const { return hits_.load(std::memory_order_relaxed); }

  private:
    static constexpr std::uint64_t positions_between_looks = 256;

    std::atomic<bool> stopped_{false};
    std::atomic<std::uint64_t> positions_{0}, hits_{0};
    Clock::time_point end_ = Clock::time_point::max();
};

}  // namespace patchpie
