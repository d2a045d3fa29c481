// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/planner/capture/recorder.h"

#include "core/hipcpu/runtime/last_error.h"
#include "core/judge/plan/facts_json.h"
#include "core/judge/plan/plan_json.h"
#include "core/judge/planner/capture/api_names.h"

#include <algorithm>
#include <dlfcn.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::capture {
namespace {

std::size_t hostBytesOf(const PlanAction& action) {
    if (const auto* write = std::get_if<HostWrite>(&action)) {
        return write->bytes.size();
    }
    const auto* write = std::get_if<SymbolWrite>(&action);
    return write != nullptr ? write->bytes.size() : 0;
}

// What solve() is called with: an address that means nothing else.
char solveMark;

} // namespace

void* solveHandle() {
    return &solveMark;
}

Recorder& Recorder::instance() {
    static auto* recorder = new Recorder; // the candidate's destructors may still call
    return *recorder;
}

bool Recorder::begin(const Setup& setup) {
    m_setup = setup;
    const auto json = parseJson(setup.device, "device");
    auto device = json ? deviceAnswersFromJson(*json, "device") : tl::unexpected(json.error());
    auto facts = moduleFactsFromText(setup.facts, "facts");
    m_setup.facts = nullptr;
    m_setup.device = nullptr;
    if (!facts || !device) {
        return false;
    }
    m_facts = std::move(*facts);
    m_device = std::move(*device);
    m_size = {m_device.computeUnits, m_device.memoryBytes,
              hipcpu::architectureFrom(m_device.architecture).value_or(hipcpu::Architecture::gfx942)};
    return true;
}

bool Recorder::beginCall(const char* text) {
    const auto json = parseJson(text, "addresses");
    auto addresses = json ? setAddressesFromJson(*json, "addresses") : Result<SetAddresses>();
    if (!json || !addresses) {
        return false;
    }
    m_addresses = std::move(*addresses);
    m_plan = {};
    m_waited.clear();
    m_destroyed.clear();
    m_ownEvents.clear();
    m_operationsOf.clear();
    m_nextEvent = 0;
    m_hostBytes = 0;
    m_waits = 0;
    const auto forget = [](StreamState& stream) {
        stream.number.reset();
        stream.hasWork = false;
        stream.seen.clear();
    };
    forget(m_solve);
    forget(m_legacy);
    for (auto& [handle, stream] : m_streams) {
        forget(*stream);
    }
    for (auto& [handle, event] : m_events) {
        *event = {}; // an earlier call is long over
    }
    m_solve.number = 0;
    m_isRecording = true;
    return true;
}

const char* Recorder::endCall(std::uint64_t* waits) {
    m_isRecording = false;
    forgetUnusedRecords();
    *waits = m_waits;
    m_text = toJson(m_plan).dump();
    return m_text.c_str();
}

// Those that stand for waits of the host and that no stream had to follow.
void Recorder::forgetUnusedRecords() {
    std::set<std::uint32_t> used;
    for (const PlanOperation& operation : m_plan.operations) {
        if (const auto* wait = std::get_if<EventWait>(&operation.action)) {
            used.insert(wait->event);
        }
    }
    std::erase_if(m_plan.operations, [&](const PlanOperation& operation) {
        const auto* record = std::get_if<EventRecord>(&operation.action);
        return record != nullptr && m_ownEvents.contains(record->event) && !used.contains(record->event);
    });
    std::map<std::uint32_t, std::uint32_t> numbers;
    const auto renumber = [&](std::uint32_t& event) {
        event = numbers.try_emplace(event, static_cast<std::uint32_t>(numbers.size())).first->second;
    };
    for (PlanOperation& operation : m_plan.operations) {
        if (auto* record = std::get_if<EventRecord>(&operation.action)) {
            renumber(record->event);
        } else if (auto* wait = std::get_if<EventWait>(&operation.action)) {
            renumber(wait->event);
        }
    }
}

std::uint64_t Recorder::placeOf(void* caller) const {
    Dl_info info = {};
    const bool isFound = ::dladdr(caller, &info) != 0;
    if (!isFound || (m_moduleBase != nullptr && info.dli_fbase != m_moduleBase)) { // no kernels, nothing registered
        return 0;
    }
    // Where the call is: before the address that it returns to.
    return static_cast<std::uint64_t>(static_cast<char*>(caller) - static_cast<char*>(info.dli_fbase)) - 1;
}

