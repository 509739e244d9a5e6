// Vectors of sums of products, for the instruction set that a file is compiled for.
//
// A lane is 32 bits wide. It holds the sum for one output, or `group` activations, or as many
// weights. Activations are 0 to 127 and weights -127 to 127, so no instruction below saturates, as
// long as no more short sums are added than inference.cpp allows.
// Only inference.cpp and its headers include this header, once for each instruction set.
#pragma once

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#elif defined(__ARM_FEATURE_DOTPROD)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace patchpie::PATCHPIE_ISA {
namespace {

// The lanes of a vector, which is as wide as a register.
#if defined(__AVX512BW__)
constexpr int width = 16;
#elif defined(__AVX2__)
constexpr int width = 8;
#else
constexpr int width = 4;
#endif

#if defined(__AVX2__) || defined(__ARM_FEATURE_DOTPROD)
using Activation = unsigned char;
using Weight = signed char;
#elif defined(__SSE2__) || defined(__wasm_simd128__)
using Activation = short;
using Weight = short;
#else
using Activation = int;
using Weight = int;
#endif
constexpr int lane_bytes = 4;
constexpr int group = lane_bytes / static_cast<int>(sizeof(Weight));

using Ints = int __attribute__((vector_size(width * lane_bytes), may_alias));
using Floats = float __attribute__((vector_size(width * lane_bytes), may_alias));
using Activations =
    Activation __attribute__((vector_size(width * sizeof(Activation)), may_alias));

// A group of activations in every lane.
inline Ints spread(Activation const* inputs) {
    int lane;
    __builtin_memcpy(&lane, inputs, sizeof lane);
    return lane - Ints{};
}

// Without the VNNI dot product, one instruction sums two products in 16 bits, and another one adds
// two such sums in a lane. Before that, 16 bits hold the sums of some groups: see summed_together.
#if defined(__AVX512BW__) && !defined(__AVX512VNNI__)
#define PATCHPIE_SHORT_SUMS
using Shorts = short __attribute__((vector_size(64), may_alias));
inline Shorts short_products(Ints activations, Ints weights) {
    return reinterpret_cast<Shorts>(_mm512_maddubs_epi16(reinterpret_cast<__m512i>(activations),
                                                         reinterpret_cast<__m512i>(weights)));
}
inline Ints widened(Shorts sums) {
    return reinterpret_cast<Ints>(
        _mm512_madd_epi16(reinterpret_cast<__m512i>(sums), _mm512_set1_epi16(1)));
}
#elif defined(__AVX2__) && !defined(__AVX512BW__) && !defined(__AVXVNNI__)
#define PATCHPIE_SHORT_SUMS
using Shorts = short __attribute__((vector_size(32), may_alias));
inline Shorts short_products(Ints activations, Ints weights) {
    return reinterpret_cast<Shorts>(_mm256_maddubs_epi16(reinterpret_cast<__m256i>(activations),
                                                         reinterpret_cast<__m256i>(weights)));
}
inline Ints widened(Shorts sums) {
    return reinterpret_cast<Ints>(
        _mm256_madd_epi16(reinterpret_cast<__m256i>(sums), _mm256_set1_epi16(1)));
}
#endif

// Adds, in each lane, the products of a group of activations and weights to the sum.
#if defined(PATCHPIE_SHORT_SUMS)
inline Shorts add_products(Shorts sum, Ints activations, Ints weights) {
    sum += short_products(activations, weights);
    // Without this GCC 12 adds many products at the end, and has too few registers for them.
    __asm__("" : "+v"(sum));
    return sum;
}
#else
inline Ints add_products(Ints sum, Ints activations, Ints weights) {
#if defined(__AVX512VNNI__)
    return reinterpret_cast<Ints>(
        _mm512_dpbusd_epi32(reinterpret_cast<__m512i>(sum), reinterpret_cast<__m512i>(activations),
                            reinterpret_cast<__m512i>(weights)));
#elif defined(__AVXVNNI__)
    return reinterpret_cast<Ints>(_mm256_dpbusd_avx_epi32(reinterpret_cast<__m256i>(sum),
                                                          reinterpret_cast<__m256i>(activations),
                                                          reinterpret_cast<__m256i>(weights)));
#elif defined(__ARM_FEATURE_DOTPROD)
    return reinterpret_cast<Ints>(vdotq_s32(reinterpret_cast<int32x4_t>(sum),
                                            reinterpret_cast<int8x16_t>(activations),
                                            reinterpret_cast<int8x16_t>(weights)));
#elif defined(__SSE2__)
    return sum + reinterpret_cast<Ints>(_mm_madd_epi16(reinterpret_cast<__m128i>(activations),
                                                       reinterpret_cast<__m128i>(weights)));
#elif defined(__wasm_simd128__)
    return sum + reinterpret_cast<Ints>(wasm_i32x4_dot_i16x8(
                     reinterpret_cast<v128_t>(activations), reinterpret_cast<v128_t>(weights)));
#else
    return sum + activations * weights;
#endif
}
#endif

inline Floats to_floats(Ints numbers) { return __builtin_convertvector(numbers, Floats); }

inline Ints greater(Ints a, Ints b) { return a > b ? a : b; }

// The numbers as activations: clipped to 0 to 127 and rounded, halves to the even number.
inline Ints to_activations(Floats numbers) {
#if defined(__AVX512BW__)
    __m512 const clipped = _mm512_min_ps(_mm512_max_ps(reinterpret_cast<__m512>(numbers),
                                                       _mm512_setzero_ps()),
                                         _mm512_set1_ps(127));
    return reinterpret_cast<Ints>(_mm512_cvtps_epi32(clipped));
#elif defined(__AVX2__)
    __m256 const clipped = _mm256_min_ps(_mm256_max_ps(reinterpret_cast<__m256>(numbers),
                                                       _mm256_setzero_ps()),
                                         _mm256_set1_ps(127));
    return reinterpret_cast<Ints>(_mm256_cvtps_epi32(clipped));
#else
#if defined(__wasm_simd128__)
    numbers = reinterpret_cast<Floats>(
        wasm_f32x4_pmin(wasm_f32x4_pmax(reinterpret_cast<v128_t>(numbers), wasm_f32x4_splat(0)),
                        wasm_f32x4_splat(127)));
#else
    numbers = numbers > 0.0F ? numbers : 0.0F - Floats{};
    numbers = numbers < 127.0F ? numbers : 127.0F - Floats{};
#endif
    // Adding 1.5 * 2^23 leaves the rounded number in the low bits.
    return reinterpret_cast<Ints>(numbers + 12582912.0F) - 0x4B400000;
#endif
}

// GCC 12 converts the vectors of 8 bits one number at a time, so intrinsics do it where they can.
inline Ints load(Activation const* from) {
#if defined(__AVX512BW__)
    return reinterpret_cast<Ints>(
        _mm512_cvtepu8_epi32(_mm_load_si128(reinterpret_cast<__m128i const*>(from))));
#elif defined(__AVX2__)
    return reinterpret_cast<Ints>(
        _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<__m128i const*>(from))));
#else
    return __builtin_convertvector(*reinterpret_cast<Activations const*>(from), Ints);
#endif
}
inline void store(Ints numbers, Activation* to) {
#if defined(__AVX512BW__)
    _mm_store_si128(reinterpret_cast<__m128i*>(to),
                    _mm512_cvtepi32_epi8(reinterpret_cast<__m512i>(numbers)));
#elif defined(__AVX2__)
    __m256i const pairs = _mm256_packus_epi32(reinterpret_cast<__m256i>(numbers),
                                              _mm256_setzero_si256());
    __m128i const halves = _mm_unpacklo_epi64(_mm256_castsi256_si128(pairs),
                                              _mm256_extracti128_si256(pairs, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packus_epi16(halves, halves));
#else
    *reinterpret_cast<Activations*>(to) = __builtin_convertvector(numbers, Activations);
#endif
}

}  // namespace
}  // namespace patchpie::PATCHPIE_ISA
