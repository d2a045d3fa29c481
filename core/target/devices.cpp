// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/hipcpu/architecture.h"
#include "core/target/runtime_files.h"
#include "core/target/target.h"
#include "core/target/toolchain.h"

#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sched.h>

// A vendor's library starts threads, opens devices and may crash: it is never loaded into this process. The
// runner loads it in a process of its own and prints what it found.
namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds listingTimeout(30);
constexpr int deviceLimit = 256;
constexpr int attributeLimit = 512;

std::string processorName() {
    const auto text = readFile("/proc/cpuinfo");
    for (const char* key : {"model name", "Model", "Hardware"}) { // x86, then what ARM kernels say
        std::string value = text ? valueAfter(*text, key) : std::string();
        if (!value.empty()) {
            return std::string(
                trimmed(value.front() == ':' ? std::string_view(value).substr(1) : std::string_view(value)));
        }
    }
    return "CPU";
}

int usableThreads() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

// More than any core gets out of its second level cache (64 bytes per cycle at 5 GHz): a floor that no honest time on
// this target comes near, not a roofline.
constexpr double cacheBytesPerSecond = 320e9;

// The same processor once for each architecture that it plays.
DeviceList listCpu() {
    const fs::path runtime = hipcpuFolder() / "libhipcpu.so";
    std::error_code ignored;
    if (!fs::exists(runtime, ignored)) {
        return {{},
                fmt::format("no device: runtime library {} not found; build all targets, or reinstall the program",
                            runtime.string())};
    }
    const int threads = usableThreads();
    DeviceList list;
    for (const auto architecture : {hipcpu::Architecture::gfx942, hipcpu::Architecture::gfx950}) {
        Device device;
        device.target = TargetKind::cpu;
        device.index = static_cast<int>(list.devices.size());
        device.architecture = hipcpu::nameOf(architecture);
        // The first is what one means by the CPU.
        const std::string plays = device.index == 0 ? "" : ", as " + device.architecture;
        device.name = fmt::format("{} ({}{})", processorName(), counted(threads, "thread"), plays);
        device.runtime = runtime.string();
        device.peaks.bytesPerSecond = threads * cacheBytesPerSecond;
        list.devices.push_back(std::move(device));
    }
    return list;
}

