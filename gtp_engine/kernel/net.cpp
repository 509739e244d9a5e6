// Which instruction set a net runs with: the best one of this processor that was compiled.
#include "net.hpp"

namespace patchpie {

Infer Net::fastest() {
#if defined(PATCHPIE_ISAS)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
        return v4::infer;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma")) {
        return v3::infer;
    }
#endif
    return plain::infer;
}

}  // namespace patchpie
