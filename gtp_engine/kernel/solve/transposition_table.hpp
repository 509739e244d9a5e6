// A transposition table of fixed size for the solvers.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "board/huge_pages.hpp"
#include "rules/canonical_key.hpp"
#include "solve/bounds.hpp"
#include "solve/proof_numbers.hpp"

namespace patchpie {

// A table from canonical keys to entries. A full bucket replaces the entry with the least work.
//
// A bucket is one cache line of 64 bytes. T must be trivial and have 4 or 8 bytes; all zeros mean an
// unused entry.
//
// An entry stores 64 bits of its key. In games of at most four planes on boards up to 4x4 these
// tell all positions apart. Otherwise the probability that a search for a position finds another
// one is about 1 in 10^18.
//
// Several threads may use it without locks: the key is stored with the bits of the entry, so parts
// that two threads wrote do not fit together (Hyatt and Mann, "A lockless transposition table
// implementation for parallel search", ICGA Journal 2002).
template <class T> class TranspositionTable {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);

  public:
    explicit TranspositionTable(std::size_t bytes)
        : count_(std::max<std::size_t>(1, bytes / sizeof(Bucket))),
          // calloc gives pages of zeros, which take no memory before the first write.
          memory_(std::calloc(count_ + 1, sizeof(Bucket)), &std::free) {
        if (!memory_) throw std::bad_alloc();
        use_huge_pages(memory_.get(), (count_ + 1) * sizeof(Bucket));
        void* start = memory_.get();
        std::size_t room = (count_ + 1) * sizeof(Bucket);
        buckets_ = static_cast<Bucket*>(std::align(alignof(Bucket), sizeof(Bucket), start, room));
    }

    std::size_t bytes() const { return count_ * sizeof(Bucket); }

    void prefetch(CanonicalKey const& key) const { __builtin_prefetch(&bucket(key)); }

    std::optional<T> find(CanonicalKey const& key) const {
        Bucket const& bucket = this->bucket(key);
        Word const stored = stored_part(key);
        for (std::size_t i = 0; i < entries; ++i) {
            T const known = bucket.known(i);
            if (bucket.key(i, known) == stored && known.used()) return known;
        }
        return {};
    }

    void store(CanonicalKey const& key, T const& entry) {
        Bucket& bucket = this->bucket(key);
        Word const stored = stored_part(key);
        for (std::size_t i = 0; i < entries; ++i) {
            T const known = bucket.known(i);
            if (bucket.key(i, known) == stored && known.used()) {
                return bucket.set(i, stored, entry);
            }
        }
        bucket.set(bucket.cheapest(), stored, entry);
    }

    // A used entry with its place, to save and to restore it in a table of the same size.
    struct Saved {
        std::uint64_t bucket;
        Word key;
        T known;
    };

    std::size_t buckets() const { return count_; }

    // Appends the used entries of a bucket with at least this much work.
    void save(std::size_t number, unsigned least_work, std::vector<Saved>& to) const {
        Bucket const& bucket = buckets_[number];
        for (std::size_t i = 0; i < entries; ++i) {
            T const known = bucket.known(i);
            if (known.used() && known.work() >= least_work) {
                to.push_back({number, bucket.key(i, known), known});
            }
        }
    }
    // Adds an entry, unless its bucket is full of more work. Throws for another size of the table.
    void restore(Saved const& saved) {
        if (saved.bucket >= count_) throw std::invalid_argument("a table of another size");
        Bucket& bucket = buckets_[saved.bucket];
        std::size_t const cheapest = bucket.cheapest();
        if (bucket.known(cheapest).work() >= saved.known.work()) return;
        bucket.set(cheapest, saved.key, saved.known);
    }

  private:
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

    static constexpr std::size_t entries = 64 / (sizeof(Word) + sizeof(T));
    class alignas(64) Bucket {
      public:
        T known(std::size_t i) const {
            return std::bit_cast<T>(bits_[i].load(std::memory_order_relaxed));
        }
        Word key(std::size_t i, T const& known) const {
            return keys_[i].load(std::memory_order_relaxed) ^ std::bit_cast<Bits>(known);
        }
        void set(std::size_t i, Word key, T const& known) {
            auto const bits = std::bit_cast<Bits>(known);
            keys_[i].store(key ^ bits, std::memory_order_relaxed);
            bits_[i].store(bits, std::memory_order_relaxed);
        }
        std::size_t cheapest() const {
            std::size_t cheapest = 0;
            for (std::size_t i = 1; i < entries; ++i) {
                if (known(i).work() < known(cheapest).work()) cheapest = i;
            }
            return cheapest;
        }

      private:
        std::array<std::atomic<Word>, entries> keys_;
        std::array<std::atomic<Bits>, entries> bits_;
    };
    static_assert(sizeof(Bucket) == 64);

    static Word stored_part(CanonicalKey const& key) { return key.low ^ Rng::mixed(key.high); }

    Bucket& bucket(CanonicalKey const& key) const {
        Word const mixed = Rng::folded(key.low ^ 0xa0761d6478bd642f,
                                       key.high ^ 0xe7037ed1a0b428db);
        return buckets_[word_of(static_cast<TwoWords>(mixed) * count_, 1)];
    }

    std::size_t count_;
    std::unique_ptr<void, decltype(&std::free)> memory_;
    Bucket* buckets_ = nullptr;
};

// The proof and disproof numbers of a position, and the work that found them.
class ProofEntry {
  public:
    ProofEntry() = default;
    ProofEntry(ProofNumbers numbers, std::uint64_t positions)
        : bits_(numbers.proof | std::uint64_t{numbers.disproof} << 28 |
                static_cast<std::uint64_t>(std::bit_width(positions)) << 56) {}

    bool used() const { return bits_ != 0; }
    unsigned work() const { return static_cast<unsigned>(bits_ >> 56); }
    ProofNumbers numbers() const {
        return {static_cast<std::uint32_t>(bits_) & ProofNumbers::never,
                static_cast<std::uint32_t>(bits_ >> 28) & ProofNumbers::never};
    }

  private:
    std::uint64_t bits_ = 0;
};

// The bounds of a position, and the work of the search that found them.
class BoundsEntry {
  public:
    BoundsEntry() = default;
    BoundsEntry(Bounds bounds, std::uint64_t positions)
        : bits_(static_cast<std::uint32_t>(bounds.lower + 1) |
                static_cast<std::uint32_t>(bounds.upper + 1) << 2 | 1 << 4 |
                static_cast<std::uint32_t>(std::bit_width(positions)) << 5) {}

    bool used() const { return bits_ != 0; }
    unsigned work() const { return bits_ >> 5; }
    Bounds bounds() const {
        return {static_cast<int>(bits_ & 3) - 1, static_cast<int>(bits_ >> 2 & 3) - 1};
    }

  private:
    std::uint32_t bits_ = 0;
};

}  // namespace patchpie
