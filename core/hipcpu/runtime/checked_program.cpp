// SPDX-License-Identifier: GPL-3.0-or-later
// Launches run one after another here (see DeviceQueue), and each has a detector of races of its own: what an earlier
// one did comes before it. So races are found between the blocks and the waves of one launch.
#include "core/hipcpu/runtime/checked_program.h"

#include "core/hipcpu/runtime/access_watch.h"
#include "core/hipcpu/runtime/device_memory.h"
#include "core/hipcpu/runtime/fault_handler.h"
#include "core/hipcpu/runtime/settings.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <link.h>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace gks::hipcpu {
namespace {

// What devices take is said once for each place.
void warn(const Finding& finding) {
    static std::mutex mutex;
    static std::set<std::string> said;
    const std::lock_guard lock(mutex);
    if (said.insert(finding.symbol + finding.name + placeText(finding.place)).second) {
        std::fputs(("hipcpu: warning: " + findingText(finding) + "\n").c_str(), stderr);
    }
}

[[noreturn]] void endWith(const Finding& finding) {
    endProcess(("hipcpu: " + findingText(finding)).c_str());
}

void say(const Finding& finding) {
    finding.isHarmless ? warn(finding) : endWith(finding);
}

// Of the object that a module lies in.
struct WritableSegments {
    std::uintptr_t inside;
    std::vector<std::span<char>> found = {};

    static std::vector<std::span<char>> of(const ModuleTable& module) {
        WritableSegments search{reinterpret_cast<std::uintptr_t>(&module)};
        ::dl_iterate_phdr(look, &search);
        return std::move(search.found);
    }

    static int look(dl_phdr_info* info, std::size_t, void* search) {
        auto& self = *static_cast<WritableSegments*>(search);
        std::vector<std::span<char>> segments;
        bool isHere = false;
        for (const auto& segment : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
            const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
            isHere = isHere || (segment.p_type == PT_LOAD && self.inside - begin < segment.p_memsz);
            if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0) {
                segments.emplace_back(reinterpret_cast<char*>(begin), segment.p_memsz);
            }
        }
        if (isHere) {
            self.found = std::move(segments);
        }
        return isHere ? 1 : 0;
    }
};

class Checks {
public:
    static Checks* instance() { return theseChecks; }

    static void add(const ModuleTable& module) {
        static std::mutex mutex;
        const std::lock_guard lock(mutex);
        if (theseChecks == nullptr) {
            auto* const checks = new Checks; // for the life of the process
            DeviceMemory::instance().tell(checks->m_memory);
            theseChecks = checks;
        }
        theseChecks->addVariables(module);
    }

    void run(WorkerPool& workers, RunnableKernel& kernel, Dim3 grid, Dim3 block, std::size_t dynamicLdsBytes,
             void** arguments, bool isCooperative) {
        if (!kernel.isChecked) {
            runKernel(workers, kernel, grid, block, dynamicLdsBytes, arguments, isCooperative);
            m_memory.trustAll();
            return;
        }
        RaceDetector races;
        const std::set<const MemoryArea*> written = writtenBy(*kernel.entry, arguments);
        const bool isKnown = kernel.entry->writtenArguments != ~std::uint64_t{0};
        m_memory.forEach([&](const MemoryArea& area) {
            if (!isKnown || written.contains(&area)) { // nothing races with memory that is only read
                races.watch(reinterpret_cast<const void*>(area.begin.load()), area.end - area.begin);
            }
        });
        {
            const std::lock_guard lock(m_mutex);
            for (const auto& segment : m_segments) {
                races.watch(segment.data(), segment.size());
            }
        }
        races.beginOperation(0, grid.count());
        checkAccesses(&m_memory, Settings::instance().longestBlockSeconds, say);
        watchRaces(&races);
        runKernel(workers, kernel, grid, block, dynamicLdsBytes, arguments, isCooperative);
        watchRaces(nullptr);
        checkAccesses(nullptr, 0, nullptr);
        if (const auto& race = races.race()) {
            endWith(withMemory(findingOf(*race, kernel.entry->name, {grid.x, grid.y, grid.z}), *race));
        }
    }

