// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

// Templates of the C interface; c_interface.cpp fills them in.
namespace gks::exporttexts {

inline constexpr std::string_view headerText = R"gks(/* @NAME@: @TITLE@
 * Kernel @KERNEL@ of a campaign of GPU Kernel Scientist; EVIDENCE.md says how fast it is, on what, and how that is known.
 * Licences: see LICENSE.md
 */
#ifndef @UPPER@_H
#define @UPPER@_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* What the functions below return: 0 when everything is on the stream, a hipError_t or cudaError_t above 0, or: */
enum {
    @UPPER@_BAD_SHAPE = -1,     /* extents that are not positive, too large, or that nobody has verified the kernel for */
    @UPPER@_NO_POINTER = -2,    /* a tensor is null */
    @UPPER@_NO_WORKSPACE = -3   /* less than @NAME@_workspace_size() says */
};

/* Device memory, 256-byte aligned; the last extent varies fastest:
@TENSORS@ * @STREAM@: a hipStream_t or cudaStream_t, null for the default one. Nothing waits. */

/* The kernel on shapes for which it was measured faster, the fallback on all others. */
int @NAME@(@PARAMETERS@);
/* Always the one or the other. */
int @NAME@_kernel(@PARAMETERS@);
int @NAME@_fallback(@PARAMETERS@);

/* Bytes of device memory, enough for all three. */
size_t @NAME@_workspace_size(@DIMS@);
/* 1: @NAME@() calls the kernel for this shape, 0: the fallback. */
int @NAME@_uses_kernel(@DIMS@);
/* SHA-256 of the evidence: the root hash of `kernel-scientist-cli report FILE.gks --kernel @ID@`. */
const char* @NAME@_evidence(void);

#ifdef __cplusplus
}
#endif
#endif
)gks";

inline constexpr std::string_view sourceText = R"gks(// @NAME@: @TITLE@
// Licences: see LICENSE.md
//
// Made by GPU Kernel Scientist @VERSION@. Two kernels, each in a namespace of its own, and the choice between them by
// shape. Builds with hipcc, with kernel-scientist-hipcc (for the CPU) and, as CUDA (-x cu), with nvcc.
#if defined(__CUDACC__)
// PyTorch takes these conversions away.
#undef __CUDA_NO_HALF_OPERATORS__
#undef __CUDA_NO_HALF_CONVERSIONS__
#undef __CUDA_NO_HALF2_OPERATORS__
#undef __CUDA_NO_BFLOAT16_CONVERSIONS__
#ifndef GKS_FP8_OCP
#define GKS_FP8_OCP 1 // fp8 as NVIDIA has it; on gfx950 say -DGKS_FP8_OCP=1
#endif
#endif
#include "@NAME@.h"

@PRELUDE@
#include <climits>
#include <cmath>
#ifndef GKS_UNROLL
#define GKS_PRAGMA(text) _Pragma(#text)
#define GKS_UNROLL(factor) GKS_PRAGMA(unroll factor)
#endif

