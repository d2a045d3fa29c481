// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/c_interface.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/export/source_parts.h"
#include "core/target/cuda_build.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace gks {
namespace {

constexpr std::array cudaHeaders = {"error_codes.h",    "hip_bf16.h",    "hip_cooperative_groups.h", "hip_fp16.h",
                                    "hip_fp8.h",        "hip_runtime.h", "host_functions.h",         "lane_names.h",
                                    "lane_names_off.h", "lanes.h"};

constexpr std::string_view headerText = R"gks(/* @NAME@: @TITLE@
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
    @UPPER@_BAD_SHAPE = -1,     /* an extent that is not positive, too large, or that nobody has verified the kernel for */
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

constexpr std::string_view sourceText = R"gks(// @NAME@: @TITLE@
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

bool isPossible(const Dims& gks_dims) {
    for (int i = 0; i < @DIM_COUNT@; ++i) {
        if (gks_dims[i] < 1 || gks_dims[i] > INT_MAX || gks_dims[i] % steps[i] != 0) {
            return false;
        }
    }
    using std::ceil;
    using std::floor;
@DIM_DOUBLES@    return @EXTENTS@;
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

std::string upper(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
    return text;
}

std::string pointerTo(const TensorSpec& tensor) {
    return fmt::format("{}{}* {}", tensor.role == TensorRole::input ? "const " : "", cType(tensor.type), tensor.name);
}

std::string parametersOf(const ProblemPack& pack) {
    const InterfaceNames names = interfaceNames(pack);
    std::vector<std::string> parts;
    for (const TensorSpec& tensor : pack.tensors) {
        parts.push_back(pointerTo(tensor));
    }
    parts.push_back(dimParameters(pack));
    parts.push_back(fmt::format("void* {}, size_t {}, void* {}", names.workspace, names.workspaceSize, names.stream));
    return join(parts, ", ");
}

// nvcc has the project's own headers of these names, and finds them beside the file.
std::string withCudaHeaders(const std::string& prelude) {
    std::string text;
    for (const std::string_view line : lines(prelude)) {
        const std::size_t open = line.find("<hip/");
        const std::size_t close = line.find('>');
        const std::string_view file =
            open != std::string_view::npos && close != std::string_view::npos && close > open + 5
                ? line.substr(open + 5, close - open - 5)
                : std::string_view();
        if (std::ranges::find(cudaHeaders, file) != cudaHeaders.end()) {
            text += fmt::format("#if defined(__CUDACC__)\n#include \"cuda/hip/{}\"\n#else\n{}\n#endif\n", file, line);
        } else {
            text += std::string(line) + "\n";
        }
    }
    return text;
}

std::string undefined(const std::vector<std::string>& macros) {
    std::string text;
    for (const std::string& macro : macros) {
        text += fmt::format("#undef {}\n", macro);
    }
    return text;
}

std::string shapeRow(const Shape& shape) {
    return fmt::format("    {{{}}},", fmt::join(shape, ", "));
}

std::string wonRows(const ExportedKernel& kernel) {
    std::string text;
    for (const ShapeClaim& claim : kernel.shapes) {
        if (claim.won) {
            text += fmt::format("{} // {}\n", shapeRow(claim.shape), formatRatio(claim.ratio, claim.ci95));
        }
    }
    return text;
}

std::string rangeRows(const std::vector<ShapeRange>& ranges, std::size_t dims) {
    std::string text = fmt::format("\n// Between measured shapes: no claim covers these, they were asked for.\n"
                                   "struct Range {{\n    Dims least, most;\n}};\nconst Range between[] = {{\n");
    for (const ShapeRange& range : ranges) {
        std::vector<std::int64_t> least;
        std::vector<std::int64_t> most;
        for (std::size_t dim = 0; dim < dims; ++dim) {
            least.push_back(range[dim].least);
            most.push_back(range[dim].most);
        }
        text += fmt::format("    {{{{{}}}, {{{}}}}},\n", fmt::join(least, ", "), fmt::join(most, ", "));
    }
    return text + "};\n\n";
}

constexpr std::string_view rangeCheck =
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

// Each tensor's extents are whole for this shape.
Result<std::string> extentChecks(const ProblemPack& pack) {
    std::set<std::string> seen;
    std::vector<std::string> checks;
    for (const TensorSpec& tensor : pack.tensors) {
        for (const std::string& extent : tensor.extents) {
            GKS_TRY_ASSIGN(const std::string text, portableExtent(extent, pack.dims));
            if (std::ranges::find(pack.dims, extent) == pack.dims.end() && seen.insert(text).second) {
                checks.push_back(fmt::format("isWhole({})", text));
            }
        }
    }
    return checks.empty() ? std::string("true") : join(checks, " && ");
}

struct PartTexts {
    std::string prelude;
    std::string source;
    std::string undef;
};

Result<PartTexts> partOf(const ExportedKernel& kernel, const std::string& source, KernelId id) {
    GKS_TRY_ASSIGN(const SourceParts parts, splitSource(source, "kernel " + kernelLabel(id)));
    PartTexts texts;
    if (!parts.prelude.empty()) {
        texts.prelude = withCudaHeaders(parts.prelude) + undefined(parts.macros);
    }
    texts.source = kernel.target == TargetKind::nvidia ? withExpandedUnrolls(parts.body) : parts.body;
    texts.undef = undefined(parts.macros);
    return texts;
}

} // namespace

std::string filled(std::string_view text, const std::vector<std::pair<std::string, std::string>>& values) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) { // in one pass: what a value holds is not looked through again
        const std::size_t open = text.find('@', at);
        const std::size_t close = open == std::string_view::npos ? open : text.find('@', open + 1);
        if (close == std::string_view::npos) {
            return result + std::string(text.substr(at));
        }
        const std::string_view word = text.substr(open + 1, close - open - 1);
        const auto value = std::ranges::find_if(values, [&](const auto& one) { return one.first == word; });
        if (value == values.end()) {
            result += std::string(text.substr(at, close - at));
            at = close;
        } else {
            result += std::string(text.substr(at, open - at)) + value->second;
            at = close + 1;
        }
    }
    return result;
}

