// Solvers of one game: the way that suits it, the swap, the line of play, in a thread of its own.
//
// There is no early end but those of the rules. That a chain of Boloa can no longer be made is
// no news: as no pair of stones is ever broken (B15), what bars it is the other color's chain.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "depth_first.hpp"
#include "edge.hpp"
#include "proof_number.hpp"
#include "retrograde.hpp"

namespace patchpie {

template <class L> Step outward(Step step) {
    return make_step(kind_of(step), L::outward(first_of(step)), L::outward(second_of(step)));
}

template <Game G> class SolverOf final : public AnySolver {
  public:
    using L = typename G::Layout;

    // Throws where the method is not for the game or the size, or takes more memory.
    SolverOf(TextParts const& parts, std::size_t bytes, Method method)
        : line_(parts), bytes_(bytes),
          method_(method == Method::best ? best_method(bytes) : method) {
        if (!suits(method_, bytes)) throw std::invalid_argument("no such way to solve this");
    }

    ~SolverOf() override { halt(); }

    void turn_to(TextParts const& parts) override {
        if (parts.game != G::name || parts.size != line_.position().size) {
            throw std::invalid_argument("a position of another game or size");
        }
        Line<G> const line(parts);
        halt();
        std::lock_guard const lock(mutex_);
        line_ = line;
        solved_ = {};
        // Values that rest on what was there before hold for that alone.
        if (remembers<G> && method_ != Method::retrograde) solving_.reset();
    }

    void start(std::optional<std::uint64_t> positions, std::optional<double> seconds) override {
        using Time = Effort::Clock::time_point;
        began_ = Effort::Clock::now();
        halt();
        effort_.begin(positions.value_or(~std::uint64_t{0}),
                      seconds ? began_ + std::chrono::duration_cast<Time::duration>(
                                             std::chrono::duration<double>(*seconds))
                              : Time::max());
        std::lock_guard const lock(mutex_);
        solved_ = {};
        first_position_ = effort_.positions();
        first_hit_ = effort_.hits();
        running_ = true;
        thread_ = std::thread([this] { work(); });
    }

    bool wait(double seconds) override {
        std::unique_lock lock(mutex_);
        return ended_.wait_for(lock, std::chrono::duration<double>(seconds),
                               [this] { return !running_; });
    }

    void stop() override { effort_.stop(); }

    Solved solved() override {
        std::lock_guard const lock(mutex_);
        Solved now = solved_;
        now.positions = effort_.positions() - first_position_;
        now.hits = effort_.hits() - first_hit_;
        return now;
    }

  private:
    // More steps than any line of a game that can be solved has.
    static constexpr std::size_t longest_line = 400;

    Method best_method(std::size_t bytes) const {
        if (suits(Method::retrograde, bytes)) return Method::retrograde;
        return suits(Method::proof_numbers, bytes) ? Method::proof_numbers : Method::depth_first;
    }

    bool suits(Method method, std::size_t bytes) const {
        switch (method) {
            case Method::proof_numbers: return !remembers<G>;
            case Method::retrograde:
                if constexpr (Reversible<G>) {
                    int const size = line_.position().size;
                    return size <= Retrograde<G>::largest &&
                           Retrograde<G>::bytes_for(size) <= bytes;
                }
                return false;
            default: return true;
        }
    }

    std::unique_ptr<Solving<G>> made() {
        if constexpr (Reversible<G>) {
            if (method_ == Method::retrograde) {
                return std::make_unique<Retrograde<G>>(line_.position().size, bytes_, effort_);
            }
        }
        if constexpr (!remembers<G>) {
            if (method_ == Method::proof_numbers) {
                return std::make_unique<ProofNumber<G>>(bytes_, effort_);
            }
        }
        return std::make_unique<DepthFirst<G>>(bytes_, effort_);
    }

    void work() {
        try {
            for (bool again = true; again;) {
                again = false;
                if (!solving_) solving_ = made();
                try {
                    solve();
                } catch (NotWonOrLost const&) {
                    method_ = Method::depth_first;
                    solving_.reset();
                    again = true;
                }
            }
        } catch (GaveUp const&) {
            // What has been found so far stands.
        } catch (std::bad_alloc const&) {
            solving_.reset();
        }
        std::lock_guard const lock(mutex_);
        auto const taken = Effort::Clock::now() - began_;
        solved_.seconds = std::chrono::duration<double>(taken).count();
        solved_.used_bytes = solving_ ? solving_->used_bytes() : 0;
        running_ = false;
        ended_.notify_all();
    }

    void solve() {
        Line<G> line = line_;
        line.settle();
        if (Winner const winner = line.outcome().winner; winner != Winner::undecided) {
            return find(worth(winner, BLACK));
        }
        effort_.check();
        Color const mover = line.position().to_move;
        Answer answer = best(line);
        find(mover == BLACK ? answer.value : -answer.value);
        Identifier<G> const identify(Alike::itself);
        std::vector<Identity> met;
        for (;;) {
            {
                std::lock_guard const lock(mutex_);
                solved_.line.push_back(outward<L>(answer.step));
                solved_.census = solving_->census();
                if (solved_.line.size() >= longest_line) return;
            }
            met.push_back(identify(line.position()));
            line.play(answer.step);
            line.settle();
            if (line.outcome().winner != Winner::undecided) return;
            // A drawn line goes on for ever.
            auto const now = identify(line.position());
            if (remembers<G> && std::find(met.begin(), met.end(), now) != met.end()) return;
            if (!solving_->goes_on(line.memory())) return;
            effort_.check();
            effort_.go_on();
            answer = best(line);
        }
    }

    void find(int value_for_black) {
        std::lock_guard const lock(mutex_);
        solved_.value = (value_for_black + 1) / 2.0;
    }

    // The value of a line that is not over, and settled, for its color to move. A swap is a step
    // like any other, but in the form in which the players exchange the colors the other one
    // decides after it although the color to move stays.
    Answer best(Line<G> const& line) {
        if (line.pie() == Pie::off) return plain(line);
        if (line.position().to_move == WHITE) {
            Answer const without = plain(line);
            if (without.value == 1) return without;
            Step const swap = line.pie() == Pie::pieces ? swap_pieces : swap_sides;
            int const swapped = after(line, swap);
            return swapped > without.value ? Answer{swapped, swap} : without;
        }
        Steps steps;
        line.legal_steps(steps);
        Answer answer{-2, {}};
        for (Step const step : steps) {
            int const value = after(line, step);
            if (value > answer.value) answer = {value, step};
            if (value == 1) break;
        }
        return answer;
    }

    int after(Line<G> line, Step step) {
        Color const mover = line.position().to_move;
        line.play(step);
        line.settle();
        Winner const winner = line.outcome().winner;
        if (winner != Winner::undecided) return worth(winner, mover);
        bool const turned = line.position().to_move != mover || step == swap_sides;
        int const value = best(line).value;
        return turned ? -value : value;
    }

    Answer plain(Line<G> const& line) {
        auto memory = line.memory();
        return solving_->solve(line.position(), memory);
    }

    void halt() {
        effort_.stop();
        if (thread_.joinable()) thread_.join();
    }

    static_assert(alignof(G) <= alignment);
    Line<G> line_;
    std::size_t bytes_;
    Method method_;
    Effort effort_;
    std::unique_ptr<Solving<G>> solving_;
    Effort::Clock::time_point began_;
    std::uint64_t first_position_ = 0, first_hit_ = 0;

    std::mutex mutex_;
    std::condition_variable ended_;
    Solved solved_;        // guarded by mutex_
    bool running_ = false;  // guarded by mutex_
    std::thread thread_;
};

}  // namespace patchpie
