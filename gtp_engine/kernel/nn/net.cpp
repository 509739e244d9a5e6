// The instruction sets that nets can run with.
#include "nn/net.hpp"

#if defined(__x86_64__) || defined(_M_X64)
#include <cpuid.h>
#endif
#if defined(PATCHPIE_DOTPROD)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif
#if defined(PATCHPIE_V4_AMX)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace patchpie {
namespace {

// A build asks only for the instruction sets that it contains.
#if defined(__x86_64__) || defined(_M_X64)
[[maybe_unused]] bool runs_v3() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
}
// Clang 14 has no name for AVX-VNNI, which is bit 4 of EAX.
[[maybe_unused]] bool runs_v3_vnni() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return runs_v3() && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a >> 4 & 1) != 0;
}
[[maybe_unused]] bool runs_v4() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
[[maybe_unused]] bool runs_v4_vnni() { return runs_v4() && __builtin_cpu_supports("avx512vnni"); }
#endif
#if defined(PATCHPIE_V4_AMX)
// Bits 24 and 25 of EDX are tiles and their integers. Linux lets a process use tiles if it asks.
bool runs_v4_amx() {
    constexpr int request_permission = 0x1023, tile_data = 18;
    unsigned a = 0, b = 0, c = 0, d = 0;
    return runs_v4_vnni() && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (d >> 24 & 3) == 3 &&
           syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}
#endif
#if defined(PATCHPIE_DOTPROD)
bool runs_dotprod() { return (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0; }
#endif

}  // namespace

std::vector<Isa> isas() {
    std::vector<Isa> all;
#if defined(PATCHPIE_NATIVE)
    all.push_back(native::isa);
#endif
#if defined(PATCHPIE_V4_AMX)
    if (runs_v4_amx()) all.push_back(v4_amx::isa);
#endif
#if defined(PATCHPIE_V4_VNNI)
    if (runs_v4_vnni()) all.push_back(v4_vnni::isa);
#endif
#if defined(PATCHPIE_V4)
    if (runs_v4()) all.push_back(v4::isa);
#endif
#if defined(PATCHPIE_V3_VNNI)
    if (runs_v3_vnni()) all.push_back(v3_vnni::isa);
#endif
#if defined(PATCHPIE_V3)
    if (runs_v3()) all.push_back(v3::isa);
#endif
#if defined(PATCHPIE_DOTPROD)
    if (runs_dotprod()) all.push_back(dotprod::isa);
#endif
#if defined(PATCHPIE_PLAIN)
    all.push_back(plain::isa);
#endif
    return all;
}

}  // namespace patchpie
