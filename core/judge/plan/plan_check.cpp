// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/plan/plan_check.h"

#include "core/base/text.h"
#include "core/judge/plan/tensor_map.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <span>
#include <utility>

namespace gks {
namespace {

constexpr std::uint32_t greatestGridX = std::numeric_limits<std::int32_t>::max();
constexpr std::uint32_t greatestGridYz = 65535;
constexpr std::size_t shownSymbolBytes = 128;
constexpr std::uint64_t greatestCluster = 16;
constexpr std::uint32_t greatestClusterPolicy = 2;
constexpr std::int32_t greatestCarveoutPercent = 100;
constexpr std::uint32_t tensorMapAlignmentBytes = 64;

bool inside(std::uint64_t at, std::uint64_t bytes, std::uint64_t begin, std::uint64_t size) {
    return at >= begin && bytes <= size && at - begin <= size - bytes;
}

std::string shown(const std::string& symbol) {
    return abbreviated(sanitizedUtf8(symbol), shownSymbolBytes);
}

Result<void> refuse(std::string what) {
    return kernelError(std::move(what));
}

class Check {
public:
    Check(const ModuleFacts& facts, const SetAddresses& addresses) : m_facts(facts), m_addresses(addresses) {}

    Result<void> operator()(const KernelLaunch& launch) const {
        const KernelFacts* const kernel = m_facts.kernel(launch.kernel);
        if (kernel == nullptr) {
            return refuse(fmt::format("the module has no kernel {}", shown(launch.kernel)));
        }
        GKS_TRY(checkArguments(launch, *kernel));
        const std::uint64_t threads = elementsOf(launch.block);
        if (threads == 0 || threads > kernel->greatestBlock) {
            return refuse(fmt::format("a block of {} threads, and {} takes 1 to {}", threads, shown(launch.kernel),
                                      kernel->greatestBlock));
        }
        const Extent& grid = launch.grid;
        if (elementsOf(grid) == 0 || grid[0] > greatestGridX || grid[1] > greatestGridYz || grid[2] > greatestGridYz) {
            return refuse(fmt::format("a grid of {} x {} x {} blocks, beyond 1 to {} x {} x {}", grid[0], grid[1],
                                      grid[2], greatestGridX, greatestGridYz, greatestGridYz));
        }
        if (launch.dynamicLdsBytes > kernel->mostDynamicLdsBytes) {
            return refuse(fmt::format("{} bytes of dynamic LDS, and {} may have {}", launch.dynamicLdsBytes,
                                      shown(launch.kernel), kernel->mostDynamicLdsBytes));
        }
        GKS_TRY(checkAttributes(launch));
        return checkMaps(launch.maps, launch.arguments);
    }

    Result<void> operator()(const DeviceFill& fill) const {
        if (fill.elementBytes != 1 && fill.elementBytes != 2 && fill.elementBytes != 4) {
            return refuse(fmt::format("fills with elements of {} bytes", fill.elementBytes));
        }
        if (fill.count > std::numeric_limits<std::uint64_t>::max() / fill.elementBytes) {
            return refuse(fmt::format("fills {} elements", fill.count));
        }
        return mayWrite(fill.to, fill.count * fill.elementBytes, "fills");
    }

    Result<void> operator()(const DeviceCopy& copy) const {
        GKS_TRY_ASSIGN(const std::uint64_t written, spanOf(copy.rowBytes, copy.rows, copy.toPitchBytes));
        GKS_TRY_ASSIGN(const std::uint64_t readBytes, spanOf(copy.rowBytes, copy.rows, copy.fromPitchBytes));
        GKS_TRY(mayRead(copy.from, readBytes, "copies"));
        return mayWrite(copy.to, written, "copies");
    }

    Result<void> operator()(const HostWrite& write) const {
        GKS_TRY(checkMaps(write.maps, {&write.bytes, 1}));
        return mayWrite(write.to, write.bytes.size(), "writes");
    }

    Result<void> operator()(const SymbolCopy& copy) const {
        GKS_TRY(inVariable(copy.symbol, copy.offset, copy.bytes));
        return copy.toSymbol ? mayRead(copy.address, copy.bytes, "copies")
                             : mayWrite(copy.address, copy.bytes, "copies");
    }

