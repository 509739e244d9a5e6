// Monte Carlo tree search over steps: UCT (Kocsis and Szepesvari, ECML 2006) with uniformly
// random playouts; on request with what all moves as first say (GRAVE: Cazenave, IJCAI 2015);
// what is proven about results backed up as in score bounded MCTS (Cazenave and Saffidine, CG
// 2010); and any number of threads on one tree (lock-free after Enzenberger and Mueller, ACG 2009,
// with virtual losses after Chaslot et al., CG 2008).
//
// Values are for Black; they are turned around only where a node looks at them for the color
// that is to move there, so the same color may decide several times in a row.
#pragma once

#include <algorithm>
#include <numeric>

#include "amaf.hpp"
#include "judge.hpp"
#include "line.hpp"
#include "row.hpp"
#include "uct.hpp"

namespace patchpie {

// The tree of one position. `visit` may run in many threads at once, and `rows`, `stats`, `proof`
// and the sizes beside it; everything else only while no thread visits.
template <Game G> class Tree {
  public:
    using Memory = typename G::Memory;

    struct Hop {
        Node* node;
        Color to_move;  // at the node
        Amaf<G>* amaf = nullptr;  // of the node
    };

    // What a thread owns: its chance, its line of play, and room to work.
    struct Worker {
        Worker(Rng chance, Memory const& line, Net const* net, int size)
            : rng(chance), memory(line), judge(net ? new Judge<G>(*net, size) : nullptr) {}
        Rng rng;
        Memory memory;
        Selector selector;
        Heard<G> heard;
        Steps steps;
        std::vector<Hop> path;
        std::unique_ptr<Judge<G>> judge;  // or null
        float value = 0;                  // that it found last
    };

    // A tree that looks only at the given steps of the root, or at all of them if there are none.
    Tree(TextParts const& parts, Options const& options, std::vector<Step> among = {})
        : options_(options), line_(parts), among_(std::move(among)), arena_(options.bytes) {
        look_for_end();
    }

    Stats stats() const { return root_.stats(); }
    Proof proof() const { return root_.proof(); }
    std::size_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
    std::size_t used_bytes() const { return arena_.used() * sizeof(Node); }
    Line<G> const& line() const { return line_; }

    Worker worker(std::uint64_t stream) const {
        return Worker(Rng(options_.seed, stream), line_.memory(), options_.net.get(),
                      line_.position().size);
    }

    // To be called before visits begin: makes room if it is scarce, and the root's children.
    void prepare(Worker& worker) {
        if (arena_.used() > arena_.slots() / 2) {
            nodes_.store(arena_.template compact<Amaf<G>>(root_), std::memory_order_relaxed);
        }
        if (root_.proof() == Proof::none && root_.block() == no_block && root_.begin_block()) {
            expand(root_, line_.position(), worker);
        }
        if (options_.noise > 0) stir(worker.rng);
    }

    template <bool Shared> void visit(Worker& worker) {
        auto const mark = worker.memory.mark();
        G position = line_.position();
        worker.path.assign(1, Hop{&root_, position.to_move});
        if constexpr (Shared) root_.template add<Shared>(1, lost_points(position.to_move));
        worker.heard.clear();
        std::uint32_t const points = descend<Shared>(position, worker);
        worker.memory.rewind(mark);
        if (listens()) teach(worker, points);
        back_up<Shared>(worker.path, points);
    }

    // The visited steps at the root.
    std::vector<Row> rows(std::size_t longest_pv) {
        std::vector<Row> rows;
        BlockNumber const number = root_.block();
        if (number < first_block) return rows;
        Block& block = arena_[number];
        for (std::uint32_t i = 0; i < block.visited(); ++i) {
            Node& child = block.in_order(i);
            if (child.stats().visits > 0) rows.push_back(row(child, block.prior(child), longest_pv));
        }
        return rows;
    }

    // Makes the position after a legal step, and the forced steps behind it, the root.
    void advance(Step step) {
        Node const* const child = child_of_root(step);
        root_ = child != nullptr ? Node(*child) : Node();
        among_.clear();
        line_.play(step);
        line_.settle();
        look_for_end();
    }

    // Makes a position the root that the tree holds no more than two turns deep; false, and nothing
    // changes, where it holds none that is equal to the last detail.
    bool follow(TextParts const& parts) {
        if (parts.size != line_.position().size || !among_.empty()) return false;
        Line<G> const target(parts);
        Memory memory = line_.memory();
        // The next turn first: that is where the position nearly always is.
        for (int turns = 1; turns <= turns_to_follow; ++turns) {
            Pursuit pursuit{target.position().key(), target.text(), memory, {}};
            if (!find(pursuit, root_, line_.position(), turns)) continue;
            for (Step const step : pursuit.way) advance(step);
            return true;
        }
        return false;
    }

  private:
    // A search for a position in the tree, and the way to where it looks.
    struct Pursuit {
        std::uint64_t key;
        std::string text;
        Memory& memory;
        std::vector<Step> way;
        int looks = 0;
    };
    static constexpr int turns_to_follow = 2;
    static constexpr int most_looks = 10'000;

    // Whether all moves as first have a say.
    bool listens() const { return options_.equivalence > 0 && !options_.net; }

    // Makes a part of the root's priors random: few steps get nearly all of it.
    void stir(Rng& rng) {
        Block* const block = root_.block() >= first_block ? &arena_[root_.block()] : nullptr;
        if (block == nullptr || !block->judged) return;
        std::vector<float> luck;
        for (std::uint32_t i = 0; i < block->count; ++i) {
            luck.push_back(std::pow(-std::log(1 - rng.fraction()), 3.0F));
        }
        float const all = std::accumulate(luck.begin(), luck.end(), 1e-9F);
        for (std::uint32_t i = 0; i < block->count; ++i) {
            float const prior = static_cast<float>(block->priors()[i]);
            float const noisy = prior + options_.noise * (luck[i] / all * certain - prior);
            block->priors()[i] = static_cast<Prior>(noisy);
        }
    }

    static constexpr std::int32_t lost_points(Color mover) {
        return mover == BLACK ? 0 : static_cast<std::int32_t>(points_a_game);
    }

    // A visit --------------------------------------------------------------------------------

    // Goes down to the end of the tree and on from there; returns the points for Black.
    template <bool Shared> std::uint32_t descend(G& position, Worker& worker) {
        Node* node = &root_;
        Amaf<G> const* reference = nullptr;  // the last node with enough games
        while (node->proof() == Proof::none) {
            Block* const block = children<Shared>(*node, position, worker);
            if (block == nullptr) return estimate(*node, position, worker);
            Color const mover = position.to_move;
            Node* child = block->template next_child<Shared>();
            if (child == nullptr) {
                Amaf<G>* const amaf = worker.path.back().amaf = amaf_of(*node, *block);
                if (amaf && (!reference || amaf->games() >= games_to_refer_to)) reference = amaf;
                child = &block->child(pick(*node, *block, mover, reference, worker));
            }
            node = child;
            position.after(node->step(), worker.memory);
            settle(position, worker.memory);
            worker.path.push_back({node, position.to_move});
            if constexpr (Shared) node->template add<Shared>(1, lost_points(mover));
            if (node->block() == no_block) {
                Outcome const outcome = position.outcome(worker.memory);
                node->learn(facts_of(proof_of(outcome.winner)));
            }
        }
        return points_of(node->proof());
    }

    // What a node without children is worth. With a net it gets them now.
    std::uint32_t estimate(Node& node, G& position, Worker& worker) {
        if (!worker.judge || !node.begin_block() || !expand(node, position, worker)) {
            return points_of(play_out(position, worker));
        }
        float value = worker.value * points_a_game;
        if (options_.chance > 0) {
            auto const played = static_cast<float>(points_of(play_out(position, worker)));
            value += options_.chance * (played - value);
        }
        return static_cast<std::uint32_t>(value + worker.rng.fraction());
    }

    Proof play_out(G& position, Worker& worker) {
        if (!listens()) {
            return proof_of(position.playout(worker.rng, worker.memory, NoTrace{}));
        }
        return proof_of(position.playout(
            worker.rng, worker.memory,
            [&worker](Color mover, Step step) { worker.heard.later(mover, step); }));
    }

    std::uint32_t pick(Node const& node, Block& block, Color mover, Amaf<G> const* reference,
                       Worker& worker) {
        if (block.judged) {
            return worker.selector.select_by_priors(block, node.stats(), mover,
                                                    options_.exploration);
        }
        std::uint32_t const visits = node.stats().visits;
        if (!listens()) {
            return worker.selector.select(block, visits, mover, options_.exploration);
        }
        return worker.selector.select(
            block, visits, mover, options_.exploration, options_.equivalence,
            [=](Step step) { return reference ? reference->of(mover, step) : Stats{}; });
    }

    // What all moves as first say at a node: a table of its own once it has been visited often.
    Amaf<G>* amaf_of(Node const& node, Block& block) {
        if (!listens()) return nullptr;
        BlockNumber const number = block.amaf.load(std::memory_order_acquire);
        if (number >= first_block) return &arena_.template table<Amaf<G>>(number);
        bool const wanted = &node == &root_ || node.stats().visits >= visits_to_listen * scarcity();
        BlockNumber expected = no_block;
        if (!wanted || !block.amaf.compare_exchange_strong(expected, block_in_making,
                                                           std::memory_order_relaxed)) {
            return nullptr;
        }
        BlockNumber made = no_block;
        Amaf<G>* const table = arena_.template allocate_table<Amaf<G>>(made);
        block.amaf.store(made, std::memory_order_release);
        return table;
    }

    // Tells the tables along the path the result, of what was played from there on.
    void teach(Worker& worker, std::uint32_t points) {
        auto const& path = worker.path;
        for (std::size_t i = path.size(); i-- > 0;) {
            if (path[i].amaf != nullptr) path[i].amaf->add(worker.heard, points);
            if (i > 0) worker.heard.earlier(path[i - 1].to_move, path[i].node->step());
        }
    }

    // The children of a node, made when it has been visited often enough; null for none as yet.
    template <bool Shared> Block* children(Node& node, G const& position, Worker& worker) {
        BlockNumber const number = node.block();
        if (number >= first_block) return &arena_[number];
        // With several threads the visit that is under way is counted already.
        std::uint32_t const patience = options_.patience * scarcity() + Shared;
        if (worker.judge || number == block_in_making || node.stats().visits < patience) {
            return nullptr;
        }
        return node.begin_block() ? expand(node, position, worker) : nullptr;
    }

    // By how much more a node must have been visited to get memory, as that runs out.
    std::uint32_t scarcity() const {
        std::size_t const free = arena_.slots() - std::min(arena_.used(), arena_.slots());
        if (free > arena_.slots() / 2) return 1;
        return free > arena_.slots() / 4 ? 4 : 16;
    }

    Block* expand(Node& node, G const& position, Worker& worker) {
        Steps& steps = worker.steps;
        steps.count = 0;
        if (&node == &root_ && !among_.empty()) {
            for (Step const step : among_) steps.add(step);
        } else {
            position.legal_steps(steps);
        }
        BlockNumber number = no_block;
        auto const count = static_cast<std::uint32_t>(steps.count);
        bool const judged = worker.judge != nullptr;
        Block* const block = count > 0 ? arena_.allocate(count, judged, number) : nullptr;
        if (block != nullptr) {
            block->set_order(worker.rng.next());
            if (judged || listens()) block->hand_out();
            if (judged) {
                worker.value = worker.judge->value(position);
                worker.judge->priors(position, steps, block->priors());
            }
            for (std::uint32_t i = 0; i < count; ++i) new (&block->child(i)) Node(steps.step[i]);
            nodes_.fetch_add(count, std::memory_order_relaxed);
        }
        node.set_block(number);
        return block;
    }

    template <bool Shared> void back_up(std::vector<Hop> const& path, std::uint32_t points) {
        auto const gained = static_cast<std::int32_t>(points);
        for (std::size_t i = 0; i < path.size(); ++i) {
            if constexpr (Shared) {
                // The visit and a loss were counted on the way down.
                Color const mover = path[i > 0 ? i - 1 : 0].to_move;
                path[i].node->template add<Shared>(0, gained - lost_points(mover));
            } else {
                path[i].node->template add<Shared>(1, gained);
            }
        }
        for (std::size_t i = path.size() - 1; i > 0; --i) {
            Facts const news = path[i].node->facts();
            if (!learn(path[i - 1], news)) return;
        }
    }

    // Takes over what the children have for sure, of which one has these facts: for the color to
    // move what any of them has, for the other one what all have. Whether it was new.
    bool learn(Hop const& hop, Facts news) {
        Facts const known = hop.node->facts();
        if ((news & ~known) == 0) return false;
        Facts any = news, all = news;
        Block& block = arena_[hop.node->block()];
        for (std::uint32_t i = 0; i < block.count && (all & ~known) != 0; ++i) {
            Facts const facts = block.child(i).facts();
            any |= facts;
            all &= facts;
        }
        Facts const choosing = facts_for(hop.to_move);
        Facts const learned = (any & choosing) | (all & ~choosing);
        if ((learned & ~known) == 0) return false;
        hop.node->learn(learned);
        return true;
    }

    // Between searches -----------------------------------------------------------------------

    void look_for_end() {
        Outcome const outcome = line_.outcome();
        root_.learn(facts_of(proof_of(outcome.winner)));
    }

    Node const* child_of_root(Step step) {
        BlockNumber const number = root_.block();
        if (number < first_block) return nullptr;
        Block& block = arena_[number];
        for (std::uint32_t i = 0; i < block.count; ++i) {
            if (block.child(i).step() == step) return &block.child(i);
        }
        return nullptr;
    }

    bool find(Pursuit& pursuit, Node const& node, G const& position, int turns) {
        if (++pursuit.looks > most_looks) return false;
        if (position.key() == pursuit.key && text_after(pursuit.way) == pursuit.text) return true;
        BlockNumber const number = node.block();
        if (number < first_block || turns == 0) return false;
        Block& block = arena_[number];
        auto const mark = pursuit.memory.mark();
        for (std::uint32_t i = 0; i < block.visited(); ++i) {
            Node const& child = block.in_order(i);
            if (child.stats().visits == 0) continue;
            G next = position;
            next.after(child.step(), pursuit.memory);
            settle(next, pursuit.memory);
            bool const turned = next.to_move != position.to_move;
            pursuit.way.push_back(child.step());
            if (find(pursuit, child, next, turned ? turns - 1 : turns)) return true;
            pursuit.way.pop_back();
            pursuit.memory.rewind(mark);
        }
        return false;
    }

    std::string text_after(std::vector<Step> const& way) const {
        Line<G> line = line_;
        for (Step const step : way) {
            line.play(step);
            line.settle();
        }
        return line.text();
    }

    // What is shown --------------------------------------------------------------------------

    Row row(Node& child, double prior, std::size_t longest_pv) {
        Stats const stats = child.stats();
        Row made;
        made.step = child.step();
        made.visits = stats.visits;
        made.proof = child.proof();
        made.value = value_of(stats, made.proof);
        made.prior = prior;
        double const seen = line_.position().to_move == BLACK ? made.value : 1 - made.value;
        made.lcb = made.proof == Proof::none ? lower_bound(seen, stats.visits) : seen;
        made.pv = principal_variation(child, longest_pv);
        return made;
    }

    // The step to a node, and the most visited one from there on.
    std::vector<Step> principal_variation(Node& from, std::size_t longest) {
        std::vector<Step> steps{from.step()};
        Node* node = &from;
        while (steps.size() < longest) {
            BlockNumber const number = node->block();
            if (number < first_block) break;
            Block& block = arena_[number];
            std::uint32_t most = 0;
            for (std::uint32_t i = 0; i < block.visited(); ++i) {
                Node& child = block.in_order(i);
                if (child.stats().visits > most) {
                    most = child.stats().visits;
                    node = &child;
                }
            }
            if (most == 0) break;
            steps.push_back(node->step());
        }
        return steps;
    }

    // After how many visits a node gets a table, and how many games make that worth a look.
    static constexpr std::uint32_t visits_to_listen = 64, games_to_refer_to = 64;

    Options options_;
    Line<G> line_;
    std::vector<Step> among_;
    Arena arena_;
    Node root_;
    std::atomic<std::size_t> nodes_{0};
};

}  // namespace patchpie
