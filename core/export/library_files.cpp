// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/library_files.h"

#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/export/c_interface.h"
#include "core/export/library_texts.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace gks {
using namespace exporttexts;
namespace {

constexpr double triedFlops = 3e8; // of one shape: seconds for a reference in double precision
constexpr double triedElements = 1 << 24;
constexpr std::size_t triedMeasured = 6;
constexpr std::size_t triedOthers = 8;

std::string upperCase(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
    return text;
}

std::string_view fillName(Fill fill) {
    switch (fill) {
    case Fill::normal:
        return "normal";
    case Fill::uniform:
        return "uniform";
    case Fill::zeros:
        return "zeros";
    case Fill::ones:
        return "ones";
    }
    return "normal";
}

// Empty where the shape is too dear for a test.
std::optional<std::vector<std::int64_t>> affordableElements(const ProblemPack& pack, const Shape& shape,
                                                            double flopsLimit) {
    std::vector<std::int64_t> elements;
    double sum = 0;
    for (const TensorSpec& tensor : pack.tensors) {
        const auto count = pack.elementCount(tensor, shape);
        if (!count) {
            return std::nullopt;
        }
        elements.push_back(*count);
        sum += static_cast<double>(*count);
    }
    const auto flops = pack.flops(shape);
    return flops && *flops <= flopsLimit && sum <= 4 * triedElements ? std::optional(elements) : std::nullopt;
}

// A shape one step beside this one in every free dim, within what the pack names.
std::optional<Shape> neighbour(const ProblemPack& pack, Shape shape) {
    bool isOther = false;
    for (std::size_t dim = 0; dim < shape.size(); ++dim) {
        if (pack.isFree[dim] && shape[dim] > 2 * extentStep(pack, dim)) {
            shape[dim] -= extentStep(pack, dim);
            isOther = true;
        }
    }
    return isOther && pack.combinesExtents ? std::optional(shape) : std::nullopt;
}

} // namespace

Result<std::vector<TriedShape>> triedShapes(const ExportedKernel& kernel) {
    const ProblemPack& pack = kernel.pack;
    std::vector<Shape> measured;
    for (const ShapeClaim& claim : kernel.shapes) {
        measured.push_back(claim.shape);
    }
    std::ranges::stable_sort(measured, {}, [&](const Shape& shape) { return pack.flops(shape).value_or(0); });
    std::vector<TriedShape> tried;
    const auto add = [&](const Shape& shape, bool isMeasured, double limit) {
        const bool isNew = std::ranges::find(tried, shape, &TriedShape::shape) == tried.end();
        if (isNew && affordableElements(pack, shape, limit)) {
            tried.push_back({shape, isMeasured});
        }
    };
    for (std::size_t i = 0; i < measured.size() && tried.size() < triedMeasured; ++i) {
        add(measured[i], true, i == 0 ? std::numeric_limits<double>::max() : triedFlops);
    }
    std::vector<Shape> others;
    for (const Shape& shape : measured) {
        if (const auto beside = neighbour(pack, shape); beside && others.size() < triedOthers / 2) {
            others.push_back(*beside);
        }
    }
    for (const ShapeSet set : {ShapeSet::cpu, ShapeSet::test, ShapeSet::quick, ShapeSet::benchmark}) {
        const auto& named = pack.shapesOf(set);
        others.insert(others.end(), named.begin(), named.end());
    }
    const std::size_t most = tried.size() + triedOthers;
    for (const Shape& shape : others) {
        if (tried.size() < most && kernel.claimFor(shape) == nullptr) {
            add(shape, false, triedFlops);
        }
    }
    if (tried.empty()) {
        return usageError("no shape is small enough for a test program", kernel.name, "Export it --as header");
    }
    return tried;
}

std::vector<std::string> repeatableOptions(const ExportedKernel& kernel) {
    std::vector<std::string> options;
    for (const std::string& option : kernel.compilerOptions) {
        const bool isPlain = std::ranges::all_of(option, [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   std::string_view("-_=+.,:").find(c) != std::string_view::npos;
        });
        const bool isOfDialect = option.starts_with("-D") || option.starts_with("-f") || option.starts_with("-m");
        if (isPlain && isOfDialect && option.size() > 2) {
            options.push_back(option);
        }
    }
    return options;
}

std::string buildFile(const ExportedKernel& kernel, bool withTest) {
    std::string options;
    for (const std::string& option : repeatableOptions(kernel)) {
        options += option + " ";
    }
    const std::string text = std::string(buildText) + (withTest ? std::string(testBuildText) : std::string());
    return filled(text, {{"NAME", kernel.name}, {"UPPER", upperCase(kernel.name)}, {"OPTIONS", options}});
}

Result<std::string> testProgram(const ExportedKernel& kernel) {
    const ProblemPack& pack = kernel.pack;
    GKS_TRY_ASSIGN(const auto shapes, triedShapes(kernel));
    std::string cases;
    for (const TriedShape& one : shapes) {
        const auto elements = affordableElements(pack, one.shape, std::numeric_limits<double>::max());
        if (elements) {
            cases += fmt::format("    {{{{{}}}, {{{}}}, {}}},\n", fmt::join(one.shape, ", "),
                                 fmt::join(*elements, ", "), one.isMeasured);
        }
    }
    std::string tensors;
    std::string pointers;
    for (std::size_t i = 0; i < pack.tensors.size(); ++i) {
        const TensorSpec& tensor = pack.tensors[i];
        const bool isInput = tensor.role == TensorRole::input;
        tensors += fmt::format("    {{\"{}\", {}, {}, {:e}, {:e}, {}}},\n", tensor.name, name(tensor.type),
                               fillName(tensor.fill), tensor.scale, tensor.offset, isInput);
        pointers += fmt::format("static_cast<{}{}*>(t[{}]), ", isInput ? "const " : "", cType(tensor.type), i);
    }
    std::vector<std::string> dims;
    std::vector<std::string> dimNames;
    for (std::size_t i = 0; i < pack.dims.size(); ++i) {
        dims.push_back(fmt::format("d[{}]", i));
        dimNames.push_back("\"" + pack.dims[i] + "\"");
    }
    return filled(testText, {{"NAME", kernel.name},
                             {"HAS_MAGNITUDE", pack.tolerance.ofMagnitude > 0 ? "1" : "0"},
                             {"TENSORS", tensors},
                             {"TENSOR_COUNT", fmt::to_string(pack.tensors.size())},
                             {"DIM_COUNT", fmt::to_string(pack.dims.size())},
                             {"CASES", cases},
                             {"DIM_NAMES", join(dimNames, ", ")},
                             {"RELATIVE", fmt::format("{:e}", pack.tolerance.relative)},
                             {"ABSOLUTE", fmt::format("{:e}", pack.tolerance.absolute)},
                             {"OF_MAGNITUDE", fmt::format("{:e}", pack.tolerance.ofMagnitude)},
                             {"D_LIST", join(dims, ", ")},
                             {"T_LIST", pointers}});
}

Result<BundleFiles> testFiles(const ExportedKernel& kernel) {
    BundleFiles files;
    GKS_TRY_ASSIGN(files[fmt::format("test/test_{}.hip", kernel.name)], testProgram(kernel));
    GKS_TRY_ASSIGN(files["test/reference.cpp"], readFile(kernel.pack.referencePath));
    return files;
}

} // namespace gks
