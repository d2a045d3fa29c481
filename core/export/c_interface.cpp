// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/c_interface.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/export/c_interface_texts.h"
#include "core/export/source_parts.h"
#include "core/target/cuda_build.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace gks {
using namespace exporttexts;
namespace {

constexpr std::array cudaHeaders = {"error_codes.h",    "hip_bf16.h",    "hip_cooperative_groups.h", "hip_fp16.h",
                                    "hip_fp8.h",        "hip_runtime.h", "host_functions.h",         "lane_names.h",
                                    "lane_names_off.h", "lanes.h"};

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

std::string verifiedRows(const ExportedKernel& kernel) {
    std::string text;
    for (const Shape& extents : verifiedExtents(kernel)) {
        text += shapeRow(extents) + "\n";
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
    const bool isNarrow = type == ElementType::fp8E4m3 || type == ElementType::fp8E5m2 || type == ElementType::f16 ||
                          type == ElementType::bf16;
    return isNarrow ? "void" : cppType(type);
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
                               {"VERIFIED", verifiedRows(kernel)},
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
