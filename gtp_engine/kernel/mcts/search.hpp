// Monte Carlo tree search over steps.
//
// The search is UCT (Kocsis and Szepesvari, ECML 2006) with uniformly random playouts. Options add
// AMAF statistics (GRAVE: Cazenave, IJCAI 2015) or a net (PUCT). It backs up score bounds
// (Cazenave and Saffidine, CG 2010). Any number of threads share one tree without locks
// (Enzenberger and Mueller, ACG 2009), with virtual losses (Chaslot et al., CG 2008).
//
// Values are for Black, because the same color may make several steps in a row. Only the selection
// at a node converts them to the color to move.
#pragma once

#include <algorithm>

#include "mcts/analysis.hpp"
#include "mcts/expansion.hpp"
#include "mcts/options.hpp"
#include "mcts/root_noise.hpp"
#include "mcts/tree_reuse.hpp"
#include "mcts/worker.hpp"
#include "rules/decisive_moves.hpp"
#include "rules/game_state.hpp"

namespace patchpie {

// The tree of one position. Many threads may call `visit` at the same time, and meanwhile `rows`,
// `stats`, `proven` and the sizes. All other functions need a tree that no thread visits.
template <Game G> class Tree {
  public:
    using History = typename G::History;

    using Worker = SearchWorker<G>;
    using PathEntry = SearchPathEntry<G>;

    // `among` restricts the steps at the root. An empty list allows all steps.
    [[gnu::cold]] Tree(PositionText const& parts, SearchOptions const& options,
                       std::vector<Step> among = {})
        : options_(fitting(options)), line_(parts), among_(std::move(among)),
          arena_(static_cast<std::size_t>(options.hash_mb) << 20, options.uses_proof_numbers()) {
        check_game_over();
    }

    Stats stats() const { return root_.stats(); }
    ProvenResult proven() const { return root_.proven(); }
    std::size_t nodes() const { return arena_.nodes(); }
    std::size_t used_bytes() const { return arena_.used_bytes(); }
    GameState<G> const& line() const { return line_; }

    [[gnu::cold]] std::unique_ptr<Worker> worker(std::uint64_t stream) const {
        return std::make_unique<Worker>(options_, Rng(options_.seed, stream), line_.history(),
                                        line_.position().size);
    }

    int threads() const { return options_.threads; }
    void set_threads(int threads) { options_.threads = threads; }

    // Call it before the first visit: it frees memory if that is scarce, and expands the root.
    void prepare(Worker& worker) {
        if (outdated_ && arena_.used() > arena_.slots() / 2) free_memory();
        bool const open = root_.proven() == ProvenResult::none && root_.block() == no_block;
        if (open && root_.begin_block()) {
            expand(root_, line_.position(), worker);
        }
        BlockNumber const number = root_.block();
        if (options_.noise > 0 && number >= first_block) {
            add_root_noise(arena_[number], options_.noise, worker.edges, worker.rng);
        }
    }

    // Whether a visit may soon find no memory for its leaf.
    bool is_nearly_full() const { return arena_.is_nearly_full(); }
    // Frees the blocks that are no longer below the root, and those of the nodes with the fewest
    // visits. No evaluated position of a worker may be used after it.
    [[gnu::cold]] void free_memory() {
        outdated_ = false;
        std::uint32_t const once =
            options_.net ? options_.evaluation_weight() : options_.leaf_playouts;
        arena_.template compact<AmafTable<G>>(root_, 2 * once);
    }
    double seconds_to_free_memory() const { return arena_.seconds_to_compact(); }

    // Returns the number of visits made.
    std::uint32_t visit(Worker& worker) {
        auto const mark = worker.history.mark();
        G position = line_.position();
        worker.path.assign(1, PathEntry{&root_, position.to_move});
        if (options_.shared()) root_.add(1, virtual_loss(position.to_move), true);
        worker.amaf_steps.clear();
        LeafValue const found = descend(position, worker);
        worker.history.rewind(mark);
        if (options_.uses_amaf()) update_amaf(worker, found.points);
        back_up(worker, found);
        return found.weight;
    }

    // The visited steps at the root. `ends` are found only for lines of several steps.
    [[gnu::cold]] std::vector<AnalysisRow> rows(std::size_t longest_pv) {
        std::vector<AnalysisRow> rows;
        BlockNumber const number = root_.block();
        if (number < first_block) return rows;
        Block& block = arena_[number];
        Color const to_move = line_.position().to_move;
        for (std::uint32_t i = 0; i < block.visited(); ++i) {
            std::uint32_t const child = block.place_in_order(i);
            Node const& node = block.child(child);
            if (node.stats().visits == 0) continue;
            rows.push_back(row_of(arena_, block, child, to_move, bounds_at_root(node), longest_pv));
        }
        if (longest_pv > 1) find_ends(rows);
        return rows;
    }

    // Moves the root to the position after a legal step and the forced steps that follow it. A
    // search with noise begins a new tree there: only a root has noise, and lists all children.
    //
    // Whoever chose that step by this search goes on inside the turn with the orders that it keeps.
    [[gnu::cold]] void advance(Step step) {
        Node const* const child = options_.noise > 0 ? nullptr : find_child(arena_, root_, step);
        bool const inside = root_merges_orders();
        root_ = child != nullptr && shows_bounds(arena_, *child) ? Node(*child) : Node();
        outdated_ = true;
        among_.clear();
        line_.play(step);
        line_.settle();
        lacks_orders_ = inside && merges_orders(line_.position()) && root_.block() != no_block;
        check_game_over();
    }

    // Moves the root to an identical position at most two turns deep in the tree. Returns false
    // and changes nothing if the tree does not hold that position. Where the tree lacks legal steps
    // of it, it begins anew.
    [[gnu::cold]] bool follow(PositionText const& parts) {
        if (parts.content.size != line_.position().size || !among_.empty()) return false;
        GameState<G> const target(parts);
        PositionFinder<G> finder(arena_, line_, target);
        // The position is nearly always one turn deep, so this depth comes first.
        for (int turns = 1; turns <= turns_to_follow; ++turns) {
            if (!finder.find_within(root_, turns)) continue;
            for (Step const step : std::vector(finder.path())) advance(step);
            if (lacks_orders_) {
                root_ = Node();
                lacks_orders_ = false;
                outdated_ = true;
            }
            return true;
        }
        return false;
    }

  private:
    static constexpr int turns_to_follow = 2;

    // Notes after how many steps of each line a turn is over.
    void find_ends(std::vector<AnalysisRow>& rows) {
        typename G::History history = line_.history();
        auto const mark = history.mark();
        for (AnalysisRow& row : rows) {
            G position = line_.position();
            for (std::uint32_t made = 0; made < row.pv.size();) {
                position.apply(row.pv[made++], history);
                settle(position, history);
                if (!position.open()) row.ends.push_back(made);
            }
            history.rewind(mark);
        }
    }

    // Beside a net several playouts at a leaf pay only where they are played side by side.
    static SearchOptions fitting(SearchOptions options) {
        if (options.net && !HasSimdPlayouts<G>) options.leaf_playouts = 1;
        return options;
    }

    // A visit --------------------------------------------------------------------------------

    struct LeafValue {
        std::uint32_t points, weight = 1;  // for Black; the number of visits
    };

    // Walks from the root to a leaf and evaluates the leaf.
    LeafValue descend(G& position, Worker& worker) {
        Node* node = &root_;
        AmafTable<G> const* reference = nullptr;  // the last node with enough games
        while (node->proven() == ProvenResult::none) {
            Block* const block = children(*node, position, worker);
            if (block == nullptr) return evaluate_leaf(*node, position, worker);
            Color const mover = position.to_move;
            Node* child = block->has_priors() ? select_by_priors(*block, position, worker)
                                              : block->next_child(options_.shared());
            if (child == nullptr) {
                AmafTable<G>* const amaf = worker.path.back().amaf = amaf_of(*node, *block);
                if (amaf && (!reference || amaf->games() >= min_amaf_games)) reference = amaf;
                child = &block->child(select_child(*node, *block, mover, reference, worker));
            }
            node = child;
            position.apply(node->step(), worker.history);
            settle(position, worker.history);
            worker.path.push_back({node, position.to_move});
            if (options_.shared()) node->add(1, virtual_loss(mover), true);
            if (node->block() == no_block) {
                Outcome const outcome =
                    outcome_or_win_ahead(position, worker.history, options_.decisive);
                node->learn(bounds_of(proven_result(outcome.winner)));
            }
        }
        return {points_of(node->proven())};
    }

    // The value of a leaf. After `expand_after` visits the net evaluates the leaf and the leaf
    // gets its children. Its value counts as that many visits, or is not used (`priors_only`).
    LeafValue evaluate_leaf(Node& node, G& position, Worker& worker) {
        // With several threads, the count already includes the current visit.
        bool const early = node.stats().visits + !options_.shared() < options_.expand_after;
        if (!worker.evaluator || early || !node.begin_block() || !expand(node, position, worker) ||
            worker.value == EvaluatedPosition::no_value) {
            return play_leaf_games(position, worker);
        }
        float value = worker.value * points_a_game;
        if (options_.playout_weight > 0) {
            auto const played = static_cast<float>(points_of(play_out(position, worker)));
            value += options_.playout_weight * (played - value);
        }
        auto const points = static_cast<std::uint32_t>(value + worker.rng.fraction());
        std::uint32_t const weight = options_.evaluation_weight();
        return {points * weight, weight};
    }

    LeafValue play_leaf_games(G& position, Worker& worker) {
        if (options_.leaf_playouts == 1 || options_.uses_amaf()) {
            return {points_of(play_out(position, worker))};
        }
        LeafValue found{0, options_.leaf_playouts};
        std::uint32_t left = play_simd_games(
            worker.simd, position, worker.rng, worker.history, options_.leaf_playouts,
            [&found](Winner winner) { found.points += points_of(proven_result(winner)); });
        if (left == 0) return found;
        for (auto const mark = worker.history.mark(); left > 0; --left) {
            G game = position;
            found.points += points_of(play_out(game, worker));
            worker.history.rewind(mark);
        }
        return found;
    }

    [[gnu::noinline]] ProvenResult play_out(G& position, Worker& worker) {
        auto const play = [&](auto& trace) {
            return proven_result(patchpie::play_out(position, worker.rng, worker.history,
                                                    options_.decisive, trace));
        };
        if (!options_.uses_amaf()) {
            StepCount unused;
            return play(unused);
        }
        AmafTrace<G> trace{&worker.amaf_steps};
        return play(trace);
    }

    std::uint32_t select_child(Node const& node, Block& block, Color mover,
                               AmafTable<G> const* reference, Worker& worker) {
        std::uint32_t const visits = node.stats().visits;
        if (!options_.uses_amaf()) {
            return worker.selector.select(block, visits, mover, options_.exploration);
        }
        return worker.selector.select(
            block, visits, mover, options_.exploration, options_.rave,
            [=](Step step) { return reference ? reference->of(mover, step) : Stats{}; });
    }

    // Selects by PUCT among the children with nodes and the most probable one without. If that one
    // wins, it gets a node, or another child is selected if the arena is full.
    Node* select_by_priors(Block& block, G const& position, Worker& worker) {
        Stats const parent = worker.stats_before_visit();
        Color const mover = position.to_move;
        auto const select = [&](std::uint32_t nodes, std::uint32_t count) {
            return worker.selector.select_by_priors(
                block, nodes, count, parent, mover, options_.exploration, options_.proof_weight,
                [this](Node const& child) { return arena_.proof_numbers(child); });
        };
        std::uint32_t const nodes = block.nodes();
        std::uint32_t child = select(nodes, std::min<std::uint32_t>(nodes + 1, block.count));
        if (child == nodes && !open_child(arena_, block, child, position, worker)) {
            child = select(nodes, nodes);
        }
        return &block.child(child);
    }

    // The AMAF table of a node. A node gets one after `visits_for_amaf` visits; null before that.
    AmafTable<G>* amaf_of(Node const& node, Block& block) {
        if (!options_.uses_amaf()) return nullptr;
        BlockNumber const number = block.amaf.load(std::memory_order_acquire);
        if (number >= first_block) return &arena_.template table<AmafTable<G>>(number);
        bool const wanted = &node == &root_ || node.stats().visits >= visits_for_amaf;
        BlockNumber expected = no_block;
        if (!wanted || !block.amaf.compare_exchange_strong(expected, block_in_making,
                                                           std::memory_order_relaxed)) {
            return nullptr;
        }
        BlockNumber made = no_block;
        AmafTable<G>* const table = arena_.template allocate_table<AmafTable<G>>(made);
        block.amaf.store(made, std::memory_order_release);
        return table;
    }

    // Adds the result to the AMAF tables along the path. Each gets the steps below its node.
    void update_amaf(Worker& worker, std::uint32_t points) {
        auto const& path = worker.path;
        for (std::size_t i = path.size(); i-- > 0;) {
            if (path[i].amaf != nullptr) path[i].amaf->add(worker.amaf_steps, points);
            if (i > 0) worker.amaf_steps.add_tree_step(path[i - 1].to_move, path[i].node->step());
        }
    }

    // The children of a node. Expands the node if it has enough visits, else returns null.
    Block* children(Node& node, G const& position, Worker& worker) {
        BlockNumber const number = node.block();
        if (number >= first_block) return &arena_[number];
        // With several threads, the count already includes the current visit.
        std::uint32_t const expand_after = options_.expand_after + options_.shared();
        if (worker.evaluator || number == block_in_making || node.stats().visits < expand_after) {
            return nullptr;
        }
        return node.begin_block() ? expand(node, position, worker) : nullptr;
    }

    // Whether the tree keeps only one order of the steps inside a turn for each position.
    bool merges_orders(G const& position) const {
        bool const wanted = options_.turn_orders == TurnOrders::one;
        return wanted && position.open() && !has_history<G>;
    }

    bool root_merges_orders() const { return among_.empty() && merges_orders(line_.position()); }

    // What is proven of a child of the root. Inside a turn another order may lead on from it to more
    // than the tree keeps there: then no end that was found is the best for certain, unless that
    // holds for the root.
    ScoreBounds bounds_at_root(Node const& child) const {
        ScoreBounds const all = child.bounds();
        if (!root_merges_orders()) return all;
        GameState<G> line = line_;
        line.play(child.step());
        line.settle();
        if (!merges_orders(line.position())) return all;
        return all & (bounds_for(line_.position().to_move) | root_.bounds());
    }

    // Makes the children of a node. Inside a turn it makes all descendants until the turn ends.
    Block* expand(Node& node, G const& position, Worker& worker) {
        Steps& steps = worker.edges.steps;
        bool const at_root = &node == &root_, given = at_root && !among_.empty();
        BlockNumber number = no_block;
        struct Made {
            Node& node;
            BlockNumber const& number;
            ~Made() { node.set_block(number); }  // no_block where memory ran out
        } const made{node, number};
        if (!given && merges_orders(position)) {
            if constexpr (!has_history<G>) {
                worker.turns.explore(position, worker.history);
                number = worker.turns.make_nodes(arena_, steps, [&](G const* state) {
                    return make_complete_block(arena_, state, worker);
                });
            }
        } else {
            steps.count = 0;
            if (given) {
                for (Step const step : among_) steps.add(step);
            } else {
                position.legal_steps(steps);
            }
            number = worker.evaluator ? make_block_with_priors(arena_, position, at_root, worker)
                                      : make_complete_block(arena_, &position, worker);
        }
        return number < first_block ? nullptr : &arena_[number];
    }

    void back_up(Worker const& worker, LeafValue const& found) {
        auto const& path = worker.path;
        auto const gained = static_cast<std::int32_t>(found.points);
        for (std::size_t i = 0; i < path.size(); ++i) {
            if (options_.shared()) {
                // The descent already counted the visit and its virtual loss.
                std::int32_t const lost = virtual_loss(worker.chooser(i));
                path[i].node->add(found.weight - 1, gained - lost, true);
            } else {
                path[i].node->add(found.weight, gained, false);
            }
        }
        for (std::size_t i = path.size() - 1; i > 0; --i) {
            ScoreBounds const news = path[i].node->bounds();
            if (!learn(path[i - 1], news)) break;
        }
        // The root has no proof numbers: it is no child.
        for (std::size_t i = path.size() - 1; i > 0 && options_.uses_proof_numbers(); --i) {
            arena_.update_proof_numbers(*path[i].node, path[i].to_move);
        }
    }

    // Updates the bounds of a node after one of its children got the bounds `news`. One child is
    // enough for a bound of the color to move; a bound of the opponent needs all children. Returns
    // whether the bounds changed.
    bool learn(PathEntry const& hop, ScoreBounds news) {
        ScoreBounds const known = hop.node->bounds();
        if ((news & ~known) == 0) return false;
        Block& block = arena_[hop.node->block()];
        ScoreBounds any = news, all = block.nodes() == block.count ? news : ScoreBounds{0};
        for (std::uint32_t i = 0; i < block.nodes() && (all & ~known) != 0; ++i) {
            ScoreBounds const bounds = block.child(i).bounds();
            any |= bounds;
            all &= bounds;
        }
        ScoreBounds const choosing = bounds_for(hop.to_move);
        ScoreBounds const learned = (any & choosing) | (all & ~choosing);
        if ((learned & ~known) == 0) return false;
        hop.node->learn(learned);
        return true;
    }

    // Between searches -----------------------------------------------------------------------

    void check_game_over() {
        Outcome const outcome = line_.outcome();
        root_.learn(bounds_of(proven_result(outcome.winner)));
    }

    // The visits after which a node gets an AMAF table, and the games after which it is used.
    static constexpr std::uint32_t visits_for_amaf = 64, min_amaf_games = 64;

    SearchOptions options_;
    GameState<G> line_;
    std::vector<Step> among_;
    Arena arena_;
    Node root_;
    bool outdated_ = false;  // whether the root has moved and the arena holds unused blocks
    bool lacks_orders_ = false;  // whether the root lies inside a turn that began before it
};

}  // namespace patchpie
