// df-pn: depth-first proof-number search (Nagai, 2002).
//
// It uses the 1 + epsilon threshold (Pawlewicz and Lew, 2007) and weak proof numbers (Ueda et al.,
// 2008). Weak proof numbers do not add up disproof numbers, because transpositions would count
// twice.
//
// It works for games without history, and only while it meets no draw.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "solve/algorithm.hpp"
#include "solve/df_pn_search.hpp"
#include "solve/limits.hpp"
#include "solve/transposition_table.hpp"

namespace patchpie {

template <Game G> class DfPn final : public SolverAlgorithm<G> {
  public:
    using History = typename G::History;

    DfPn(std::size_t bytes, Limits& limits)
        : shared_(bytes), search_(shared_, limits), limits_(limits) {}

    std::size_t used_bytes() const override { return shared_.bytes(); }

    std::string saved_part(std::size_t& first) const override {
        std::vector<typename Table::Saved> part;
        while (first < shared_.table.buckets() && part.size() < saved_at_once) {
            shared_.table.save(first++, least_saved_work, part);
        }
        if (first == shared_.table.buckets()) first = 0;
        std::string bytes(part.size() * sizeof(typename Table::Saved), '\0');
        if (!part.empty()) std::memcpy(bytes.data(), part.data(), bytes.size());
        return bytes;
    }

    void restore_part(std::string_view bytes) override {
        typename Table::Saved saved;
        if (bytes.size() % sizeof saved != 0) throw std::invalid_argument("half an entry");
        for (std::size_t at = 0; at < bytes.size(); at += sizeof saved) {
            std::memcpy(&saved, bytes.data() + at, sizeof saved);
            if (!saved.known.numbers().possible()) {
                throw std::invalid_argument("an entry that contradicts itself");
            }
            shared_.table.restore(saved);
        }
    }

    // Also throws DrawFound and TableContradicted.
    BestStep solve(G const& position, History& history, int threads) override {
        ProofNumbers found = search_.alone(position, history, threads > 1 ? few : Limits::no_limit);
        if (!found.solved()) {
            Helpers const helpers(*this, position, history, threads - 1);
            found = search_.together(position, history);
        }
        // If a helper has decided the root, the table tells the rest.
        if (!found.solved()) found = search_.alone(position, history, Limits::no_limit);
        if (!found.solved()) throw TableContradicted{};
        bool const won = found.proof == 0;
        return {won ? 1 : -1, search_.best_step(won)};
    }

  private:
    using Table = typename DfPnShared<G>::Table;

    // One thread searches so many positions before others help: they take time to begin, and what it
    // finds is the same each time.
    static constexpr std::uint64_t few = 20'000;

    // Most entries have less work: to do it again is faster than to read them.
    static constexpr unsigned least_saved_work = 3;  // four positions
    static constexpr std::size_t saved_at_once = 1 << 16;

    // Threads that search beside the first one, until it or one of them has decided the root. What
    // they count is added at their end.
    class Helpers {
      public:
        Helpers(DfPn& solver, G const& position, History const& history, int count)
            : solver_(solver), limits_(static_cast<std::size_t>(count)) {
            solver_.shared_.over = false;
            threads_.reserve(limits_.size());
            for (Limits& limits : limits_) {
                try {
                    threads_.emplace_back(&Helpers::run, this, std::ref(limits), position, history);
                } catch (std::exception const&) {
                    break;  // the system gives no more threads
                }
            }
        }
        ~Helpers() {
            solver_.shared_.over = true;
            for (auto& thread : threads_) thread.join();
            for (Limits const& limits : limits_) solver_.limits_.add(limits);
        }
        Helpers(Helpers const&) = delete;
        Helpers& operator=(Helpers const&) = delete;

      private:
        void run(Limits& limits, G const& position, History history) {
            try {
                DfPnSearch<G>(solver_.shared_, limits).together(position, history);
            } catch (DrawFound const&) {
                // The first thread will meet it, too, or decide the root without it.
                return;
            } catch (std::bad_alloc const&) {
                return;
            }
            solver_.shared_.over = true;
        }

        DfPn& solver_;
        std::vector<Limits> limits_;
        std::vector<std::thread> threads_;
    };

    DfPnShared<G> shared_;
    DfPnSearch<G> search_;
    Limits& limits_;
};

}  // namespace patchpie
