// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sample_plans.h"

#include "core/base/hash.h"

#include <algorithm>
#include <cstring>

namespace gks::test {
namespace {

constexpr std::uint64_t firstAddress = 0x200000000000;
constexpr std::uint64_t step = std::uint64_t{1} << 32;
constexpr const char* mainKernel = "_Z4gemm7Problem";
constexpr const char* reduceKernel = "_Z6reducePKfPfi";
constexpr const char* table = "lut";

template<class T>
void append(PlanBytes& bytes, T value) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof value);
    std::memcpy(&bytes[at], &value, sizeof value);
}

template<class T>
PlanBytes bytesOf(T value) {
    PlanBytes bytes;
    append(bytes, value);
    return bytes;
}

SetAddresses addressesOf(const ProblemPack& pack, const Shape& shape, bool hasWorkspace) {
    SetAddresses set;
    std::uint64_t at = firstAddress;
    for (const TensorSpec& tensor : pack.tensors) {
        const auto bytes =
            static_cast<std::uint64_t>(pack.elementCount(tensor, shape).value()) * sizeBytes(tensor.type);
        set.tensors.push_back({tensor.name, at, bytes, tensor.role == TensorRole::output});
        at += step;
    }
    set.workspace = hasWorkspace ? at : 0;
    set.workspaceBytes = hasWorkspace ? std::uint64_t{1} << 20 : 0;
    return set;
}

// struct Problem: addresses, then dims.
PlanBytes problemOf(const SetAddresses& set, const Shape& shape) {
    PlanBytes bytes;
    for (const TensorAddress& tensor : set.tensors) {
        append(bytes, tensor.address);
    }
    for (const std::int64_t extent : shape) {
        append(bytes, static_cast<std::int32_t>(extent));
    }
    bytes.resize((bytes.size() + 7) / 8 * 8);
    return bytes;
}

KernelLaunch launchOf(const char* kernel, const Extent& grid, std::uint32_t threads, std::uint64_t ldsBytes,
                      std::vector<PlanBytes> arguments) {
    KernelLaunch launch;
    launch.kernel = kernel;
    launch.grid = grid;
    launch.block = {threads, 1, 1};
    launch.dynamicLdsBytes = ldsBytes;
    launch.arguments = std::move(arguments);
    return launch;
}

ShapePlan planOf(const ProblemPack& pack, const Shape& shape, bool isTimed, PlanStyle style) {
    ShapePlan one;
    one.shape = pack.namedShape(shape);
    one.isTimed = isTimed;
    one.addresses = addressesOf(pack, shape, style == PlanStyle::streamed);
    one.firstSolveUs = 41.5;
    one.solveUs = 2.75;
    auto& operations = one.plan.operations;
    const auto output = std::find_if(one.addresses.tensors.begin(), one.addresses.tensors.end(),
                                     [](const TensorAddress& tensor) { return tensor.isOutput; });
    if (style != PlanStyle::plain) {
        operations.push_back({0, 0x10, DeviceFill{output->address, 0, 1, output->bytes}});
    }
    const std::uint32_t threads = style == PlanStyle::plain ? 256 : 128;
    const auto blocks = static_cast<std::uint32_t>(std::max<std::int64_t>(1, shape.front() / 32));
    operations.push_back(
        {0, 0x20, launchOf(mainKernel, {blocks, 4, 1}, threads, 32768, {problemOf(one.addresses, shape)})});
    if (style == PlanStyle::streamed) {
        one.plan.streams.push_back({StreamKind::nonBlocking, 0});
        operations.push_back({0, 0x30, EventRecord{0}});
        operations.push_back({1, 0x40, EventWait{0}});
        operations.push_back({1, 0x50,
                              launchOf(reduceKernel, {blocks, 1, 1}, 64, 0,
                                       {bytesOf(one.addresses.workspace), bytesOf(output->address),
                                        bytesOf(static_cast<std::int32_t>(shape.front()))})});
        operations.push_back({1, 0x60, EventRecord{1}});
        operations.push_back({0, 0x70, EventWait{1}});
        one.setup.operations.push_back({0, 0x80, SymbolWrite{table, 0, PlanBytes(64, 0x3f)}});
    }
    return one;
}

} // namespace

KernelPlans samplePlans(const ProblemPack& pack, const std::vector<Shape>& timed, const std::vector<Shape>& verified,
                        PlanStyle style) {
    KernelPlans plans;
    plans.deviceCode = "device code";
    plans.deviceCodeSha256 = sha256Hex(plans.deviceCode);
    plans.deviceCodeBytes = plans.deviceCode.size();
    const auto problemBytes = static_cast<std::uint32_t>((8 * pack.tensors.size() + 4 * pack.dims.size() + 7) / 8 * 8);
    const auto usedBytes = static_cast<std::uint32_t>(8 * pack.tensors.size() + 4 * pack.dims.size());
    std::vector<PaddingBytes> padding;
    if (usedBytes < problemBytes) {
        padding.push_back({0, usedBytes, problemBytes - usedBytes});
    }
    plans.facts.kernels = {{mainKernel, {problemBytes}, padding, 1024, 0, 65536, 0},
                           {reduceKernel, {8, 8, 4}, {}, 1024, 0, 65536, 0}};
    plans.facts.variables = {{table, 4096, true}};
    std::vector<Shape> planned; // once each, though a shape may be verified in both orders
    for (const auto* shapes : {&timed, &verified}) {
        for (const Shape& shape : *shapes) {
            if (std::find(planned.begin(), planned.end(), shape) == planned.end()) {
                planned.push_back(shape);
                plans.shapes.push_back(planOf(pack, shape, shapes == &timed, style));
            }
        }
    }
    makeCompact(plans, recordedPlansLimitBytes);
    return plans;
}

} // namespace gks::test
