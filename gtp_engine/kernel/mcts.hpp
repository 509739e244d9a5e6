// Monte Carlo tree search over steps: UCT (Kocsis and Szepesvari, ECML 2006) with uniformly
// random playouts; on request with what all moves as first say (GRAVE: Cazenave, IJCAI 2015), or
// with a learned evaluation (judge.hpp); what is proven about results backed up as in score bounded
// MCTS (Cazenave and Saffidine, CG 2010); and any number of threads on one tree (lock-free after
// Enzenberger and Mueller, ACG 2009, with virtual losses after Chaslot et al., CG 2008).
//
// Values are for Black; they are turned around only where a node looks at them for the color
// that is to move there, so the same color may decide several times in a row.
#pragma once

#include <algorithm>

#include "amaf.hpp"
#include "decisive.hpp"
#include "judge.hpp"
#include "lanes.hpp"
#include "line.hpp"
#include "orders.hpp"
#include "pursuit.hpp"
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
        Orders<G> orders;
        std::vector<Hop> path;
        std::unique_ptr<Judge<G>> judge;  // or null
        float value = 0;                  // that it found last
        typename LanesOf<G>::Type lanes;
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
        if (outdated_ && arena_.used() > arena_.slots() / 2) {
            outdated_ = false;
            nodes_.store(arena_.template compact<Amaf<G>>(root_), std::memory_order_relaxed);
        }
        if (root_.proof() == Proof::none && root_.block() == no_block && root_.begin_block()) {
            expand(root_, line_.position(), worker);
        }
        BlockNumber const number = root_.block();
        if (options_.noise > 0 && number >= first_block) {
            stir(arena_[number], options_.noise, worker.rng);
        }
    }

    // Returns how many visits it counts for.
    template <bool Shared> std::uint32_t visit(Worker& worker) {
        auto const mark = worker.memory.mark();
        G position = line_.position();
        worker.path.assign(1, Hop{&root_, position.to_move});
        if constexpr (Shared) root_.template add<Shared>(1, lost_points(position.to_move));
        worker.heard.clear();
        Finding const found = descend<Shared>(position, worker);
        worker.memory.rewind(mark);
        if (listens()) teach(worker, found.points);
        back_up<Shared>(worker.path, found);
        return found.weight;
    }

    // The visited steps at the root.
    std::vector<Row> rows(std::size_t longest_pv) {
        std::vector<Row> rows;
        BlockNumber const number = root_.block();
        if (number < first_block) return rows;
        Block& block = arena_[number];
        Color const to_move = line_.position().to_move;
        for (std::uint32_t i = 0; i < block.visited(); ++i) {
            Node& child = block.in_order(i);
            if (child.stats().visits == 0) continue;
            rows.push_back(row_of(arena_, block, child, to_move, longest_pv));
        }
        return rows;
    }

    // Makes the position after a legal step, and the forced steps behind it, the root.
    void advance(Step step) {
        Node const* const child = child_of_root(step);
        root_ = child != nullptr && shows_proof(*child) ? Node(*child) : Node();
        outdated_ = true;
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
        Pursuit<G> pursuit(arena_, line_, target);
        // The next turn first: that is where the position nearly always is.
        for (int turns = 1; turns <= turns_to_follow; ++turns) {
            if (!pursuit.finds(root_, turns)) continue;
            for (Step const step : std::vector(pursuit.way())) advance(step);
            return true;
        }
        return false;
    }

  private:
    static constexpr int turns_to_follow = 2;

    // Whether all moves as first have a say.
    bool listens() const { return options_.equivalence > 0 && !options_.net; }

    static constexpr std::int32_t lost_points(Color mover) {
        return mover == BLACK ? 0 : static_cast<std::int32_t>(points_a_game);
    }

    // A visit --------------------------------------------------------------------------------

    struct Finding {
        std::uint32_t points, weight = 1;  // for Black; how many visits it counts for
    };

    // Goes down to the end of the tree and on from there.
    template <bool Shared> Finding descend(G& position, Worker& worker) {
        Node* node = &root_;
        Amaf<G> const* reference = nullptr;  // the last node with enough games
        while (node->proof() == Proof::none) {
            Block* const block = children<Shared>(*node, position, worker);
            if (block == nullptr) return estimate<Shared>(*node, position, worker);
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
                Outcome const outcome =
                    outcome_ahead(position, worker.memory, options_.decisive);
                node->learn(facts_of(proof_of(outcome.winner)));
            }
        }
        return {points_of(node->proof())};
    }

    // What a node without children is worth. Where a net has waited long enough it judges, for as
    // many visits as it waited, and there are children from now on.
    template <bool Shared> Finding estimate(Node& node, G& position, Worker& worker) {
        // With several threads the visit that is under way is counted already.
        bool const early = node.stats().visits + !Shared < options_.patience;
        if (!worker.judge || early || !node.begin_block() || !expand(node, position, worker)) {
            return play_games(position, worker);
        }
        float value = worker.value * points_a_game;
        if (options_.chance > 0) {
            auto const played = static_cast<float>(points_of(play_out(position, worker)));
            value += options_.chance * (played - value);
        }
        auto const points = static_cast<std::uint32_t>(value + worker.rng.fraction());
        return {points * options_.patience, options_.patience};
    }

    Finding play_games(G& position, Worker& worker) {
        if (options_.playouts == 1 || listens()) return {points_of(play_out(position, worker))};
        Finding found{0, options_.playouts};
        std::uint32_t left = play_in_lanes(
            worker.lanes, position, worker.rng, worker.memory, options_.playouts,
            [&found](Winner winner) { found.points += points_of(proof_of(winner)); });
        if (left == 0) return found;
        for (auto const mark = worker.memory.mark(); left > 0; --left) {
            G game = position;
            found.points += points_of(play_out(game, worker));
            worker.memory.rewind(mark);
        }
        return found;
    }

    Proof play_out(G& position, Worker& worker) {
        bool const decisive = options_.decisive;
        auto const play = [&](auto&& trace) {
            return proof_of(
                patchpie::play_out(position, worker.rng, worker.memory, decisive, trace));
        };
        if (!listens()) return play(NoTrace{});
        return play([&worker](Color mover, Step step) { worker.heard.later(mover, step); });
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
        std::uint32_t const visits = visits_to_listen * arena_.scarcity();
        bool const wanted = &node == &root_ || node.stats().visits >= visits;
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
        std::uint32_t const patience = options_.patience * arena_.scarcity() + Shared;
        if (worker.judge || number == block_in_making || node.stats().visits < patience) {
            return nullptr;
        }
        return node.begin_block() ? expand(node, position, worker) : nullptr;
    }

    // Makes the children of a node; inside a turn also theirs, and so on until it ends.
    Block* expand(Node& node, G const& position, Worker& worker) {
        Steps& steps = worker.steps;
        bool const given = &node == &root_ && !among_.empty();
        BlockNumber number = no_block;
        if (!given && position.open() && !remembers<G> && !options_.every_order) {
            worker.orders.explore(position, worker.memory);
            number = worker.orders.plant(arena_, steps, [&](G const* stop) {
                return make_block(stop, steps, worker);
            });
        } else {
            steps.count = 0;
            if (given) {
                for (Step const step : among_) steps.add(step);
            } else {
                position.legal_steps(steps);
            }
            number = make_block(&position, steps, worker);
        }
        node.set_block(number);
        return number < first_block ? nullptr : &arena_[number];
    }

    // A block of nodes for some steps of a position, or none where memory or steps are missing.
    // Without a position its steps count as equally likely.
    BlockNumber make_block(G const* position, Steps const& steps, Worker& worker) {
        BlockNumber number = no_block;
        auto const count = static_cast<std::uint32_t>(steps.count);
        bool const judged = worker.judge != nullptr;
        Block* const block = count > 0 ? arena_.allocate(count, judged, number) : nullptr;
        if (block == nullptr) return no_block;
        block->set_order(worker.rng.next());
        if (judged || listens()) block->hand_out();
        if (judged && position != nullptr) {
            worker.value = worker.judge->value(*position);
            worker.judge->priors(*position, steps, block->priors());
        } else if (judged) {
            std::fill_n(block->priors(), count, static_cast<Prior>(UINT16_MAX / count));
        }
        for (std::uint32_t i = 0; i < count; ++i) new (&block->child(i)) Node(steps.step[i]);
        nodes_.fetch_add(count, std::memory_order_relaxed);
        return number;
    }

    template <bool Shared> void back_up(std::vector<Hop> const& path, Finding const& found) {
        auto const gained = static_cast<std::int32_t>(found.points);
        for (std::size_t i = 0; i < path.size(); ++i) {
            if constexpr (Shared) {
                // The visit and a loss were counted on the way down.
                Color const mover = path[i > 0 ? i - 1 : 0].to_move;
                path[i].node->template add<Shared>(found.weight - 1,
                                                        gained - lost_points(mover));
            } else {
                path[i].node->template add<Shared>(found.weight, gained);
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

    // Whether what is proven about a node is seen in a child: of a win at once it need not be.
    bool shows_proof(Node const& node) {
        BlockNumber const number = node.block();
        if (number < first_block) return node.proof() == Proof::none;
        Node const* const begin = arena_[number].begin();
        return std::any_of(begin, begin + arena_[number].count, [&](Node const& child) {
            return (node.facts() & ~child.facts()) == 0;
        });
    }

    // After how many visits a node gets a table, and how many games make that worth a look.
    static constexpr std::uint32_t visits_to_listen = 64, games_to_refer_to = 64;

    Options options_;
    Line<G> line_;
    std::vector<Step> among_;
    Arena arena_;
    Node root_;
    bool outdated_ = false;  // the root has moved, and left blocks behind
    std::atomic<std::size_t> nodes_{0};
};

}  // namespace patchpie