std::vector<fs::path> systemLibraryFolders() {
    return {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"};
}

Result<Json> askRunner(const fs::path& library) {
    const fs::path runner = siblingProgram("kernel-scientist-runner");
    std::error_code ignored;
    if (!fs::exists(runner, ignored)) {
        return infrastructureError("the program that lists devices is missing", runner.string());
    }
    Command command;
    command.arguments = {runner.string(), "--list-devices", library.string()};
    RunOptions options;
    options.timeout = listingTimeout;
    GKS_TRY_ASSIGN(const CompletedProcess run, runProcess(command, options));
    if (!run.ok()) {
        return infrastructureError(run.timedOut ? "does not answer" : fmt::format("ended with {}", run.exit.text()),
                                   library.string());
    }
    return parseJson(run.output, "list of devices");
}

std::string textOf(const Json& json, const char* key) {
    const auto at = json.find(key);
    return at != json.end() && at->is_string() ? sanitizedUtf8(at->get_ref<const std::string&>()) : std::string();
}

double numberOf(const Json& json, const char* key) {
    const auto at = json.find(key);
    return at != json.end() && at->is_number() ? at->get<double>() : 0;
}

// What a driver says is taken for what it is: text of somebody else.
DeviceFacts factsOf(const Json& entry) {
    const auto whole = [&](const char* key, double limit) {
        const double value = numberOf(entry, key);
        return value >= 0 && value <= limit ? value : 0.0;
    };
    DeviceFacts facts;
    facts.computeUnits = static_cast<int>(whole("units", 1e6));
    facts.waveSize = static_cast<int>(whole("wave_size", 1024));
    facts.clockHz = whole("clock_limit_hz", 1e11);
    facts.ldsBytesPerBlock = static_cast<std::int64_t>(whole("lds_bytes", 1e9));
    facts.memoryBytes = static_cast<std::int64_t>(whole("memory_bytes", 1e15));
    return facts;
}

std::map<int, int> attributesOf(const Json& entry) {
    std::map<int, int> attributes;
    const auto all = entry.find("attributes");
    for (int number = 1; all != entry.end() && all->is_object() && number <= attributeLimit; ++number) {
        if (const auto at = all->find(std::to_string(number)); at != all->end() && at->is_number_integer()) {
            attributes[number] = at->get<int>();
        }
    }
    return attributes;
}

// Variables that hide devices from the vendors' libraries; the usual reason for a card that is not there.
std::string hiddenBy(TargetKind kind) {
    std::vector<const char*> variables = {"CUDA_VISIBLE_DEVICES"};
    if (kind == TargetKind::amd) { // ROCm heeds all three
        variables.insert(variables.end(), {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"});
    }
    std::string text;
    for (const char* variable : variables) {
        if (const char* value = std::getenv(variable)) {
            text += fmt::format("; {} is set to \"{}\"", variable, abbreviated(sanitizedUtf8(value), 100));
        }
    }
    return text;
}

DeviceList listThrough(TargetKind kind, const fs::path& library) {
    const std::string shown = library.filename().string();
    const auto answer = askRunner(library);
    if (!answer) {
        return {{}, fmt::format("no device: {}", answer.error().message())};
    }
    const auto found = answer->is_object() ? answer->find("devices") : answer->end();
    DeviceList list;
    const std::vector<fs::path> files = runtimeFiles(library);
    if (answer->is_object() && found != answer->end() && found->is_array()) {
        for (const Json& entry : *found) {
            if (!entry.is_object() || list.devices.size() == deviceLimit) {
                break;
            }
            Device device;
            device.target = kind;
            device.index = static_cast<int>(list.devices.size());
            device.name = textOf(entry, "name");
            // "gfx942:sramecc+:xnack-": the features behind the colon are the device's, not part of the name.
            const std::string architecture = textOf(entry, "architecture");
            device.architecture = architecture.substr(0, architecture.find(':'));
            device.runtime = library.string();
            device.runtimeFiles = files;
            device.identity = textOf(entry, "bus_id");
            device.facts = factsOf(entry);
            const DeviceRates rates = {numberOf(entry, "memory_bytes_per_second"),
                                       static_cast<double>(device.facts.computeUnits), device.facts.clockHz,
                                       device.name};
            device.peaks = devicePeaks(device.architecture, rates).value_or(DevicePeaks{});
            device.driverVersion = static_cast<int>(numberOf(entry, "driver_version"));
            device.attributes = attributesOf(entry);
            list.devices.push_back(std::move(device));
        }
    }
    if (list.devices.empty()) {
        const std::string error = answer->is_object() ? textOf(*answer, "error") : std::string();
        list.reason = fmt::format("no device: {} is installed but found no {} GPU{}{}", shown,
                                  kind == TargetKind::nvidia ? "NVIDIA" : "AMD", error.empty() ? "" : ": " + error,
                                  hiddenBy(kind));
    }
    return list;
}

DeviceList listAmd() {
    std::vector<fs::path> folders;
    if (const auto& rocm = toolchain().rocm) {
        folders.push_back(rocm->root / "lib");
    }
    folders.emplace_back("/opt/rocm/lib");
    const auto system = systemLibraryFolders();
    folders.insert(folders.end(), system.begin(), system.end());
    const auto library =
        findLibrary(folders, {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"});
    if (!library) {
        return {{}, fmt::format("no device: libamdhip64 is not installed (install ROCm {} or later)", oldestRocm)};
    }
    return listThrough(TargetKind::amd, *library);
}

// Containers put the driver where the loader does not look, or say where in a variable.
DeviceList listNvidia() {
    auto folders = systemLibraryFolders();
    if (const char* named = std::getenv("LD_LIBRARY_PATH")) {
        for (const std::string_view folder : split(named, ':')) {
            folders.emplace_back(folder);
        }
    }
    folders.insert(folders.end(), {"/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/usr/lib/wsl/lib",
                                   "/run/opengl-driver/lib", "/usr/local/cuda/compat"});
    const auto library = findLibrary(folders, {"libcuda.so.1"});
    if (!library) {
        return {{}, "no device: the NVIDIA driver (libcuda.so.1) is not installed"};
    }
    return listThrough(TargetKind::nvidia, *library);
}

} // namespace

// Starting a vendor's runtime takes a good part of a second, and cards do not come and go: those that were found stay
// found for as long as this process lives.
DeviceList listDevices(TargetKind kind) {
    static std::mutex mutex;
    static std::map<TargetKind, DeviceList> found;
    const std::scoped_lock lock(mutex);
    if (const auto at = found.find(kind); at != found.end()) {
        return at->second;
    }
    DeviceList list = kind == TargetKind::cpu ? listCpu() : kind == TargetKind::amd ? listAmd() : listNvidia();
    if (!list.devices.empty()) {
        found.emplace(kind, list);
    }
    return list;
}

} // namespace gks
