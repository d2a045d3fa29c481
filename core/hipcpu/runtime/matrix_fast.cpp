// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/matrix_fast.h"

namespace gks::hipcpu {

namespace {

using Finder = FastMatrix (*)(const MatrixInstruction&);

Finder finderForProcessor() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v4")) {
        return avx512::findKernel;
    }
    if (__builtin_cpu_supports("x86-64-v3")) {
        return avx2::findKernel;
    }
#endif
    return baseline::findKernel;
}

} // namespace

FastMatrix fastMatrix(const MatrixInstruction& what) {
    static const Finder find = finderForProcessor();
    return find(what);
}

} // namespace gks::hipcpu