InterfaceNames interfaceNames(const ProblemPack& pack) {
    InterfaceNames names;
    const auto isTaken = [&](const std::string& name) {
        return std::ranges::find(pack.dims, name) != pack.dims.end() ||
               std::ranges::find(pack.tensors, name, &TensorSpec::name) != pack.tensors.end();
    };
    for (std::string* name : {&names.workspace, &names.workspaceSize, &names.stream}) {
        while (isTaken(*name)) {
            *name += '_';
        }
    }
    return names;
}

std::string_view cType(ElementType type) {
    switch (type) {
    case ElementType::f32:
        return "float";
    case ElementType::f64:
        return "double";
    case ElementType::i8:
        return "int8_t";
    case ElementType::i32:
        return "int32_t";
    case ElementType::u32:
        return "uint32_t";
    case ElementType::i64:
        return "int64_t";
    case ElementType::fp8E4m3:
    case ElementType::fp8E5m2:
    case ElementType::f16:
    case ElementType::bf16:
        break;
    }
    return "void";
}

std::string tensorText(const TensorSpec& tensor) {
    return fmt::format("{}: {} [{}], {}", tensor.name, name(tensor.type), join(tensor.extents, "]["),
                       tensor.role == TensorRole::input ? "read" : "written");
}

std::string dimParameters(const ProblemPack& pack) {
    std::vector<std::string> parts;
    for (const std::string& dim : pack.dims) {
        parts.push_back("int64_t " + dim);
    }
    return join(parts, ", ");
}

std::string interfaceHeader(const ExportedKernel& kernel) {
    const ProblemPack& pack = kernel.pack;
    std::string tensors;
    for (const TensorSpec& tensor : pack.tensors) {
        tensors += fmt::format(" *   {}\n", tensorText(tensor));
    }
    return filled(headerText, {{"NAME", kernel.name},
                               {"UPPER", upper(kernel.name)},
                               {"TITLE", commentText(pack.title)},
                               {"KERNEL", kernelLabel(kernel.id)},
                               {"ID", fmt::to_string(kernel.id)},
                               {"TENSORS", tensors},
                               {"STREAM", interfaceNames(pack).stream},
                               {"PARAMETERS", parametersOf(pack)},
                               {"DIMS", dimParameters(pack)}});
}