    Result<void> operator()(const SymbolWrite& write) const {
        GKS_TRY(checkMaps(write.maps, {&write.bytes, 1}));
        return inVariable(write.symbol, write.offset, write.bytes.size());
    }

    Result<void> operator()(const EventRecord& record) {
        m_recorded.insert(record.event);
        return {};
    }

    Result<void> operator()(const EventWait& wait) const {
        return m_recorded.contains(wait.event) ? Result<void>()
                                               : refuse(fmt::format("waits for event {}, which nothing before it "
                                                                    "records",
                                                                    wait.event));
    }

    bool reachesVariable(std::uint64_t at, std::uint64_t bytes) const {
        return std::any_of(m_addresses.variables.begin(), m_addresses.variables.end(), [&](const auto& variable) {
            const VariableFacts* const known = m_facts.variable(variable.symbol);
            return known != nullptr && inside(at, bytes, variable.address, known->bytes);
        });
    }

private:
    Result<void> checkAttributes(const KernelLaunch& launch) const {
        const LaunchAttributes& asked = launch.attributes;
        if (asked.cooperative && m_facts.code == DeviceCode::cpu && elementsOf(launch.grid) > mostCooperativeBlocks) {
            return refuse(fmt::format("a cooperative launch of {} blocks, of which at most {} are there at once",
                                      elementsOf(launch.grid), mostCooperativeBlocks));
        }
        LaunchAttributes common;
        common.cooperative = asked.cooperative;
        if (m_facts.code != DeviceCode::nvidia && asked != common) {
            return refuse("a launch with clusters, with programmatic serialization or with a share of on-chip memory, "
                          "which this device does not have");
        }
        const std::uint64_t blocks = elementsOf(asked.cluster);
        const auto divides = [&](std::size_t d) { return launch.grid[d] % asked.cluster[d] == 0; };
        if (blocks == 0 || blocks > greatestCluster || !divides(0) || !divides(1) || !divides(2)) {
            return refuse(fmt::format("clusters of {} x {} x {} blocks in a grid of {} x {} x {}", asked.cluster[0],
                                      asked.cluster[1], asked.cluster[2], launch.grid[0], launch.grid[1],
                                      launch.grid[2]));
        }
        if (asked.clusterPolicy > greatestClusterPolicy || asked.carveoutPercent < -1 ||
            asked.carveoutPercent > greatestCarveoutPercent) {
            return refuse(fmt::format("a cluster policy of {} and {} % of on-chip memory as LDS", asked.clusterPolicy,
                                      asked.carveoutPercent));
        }
        return {};
    }

    // Each stands alone among zeros, obeys the rules and describes one buffer.
    Result<void> checkMaps(const std::vector<PlacedMap>& maps, std::span<const PlanBytes> bytes) const {
        if (!maps.empty() && m_facts.code != DeviceCode::nvidia) {
            return refuse("a tensor map, which this device does not have");
        }
        if (maps.size() > planTensorMapLimit) {
            return refuse(
                fmt::format("{} tensor maps in one operation, and {} are the most", maps.size(), planTensorMapLimit));
        }
        std::set<std::pair<std::uint32_t, std::uint32_t>> places;
        for (const PlacedMap& placed : maps) {
            const PlanBytes* const into = placed.argument < bytes.size() ? &bytes[placed.argument] : nullptr;
            const bool fits = into != nullptr && placed.offset % tensorMapAlignmentBytes == 0 &&
                              inside(placed.offset, tensorMapBytes, 0, into->size());
            const auto after = places.lower_bound({placed.argument, placed.offset});
            const auto overlaps = [&](const auto& other) {
                return other.first == placed.argument &&
                       std::max(other.second, placed.offset) - std::min(other.second, placed.offset) < tensorMapBytes;
            };
            const bool isAlone = (after == places.end() || !overlaps(*after)) &&
                                 (after == places.begin() || !overlaps(*std::prev(after)));
            if (!fits || !isAlone || !holdsZeros(*into, placed.offset)) {
                return refuse(fmt::format("a tensor map at byte {} of argument {}, which has no room for it",
                                          placed.offset, placed.argument + 1));
            }
            places.emplace(placed.argument, placed.offset);
            if (!isSoundTensorMap(placed.map)) {
                return refuse(fmt::format("a tensor map of {:#x} that the driver does not take", placed.map.address));
            }
            const auto span = gks::spanOf(placed.map);
            if (!span) {
                return refuse("a tensor map that goes round all memory");
            }
            GKS_TRY(mayRead(placed.map.address, *span, "maps"));
        }
        return {};
    }