    // One of several modules of an object leaves those of the others.
    void removeVariables(const ModuleTable& module) {
        const auto found = WritableSegments::of(module);
        const std::lock_guard lock(m_mutex);
        for (const auto& segment : found) {
            const auto known = std::find_if(m_segments.begin(), m_segments.end(),
                                            [&](const auto& one) { return one.data() == segment.data(); });
            if (known != m_segments.end()) {
                m_segments.erase(known);
            }
        }
    }

    MemoryCheck& memory() { return m_memory; }

private:
    // What the pointers lead to by which a kernel writes.
    std::set<const MemoryArea*> writtenBy(const KernelEntry& kernel, void** arguments) {
        std::set<const MemoryArea*> written;
        MemoryCheck::Finder finder;
        for (std::uint32_t i = 0; i < kernel.argumentCount && i < 64; ++i) {
            for (std::size_t at = 0;
                 (kernel.writtenArguments >> i & 1) != 0 && at + sizeof(std::uintptr_t) <= kernel.argumentSizes[i];
                 at += sizeof(std::uintptr_t)) {
                std::uintptr_t address = 0;
                std::memcpy(&address, static_cast<const char*>(arguments[i]) + at, sizeof address);
                written.insert(m_memory.find(finder, address));
            }
        }
        return written;
    }

    void addVariables(const ModuleTable& module) {
        const auto found = WritableSegments::of(module);
        const std::lock_guard lock(m_mutex);
        m_segments.insert(m_segments.end(), found.begin(), found.end());
    }

    Finding withMemory(Finding finding, const Race& race) {
        if (race.isLds) {
            finding.memory = "the block's LDS";
            finding.offset = static_cast<std::int64_t>(race.address);
            return finding;
        }
        MemoryCheck::Finder finder;
        if (const MemoryArea* const area = m_memory.find(finder, race.address)) {
            finding.memory = area->text;
            finding.offset = static_cast<std::int64_t>(race.address - area->begin);
        }
        return finding;
    }

    inline static Checks* theseChecks = nullptr;
    MemoryCheck m_memory;
    std::mutex m_mutex;
    std::vector<std::span<char>> m_segments; // with variables of modules
};

} // namespace

void CheckedProgram::turnOn(const ModuleTable& module) {
    Checks::add(module);
}

void CheckedProgram::forget(const ModuleTable& module) {
    if (Checks* const checks = Checks::instance()) {
        checks->removeVariables(module);
    }
}

void CheckedProgram::run(WorkerPool& workers, RunnableKernel& kernel, Dim3 grid, Dim3 block,
                         std::size_t dynamicLdsBytes, void** arguments, bool isCooperative) {
    if (Checks* const checks = Checks::instance()) {
        checks->run(workers, kernel, grid, block, dynamicLdsBytes, arguments, isCooperative);
    } else {
        runKernel(workers, kernel, grid, block, dynamicLdsBytes, arguments, isCooperative);
    }
}

void CheckedProgram::refused(const KernelEntry& kernel, Dim3 block, std::size_t dynamicLdsBytes) {
    if (Checks::instance() == nullptr) {
        return;
    }
    const std::size_t ldsBytes = kernel.staticLdsBytes + dynamicLdsBytes;
    const std::string what = ldsBytes > kernel.ldsLimitBytes
                                 ? "a block asks for " + std::to_string(ldsBytes) + " bytes of LDS, " +
                                       std::to_string(dynamicLdsBytes) + " of them by the launch, and has " +
                                       std::to_string(kernel.ldsLimitBytes)
                                 : "a block of " + std::to_string(block.count()) + " threads; it takes 1 to " +
                                       std::to_string(kernel.maxThreadsPerBlock);
    const std::string line =
        "hipcpu: the launch is refused: " + what + "; kernel " + readableKernel(kernel.name) + "\n";
    std::fputs(line.c_str(), stderr);
}

void CheckedProgram::written(const void* to, std::size_t bytes) {
    if (Checks* const checks = Checks::instance()) {
        checks->memory().write(to, bytes);
    }
}

void CheckedProgram::copied(const void* to, const void* from, std::size_t bytes) {
    if (Checks* const checks = Checks::instance()) {
        checks->memory().copy(to, from, bytes);
    }
}

} // namespace gks::hipcpu
