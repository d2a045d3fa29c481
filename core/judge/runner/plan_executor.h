// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/plan/launch_plan.h"
#include "core/judge/runner/driver.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gks::runner {

// A plan, made ready: everything that a call does not have to do again (symbols, tensor maps, streams, events,
// permissions of kernels) is done when it is set. Streams and events stay as they were called.
class PlanExecutor {
public:
    // `main` is the stream that solve() was called with.
    PlanExecutor(const Driver& driver, Driver::Module module, Driver::Stream main)
        : m_driver(driver), m_module(module), m_main(main) {}
    PlanExecutor(const PlanExecutor&) = delete;
    PlanExecutor& operator=(const PlanExecutor&) = delete;
    ~PlanExecutor();

    // False with a sentence when device or module lack something that it names.
    bool set(const LaunchPlan& plan, std::string& error);
    // Queues everything, without waiting: all streams begin after what is before it on the main one and have ended for
    // what comes after it there. The first error ends it.
    Driver::Status issue() const;

private:
    using Step = std::function<Driver::Status()>;

    bool fails(Driver::Status status, const std::string& what);
    Driver::Stream stream(const LaunchPlan& plan, std::uint32_t index);
    Driver::Event event(std::uint32_t number);
    Driver::Function kernel(const std::string& symbol);
    Driver::Address variable(const std::string& symbol, std::uint64_t offset, std::uint64_t bytes);
    void placeMaps(const std::vector<PlacedMap>& maps, const std::function<PlanBytes&(std::uint32_t)>& bytesOf);
    void add(const KernelLaunch& launch, Driver::Stream stream);
    void add(const DeviceFill& fill, Driver::Stream stream);
    void add(const DeviceCopy& copy, Driver::Stream stream);
    void add(const HostWrite& write, Driver::Stream stream);
    void add(const SymbolCopy& copy, Driver::Stream stream);
    void add(const SymbolWrite& write, Driver::Stream stream);
    void add(const EventRecord& record, Driver::Stream stream);
    void add(const EventWait& wait, Driver::Stream stream);
    void addWrite(Driver::Address to, PlanBytes bytes, const std::vector<PlacedMap>& maps, Driver::Stream stream);

    const Driver& m_driver;
    Driver::Module m_module;
    Driver::Stream m_main;
    std::string m_error; // the first
    std::vector<Step> m_steps;
    std::map<std::uint32_t, Driver::Stream> m_streams; // all but the main one
    std::vector<Driver::Stream> m_created;
    std::map<std::uint32_t, Driver::Event> m_events;
    std::vector<Driver::Event> m_joins; // the first is the fork
    std::map<std::string, Driver::Function> m_kernels;
    std::map<Driver::Function, std::pair<Driver::Launch, int>> m_permissions;
};

} // namespace gks::runner