namespace @NAME@_parts {

// ---- problem.h, which both kernels include
@PROBLEM@
// ---- end of problem.h

namespace kernel_part {
extern "C" __attribute__((weak)) size_t @NAME@_kernel_part_workspace(const Problem& shape);
#define solve @NAME@_kernel_part_solve
#define workspace_bytes @NAME@_kernel_part_workspace
// ---- kernel @KERNEL@, SHA-256 @KERNEL_SHA@; its #include lines stand above
@KERNEL_SOURCE@
// ---- end of kernel @KERNEL@
#undef solve
#undef workspace_bytes
@KERNEL_UNDEF@} // namespace kernel_part

namespace fallback_part {
extern "C" __attribute__((weak)) size_t @NAME@_fallback_part_workspace(const Problem& shape);
#define solve @NAME@_fallback_part_solve
#define workspace_bytes @NAME@_fallback_part_workspace
// ---- kernel @FALLBACK@, the baseline, SHA-256 @FALLBACK_SHA@; its #include lines stand above
@FALLBACK_SOURCE@
// ---- end of kernel @FALLBACK@
#undef solve
#undef workspace_bytes
@FALLBACK_UNDEF@} // namespace fallback_part

using Dims = long long[@DIM_COUNT@]; // @DIM_NAMES@
using Solve = hipError_t (*)(const Problem&, void*, hipStream_t);
using Workspace = size_t (*)(const Problem&);

// Measured beside the fallback, and faster: the whole 95 % interval of the ratio lies above 1.
const Dims won[] = {
@WON@};
@RANGES@
bool wins(const Dims& gks_dims) {
    for (const Dims& one : won) {
        bool same = true;
        for (int i = 0; i < @DIM_COUNT@; ++i) {
            same = same && one[i] == gks_dims[i];
        }
        if (same) {
            return true;
        }
    }
@RANGE_CHECK@    return false;
}

bool isWhole(double extent) {
    return extent >= 1 && extent == std::floor(extent);
}

// Extents that the kernels were verified for are multiples of these.
const Dims steps = {@STEPS@};

// And have these values together; 0: the problem leaves the extent free.
const Dims verified[] = {
@VERIFIED@};

bool isVerified(const Dims& gks_dims) {
    for (const Dims& one : verified) {
        bool same = true;
        for (int i = 0; i < @DIM_COUNT@; ++i) {
            same = same && (one[i] == 0 || one[i] == gks_dims[i]);
        }
        if (same) {
            return true;
        }
    }
    return false;
}

bool isPossible(const Dims& gks_dims) {
    for (int i = 0; i < @DIM_COUNT@; ++i) {
        if (gks_dims[i] < 1 || gks_dims[i] > INT_MAX || gks_dims[i] % steps[i] != 0) {
            return false;
        }
    }
    using std::ceil;
    using std::floor;
@DIM_DOUBLES@    return isVerified(gks_dims) && @EXTENTS@;
}

Problem problemOf(@TENSOR_POINTERS@const Dims& gks_dims) {
    Problem gks_problem = {};
@ASSIGNMENTS@    return gks_problem;
}

size_t workspaceOf(const Problem& shape) {
    size_t size = 0;
    for (const Workspace of : {Workspace(kernel_part::@NAME@_kernel_part_workspace),
                               Workspace(fallback_part::@NAME@_fallback_part_workspace)}) {
        const size_t wanted = of != nullptr ? of(shape) : 0;
        size = wanted > size ? wanted : size;
    }
    return size;
}

int run(Solve solve, Workspace workspaceBytes, const Problem& problem, const Dims& gks_dims, void* workspace, size_t size, void* stream) {
    if (!isPossible(gks_dims)) {
        return @UPPER@_BAD_SHAPE;
    }
    if (@NULLS@) {
        return @UPPER@_NO_POINTER;
    }
    const size_t wanted = workspaceBytes != nullptr ? workspaceBytes(problem) : 0;
    if (wanted > 0 && (workspace == nullptr || size < wanted)) {
        return @UPPER@_NO_WORKSPACE;
    }
    return int(solve(problem, wanted > 0 ? workspace : nullptr, static_cast<hipStream_t>(stream)));
}

int runKernel(const Problem& problem, const Dims& gks_dims, void* workspace, size_t size, void* stream) {
    return run(kernel_part::@NAME@_kernel_part_solve, kernel_part::@NAME@_kernel_part_workspace, problem, gks_dims, workspace, size, stream);
}

int runFallback(const Problem& problem, const Dims& gks_dims, void* workspace, size_t size, void* stream) {
    return run(fallback_part::@NAME@_fallback_part_solve, fallback_part::@NAME@_fallback_part_workspace, problem, gks_dims, workspace, size,
               stream);
}

} // namespace @NAME@_parts

extern "C" {

int @NAME@_kernel(@PARAMETERS@) {
    const @NAME@_parts::Dims gks_dims = {@DIM_LIST@};
    return @NAME@_parts::runKernel(@NAME@_parts::problemOf(@TENSOR_LIST@gks_dims), gks_dims, @WORKSPACE@, @WORKSPACE_SIZE@, @STREAM@);
}

int @NAME@_fallback(@PARAMETERS@) {
    const @NAME@_parts::Dims gks_dims = {@DIM_LIST@};
    return @NAME@_parts::runFallback(@NAME@_parts::problemOf(@TENSOR_LIST@gks_dims), gks_dims, @WORKSPACE@, @WORKSPACE_SIZE@, @STREAM@);
}

int @NAME@(@PARAMETERS@) {
    const @NAME@_parts::Dims gks_dims = {@DIM_LIST@};
    const auto gks_run = @NAME@_parts::wins(gks_dims) ? @NAME@_parts::runKernel : @NAME@_parts::runFallback;
    return gks_run(@NAME@_parts::problemOf(@TENSOR_LIST@gks_dims), gks_dims, @WORKSPACE@, @WORKSPACE_SIZE@, @STREAM@);
}

size_t @NAME@_workspace_size(@DIMS@) {
    const @NAME@_parts::Dims gks_dims = {@DIM_LIST@};
    return @NAME@_parts::isPossible(gks_dims) ? @NAME@_parts::workspaceOf(@NAME@_parts::problemOf(@NULL_LIST@gks_dims)) : 0;
}

int @NAME@_uses_kernel(@DIMS@) {
    const @NAME@_parts::Dims gks_dims = {@DIM_LIST@};
    return @NAME@_parts::isPossible(gks_dims) && @NAME@_parts::wins(gks_dims) ? 1 : 0;
}

const char* @NAME@_evidence(void) {
    return "@EVIDENCE@";
}

} // extern "C"
)gks";

inline constexpr std::string_view rangeCheck =
    R"gks(    for (const Range& range : between) { // their steps are those of isPossible()
        bool inside = true;
        for (int i = 0; i < @DIM_COUNT@; ++i) {
            inside = inside && gks_dims[i] >= range.least[i] && gks_dims[i] <= range.most[i];
        }
        if (inside) {
            return true;
        }
    }
)gks";

} // namespace gks::exporttexts
