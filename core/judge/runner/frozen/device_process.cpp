// SPDX-License-Identifier: GPL-3.0-or-later
// From the first call on this process is the candidate's: its device code is native code in the same memory. All that
// needs trust is done before: what is mapped, what is loaded, which plans there are, and what the system still does for
// it. Nothing that it says later is believed.
#include "core/judge/runner/frozen/device_process.h"

#include "core/hipcpu/runtime/access_watch.h"
#include "core/hipcpu/runtime/device_memory.h"
#include "core/hipcpu/runtime/fault_handler.h"
#include "core/hipcpu/runtime/replay.h"
#include "core/hipcpu/runtime/resident_blocks.h"
#include "core/hipcpu/runtime/settings.h"
#include "core/judge/plan/plan_order.h"
#include "core/judge/runner/frozen/crowd.h"
#include "core/judge/runner/frozen/finding_words.h"
#include "core/judge/runner/frozen/race_words.h"
#include "core/judge/runner/frozen/system_calls.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <mutex>
#include <numeric>
#include <sys/mman.h>
#include <unistd.h>

namespace gks::frozen {
namespace {

using hipcpu::DeviceMemory;
using hipcpu::Replay;

static_assert(readableBytes == DeviceMemory::readableBytes);

constexpr int cannotSpeak = 3;

[[noreturn]] void fail(int done, const std::string& text) {
    const std::string all = failed + text;
    ::_exit(::write(done, all.data(), all.size()) > 0 ? 0 : cannotSpeak);
}

void* at(std::uint64_t address) {
    return reinterpret_cast<void*>(address);
}

// Guard, region, room that reads as zeros, guard. In memory that is there already: a first touch must not be part of a
// measured call.
std::string mapRegion(const Region& region) {
    const std::uint64_t begin = region.address - guardBytes;
    const std::uint64_t bytes = region.bytes + readableBytes + 2 * guardBytes;
    if (::mmap(at(begin), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) !=
        at(begin)) {
        return "no place for " + region.name + ": " + std::strerror(errno);
    }
    const int protection = region.isOutput ? PROT_READ | PROT_WRITE : PROT_READ;
    if (::mmap(at(region.address), region.bytes, protection, MAP_SHARED | MAP_FIXED | MAP_POPULATE,
               region.isOutput ? outputDescriptor : inputDescriptor, static_cast<off_t>(region.offset)) == MAP_FAILED) {
        return "no memory for " + region.name + ": " + std::strerror(errno);
    }
    char* const room = static_cast<char*>(at(region.address + region.bytes));
    if (!hipcpu::Settings::instance().checkReads && ::mprotect(room, readableBytes, PROT_READ) != 0) {
        return "no room behind " + region.name + ": " + std::strerror(errno);
    }
    char* const data = static_cast<char*>(at(region.dataAddress));
    DeviceMemory::instance().adopt(data, region.dataBytes, {static_cast<char*>(at(begin)), bytes, room});
    DeviceMemory::instance().nameBuffer(data, region.dataBytes, region.name.c_str());
    return {};
}

// Adds one operation to a replay.
class Translator {
public:
    explicit Translator(Replay& into) : m_into(into) {}

    std::string operator()(const KernelLaunch& launch) const {
        return m_into.launch(launch.kernel, dim(launch.grid), dim(launch.block), launch.dynamicLdsBytes,
                             launch.arguments, launch.attributes.cooperative);
    }
    std::string operator()(const DeviceFill& fill) const {
        m_into.fill(fill.to, fill.value, fill.elementBytes, fill.count);
        return {};
    }
    std::string operator()(const DeviceCopy& copy) const {
        m_into.copy(copy.to, copy.toPitchBytes, copy.from, copy.fromPitchBytes, copy.rowBytes, copy.rows);
        return {};
    }
    std::string operator()(const HostWrite& write) const {
        m_into.write(write.to, write.bytes);
        return {};
    }
    std::string operator()(const SymbolCopy& copy) const {
        return copy.toSymbol ? m_into.copyToVariable(copy.symbol, copy.offset, copy.address, copy.bytes)
                             : m_into.copyFromVariable(copy.symbol, copy.offset, copy.address, copy.bytes);
    }
    std::string operator()(const SymbolWrite& write) const {
        return m_into.writeVariable(write.symbol, write.offset, write.bytes);
    }
    // Operations run one after another: see Replay.
    std::string operator()(const EventRecord&) const { return {}; }
    std::string operator()(const EventWait&) const { return {}; }

private:
    static hipcpu::Dim3 dim(const Extent& extent) { return {extent[0], extent[1], extent[2]}; }

