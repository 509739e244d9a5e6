// The instruction sets that nets can run with.
#include "nn/net.hpp"

namespace patchpie {
namespace {

#if defined(PATCHPIE_V4)
bool runs_v4() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#endif
#if defined(PATCHPIE_V3)
bool runs_v3() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
}
#endif

}  // namespace

std::vector<Isa> isas() {
    std::vector<Isa> all;
#if defined(PATCHPIE_NATIVE)
    all.push_back({"native", native::infer});
#endif
#if defined(PATCHPIE_V4)
    if (runs_v4()) all.push_back({"v4", v4::infer});
#endif
#if defined(PATCHPIE_V3)
    if (runs_v3()) all.push_back({"v3", v3::infer});
#endif
#if defined(PATCHPIE_PLAIN)
    all.push_back({"plain", plain::infer});
#endif
    return all;
}

}  // namespace patchpie
