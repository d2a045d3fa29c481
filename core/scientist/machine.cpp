// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/machine.h"

#include "core/base/counted.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/judge/device_record.h"
#include "core/scientist/briefing_text.h"
#include "core/scientist/knowledge.h"
#include "core/target/thread_facts.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr int verdictLimit = 20; // looked at for one that names a device

struct Kinship {
    std::string_view prefix;
    const char* relative;
};
// The first that fits. Same width of a wave and same kind of matrix instructions count most.
constexpr std::array kinships = {
    Kinship{"gfx94", "gfx942"},  // CDNA3
    Kinship{"gfx95", "gfx950"},  // CDNA4
    Kinship{"gfx9", "gfx90a"},   // CDNA, GCN
    Kinship{"gfx10", "gfx1100"}, // RDNA1 and 2
    Kinship{"gfx11", "gfx1100"}, // RDNA3
    Kinship{"gfx12", "gfx1100"}, // RDNA4
};

std::string relativeOf(TargetKind target, const std::string& architecture) {
    const auto found = std::find_if(kinships.begin(), kinships.end(), [&](const Kinship& kinship) {
        return std::string_view(architecture).starts_with(kinship.prefix);
    });
    return target == TargetKind::nvidia ? "sm_90" : found != kinships.end() ? found->relative : "gfx942";
}

std::string factsText(const DeviceFacts& facts) {
    std::vector<std::string> parts;
    if (facts.computeUnits > 0) {
        parts.push_back(fmt::format("{} compute units", facts.computeUnits));
    }
    if (facts.waveSize > 0) {
        parts.push_back(fmt::format("waves of {} lanes", facts.waveSize));
    }
    if (facts.clockHz > 0) {
        parts.push_back(fmt::format("up to {} MHz", formatSignificant(facts.clockHz / 1e6)));
    }
    if (facts.ldsBytesPerBlock > 0) {
        parts.push_back(formatBytes(static_cast<std::uint64_t>(facts.ldsBytesPerBlock)) + " of LDS per block");
    }
    if (facts.memoryBytes > 0) {
        parts.push_back(formatBytes(static_cast<std::uint64_t>(facts.memoryBytes)) + " of memory");
    }
    return parts.empty() ? std::string() : ": " + join(parts, ", ");
}

std::string threadText(const ThreadFacts& thread) {
    std::vector<std::string> parts;
    if (thread.threads > 0) {
        parts.push_back(fmt::format("{} {} a kernel while it is timed", counted(thread.threads, "core"),
                                    thread.threads == 1 ? "runs" : "run"));
    }
    if (thread.vectorBits > 0) {
        parts.push_back(fmt::format("vectors of up to {} bits ({} floats)", thread.vectorBits, thread.vectorBits / 32));
    }
    if (thread.flopsPerSecond > 0 && thread.bytesPerSecond > 0) {
        parts.push_back(fmt::format("a core reaches {}/s in f32 and reads {} GB/s from memory",
                                    formatFlop(thread.flopsPerSecond), formatSignificant(thread.bytesPerSecond / 1e9)));
    }
    if (thread.l1Bytes > 0 && thread.l2Bytes > 0) {
        parts.push_back(fmt::format("caches: {} L1, {} L2, {} L3",
                                    formatBytes(static_cast<std::uint64_t>(thread.l1Bytes)),
                                    formatBytes(static_cast<std::uint64_t>(thread.l2Bytes)),
                                    formatBytes(static_cast<std::uint64_t>(thread.l3Bytes))));
    }
    return parts.empty() ? std::string() : " " + join(parts, "; ") + ".";
}

} // namespace

Machine machineOf(TargetKind target, const Device& device) {
    Machine machine{target, device, {}, {}};
    if (target == TargetKind::cpu) {
        machine.knowledge = {"cpu"};
        return machine;
    }
    const auto known = knownMachines();
    const std::string& architecture = device.architecture;
    if (std::find(known.begin(), known.end(), architecture) != known.end()) {
        machine.knowledge = {architecture};
        return machine;
    }
    const std::string relative = relativeOf(target, architecture);
    machine.knowledge = {relative};
    machine.note = architecture.empty() ? fmt::format("No device found yet; machine notes are for {}.", relative)
                                        : fmt::format("No machine notes for {}; using those of {}, its closest "
                                                      "relative. Numbers, matrix instructions and layouts may differ.",
                                                      labelText(architecture), relative);
    return machine;
}

Machine machineOf(const Briefing& briefing) {
    Machine machine = machineOf(briefing.population->settings.target, briefing.device ? briefing.device() : Device());
    machine.ofHarness = briefing.problem != nullptr && briefing.problem->harness;
    if (machine.ofHarness && machine.target == TargetKind::cpu) {
        machine.knowledge.clear(); // they speak of HIP on a processor
    }
    return machine;
}

std::function<Device()> deviceFinder(PopulationPtr population,
                                     std::function<std::optional<Verdict>(KernelId)> newestVerdict) {
    return [population = std::move(population), newestVerdict = std::move(newestVerdict)] {
        const CampaignSettings& settings = population->settings;
        int asked = 0;
        for (auto kernel = population->kernels.rbegin();
             newestVerdict && kernel != population->kernels.rend() && asked < verdictLimit; ++kernel) {
            if (kernel->verdict) {
                ++asked;
                const auto verdict = newestVerdict(kernel->id);
                Device device = verdict ? recordedDevice(*verdict) : Device();
                if (!device.name.empty() && !device.architecture.empty() && device.target == settings.target) {
                    return withThreadFacts(std::move(device));
                }
            }
        }
        const DeviceList list = listDevices(settings.target);
        const auto index = static_cast<std::size_t>(settings.device);
        return index < list.devices.size() ? withThreadFacts(list.devices[index]) : Device();
    };
}

std::string machineText(const Machine& machine) {
    const std::string name = labelText(machine.device.name);
    if (machine.target == TargetKind::cpu) {
        return machine.ofHarness
                   ? fmt::format("a CPU{}", name.empty() ? "" : ", " + name)
                   : fmt::format("HIP source that is compiled for and executed on a CPU{}; all times are CPU times.{}",
                                 name.empty() ? "" : ", " + name, threadText(machine.device.facts.thread));
    }
    const char* const maker = machine.target == TargetKind::amd ? "AMD" : "NVIDIA";
    const std::string architecture = labelText(machine.device.architecture);
    return fmt::format("{}an {} GPU{}{}.{}", name.empty() ? "" : name + ", ", maker,
                       architecture.empty() ? ", architecture unknown" : ", " + architecture,
                       factsText(machine.device.facts),
                       machine.target == TargetKind::nvidia && !machine.ofHarness
                           ? " HIP source is compiled through a thin header mapping; no AMD builtins."
                           : "");
}

} // namespace gks