    Replay& m_into;
};

// In the order of the calls; for a race check in another that streams and events allow.
std::string translate(const LaunchPlan& plan, bool isRaceCheck, Replay& into) {
    const Translator translator(into);
    std::vector<std::size_t> order(plan.operations.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (isRaceCheck) {
        order = latestFirst(plan);
    }
    for (const std::size_t next : order) {
        into.setNumber(static_cast<std::uint32_t>(next));
        if (std::string refused = std::visit(translator, plan.operations[next].action); !refused.empty()) {
            return refused;
        }
    }
    return {};
}

// What blocks share: outputs, workspace and the variables of the module.
void watchShared(const Opening& opening, const hipcpu::LoadedDeviceModule& module, hipcpu::RaceDetector& races) {
    for (const Region& region : opening.regions) {
        if (region.isOutput) {
            races.watch(at(region.dataAddress), region.dataBytes);
        }
    }
    for (const auto& range : module.writable()) {
        races.watch(range.data(), range.size());
    }
    races.setUnordered(unordered(opening.plan));
}

FindingWords::Place wordsOf(const hipcpu::SourcePlace& place) {
    return {soundFile(place.file), place.line, place.column};
}

RaceWords wordsOf(const hipcpu::RaceDetector& races, const hipcpu::LoadedDeviceModule& module) {
    RaceWords words;
    words.accesses = races.accesses();
    words.isComplete = races.isComplete();
    if (const auto& found = races.race()) {
        const auto side = [](const hipcpu::Race::Side& one) {
            return RaceWords::Side{one.operation, one.block, one.wave, one.writes,
                                   one.site != nullptr ? wordsOf(hipcpu::placeOf(*one.site)) : FindingWords::Place()};
        };
        RaceWords::Race race = {
            side(found->first), side(found->second), found->isLds, found->address, {}, found->isLostUpdate, {}};
        if (const hipcpu::AccessSite* const site = found->second.site; site != nullptr && site->name != nullptr) {
            race.name = soundName(site->name);
        }
        if (const auto* variable = found->isLds ? nullptr : module.variableAt(found->address)) {
            race.variable = variable->name;
            race.at -= reinterpret_cast<std::uintptr_t>(variable->address);
        }
        words.race = std::move(race);
    }
    return words;
}

// Of this process, in the order of its opening; behind the workspace comes nothing.
std::vector<std::string> regionNames;

// Said at once: a kernel that goes on may end the process. Each place once.
void sayFinding(const hipcpu::Finding& finding) {
    static std::mutex mutex;
    static std::vector<FindingWords> said;
    const std::lock_guard lock(mutex);
    const bool isKnown = std::any_of(said.begin(), said.end(), [&](const FindingWords& one) {
        return one.kind == finding.kind && one.place == wordsOf(finding.place);
    });
    const auto harmless = std::count_if(
        said.begin(), said.end(), [](const FindingWords& one) { return one.kind == hipcpu::FindingKind::misaligned; });
    // What decides nothing leaves room for what does.
    const bool isFull = finding.isHarmless && harmless >= static_cast<std::ptrdiff_t>(findingLimit / 2);
    if (isKnown || isFull || said.size() == findingLimit) {
        return;
    }
    FindingWords words;
    words.kind = finding.kind;
    words.access = finding.access;
    words.memory = finding.memoryKind;
    words.region = static_cast<std::uint32_t>(std::find(regionNames.begin(), regionNames.end(), finding.memory) -
                                              regionNames.begin());
    words.bytes = finding.bytes;
    (finding.offset < 0 ? words.before : words.into) = static_cast<std::uint64_t>(std::abs(finding.offset));
    words.memoryBytes = finding.memoryBytes;
    words.alignment = static_cast<std::uint32_t>(finding.alignment);
    words.seconds = static_cast<std::uint32_t>(finding.seconds);
    words.name = soundName(finding.name);
    words.symbol = finding.symbol;
    words.block = finding.block;
    words.thread = finding.thread;
    words.place = wordsOf(finding.place);
    words.other = wordsOf(finding.otherPlace);
    said.push_back(words);
    std::fputs(lineOf(words).c_str(), stdout);
    std::fflush(stdout);
}

// Inputs are written before every call, and what the host can name of the module is from the start. Outputs and the
// workspace hold nothing of a call's own before it.
void knowMemory(const Opening& opening, hipcpu::MemoryCheck& memory) {
    for (const Region& region : opening.regions) {
        const std::uint64_t begin = region.address - guardBytes;
        memory.add(at(region.dataAddress), region.dataBytes,
                   {begin, region.address + region.bytes + readableBytes + guardBytes}, region.name, !region.isOutput);
        regionNames.push_back(region.name);
    }
}

void forgetWritten(const Opening& opening, hipcpu::MemoryCheck& memory) {
    for (const Region& region : opening.regions) {
        if (region.isOutput) {
            memory.clear(at(region.dataAddress));
        }
    }
}

// Of a module that tells its accesses.
void runWatched(Replay& plan, hipcpu::WorkerPool& workers, hipcpu::RaceDetector& races, hipcpu::MemoryCheck& memory,
                const Opening& opening, const hipcpu::LoadedDeviceModule& module) {
    races.beginCall();
    forgetWritten(opening, memory);
    hipcpu::watchRaces(&races);
    hipcpu::checkAccesses(&memory, opening.blockSeconds, sayFinding);
    plan.run(workers, &races, &memory);
    hipcpu::checkAccesses(nullptr, 0, nullptr);
    hipcpu::watchRaces(nullptr);
    if (races.accesses() > 0) {
        std::fputs(lineOf(wordsOf(races, module)).c_str(), stdout);
    }
}

} // namespace

void liveAsDevice(const Opening& opening, int go, int done, hipcpu::ReadNotes& notes) {
    static std::array<char, BUFSIZ> line; // given here, or the first printf would ask the system for its file's kind
    std::setvbuf(stdout, line.data(), _IOLBF, line.size());
    ::mallopt(M_ARENA_MAX, 1); // giving back memory of another arena reads a file of /proc, which the filter forbids
    const hipcpu::ThreadOrder order =
        opening.isRaceCheck ? hipcpu::ThreadOrder::reversed : hipcpu::ThreadOrder::forward;
    hipcpu::Settings::use({opening.threads, order, opening.isRaceCheck, opening.isRaceCheck});
    for (const Region& region : opening.regions) {
        if (const std::string refused = mapRegion(region); !refused.empty()) {
            fail(done, refused);
        }
    }
    std::string refused;
    const auto module = hipcpu::LoadedDeviceModule::load(opening.module.c_str(), refused);
    if (module == nullptr) {
        fail(done, refused);
    }
    const Crowd crowd = crowdOf(opening.plan, *module);
    const std::uint64_t waiting = limitAddresses(opening.addressBytes, crowd);
    if (crowd.isAny) {
        keepToProcessors(opening.threads);
    }
    Replay setup(*module);
    Replay plan(*module);
    refused = translate(opening.setup, opening.isRaceCheck, setup);
    refused = refused.empty() ? translate(opening.plan, opening.isRaceCheck, plan) : refused;
    if (!refused.empty()) {
        fail(done, refused);
    }
    hipcpu::noteReads(notes);
    hipcpu::RaceDetector races;
    hipcpu::MemoryCheck memory;
    if (opening.isRaceCheck) {
        watchShared(opening, *module, races);
        knowMemory(opening, memory);
    }
    hipcpu::installFaultHandler();
    hipcpu::WorkerPool workers(hipcpu::Settings::instance().workers);
    workers.reserve(waiting);
    workers.waitUntilStarted();
    hipcpu::ResidentBlocks::instance().waitUntilStarted(); // of the cooperative launches
    if (const int error = allowOnlyWork(); error != 0) {
        fail(done, std::string("no system call filter: ") + std::strerror(error));
    }
    char said = ready;
    while (::write(done, &said, 1) == 1) {
        Which which = Which::nothing;
        if (::read(go, &which, 1) != 1) {
            break;
        }
        switch (which) {
        case Which::nothing:
            break;
        case Which::restore:
            module->restoreVariables();
            hipcpu::BlockExecutor::clearAll();
            break;
        case Which::setup:
            setup.run(workers);
            module->keepVariables();
            break;
        case Which::plan:
            if (opening.isRaceCheck) {
                runWatched(plan, workers, races, memory, opening, *module);
            } else {
                plan.run(workers);
            }
            break;
        }
        std::fflush(stdout);
    }
    ::_exit(0);
}

} // namespace gks::frozen
