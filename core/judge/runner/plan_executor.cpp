// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/plan_executor.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace gks::runner {
namespace {

struct PreparedLaunch {
    Driver::Launch launch;
    std::vector<PlanBytes> values;
    std::vector<void*> pointers;
};

unsigned blocksOf(const std::array<unsigned, 3>& cluster) {
    return cluster[0] * cluster[1] * cluster[2];
}

} // namespace

PlanExecutor::~PlanExecutor() {
    for (const auto& [number, event] : m_events) {
        m_driver.destroyEvent(event);
    }
    for (const Driver::Event event : m_joins) {
        m_driver.destroyEvent(event);
    }
    for (const Driver::Stream stream : m_created) {
        m_driver.destroyStream(stream);
    }
}

bool PlanExecutor::fails(Driver::Status status, const std::string& what) {
    if (status != 0 && m_error.empty()) {
        m_error = what + ": " + m_driver.errorText(status);
    }
    return status != 0;
}

bool PlanExecutor::set(const LaunchPlan& plan, std::string& error) {
    for (const PlanOperation& operation : plan.operations) {
        std::visit([&](const auto& action) { add(action, stream(plan, operation.stream)); }, operation.action);
    }
    for (const auto& [function, permission] : m_permissions) {
        fails(m_driver.allow(permission.first, permission.second), "a kernel's limits");
    }
    if (!m_streams.empty()) {
        m_joins.resize(m_streams.size() + 1);
        for (Driver::Event& join : m_joins) {
            fails(m_driver.createEvent(join, false), "event");
        }
    }
    error = m_error;
    return m_error.empty();
}

// The null stream is the device's own, with all that it waits for.
Driver::Stream PlanExecutor::stream(const LaunchPlan& plan, std::uint32_t index) {
    const PlanStream& asked = plan.streams.at(index);
    if (asked.kind == StreamKind::solve) {
        return m_main;
    }
    const auto known = m_streams.find(index);
    if (known != m_streams.end()) {
        return known->second;
    }
    Driver::Stream made = nullptr;
    if (asked.kind != StreamKind::legacy) {
        if (!fails(m_driver.createStream(made, asked.kind == StreamKind::blocking, asked.priority), "stream")) {
            m_created.push_back(made);
        }
    }
    return m_streams[index] = made;
}

Driver::Event PlanExecutor::event(std::uint32_t number) {
    const auto known = m_events.find(number);
    if (known != m_events.end()) {
        return known->second;
    }
    Driver::Event made = nullptr;
    fails(m_driver.createEvent(made, false), "event");
    return m_events[number] = made;
}

Driver::Function PlanExecutor::kernel(const std::string& symbol) {
    const auto known = m_kernels.find(symbol);
    if (known != m_kernels.end()) {
        return known->second;
    }
    Driver::Function found = nullptr;
    fails(m_driver.find(found, m_module, symbol.c_str()), "the device code has no kernel " + symbol);
    return m_kernels[symbol] = found;
}

Driver::Address PlanExecutor::variable(const std::string& symbol, std::uint64_t offset, std::uint64_t bytes) {
    Driver::Address address = 0;
    std::size_t size = 0;
    if (!fails(m_driver.findVariable(address, size, m_module, symbol.c_str()),
               "the device code has no variable " + symbol) &&
        (offset > size || bytes > size - offset) && m_error.empty()) {
        m_error = "a copy goes past the end of the variable " + symbol;
    }
    return address + offset;
}

void PlanExecutor::placeMaps(const std::vector<PlacedMap>& maps,
                             const std::function<PlanBytes&(std::uint32_t)>& bytesOf) {
    for (const PlacedMap& placed : maps) {
        const TensorMap& map = placed.map;
        Driver::EncodedMap encoded = {};
        PlanBytes& bytes = bytesOf(placed.argument);
        if (fails(m_driver.encode(encoded, {map.type, map.address, map.extents, map.strides, map.box, map.steps,
                                            map.interleave, map.swizzle, map.promotion, map.fill}),
                  "a tensor map")) {
            return;
        }
        if (placed.offset > bytes.size() || encoded.size() > bytes.size() - placed.offset) {
            m_error = m_error.empty() ? "a tensor map lies outside of its bytes" : m_error;
            return;
        }
        std::copy(encoded.begin(), encoded.end(), bytes.begin() + placed.offset);
    }
}