    static bool holdsZeros(const PlanBytes& bytes, std::uint32_t offset) {
        const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(offset);
        return std::all_of(begin, begin + static_cast<std::ptrdiff_t>(tensorMapBytes),
                           [](std::uint8_t byte) { return byte == 0; });
    }

    static Result<void> checkArguments(const KernelLaunch& launch, const KernelFacts& kernel) {
        if (launch.arguments.size() != kernel.argumentBytes.size()) {
            return refuse(fmt::format("{} arguments for {}, which has {}", launch.arguments.size(),
                                      shown(launch.kernel), kernel.argumentBytes.size()));
        }
        for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
            if (launch.arguments[i].size() != kernel.argumentBytes[i]) {
                return refuse(fmt::format("argument {} of {} has {} bytes, and the kernel takes {}", i + 1,
                                          shown(launch.kernel), launch.arguments[i].size(), kernel.argumentBytes[i]));
            }
        }
        return {};
    }

    // From the first byte of the first row to the last of the last.
    static Result<std::uint64_t> spanOf(std::uint64_t rowBytes, std::uint64_t rows, std::uint64_t pitch) {
        if (rows == 0 || rowBytes == 0) {
            return 0;
        }
        const bool tooMuch = rows > 1 && pitch > (std::numeric_limits<std::uint64_t>::max() - rowBytes) / (rows - 1);
        if (tooMuch || (rows > 1 && pitch < rowBytes)) {
            return kernelError(fmt::format("copies {} rows of {} bytes, {} apart", rows, rowBytes, pitch));
        }
        return (rows - 1) * pitch + rowBytes;
    }

    Result<void> mayWrite(std::uint64_t at, std::uint64_t bytes, std::string_view verb) const {
        const bool isOutput = std::any_of(m_addresses.tensors.begin(), m_addresses.tensors.end(), [&](const auto& t) {
            return t.isOutput && inside(at, bytes, t.address, t.bytes);
        });
        if (bytes == 0 || isOutput || inside(at, bytes, m_addresses.workspace, m_addresses.workspaceBytes) ||
            reachesVariable(at, bytes)) {
            return {};
        }
        return refuse(fmt::format("{} {} bytes at {:#x}, which is not inside one output, the workspace or one "
                                  "variable",
                                  verb, bytes, at));
    }

    Result<void> mayRead(std::uint64_t at, std::uint64_t bytes, std::string_view verb) const {
        const bool isTensor = std::any_of(m_addresses.tensors.begin(), m_addresses.tensors.end(),
                                          [&](const auto& t) { return inside(at, bytes, t.address, t.bytes); });
        if (bytes == 0 || isTensor || inside(at, bytes, m_addresses.workspace, m_addresses.workspaceBytes) ||
            reachesVariable(at, bytes)) {
            return {};
        }
        return refuse(fmt::format("{} {} bytes from {:#x}, which is not inside one tensor, the workspace or one "
                                  "variable",
                                  verb, bytes, at));
    }

    Result<void> inVariable(const std::string& symbol, std::uint64_t offset, std::uint64_t bytes) const {
        const VariableFacts* const variable = m_facts.variable(symbol);
        if (variable == nullptr) {
            return refuse(fmt::format("the module has no variable {}", shown(symbol)));
        }
        if (!inside(offset, bytes, 0, variable->bytes)) {
            return refuse(fmt::format("{} bytes from byte {} on of the variable {}, which has {}", bytes, offset,
                                      shown(symbol), variable->bytes));
        }
        return {};
    }

