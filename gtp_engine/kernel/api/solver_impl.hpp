// The solver of one game and layout, behind the interface AnySolver.
//
// It chooses the algorithm, tries the swap, finds the line of play, and runs in its own thread. A
// game ends only where the rules end it. In Boloa the solver does not test whether a color can
// still make a chain: no pair of stones is ever broken (B15), so only a chain of the other color
// can prevent it.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "api/external_steps.hpp"
#include "api/interface.hpp"
#include "solve/alpha_beta.hpp"
#include "solve/certificate.hpp"
#include "solve/df_pn.hpp"
#include "solve/df_pn_with_history.hpp"
#include "solve/retrograde.hpp"

namespace patchpie {

template <Game G> class SolverImpl final : public AnySolver {
  public:
    using L = typename G::Layout;

    // Throws if the method does not suit the game or the size, or needs more memory.
    [[gnu::cold]] SolverImpl(PositionText const& parts, std::size_t bytes, SolverMethod method)
        : line_(parts), bytes_(bytes),
          method_(method == SolverMethod::best ? best_method(bytes) : method) {
        if (!suits(method_, bytes)) throw std::invalid_argument("no such way to solve this");
    }

    ~SolverImpl() override {
        std::lock_guard const alone(control_);
        halt();
    }

    [[gnu::cold]] void turn_to(PositionText const& parts) override {
        std::lock_guard const alone(control_);
        check_board(parts);
        GameState<G> const line(parts);
        halt();
        std::lock_guard const lock(mutex_);
        line_ = line;
        solved_ = {};
        certificate_.reset();
        // Values that depend on the history hold for that history only.
        if (has_history<G> && method_ != SolverMethod::retrograde) algorithm_.reset();
    }

    [[gnu::cold]] void start(std::optional<std::uint64_t> positions,
                             std::optional<double> seconds, bool certify,
                             int threads) override {
        using Time = Limits::Clock::time_point;
        if (certify) require_certificates();
        std::lock_guard const alone(control_);
        Time const began = Limits::Clock::now();
        halt();
        threads_ = threads;
        auto const end = seconds ? began + std::chrono::duration_cast<Time::duration>(
                                               std::chrono::duration<double>(*seconds))
                                 : Time::max();
        run(certify ? Task::certify : Task::solve, began, positions.value_or(Limits::no_limit), end);
    }

    [[gnu::cold]] void check(std::vector<Word> const& words, Color winner) override {
        require_certificates();
        std::lock_guard const alone(control_);
        halt();
        check_.emplace(limits_, words, winner);
        run(Task::check, Limits::Clock::now(), Limits::no_limit, Limits::Clock::time_point::max());
    }

    bool wait(double seconds) override {
        std::unique_lock lock(mutex_);
        return ended_.wait_for(lock, std::chrono::duration<double>(seconds),
                               [this] { return !running_; });
    }

    void stop() override { limits_.stop(); }

    SolverResult solved() override {
        std::lock_guard const lock(mutex_);
        SolverResult now = solved_;
        now.positions = limits_.positions() - first_position_;
        now.hits = limits_.hits() - first_hit_;
        return now;
    }

    [[gnu::cold]] std::optional<std::vector<Word>> certificate() override {
        std::lock_guard const lock(mutex_);
        return certificate_;
    }

    CheckResult checked() override {
        std::lock_guard const lock(mutex_);
        CheckResult now = checked_;
        now.positions = limits_.positions() - first_position_;
        return now;
    }

    [[gnu::cold]] std::pair<std::string, std::size_t> saved_part(std::size_t first) override {
        std::lock_guard const alone(control_);
        halt();
        if (!algorithm_) return {};
        std::string part = algorithm_->saved_part(first);
        return {std::move(part), first};
    }

    [[gnu::cold]] void restore_part(std::string_view bytes) override {
        std::lock_guard const alone(control_);
        halt();
        if (!algorithm_) algorithm_ = made();
        algorithm_->restore_part(bytes);
    }

  private:
    enum class Task : std::uint8_t { solve, certify, check };

    // More steps than any line of a solvable game.
    static constexpr std::size_t longest_line = 400;
    // Words of 64 bits tell the positions of larger boards not apart.
    static constexpr int largest_certified = 4;

    SolverMethod best_method(std::size_t bytes) const {
        if (suits(SolverMethod::retrograde, bytes)) return SolverMethod::retrograde;
        return SolverMethod::df_pn;
    }

    bool suits(SolverMethod method, std::size_t bytes) const {
        switch (method) {
            case SolverMethod::alpha_beta: return !has_history<G>;
            case SolverMethod::retrograde:
                if constexpr (Reversible<G>) {
                    int const size = line_.position().size;
                    return size <= Retrograde<G>::largest &&
                           Retrograde<G>::bytes_for(size) <= bytes;
                }
                return false;
            default: return true;
        }
    }

    [[gnu::cold]] std::unique_ptr<SolverAlgorithm<G>> made() {
        if constexpr (Reversible<G>) {
            if (method_ == SolverMethod::retrograde) {
                return std::make_unique<Retrograde<G>>(line_.position().size, bytes_, limits_);
            }
        }
        if constexpr (has_history<G>) {
            return std::make_unique<DfPnWithHistory<G>>(bytes_, limits_);
        } else {
            if (method_ == SolverMethod::df_pn) {
                return std::make_unique<DfPn<G>>(bytes_, limits_);
            }
            return std::make_unique<AlphaBeta<G>>(bytes_, limits_);
        }
    }

    // Begins in a new thread. The caller holds control_ and has halted the one before.
    [[gnu::cold]] void run(Task task, Limits::Clock::time_point began, std::uint64_t positions,
                           Limits::Clock::time_point end) {
        began_ = began;  // only now: the thread before reads it at its end
        limits_.begin(positions, end);
        std::lock_guard const lock(mutex_);
        solved_ = {};
        checked_ = {};
        certificate_.reset();
        task_ = task;
        first_position_ = limits_.positions();
        first_hit_ = limits_.hits();
        thread_ = std::thread([this] { work(); });  // it may be refused
        running_ = true;
    }

    [[gnu::cold]] void work() {
        try {
            if (task_ == Task::check) check_words();
            for (bool again = task_ != Task::check; again;) {
                again = false;
                if (!algorithm_) algorithm_ = made();
                try {
                    solve();
                    if (task_ == Task::certify) collect();
                } catch (DrawFound const&) {
                    method_ = SolverMethod::alpha_beta;
                    algorithm_.reset();
                    again = true;
                }
            }
        } catch (SearchAborted const&) {
            // The results so far stay valid.
        } catch (TableContradicted const&) {
            std::lock_guard const lock(mutex_);
            solved_ = {};
            solved_.contradicted = true;
        } catch (std::bad_alloc const&) {
            algorithm_.reset();
        }
        std::lock_guard const lock(mutex_);
        auto const taken = Limits::Clock::now() - began_;
        solved_.seconds = std::chrono::duration<double>(taken).count();
        solved_.used_bytes = algorithm_ ? algorithm_->used_bytes() : 0;
        running_ = false;
        ended_.notify_all();
    }

    [[gnu::cold]] void solve() {
        GameState<G> line = line_;
        line.settle();
        if (Winner const winner = line.outcome().winner; winner != Winner::undecided) {
            return find(value_for(winner, BLACK));
        }
        limits_.check();
        BestStep answer = best(line);
        find(for_black(answer, line));
        std::optional<int> known;  // the value for Black of all positions of the line after a swap
        Canonicalizer<G> const canonical_key(Equivalence::exact);
        std::vector<CanonicalKey> met;
        for (;;) {
            {
                std::lock_guard const lock(mutex_);
                solved_.line.push_back(external_step<L>(answer.step));
                solved_.census = algorithm_->census();
                if (solved_.line.size() >= longest_line) return;
            }
            met.push_back(canonical_key(line.position()));
            if (line.pie() == Pie::off) known = for_black(answer, line);
            line.play(answer.step);
            line.settle();
            if (Winner const winner = line.outcome().winner; winner != Winner::undecided) {
                return require_equal(known, value_for(winner, BLACK));
            }
            // A drawn line can repeat for ever, so it ends at the first repetition.
            auto const now = canonical_key(line.position());
            if (has_history<G> && std::find(met.begin(), met.end(), now) != met.end()) return;
            if (!algorithm_->still_valid(line.history())) return;
            limits_.check();
            limits_.go_on();
            answer = best(line);
            require_equal(known, for_black(answer, line));
        }
    }

    static int for_black(BestStep const& answer, GameState<G> const& line) {
        return line.position().to_move == BLACK ? answer.value : -answer.value;
    }

    // Best play keeps the value. Values with a history may hold for another one.
    static void require_equal(std::optional<int> known, int now) {
        if (!has_history<G> && known && *known != now) throw TableContradicted{};
    }

    void check_board(PositionText const& parts) const {
        if (parts.game != G::name || parts.content.size != line_.position().size) {
            throw std::invalid_argument("a position of another game or size");
        }
    }

    void require_certificates() const {
        bool const small = line_.position().size <= largest_certified;
        if (has_history<G> || !small || line_.pie() != Pie::off) {
            throw std::invalid_argument("no certificates for such a position");
        }
    }

    [[gnu::cold]] void check_words() {
        std::optional<G> const unproven = check_->unproven(line_.position());
        std::lock_guard const lock(mutex_);
        checked_.proven = !unproven;
        if (unproven) checked_.unproven = text_of(*unproven);
    }

    // Only for games without history.
    static std::string text_of(G const& position) {
        return write_position_text(G::name, position.content(typename G::History{}), Pie::off);
    }

    // Collects the certificate of the solved position.
    [[gnu::cold]] void collect() {
        if constexpr (!has_history<G>) {
            GameState<G> line = line_;
            line.settle();
            std::vector<Word> found;
            if (line.outcome().winner == Winner::undecided) {
                limits_.go_on();
                int const value = plain(line).value;
                if (value == 0) return;
                found = Certificate<G>(*algorithm_, limits_, line.position(), value == 1).sorted();
            }
            std::lock_guard const lock(mutex_);
            certificate_ = std::move(found);
        }
    }

    void find(int value_for_black) {
        std::lock_guard const lock(mutex_);
        solved_.value = (value_for_black + 1) / 2.0;
    }

    // The value for the color to move of a line that is not over and has no forced step ahead. A
    // swap is a step like any other. But after a swap of sides the opponent decides, although the
    // color to move stays.
    [[gnu::cold]] BestStep best(GameState<G> const& line) {
        if (line.pie() == Pie::off) return plain(line);
        if (line.position().to_move == WHITE) {
            BestStep const without = plain(line);
            if (without.value == 1) return without;
            Step const swap = line.pie() == Pie::pieces ? swap_pieces : swap_sides;
            int const swapped = value_after(line, swap);
            return swapped > without.value ? BestStep{swapped, swap} : without;
        }
        Steps steps;
        line.legal_steps(steps);
        BestStep answer{-2, {}};
        for (Step const step : steps) {
            int const value = value_after(line, step);
            if (value > answer.value) answer = {value, step};
            if (value == 1) break;
        }
        return answer;
    }

    [[gnu::cold]] int value_after(GameState<G> line, Step step) {
        Color const mover = line.position().to_move;
        line.play(step);
        line.settle();
        Winner const winner = line.outcome().winner;
        if (winner != Winner::undecided) return value_for(winner, mover);
        bool const turned = line.position().to_move != mover || step == swap_sides;
        int const value = best(line).value;
        return turned ? -value : value;
    }

    BestStep plain(GameState<G> const& line) {
        auto history = line.history();
        return algorithm_->solve(line.position(), history, threads_);
    }

    // The caller holds control_.
    void halt() {
        limits_.stop();
        if (thread_.joinable()) thread_.join();
    }

    static_assert(alignof(G) <= alignment);
    GameState<G> line_;
    std::size_t bytes_;
    SolverMethod method_;
    Limits limits_;
    std::unique_ptr<SolverAlgorithm<G>> algorithm_;
    Limits::Clock::time_point began_;
    std::uint64_t first_position_ = 0, first_hit_ = 0;

    std::mutex control_;  // locked while the thread begins or ends
    std::mutex mutex_;
    std::condition_variable ended_;
    Task task_ = Task::solve;
    int threads_ = 1;
    SolverResult solved_;   // guarded by mutex_
    CheckResult checked_;   // guarded by mutex_
    std::optional<std::vector<Word>> certificate_;  // guarded by mutex_
    std::optional<CertificateCheck<G>> check_;
    bool running_ = false;  // guarded by mutex_
    std::thread thread_;
};

}  // namespace patchpie
