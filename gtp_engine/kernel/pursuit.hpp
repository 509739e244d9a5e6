// The search for a position in a tree, for who comes back after some turns.
#pragma once

#include <string>
#include <vector>

#include "line.hpp"
#include "tree.hpp"

namespace patchpie {

template <Game G> class Pursuit {
  public:
    Pursuit(Arena& arena, Line<G> const& start, Line<G> const& target)
        : arena_(arena), start_(start), key_(target.position().key()), text_(target.text()),
          memory_(start.memory()) {}

    // Whether the visited nodes behind the root lead there in so many turns at most.
    bool finds(Node const& root, int turns) {
        looks_ = 0;
        way_.clear();
        return find(root, start_.position(), turns);
    }
    // How, forced steps left out.
    std::vector<Step> const& way() const { return way_; }

  private:
    static constexpr int most_looks = 10'000;

    bool find(Node const& node, G const& position, int turns) {
        if (++looks_ > most_looks) return false;
        if (position.key() == key_ && text_after_way() == text_) return true;
        BlockNumber const number = node.block();
        if (number < first_block || turns == 0) return false;
        Block& block = arena_[number];
        auto const mark = memory_.mark();
        for (std::uint32_t i = 0; i < block.visited(); ++i) {
            Node const& child = block.in_order(i);
            if (child.stats().visits == 0) continue;
            G next = position;
            next.after(child.step(), memory_);
            settle(next, memory_);
            bool const turned = next.to_move != position.to_move;
            way_.push_back(child.step());
            if (find(child, next, turned ? turns - 1 : turns)) return true;
            way_.pop_back();
            memory_.rewind(mark);
        }
        return false;
    }

    std::string text_after_way() const {
        Line<G> line = start_;
        for (Step const step : way_) {
            line.play(step);
            line.settle();
        }
        return line.text();
    }

    Arena& arena_;
    Line<G> const& start_;
    std::uint64_t key_;
    std::string text_;
    typename G::Memory memory_;
    std::vector<Step> way_;
    int looks_ = 0;
};

}  // namespace patchpie