void Recorder::refuse(const char* function, const char* what, const char* next, void* caller) const {
    m_setup.refused({function, what, next, placeOf(caller)});
    std::abort();
}

void Recorder::addModule(const void* part) {
    Dl_info info = {};
    if (::dladdr(part, &info) != 0) {
        m_moduleBase = info.dli_fbase;
    }
}

void Recorder::addKernel(const void* function, const char* symbol) {
    auto kernel = std::make_unique<RegisteredKernel>();
    kernel->symbol = symbol;
    kernel->facts = m_facts.kernel(symbol);
    m_kernels[function] = std::move(kernel);
}

void Recorder::addVariable(const void* shadow, const char* symbol) {
    m_variables[shadow] = m_facts.variable(symbol);
}

RegisteredKernel* Recorder::kernel(const void* functionOrHandle) const {
    auto found = m_kernels.find(functionOrHandle);
    if (found == m_kernels.end()) {
        found = std::find_if(m_kernels.begin(), m_kernels.end(),
                             [&](const auto& entry) { return entry.second.get() == functionOrHandle; });
    }
    return found == m_kernels.end() || found->second->facts == nullptr ? nullptr : found->second.get();
}

std::uint32_t Recorder::addMap(TensorMap map) {
    m_maps.push_back(std::move(map));
    return static_cast<std::uint32_t>(m_maps.size() - 1);
}

const VariableFacts* Recorder::variable(const void* shadow) const {
    const auto found = m_variables.find(shadow);
    return found == m_variables.end() ? nullptr : found->second;
}

StreamState* Recorder::stream(hipcpu::HipStream handle) {
    constexpr std::uintptr_t legacyHandle = 1;
    const auto* const at = reinterpret_cast<const void*>(handle);
    if (at == nullptr || reinterpret_cast<std::uintptr_t>(handle) == legacyHandle) {
        return &m_legacy;
    }
    if (at == solveHandle()) {
        return &m_solve;
    }
    const auto found = m_streams.find(at);
    return found == m_streams.end() ? nullptr : found->second.get();
}

hipcpu::HipStream Recorder::createStream(StreamKind kind, int priority) {
    auto stream = std::make_unique<StreamState>();
    stream->kind = kind;
    stream->priority = priority;
    StreamState* const at = stream.get();
    m_streams[at] = std::move(stream);
    return reinterpret_cast<hipcpu::HipStream>(at);
}

bool Recorder::destroyStream(hipcpu::HipStream handle) {
    const auto found = m_streams.find(reinterpret_cast<const void*>(handle));
    if (found == m_streams.end()) {
        return false;
    }
    m_destroyed.push_back(std::move(found->second)); // what was done on it stays in the plan, and waited for
    m_streams.erase(found);
    return true;
}

EventState* Recorder::event(hipcpu::HipEvent handle) {
    const auto found = m_events.find(reinterpret_cast<const void*>(handle));
    return found == m_events.end() ? nullptr : found->second.get();
}

hipcpu::HipEvent Recorder::createEvent() {
    auto event = std::make_unique<EventState>();
    EventState* const at = event.get();
    m_events[at] = std::move(event);
    return reinterpret_cast<hipcpu::HipEvent>(at);
}

bool Recorder::destroyEvent(hipcpu::HipEvent handle) {
    return m_events.erase(reinterpret_cast<const void*>(handle)) != 0;
}

std::pair<std::uint64_t, std::uint64_t> Recorder::rangeOf(const void* address) const {
    const auto at = reinterpret_cast<std::uint64_t>(address);
    const auto inside = [at](std::uint64_t begin, std::uint64_t bytes) { return at >= begin && at - begin < bytes; };
    for (const TensorAddress& tensor : m_addresses.tensors) {
        if (inside(tensor.address, tensor.bytes)) {
            return {tensor.address, tensor.bytes};
        }
    }
    if (inside(m_addresses.workspace, m_addresses.workspaceBytes)) {
        return {m_addresses.workspace, m_addresses.workspaceBytes};
    }
    for (const VariableAddress& variable : m_addresses.variables) {
        const VariableFacts* const known = m_facts.variable(variable.symbol);
        if (known != nullptr && inside(variable.address, known->bytes)) {
            return {variable.address, known->bytes};
        }
    }
    return {0, 0};
}

bool Recorder::isDevice(const void* address) const {
    return rangeOf(address).second != 0;
}

