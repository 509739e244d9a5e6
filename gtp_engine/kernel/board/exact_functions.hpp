// Exponentials and logarithms of our own. The libraries of systems round theirs differently in the
// last bit, and so would a search. These consist of sums, products and quotients in a fixed order,
// which every processor rounds in the same way: compile with -ffp-contract=off.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

namespace patchpie {

// 2 to the power of each 32nd from 0 to 31/32.
inline constexpr std::array<double, 32> powers_of_two{
    0x1.0000000000000p+0, 0x1.059b0d3158574p+0, 0x1.0b5586cf9890fp+0, 0x1.11301d0125b51p+0,
    0x1.172b83c7d517bp+0, 0x1.1d4873168b9aap+0, 0x1.2387a6e756238p+0, 0x1.29e9df51fdee1p+0,
    0x1.306fe0a31b715p+0, 0x1.371a7373aa9cbp+0, 0x1.3dea64c123422p+0, 0x1.44e086061892dp+0,
    0x1.4bfdad5362a27p+0, 0x1.5342b569d4f82p+0, 0x1.5ab07dd485429p+0, 0x1.6247eb03a5585p+0,
    0x1.6a09e667f3bcdp+0, 0x1.71f75e8ec5f74p+0, 0x1.7a11473eb0187p+0, 0x1.82589994cce13p+0,
    0x1.8ace5422aa0dbp+0, 0x1.93737b0cdc5e5p+0, 0x1.9c49182a3f090p+0, 0x1.a5503b23e255dp+0,
    0x1.ae89f995ad3adp+0, 0x1.b7f76f2fb5e47p+0, 0x1.c199bdd85529cp+0, 0x1.cb720dcef9069p+0,
    0x1.d5818dcfba487p+0, 0x1.dfc97337b9b5fp+0, 0x1.ea4afa2a490dap+0, 0x1.f50765b6e4540p+0,
};

// e to the power of a number, which must not be NaN; the error is at most 0.502 of the last place.
//
// It is expf of Arm's Optimized Routines (Copyright (c) 2017-2018, Arm Limited; MIT License), as
// glibc and musl have it, without its exceptions: 2^(k/32) from a table, and a polynomial for the
// rest, all in double precision.
constexpr float exponential(float x) {
    if (x > 0x1.62e42ep6F) return std::numeric_limits<float>::infinity();
    if (x < -0x1.9fe368p6F) return 0;
    // The sum has no place for a fraction, so it is a whole number, which its lowest bits hold.
    constexpr double whole = 0x1.8p52;
    double const scaled = 0x1.71547652b82fep+5 * double{x};  // x * 32 / ln 2
    double const sum = scaled + whole, r = scaled - (sum - whole), square = r * r;
    auto const k = std::bit_cast<std::uint64_t>(sum);
    auto const power = std::bit_cast<std::uint64_t>(powers_of_two[k % 32]);
    double const scale = std::bit_cast<double>(power + (k / 32 << 52));
    double const high = 0x1.c6af84b912394p-20 * r + 0x1.ebfce50fac4f3p-13;
    double const low = 0x1.62e42ff0c52d6p-6 * r + 1;
    return static_cast<float>((high * square + low) * scale);
}

// The natural logarithm of a normal number above 0; the error is at most 2 of the last place.
// gtp_engine/base/logarithm.py is the same in Python.
constexpr double logarithm(double x) {
    constexpr std::uint64_t mantissa = (std::uint64_t{1} << 52) - 1;
    auto const bits = std::bit_cast<std::uint64_t>(x);
    auto exponent = static_cast<std::int64_t>(bits >> 52) - 1023;
    // 1 <= m < 2, then about 0.7 <= m < 1.4, so that the logarithm is near to 0 where x is near to 1.
    double m = std::bit_cast<double>((bits & mantissa) | std::uint64_t{1023} << 52);
    if (m > 1.4) m /= 2, ++exponent;
    // The series of 2 artanh(z), where z = (m - 1) / (m + 1) is at most 0.18.
    double const z = (m - 1) / (m + 1), square = z * z;
    double series = 0;
    for (int n = 21; n > 1; n -= 2) series = (series + 1.0 / n) * square;
    // The first part of ln 2 has so few bits that its products with exponents are exact.
    auto const twos = static_cast<double>(exponent);
    return twos * 0x1.62e42fefa38p-1 + (2 * z + (2 * z * series + twos * 0x1.ef35793c7673p-45));
}

// The natural logarithm of a whole number above 0, to about six digits, fast.
constexpr float fast_logarithm(std::uint32_t n) {
    int const exponent = static_cast<int>(std::bit_width(n)) - 1;
    // 1 <= m < 2: the bits below the highest one become the fraction of a float.
    std::uint32_t const fraction = exponent > 23 ? n >> (exponent - 23) : n << (23 - exponent);
    float const m = std::bit_cast<float>((fraction & 0x7fffff) | 0x3f800000);
    // As above; z is at most a third.
    float const z = (m - 1) / (m + 1), square = z * z;
    float const series =
        1 + square * (1.0F / 3 + square * (1.0F / 5 + square * (1.0F / 7 + square / 9)));
    return 0.69314718F * static_cast<float>(exponent) + 2 * z * series;
}

}  // namespace patchpie
