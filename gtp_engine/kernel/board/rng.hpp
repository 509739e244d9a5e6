// Random numbers: wyrand (Wang Yi, 2019), with one multiplication for each number.
#pragma once

#include <cstdint>

#include "board/bits.hpp"

namespace patchpie {

class Rng {
  public:
    // Each seed has many independent streams.
    explicit constexpr Rng(std::uint64_t seed, std::uint64_t stream = 0)
        : state_(mixed(seed + 0x9e3779b97f4a7c15 * (stream + 1))) {}

    constexpr std::uint64_t next() {
        state_ += 0xa0761d6478bd642f;
        return folded(state_, state_ ^ 0xe7037ed1a0b428db);
    }

    // Uniform on 0 to n - 1, by Lemire's multiplication. The bias is below n / 2^32.
    constexpr int below(int n) { return scaled(next() >> 32, n); }

    // A number from 0 to n - 1, from some random bits. The bias is below n / 2^random_bits.
    template <int random_bits = 32> static constexpr int scaled(std::uint64_t bits, int n) {
        return static_cast<int>(bits * static_cast<std::uint64_t>(n) >> random_bits);
    }

    // Uniform on 0 to 1, excluding 1.
    constexpr float fraction() { return static_cast<float>(next() >> 40) * 0x1p-24F; }

    // The exclusive or of the high and the low half of a product.
    static constexpr std::uint64_t folded(std::uint64_t a, std::uint64_t b) {
        TwoWords const product = static_cast<TwoWords>(a) * b;
        return word_of(product, 0) ^ word_of(product, 1);
    }

    // splitmix64's finalizer (Steele, Lea and Flood, OOPSLA 2014).
    static constexpr std::uint64_t mixed(std::uint64_t x) {
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
        x = (x ^ x >> 27) * 0x94d049bb133111eb;
        return x ^ x >> 31;
    }

  private:
    std::uint64_t state_;
};

}  // namespace patchpie
