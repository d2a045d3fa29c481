// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/element_codec.h"
#include "core/problem/expression.h"
#include "core/problem/problem.h"
#include "core/problem/shape_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gks {

std::string_view name(ShapeSet set) {
    static constexpr std::array<std::string_view, 5> names = {"test", "benchmark", "quick", "held_out", "cpu"};
    return names[static_cast<std::size_t>(set)];
}

const std::vector<Shape>& ProblemPack::shapesOf(ShapeSet set) const {
    static const std::vector<Shape> none;
    const auto found = shapes.find(set);
    return found == shapes.end() ? none : found->second;
}

std::string ProblemPack::shapeLabel(const Shape& shape) const {
    std::string label;
    for (std::size_t i = 0; i < dims.size() && i < shape.size(); ++i) {
        label += fmt::format("{}{}={}", i > 0 ? " " : "", dims[i], shape[i]);
    }
    return dims.empty() ? std::string(wholeRunText) : label;
}

std::map<std::string, std::int64_t> ProblemPack::namedShape(const Shape& shape) const {
    std::map<std::string, std::int64_t> named;
    for (std::size_t i = 0; i < dims.size() && i < shape.size(); ++i) {
        named.emplace(dims[i], shape[i]);
    }
    return named;
}

std::optional<ElementType> ProblemPack::multiplyType() const {
    std::optional<ElementType> narrowest = declaredMultiply;
    for (const TensorSpec& tensor : tensors) {
        const bool counts = !declaredMultiply && tensor.role == TensorRole::input && !isInteger(tensor.type);
        if (counts && (!narrowest || sizeBytes(tensor.type) < sizeBytes(*narrowest))) {
            narrowest = tensor.type;
        }
    }
    return narrowest;
}

Result<std::vector<std::int64_t>> ProblemPack::extents(const TensorSpec& tensor, const Shape& shape) const {
    const auto named = namedShape(shape);
    std::vector<std::int64_t> values;
    for (const std::string& extent : tensor.extents) {
        GKS_TRY_ASSIGN(const std::int64_t value, evaluateExtent(extent, named));
        values.push_back(value);
    }
    return values;
}

Result<std::int64_t> ProblemPack::elementCount(const TensorSpec& tensor, const Shape& shape) const {
    GKS_TRY_ASSIGN(const std::vector<std::int64_t> values, extents(tensor, shape));
    std::int64_t count = 1;
    for (const std::int64_t value : values) {
        if (__builtin_mul_overflow(count, value, &count) || count > tensorElementLimit) {
            return usageError(fmt::format("tensor {} of shape {} has more than {} elements", tensor.name,
                                          shapeLabel(shape), tensorElementLimit));
        }
    }
    return count;
}

Result<double> ProblemPack::flops(const Shape& shape) const {
    return evaluateExpression(flopsExpression, namedShape(shape));
}
Result<double> ProblemPack::bytes(const Shape& shape) const {
    return evaluateExpression(bytesExpression, namedShape(shape));
}

std::optional<ElementType> ProblemPack::firstInputType() const {
    const auto input = std::find_if(tensors.begin(), tensors.end(),
                                    [](const TensorSpec& tensor) { return tensor.role == TensorRole::input; });
    return input == tensors.end() ? std::nullopt : std::optional(input->type);
}

namespace {

double outputBytes(const ProblemPack& pack, const Shape& shape) {
    double bytes = 0;
    for (const TensorSpec& tensor : pack.tensors) {
        if (tensor.role == TensorRole::output) {
            bytes += static_cast<double>(pack.elementCount(tensor, shape).value_or(0)) *
                     static_cast<double>(sizeBytes(tensor.type));
        }
    }
    return bytes;
}

} // namespace

Roofline roofline(const ProblemPack& pack, const Shape& shape, const DevicePeaks& peaks) {
    Roofline least;
    if (const Result<double> bytes = pack.bytes(shape); bytes && peaks.bytesPerSecond > 0) {
        const double moved = *bytes - std::min(peaks.cacheBytes, outputBytes(pack, shape));
        least.memoryUs = 1e6 * std::max(moved, 0.0) / peaks.bytesPerSecond;
    }
    if (const std::optional<ElementType> input = pack.firstInputType()) {
        const auto peak = peaks.flopsPerSecond.find(*input);
        if (const Result<double> flops = pack.flops(shape);
            flops && peak != peaks.flopsPerSecond.end() && peak->second > 0) {
            least.arithmeticUs = 1e6 * *flops / peak->second;
        }
    }
    return least;
}

double floorUs(const ProblemPack& pack, const Shape& shape, const DevicePeaks& peaks) {
    const Roofline least = roofline(pack, shape, peaks);
    return std::max(least.arithmeticUs, least.memoryUs);
}

} // namespace gks
