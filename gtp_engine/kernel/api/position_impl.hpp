// A position of one game and layout, behind the interface AnyPosition.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/external_steps.hpp"
#include "api/interface.hpp"
#include "nn/evaluator.hpp"
#include "rules/canonical_key.hpp"
#include "rules/decisive_moves.hpp"

namespace patchpie {

template <Game G> class PositionImpl final : public AnyPosition {
  public:
    using L = typename G::Layout;

    explicit PositionImpl(PositionText const& parts) : line_(parts) {}

    std::string_view game() const override { return G::name; }
    [[gnu::cold]] std::vector<Step> legal_steps() const override {
        Steps steps;
        line_.legal_steps(steps);
        std::vector<Step> all;
        for (Step const step : steps) all.push_back(external_step<L>(step));
        return all;
    }
    [[gnu::cold]] void play(Step step) override { line_.play(internal_step(line_, step)); }
    bool open() const override { return line_.position().open(); }
    Outcome outcome() const override { return line_.outcome(); }
    std::uint64_t key() const override { return line_.key(); }
    std::pair<std::uint64_t, std::uint64_t> canonical_key() const override {
        CanonicalKey const key = Canonicalizer<G>(Equivalence::all_images)(line_.position());
        return {key.high, key.low};
    }
    std::string text() const override { return line_.text(); }
    std::uint64_t perft(int depth) const override { return perft(line_, depth); }

    [[gnu::cold]] Features features() const override {
        using S = FeatureEncoder<G>;
        G const& position = line_.position();
        auto const area = static_cast<std::size_t>(position.size * position.size);
        Features seen;
        seen.points.resize(area * S::inputs);
        seen.globals.resize(feature_globals);
        typename S::PointOrder const order(position, Image::same);
        S::encode(position, order, seen.points.data(), seen.globals.data());
        Steps steps;
        position.legal_steps(steps);
        for (Step const step : steps) {
            int const kind = kind_of(step);
            int const first = order(first_of(step));
            bool const has_second = kind == G::two_point_kind;
            int const second = has_second ? order(second_of(step)) : -1;
            seen.steps.push_back({external_step<L>(step), kind, first, second});
        }
        return seen;
    }
    float evaluate(Net const& net, std::int64_t times) const override {
        Evaluator<G> evaluator(net, line_.position().size);
        float value = evaluator.value(line_.position());
        for (; times > 1; --times) value = evaluator.value(line_.position());
        return value;
    }
    [[gnu::cold]] std::vector<float> outputs_by(Net const& net) const override {
        Evaluator<G> evaluator(net, line_.position().size);
        evaluator.value(line_.position());
        return evaluator.outputs();
    }

    [[gnu::cold]] std::pair<std::vector<Step>, Winner> playout(std::uint64_t seed,
                                                 bool decisive) const override {
        std::vector<Step> steps;
        if (Winner const winner = line_.outcome().winner; winner != Winner::undecided) {
            return {steps, winner};
        }
        Rng rng(seed);
        G position = line_.position();
        auto history = line_.history();
        StepList played;
        Winner const winner = recorded(position, rng, history, decisive, played);
        for (auto const& each : played.steps) steps.push_back(external_step<L>(each.step));
        return {steps, winner};
    }

    Forecast forecast(std::int64_t games, std::uint64_t seed) const override {
        int const size = line_.position().size;
        Forecast sums;
        sums.held.resize(static_cast<std::size_t>(size * size));
        Rng rng(seed);
        auto history = line_.history();
        auto const mark = history.mark();
        StepList played;
        for (; games > 0; --games) {
            played.steps.clear();
            Winner winner = line_.outcome().winner;
            if (winner == Winner::undecided) {
                G spent = line_.position();
                winner = recorded(spent, rng, history, false, played);
                history.rewind(mark);
            }
            sums.black_wins += winner == Winner::black;
            sums.draws += winner == Winner::draw;
            G last = line_.position();
            for (auto const& each : played.steps) last.apply(each.step, history);
            history.rewind(mark);
            auto const held = last.held();
            for (Color const color : {BLACK, WHITE}) {
                for_each(held[color], [&](int point) {
                    int const cell = (size - 1 - L::row(point)) * size + L::column(point);
                    sums.held[static_cast<std::size_t>(cell)] += color == BLACK ? 1 : -1;
                });
            }
        }
        return sums;
    }

  private:
    // Not inlined, so that the compiler makes only one copy of the playout.
    [[gnu::noinline]] static Winner recorded(G& position, Rng& rng, typename G::History& history,
                                             bool decisive, StepList& played) {
        return play_out(position, rng, history, decisive, played);
    }

    static std::uint64_t perft(GameState<G> const& line, int depth) {
        if (depth == 0) return 1;
        Steps steps;
        line.legal_steps(steps);
        if (depth == 1) return static_cast<std::uint64_t>(steps.count);
        std::uint64_t total = 0;
        for (Step const step : steps) {
            GameState<G> next = line;
            next.play(step);
            total += perft(next, depth - 1);
        }
        return total;
    }

    static_assert(alignof(G) <= alignment);
    GameState<G> line_;
};

}  // namespace patchpie