void PlanExecutor::add(const KernelLaunch& launch, Driver::Stream stream) {
    auto prepared = std::make_shared<PreparedLaunch>();
    Driver::Launch& asked = prepared->launch;
    asked.function = kernel(launch.kernel);
    asked.grid = launch.grid;
    asked.block = launch.block;
    asked.dynamicLdsBytes = static_cast<unsigned>(launch.dynamicLdsBytes);
    asked.cooperative = launch.attributes.cooperative;
    asked.cluster = launch.attributes.cluster;
    asked.clusterPolicy = launch.attributes.clusterPolicy;
    asked.programmaticSerialization = launch.attributes.programmaticSerialization;
    prepared->values = launch.arguments;
    if (std::any_of(launch.maps.begin(), launch.maps.end(),
                    [&](const PlacedMap& map) { return map.argument >= prepared->values.size(); })) {
        m_error = m_error.empty() ? "a tensor map is no argument" : m_error;
        return;
    }
    placeMaps(launch.maps, [&](std::uint32_t argument) -> PlanBytes& { return prepared->values[argument]; });
    for (PlanBytes& value : prepared->values) {
        prepared->pointers.push_back(value.data());
    }
    // What the most demanding launch of a kernel needs holds for all of them.
    auto& [most, carveout] = m_permissions.try_emplace(asked.function, asked, -1).first->second;
    most.dynamicLdsBytes = std::max(most.dynamicLdsBytes, asked.dynamicLdsBytes);
    most.cluster = blocksOf(asked.cluster) > blocksOf(most.cluster) ? asked.cluster : most.cluster;
    carveout = launch.attributes.carveoutPercent >= 0 ? launch.attributes.carveoutPercent : carveout;
    m_steps.emplace_back([&driver = m_driver, prepared, stream] {
        return driver.launch(prepared->launch, prepared->pointers.data(), stream);
    });
}

void PlanExecutor::add(const DeviceFill& fill, Driver::Stream stream) {
    m_steps.emplace_back([&driver = m_driver, fill, stream] {
        return driver.fill(fill.to, fill.value, fill.elementBytes, fill.count, stream);
    });
}

void PlanExecutor::add(const DeviceCopy& copy, Driver::Stream stream) {
    if (copy.rows == 1) {
        m_steps.emplace_back(
            [&driver = m_driver, copy, stream] { return driver.copy(copy.to, copy.from, copy.rowBytes, stream); });
        return;
    }
    m_steps.emplace_back([&driver = m_driver, copy, stream] {
        return driver.copyRows(copy.to, copy.toPitchBytes, copy.from, copy.fromPitchBytes, copy.rowBytes, copy.rows,
                               stream);
    });
}

// Not from pinned memory: device code could reach that and find there what an earlier call left.
void PlanExecutor::addWrite(Driver::Address to, PlanBytes bytes, const std::vector<PlacedMap>& maps,
                            Driver::Stream stream) {
    placeMaps(maps, [&](std::uint32_t) -> PlanBytes& { return bytes; });
    m_steps.emplace_back([&driver = m_driver, to, bytes = std::move(bytes), stream] {
        return driver.copyFromHost(to, bytes.data(), bytes.size(), stream);
    });
}

void PlanExecutor::add(const HostWrite& write, Driver::Stream stream) {
    addWrite(write.to, write.bytes, write.maps, stream);
}

void PlanExecutor::add(const SymbolWrite& write, Driver::Stream stream) {
    addWrite(variable(write.symbol, write.offset, write.bytes.size()), write.bytes, write.maps, stream);
}

void PlanExecutor::add(const SymbolCopy& copy, Driver::Stream stream) {
    const Driver::Address inModule = variable(copy.symbol, copy.offset, copy.bytes);
    const Driver::Address to = copy.toSymbol ? inModule : copy.address;
    const Driver::Address from = copy.toSymbol ? copy.address : inModule;
    m_steps.emplace_back(
        [&driver = m_driver, to, from, bytes = copy.bytes, stream] { return driver.copy(to, from, bytes, stream); });
}

void PlanExecutor::add(const EventRecord& record, Driver::Stream stream) {
    m_steps.emplace_back(
        [&driver = m_driver, made = event(record.event), stream] { return driver.record(made, stream); });
}

void PlanExecutor::add(const EventWait& wait, Driver::Stream stream) {
    m_steps.emplace_back([&driver = m_driver, made = event(wait.event), stream] { return driver.wait(stream, made); });
}

Driver::Status PlanExecutor::issue() const {
    if (!m_streams.empty()) {
        if (const Driver::Status status = m_driver.record(m_joins[0], m_main); status != 0) {
            return status;
        }
        for (const auto& [index, side] : m_streams) {
            if (const Driver::Status status = m_driver.wait(side, m_joins[0]); status != 0) {
                return status;
            }
        }
    }
    for (const Step& step : m_steps) {
        if (const Driver::Status status = step(); status != 0) {
            return status;
        }
    }
    std::size_t join = 1;
    for (const auto& [index, side] : m_streams) {
        Driver::Status status = m_driver.record(m_joins[join], side);
        status = status != 0 ? status : m_driver.wait(m_main, m_joins[join]);
        if (status != 0) {
            return status;
        }
        ++join;
    }
    return 0;
}

} // namespace gks::runner
