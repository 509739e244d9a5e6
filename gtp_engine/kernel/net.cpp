// The instruction sets that nets can run with.
#include "net.hpp"

namespace patchpie {
namespace {

#if defined(PATCHPIE_V3_V4)
bool runs_v4() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
bool runs_v3() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
}
#endif

}  // namespace

std::vector<Isa> isas() {
#if defined(PATCHPIE_NATIVE)
    return {{"native", native::infer}};
#else
    std::vector<Isa> all;
#if defined(PATCHPIE_V3_V4)
    if (runs_v4()) all.push_back({"v4", v4::infer});
    if (runs_v3()) all.push_back({"v3", v3::infer});
#endif
    all.push_back({"plain", plain::infer});
    return all;
#endif
}

}  // namespace patchpie