std::optional<std::uint64_t> Recorder::addressOf(const VariableFacts& variable) const {
    for (const VariableAddress& known : m_addresses.variables) {
        if (known.symbol == variable.symbol) {
            return known.address;
        }
    }
    return std::nullopt;
}

bool Recorder::isHostMemory(std::uint64_t address) const {
    auto after = m_hostMemory.upper_bound(reinterpret_cast<const void*>(address));
    if (after == m_hostMemory.begin()) {
        return false;
    }
    const auto& [begin, bytes] = *--after;
    return address - reinterpret_cast<std::uint64_t>(begin) < bytes;
}

std::uint32_t Recorder::numberOf(StreamState& stream) {
    if (!stream.number) {
        stream.number = static_cast<std::uint32_t>(m_plan.streams.size());
        m_plan.streams.push_back({stream.kind, stream.priority});
    }
    return *stream.number;
}

void Recorder::push(StreamState& stream, PlanAction action, std::uint64_t place) {
    m_plan.operations.push_back({numberOf(stream), place, std::move(action)});
    stream.hasWork = true;
}

void Recorder::add(StreamState& stream, PlanAction action, const char* function, void* caller) {
    if (!m_isRecording) {
        refuse(function, "is called outside of solve()", "Call it in solve()", caller);
    }
    if (!stream.number && m_plan.streams.size() == planStreamLimit) {
        refuse(function, "uses more than 32 streams", "Use fewer", caller);
    }
    const std::uint64_t place = placeOf(caller);
    for (const auto& [waited, event] : m_waited) {
        const auto seen = stream.seen.find(waited);
        if (waited != &stream && (seen == stream.seen.end() || seen->second != event)) {
            push(stream, EventWait{event}, place);
            stream.seen[waited] = event;
            ++m_operationsOf[*stream.number];
        }
    }
    m_hostBytes += hostBytesOf(action);
    push(stream, std::move(action), place);
    if (++m_operationsOf[*stream.number] > planStreamOperationLimit) {
        refuse(function, "is one operation too many: a plan has 1000 on a stream", "Do more in each launch", caller);
    }
}

void Recorder::record(EventState& event, StreamState& stream, const char* function, void* caller) {
    event.recorded = m_nextEvent++;
    event.stream = &stream;
    add(stream, EventRecord{*event.recorded}, function, caller);
}

void Recorder::waitFor(StreamState& stream, const EventState& event, const char* function, void* caller) {
    if (event.recorded) {
        add(stream, EventWait{*event.recorded}, function, caller);
    }
}

void Recorder::hostWaits(StreamState& stream) {
    ++m_waits;
    if (!m_isRecording || !stream.hasWork) {
        return;
    }
    const std::uint32_t event = m_nextEvent++;
    m_ownEvents.insert(event);
    push(stream, EventRecord{event}, 0);
    stream.hasWork = false;
    m_waited[&stream] = event;
}

void Recorder::hostWaits(const EventState& event) {
    ++m_waits;
    if (!m_isRecording || !event.recorded) {
        return;
    }
    const auto [waited, isNew] = m_waited.try_emplace(event.stream, *event.recorded);
    if (!isNew) {
        waited->second = std::max(waited->second, *event.recorded);
    }
}

void Recorder::hostWaitsForAll() {
    const std::uint64_t waits = m_waits + 1;
    hostWaits(m_solve);
    hostWaits(m_legacy);
    for (auto& [handle, stream] : m_streams) {
        hostWaits(*stream);
    }
    m_waits = waits;
}

StreamState* Call::stream(hipcpu::HipStream handle) const {
    constexpr std::uintptr_t perThreadHandle = 2;
    if (reinterpret_cast<std::uintptr_t>(handle) == perThreadHandle) {
        refuse("uses the stream of the calling thread", "Use the stream that solve() is called with");
    }
    return m_recorder.stream(handle);
}

} // namespace gks::capture

extern "C" const char* GKS_API(GetErrorName)(gks::hipcpu::HipError error);

extern "C" const gks::capture::Interface gksCapture = {
    [](const gks::capture::Setup& setup) { return gks::capture::Recorder::instance().begin(setup); },
    [](const char* addresses) { return gks::capture::Recorder::instance().beginCall(addresses); },
    [](std::uint64_t* waits) { return gks::capture::Recorder::instance().endCall(waits); },
    [] { return static_cast<int>(gks::hipcpu::takeRememberedError()); },
    [](int error) { return GKS_API(GetErrorName)(static_cast<gks::hipcpu::HipError>(error)); },
    gks::capture::solveHandle(),
};
