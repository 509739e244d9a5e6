// Finds a position in the tree of the last search, so that the next search can reuse its subtree.
#pragma once

#include <string>
#include <vector>

#include "mcts/arena.hpp"
#include "rules/game_state.hpp"

namespace patchpie {

// The child of a node after a step; null if there is none.
inline Node const* find_child(Arena& arena, Node const& node, Step step) {
    BlockNumber const number = node.block();
    if (number < first_block) return nullptr;
    Node const* found = nullptr;
    Block& block = arena[number];
    block.each_child(block.nodes(), [&](Node const& child) {
        if (child.step() == step) found = &child;
    });
    return found;
}

// Whether the children explain the proven bounds of a node. A node that was won by the test for a
// win in one step may have no child that shows the win.
inline bool shows_bounds(Arena& arena, Node const& node) {
    BlockNumber const number = node.block();
    if (number < first_block) return node.proven() == ProvenResult::none;
    bool visible = false;
    Block& block = arena[number];
    block.each_child(block.nodes(), [&](Node const& child) {
        visible |= (node.bounds() & ~child.bounds()) == 0;
    });
    return visible;
}

template <Game G> class PositionFinder {
  public:
    PositionFinder(Arena& arena, GameState<G> const& start, GameState<G> const& target)
        : arena_(arena), start_(start), key_(target.position().key()), text_(target.text()),
          history_(start.history()) {}

    // Whether visited nodes lead from the root to the target in at most `turns` turns.
    bool find_within(Node const& root, int turns) {
        looks_ = 0;
        path_.clear();
        return find(root, start_.position(), turns);
    }
    // The steps to the target, without forced steps.
    std::vector<Step> const& path() const { return path_; }

  private:
    static constexpr int most_looks = 10'000;

    [[gnu::cold]] bool find(Node const& node, G const& position, int turns) {
        if (++looks_ > most_looks) return false;
        if (position.key() == key_ && text_after_path() == text_) return true;
        BlockNumber const number = node.block();
        if (number < first_block || turns == 0) return false;
        Block& block = arena_[number];
        auto const mark = history_.mark();
        for (std::uint32_t i = 0; i < block.visited(); ++i) {
            Node const& child = block.in_order(i);
            if (child.stats().visits == 0) continue;
            G next = position;
            next.apply(child.step(), history_);
            settle(next, history_);
            bool const turned = next.to_move != position.to_move;
            path_.push_back(child.step());
            if (find(child, next, turned ? turns - 1 : turns)) return true;
            path_.pop_back();
            history_.rewind(mark);
        }
        return false;
    }

    [[gnu::cold]] std::string text_after_path() const {
        GameState<G> line = start_;
        for (Step const step : path_) {
            line.play(step);
            line.settle();
        }
        return line.text();
    }

    Arena& arena_;
    GameState<G> const& start_;
    std::uint64_t key_;
    std::string text_;
    typename G::History history_;
    std::vector<Step> path_;
    int looks_ = 0;
};

}  // namespace patchpie
