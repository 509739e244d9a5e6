// One order of the steps of an open turn for each board that it can end with.
//
// Steps of a turn often commute: Implo's patches may be resolved in any order, and one placement
// had 15,653,489 sequences of steps for 23 boards. A tree of sequences would hold each board as
// often as there are ways to it. This one holds it once: of all ways to a position inside the turn
// only the first that is found goes on, and ways that all end in positions met before are left out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "identity.hpp"
#include "line.hpp"
#include "tree.hpp"

namespace patchpie {

template <Game G> class Orders {
  public:
    using Memory = typename G::Memory;

    // Looks for all positions that an open turn leads through, with forced steps behind each step,
    // the nearest first. What lies behind the first `most_stops` is left to those who come there.
    void explore(G const& start, Memory& memory) {
        stops_.assign(1, Stop{start, Step{}, 0, false, nullptr});
        identities_.assign(1, identify_(start));
        explored_ = 0;
        while (explored_ < stops_.size() && stops_.size() < most_stops) {
            list_behind(explored_++, memory);
        }
        // From the last one on: each lies behind the one that it was reached from.
        for (std::uint32_t i = static_cast<std::uint32_t>(stops_.size()); i-- > 1;) {
            if (i >= explored_ || !stops_[i].position.open()) stops_[i].kept = true;
            if (stops_[i].kept) stops_[stops_[i].from].kept = true;
        }
    }

    // Makes the nodes of what was explored. `make` gives the number of a block of nodes for the
    // steps that were filled in, or no_block; so does this, for the steps from the start. It is
    // told the position at the start, and null for those inside the turn.
    template <class Make> BlockNumber plant(Arena& arena, Steps& steps, Make&& make) {
        BlockNumber first = no_block;
        std::uint32_t next = 1;
        for (std::uint32_t i = 0; i < explored_; ++i) {
            // What was reached from here lies together.
            std::uint32_t const begin = next;
            steps.count = 0;
            for (; next < stops_.size() && stops_[next].from == i; ++next) {
                if (stops_[next].kept) steps.add(stops_[next].step);
            }
            bool const rooted = i == 0 || stops_[i].node != nullptr;
            if (!rooted || steps.count == 0) continue;
            BlockNumber const number = make(i == 0 ? &stops_[i].position : nullptr);
            if (i == 0) first = number;
            else stops_[i].node->set_block(number);
            if (number < first_block) continue;
            Node* node = arena[number].begin();
            for (std::uint32_t j = begin; j < next; ++j) {
                if (stops_[j].kept) stops_[j].node = node++;
            }
        }
        return first;
    }

  private:
    // Where the turn may come by, or end.
    //
    // step, from -- how it was reached first: a step and the number of another stop
    // kept       -- whether it is an end, or what was reached from it leads to one
    // node       -- of that step, once it is made
    struct Stop {
        G position;
        Step step;
        std::uint32_t from;
        bool kept;
        Node* node;
    };
    static constexpr std::size_t most_stops = 512;

    void list_behind(std::uint32_t from, Memory& memory) {
        if (!stops_[from].position.open()) return;
        Steps steps;
        stops_[from].position.legal_steps(steps);
        for (Step const step : steps) {
            Stop stop{stops_[from].position, step, from, false, nullptr};
            auto const mark = memory.mark();
            stop.position.after(step, memory);
            settle(stop.position, memory);
            memory.rewind(mark);
            Identity const identity = identify_(stop.position);
            auto const end = identities_.end();
            if (std::find(identities_.begin(), end, identity) != end) continue;
            identities_.push_back(identity);
            stops_.push_back(stop);
        }
    }

    Identifier<G> identify_{Alike::itself};
    std::vector<Stop> stops_;
    std::vector<Identity> identities_;  // of the stops
    std::uint32_t explored_ = 0;  // the stops behind which was looked
};

}  // namespace patchpie
