// The slots of an arena that are kept when the others are freed.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace patchpie {

// One bit for each slot. Kept slots move to the front, in their order: the new place of a slot is
// the number of kept slots before it.
class KeptSlots {
  public:
    explicit KeptSlots(std::size_t slots) : words_(slots / 64 + 1), before_(words_.size()) {}

    void keep(std::size_t first, std::size_t count) {
        for (std::size_t slot = first; slot < first + count; ++slot) {
            words_[slot / 64] |= std::uint64_t{1} << slot % 64;
        }
    }
    bool kept(std::size_t slot) const { return words_[slot / 64] >> slot % 64 & 1; }
    // Returns the number of kept slots. Call it before `new_place`, after the last `keep`.
    std::size_t count() {
        std::size_t all = 0;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            before_[i] = all;
            all += static_cast<std::size_t>(std::popcount(words_[i]));
        }
        return all;
    }
    std::uint32_t new_place(std::size_t slot) const {
        std::uint64_t const earlier = (std::uint64_t{1} << slot % 64) - 1;
        auto const in_word = static_cast<std::size_t>(std::popcount(words_[slot / 64] & earlier));
        return static_cast<std::uint32_t>(before_[slot / 64] + in_word);
    }
    // Calls move(from, to, count) for each run of kept slots, from the front.
    template <class F> void each_run(F&& move) const {
        std::size_t to = 0;
        for (std::size_t slot = 0; slot < words_.size() * 64;) {
            std::size_t const from = slot;
            while (slot < words_.size() * 64 && kept(slot)) ++slot;
            if (slot > from) move(from, to, slot - from);
            to += slot - from;
            while (slot < words_.size() * 64 && !kept(slot)) ++slot;
        }
    }

  private:
    std::vector<std::uint64_t> words_;
    std::vector<std::size_t> before_;  // the number of kept slots before each word
};

}  // namespace patchpie
