// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/device_answers.h"
#include "core/hipcpu/runtime/hip_types.h"
#include "core/hipcpu/runtime/launch_limits.h"
#include "core/judge/plan/device_answers.h"
#include "core/judge/plan/launch_plan.h"
#include "core/judge/plan/module_facts.h"
#include "core/judge/planner/capture/interface.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

// What a call of solve() does becomes a plan: operations in the order of the calls, on the streams that they name. A
// wait of the host is no operation. What it orders is: whatever any other stream does after it comes after the work
// that was waited for, and that is said with an event.
namespace gks::capture {

// The handles that the host code holds; it never looks into them.
struct StreamState {
    StreamKind kind = StreamKind::nonBlocking;
    int priority = 0;
    // Of the call that is being recorded:
    std::optional<std::uint32_t> number;
    bool hasWork = false;                       // since the host waited for it last
    std::map<StreamState*, std::uint32_t> seen; // waits of the host that it has followed
};

struct EventState {
    std::optional<std::uint32_t> recorded; // number of its newest record in this call
    StreamState* stream = nullptr;         // of that
};

// What host code sets for a kernel, for all its launches after that.
struct KernelSettings {
    std::uint32_t dynamicLdsBytes = 0; // more than a launch may have otherwise
    std::uint32_t clusterPolicy = 0;
    std::int32_t carveoutPercent = -1;
    bool hasLargeClusters = false;
};

struct RegisteredKernel {
    std::string symbol;
    const KernelFacts* facts = nullptr;
    KernelSettings settings = {};
};

void* solveHandle();

class Recorder {
public:
    static Recorder& instance();

    bool begin(const Setup& setup);
    bool beginCall(const char* addresses);
    const char* endCall(std::uint64_t* waits);

    [[noreturn]] void refuse(const char* function, const char* what, const char* next, void* caller) const;

    void addModule(const void* part); // an address of something in it
    void addKernel(const void* function, const char* symbol);
    void addVariable(const void* shadow, const char* symbol);
    RegisteredKernel* kernel(const void* functionOrHandle) const;
    const VariableFacts* variable(const void* shadow) const;
    const hipcpu::DeviceSize& size() const { return m_size; }
    const DeviceAnswers& device() const { return m_device; }
    const ModuleFacts& facts() const { return m_facts; }

    // A number for a tensor map that host code has asked for; nullptr for a number that is none.
    std::uint32_t addMap(TensorMap map);
    const TensorMap* map(std::uint32_t number) const { return number < m_maps.size() ? &m_maps[number] : nullptr; }

    // Nullptr for a handle that is not alive.
    StreamState* stream(hipcpu::HipStream handle);
    hipcpu::HipStream createStream(StreamKind kind, int priority);
    bool destroyStream(hipcpu::HipStream handle);
    StreamState& legacyStream() { return m_legacy; }
    EventState* event(hipcpu::HipEvent handle);
    hipcpu::HipEvent createEvent();
    bool destroyEvent(hipcpu::HipEvent handle);

    bool isDevice(const void* address) const;
    // The range of the set that the address lies in; 0 bytes when there is none.
    std::pair<std::uint64_t, std::uint64_t> rangeOf(const void* address) const;
    std::optional<std::uint64_t> addressOf(const VariableFacts& variable) const;
    void addHostMemory(void* memory, std::size_t bytes) { m_hostMemory[memory] = bytes; }
    bool dropHostMemory(void* memory) { return m_hostMemory.erase(memory) != 0; }
    bool isHostMemory(std::uint64_t address) const;

    // Refuses what is beyond the bounds of a plan.
    void add(StreamState& stream, PlanAction action, const char* function, void* caller);
    void record(EventState& event, StreamState& stream, const char* function, void* caller);
    void waitFor(StreamState& stream, const EventState& event, const char* function, void* caller);
    void hostWaits(StreamState& stream);
    void hostWaits(const EventState& event);
    void hostWaitsForAll();
    bool mayTake(std::size_t hostBytes) const { return hostBytes <= planHostBytesLimit - m_hostBytes; }

    std::recursive_mutex& mutex() { return m_mutex; }

private:
    std::uint32_t numberOf(StreamState& stream);
    void push(StreamState& stream, PlanAction action, std::uint64_t place);
    std::uint64_t placeOf(void* caller) const;
    void forgetUnusedRecords();

    std::recursive_mutex m_mutex; // the candidate may have threads
    Setup m_setup = {};
    hipcpu::DeviceSize m_size;
    DeviceAnswers m_device;
    std::vector<TensorMap> m_maps;
    const void* m_moduleBase = nullptr;
    ModuleFacts m_facts;
    std::unordered_map<const void*, std::unique_ptr<RegisteredKernel>> m_kernels;
    std::unordered_map<const void*, const VariableFacts*> m_variables;
    StreamState m_solve = {StreamKind::solve, 0, {}, false, {}};
    StreamState m_legacy = {StreamKind::legacy, 0, {}, false, {}};
    std::map<const void*, std::unique_ptr<StreamState>> m_streams;
    std::vector<std::unique_ptr<StreamState>> m_destroyed;
    std::map<const void*, std::unique_ptr<EventState>> m_events;
    std::map<const void*, std::size_t> m_hostMemory; // that the device may be told of

    // Of the call that is being recorded:
    bool m_isRecording = false;
    SetAddresses m_addresses;
    LaunchPlan m_plan;
    std::map<StreamState*, std::uint32_t> m_waited; // the host has waited for a stream up to this event
    std::set<std::uint32_t> m_ownEvents;            // of the host's waits
    std::uint32_t m_nextEvent = 0;
    std::size_t m_hostBytes = 0;
    std::uint64_t m_waits = 0;
    std::map<std::uint32_t, std::size_t> m_operationsOf; // of each stream
    std::string m_text;
};

// One call of the host interface, from its first line to its last.
class Call {
public:
    Call(const char* function, void* caller)
        : m_recorder(Recorder::instance()), m_lock(m_recorder.mutex()), m_function(function), m_caller(caller) {}

    Recorder* operator->() const { return &m_recorder; }
    [[noreturn]] void refuse(const char* what, const char* next) const {
        m_recorder.refuse(m_function, what, next, m_caller);
    }
    // Nullptr for a handle that is not alive; the stream of the calling thread is refused.
    StreamState* stream(hipcpu::HipStream handle) const;
    void add(StreamState& stream, PlanAction action) const {
        m_recorder.add(stream, std::move(action), m_function, m_caller);
    }
    void record(EventState& event, StreamState& stream) const {
        m_recorder.record(event, stream, m_function, m_caller);
    }
    void waitFor(StreamState& stream, const EventState& event) const {
        m_recorder.waitFor(stream, event, m_function, m_caller);
    }

private:
    Recorder& m_recorder;
    std::scoped_lock<std::recursive_mutex> m_lock;
    const char* m_function;
    void* m_caller;
};

} // namespace gks::capture

// Stands first in every exported function.
#define GKS_CAPTURE_CALL(name) const gks::capture::Call call(name, __builtin_return_address(0))