    const ModuleFacts& m_facts;
    const SetAddresses& m_addresses;
    std::set<std::uint32_t> m_recorded;
};

std::size_t hostBytes(const PlanAction& action) {
    if (const auto* write = std::get_if<HostWrite>(&action)) {
        return write->bytes.size();
    }
    const auto* write = std::get_if<SymbolWrite>(&action);
    return write != nullptr ? write->bytes.size() : 0;
}

Result<void> checkBounds(const LaunchPlan& plan) {
    if (plan.streams.empty() || plan.streams.size() > planStreamLimit) {
        return refuse(fmt::format("{} streams, and a plan has 1 to {}", plan.streams.size(), planStreamLimit));
    }
    for (std::size_t i = 0; i < plan.streams.size(); ++i) {
        if ((plan.streams[i].kind == StreamKind::solve) != (i == 0)) {
            return refuse("the first stream, and no other, is the one that solve() is called with");
        }
    }
    const auto isLegacy = [](const PlanStream& stream) { return stream.kind == StreamKind::legacy; };
    if (std::count_if(plan.streams.begin(), plan.streams.end(), isLegacy) > 1) {
        return refuse("more than one null stream");
    }
    std::vector<std::size_t> used(plan.streams.size());
    std::size_t bytes = 0;
    for (const PlanOperation& operation : plan.operations) {
        if (operation.stream >= used.size()) {
            return refuse(fmt::format("stream {} of {}", operation.stream, used.size()));
        }
        if (++used[operation.stream] > planStreamOperationLimit) {
            return refuse(fmt::format("more than {} operations on one stream", planStreamOperationLimit));
        }
        bytes += hostBytes(operation.action);
        if (bytes > planHostBytesLimit) {
            return refuse(fmt::format("more than {} bytes of host memory", planHostBytesLimit));
        }
        const auto* record = std::get_if<EventRecord>(&operation.action);
        if (record != nullptr && record->event >= planEventLimit) {
            return refuse(fmt::format("more than {} events", planEventLimit));
        }
    }
    return {};
}

Result<void> placed(Result<void> result, std::string_view what, std::size_t number) {
    if (!result) {
        result.error().where = fmt::format("{}, operation {}", what, number);
    }
    return result;
}

Result<void> checkAll(const LaunchPlan& plan, const ModuleFacts& facts, const SetAddresses& addresses,
                      std::string_view what) {
    if (auto bounded = checkBounds(plan); !bounded) {
        bounded.error().where = what;
        return bounded;
    }
    Check check(facts, addresses);
    for (std::size_t i = 0; i < plan.operations.size(); ++i) {
        GKS_TRY(placed(std::visit(check, plan.operations[i].action), what, i + 1));
    }
    return {};
}

} // namespace

Result<void> checkPlan(const LaunchPlan& plan, const ModuleFacts& facts, const SetAddresses& addresses) {
    return checkAll(plan, facts, addresses, "launch plan");
}

Result<void> checkSetup(const LaunchPlan& setup, const ModuleFacts& facts, const SetAddresses& addresses) {
    constexpr std::string_view what = "setup";
    GKS_TRY(checkAll(setup, facts, addresses, what));
    const Check check(facts, addresses);
    for (std::size_t i = 0; i < setup.operations.size(); ++i) {
        const PlanAction& action = setup.operations[i].action;
        const auto* fill = std::get_if<DeviceFill>(&action);
        const auto* write = std::get_if<HostWrite>(&action);
        const bool isVariable =
            std::holds_alternative<SymbolWrite>(action) ||
            (fill != nullptr && check.reachesVariable(fill->to, fill->count * fill->elementBytes)) ||
            (write != nullptr && check.reachesVariable(write->to, write->bytes.size()));
        if (!isVariable) {
            Result<void> refused = kernelError(
                fmt::format("the first call of solve() does a {} that the second does not do, and what is done once "
                            "may only write variables of the device",
                            name(action)),
                {}, "Do the same at every call");
            return placed(std::move(refused), what, i + 1);
        }
    }
    return {};
}

} // namespace gks