Result<std::string> interfaceSource(const ExportedKernel& kernel, const CInterfaceOptions& options) {
    const ProblemPack& pack = kernel.pack;
    const InterfaceNames names = interfaceNames(pack);
    const std::string dimCount = fmt::to_string(pack.dims.size());
    GKS_TRY_ASSIGN(const SourceParts problem, splitSource(generateProblemHeader(pack), "problem.h"));
    GKS_TRY_ASSIGN(const PartTexts own, partOf(kernel, kernel.source, kernel.id));
    GKS_TRY_ASSIGN(const PartTexts fallback, partOf(kernel, kernel.fallbackSource, kernel.fallback));
    GKS_TRY_ASSIGN(const std::string extents, extentChecks(pack));
    std::string pointers;
    std::string tensorList;
    std::string nulls;
    std::string assignments;
    std::vector<std::string> nullChecks;
    for (const TensorSpec& tensor : pack.tensors) {
        pointers += fmt::format("{}void* {}, ", tensor.role == TensorRole::input ? "const " : "", tensor.name);
        tensorList += tensor.name + ", ";
        nulls += "nullptr, ";
        assignments += fmt::format("    gks_problem.{0} = static_cast<decltype(gks_problem.{0})>({0});\n", tensor.name);
        nullChecks.push_back(fmt::format("problem.{} == nullptr", tensor.name));
    }
    std::string doubles;
    std::vector<std::string> steps;
    for (std::size_t dim = 0; dim < pack.dims.size(); ++dim) {
        doubles += fmt::format("    [[maybe_unused]] const double {} = double(gks_dims[{}]);\n", pack.dims[dim], dim);
        assignments += fmt::format("    gks_problem.{} = int(gks_dims[{}]);\n", pack.dims[dim], dim);
        steps.push_back(fmt::to_string(extentStep(pack, dim)));
    }
    const bool hasRanges = options.between && !kernel.between.empty();
    return filled(sourceText, {{"NAME", kernel.name},
                               {"UPPER", upper(kernel.name)},
                               {"TITLE", commentText(pack.title)},
                               {"VERSION", std::string(programVersion())},
                               {"PRELUDE", withCudaHeaders(problem.prelude) + own.prelude + fallback.prelude},
                               {"PROBLEM", problem.body},
                               {"KERNEL", kernelLabel(kernel.id)},
                               {"KERNEL_SHA", sha256Hex(kernel.source)},
                               {"KERNEL_SOURCE", own.source},
                               {"KERNEL_UNDEF", own.undef},
                               {"FALLBACK", kernelLabel(kernel.fallback)},
                               {"FALLBACK_SHA", sha256Hex(kernel.fallbackSource)},
                               {"FALLBACK_SOURCE", fallback.source},
                               {"FALLBACK_UNDEF", fallback.undef},
                               {"DIM_COUNT", dimCount},
                               {"DIM_NAMES", join(pack.dims, ", ")},
                               {"WON", wonRows(kernel)},
                               {"RANGES", hasRanges ? rangeRows(kernel.between, pack.dims.size()) : "\n"},
                               {"RANGE_CHECK", hasRanges ? filled(rangeCheck, {{"DIM_COUNT", dimCount}}) : ""},
                               {"STEPS", join(steps, ", ")},
                               {"DIM_DOUBLES", doubles},
                               {"EXTENTS", extents},
                               {"TENSOR_POINTERS", pointers},
                               {"ASSIGNMENTS", assignments},
                               {"NULLS", join(nullChecks, " || ")},
                               {"PARAMETERS", parametersOf(pack)},
                               {"DIMS", dimParameters(pack)},
                               {"DIM_LIST", join(pack.dims, ", ")},
                               {"TENSOR_LIST", tensorList},
                               {"NULL_LIST", nulls},
                               {"WORKSPACE", names.workspace},
                               {"WORKSPACE_SIZE", names.workspaceSize},
                               {"STREAM", names.stream},
                               {"EVIDENCE", kernel.evidenceSha256}});
}

Result<BundleFiles> cudaHeaderFiles() {
    BundleFiles files;
    for (const char* file : cudaHeaders) {
        GKS_TRY_ASSIGN(files[fmt::format("cuda/hip/{}", file)], readFile(cudaHeaderFolder() / "hip" / file));
    }
    return files;
}

Result<BundleFiles> interfaceFiles(const ExportedKernel& kernel, const CInterfaceOptions& options) {
    GKS_TRY_ASSIGN(BundleFiles files, cudaHeaderFiles());
    files[kernel.name + ".h"] = interfaceHeader(kernel);
    GKS_TRY_ASSIGN(files[kernel.name + "." + options.sourceSuffix], interfaceSource(kernel, options));
    return files;
}

} // namespace gks
