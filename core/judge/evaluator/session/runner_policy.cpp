// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/runner_policy.h"

#include "core/base/locations.h"
#include "core/judge/timed_threads.h"

#include <array>
#include <cstdlib>
#include <sched.h>

namespace gks {
namespace {

constexpr std::size_t cpuMemoryBytes = std::size_t{8} << 30; // beside the tensors themselves
constexpr std::size_t cpuCrowdBytes = std::size_t{1} << 40;  // of blocks that get a thread each: half of any machine
constexpr std::size_t timesTensors = 8;                      // of their bytes, with guard pages and copies
constexpr std::size_t runnerOpenFilesLimit = 4096;           // a GPU runtime counts them by the queue
constexpr std::size_t runnerFileLimitBytes = std::size_t{16} << 20;
constexpr std::size_t profilerFileLimitBytes = std::size_t{1} << 30; // it saves the memory of a launch

// Every card's node, since the runtime numbers only those that it can open; which of them the user lets this process
// use is said by the same variables as outside.
std::vector<std::filesystem::path> deviceNodes(TargetKind target) {
    if (target == TargetKind::amd) {
        return {"/dev/kfd", "/dev/dri"};
    }
    std::vector<std::filesystem::path> nodes;
    std::error_code ignored;
    for (std::filesystem::directory_iterator at("/dev", ignored), end; !ignored && at != end; at.increment(ignored)) {
        if (at->path().filename().string().starts_with("nvidia")) {
            nodes.push_back(at->path());
        }
    }
    return nodes;
}

// What the vendors' runtimes read beside system folders and their own files: topology of the devices, the driver's
// settings.
constexpr std::array gpuFolders = {"/sys", "/proc/driver/nvidia", "/proc/devices", "/proc/modules"};
// The last one: what the loader found through it outside has to be found inside as well.
constexpr std::array runtimeVariables = {"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER",  "HIP_VISIBLE_DEVICES",
                                         "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "HSA_OVERRIDE_GFX_VERSION",
                                         "LD_LIBRARY_PATH"};

} // namespace

int timedThreadsOnCpu() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return timedThreadsOf(::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1);
}

std::size_t cpuAddressBytes(std::size_t tensorBytes) {
    return cpuMemoryBytes + timesTensors * tensorBytes;
}

ProcessLimits cpuKeeperLimits(std::size_t tensorBytes) {
    ProcessLimits limits;
    limits.openFiles = runnerOpenFilesLimit;
    limits.fileSizeBytes = runnerFileLimitBytes;
    limits.addressSpaceBytes = cpuAddressBytes(tensorBytes) + cpuCrowdBytes;
    return limits;
}

SandboxPolicy runnerPolicy(const RunnerSession::Setup& setup, const std::filesystem::path& temporary) {
    SandboxPolicy policy;
    policy.readable = {std::filesystem::path(setup.device.runtime).parent_path()};
    if (std::error_code unknown; std::filesystem::exists(hipcpuFolder(), unknown)) {
        policy.readable.push_back(hipcpuFolder()); // an installed runner has its libraries there
    }
    policy.allowNone = setup.allowNoSandbox;
    policy.limits.openFiles = runnerOpenFilesLimit;
    policy.limits.fileSizeBytes = runnerFileLimitBytes;
    policy.temporary = temporary;
    std::error_code ignored;
    for (const auto& path : setup.device.runtimeFiles) {
        if (std::filesystem::exists(path, ignored)) {
            policy.readable.push_back(path);
        }
    }
    for (const auto& node : deviceNodes(setup.device.target)) {
        if (std::filesystem::exists(node, ignored)) {
            policy.deviceNodes.push_back(node);
        }
    }
    for (const std::filesystem::path folder : gpuFolders) {
        if (std::filesystem::exists(folder, ignored)) {
            policy.readable.push_back(folder);
        }
    }
    for (const char* variable : runtimeVariables) {
        if (const char* value = std::getenv(variable)) {
            policy.environment.emplace_back(variable, value);
        }
    }
    // Only the device's own code is ever loaded, and all of it before it is timed.
    policy.environment.emplace_back("CUDA_CACHE_DISABLE", "1");
    if (setup.profiled) { // ncu has code of its own translated
        policy.environment.emplace_back("HOME", setup.profiled->folder.string());
        policy.writable.push_back(setup.profiled->folder);
        policy.readable.insert(policy.readable.end(), setup.profiled->readable.begin(), setup.profiled->readable.end());
        policy.limits.fileSizeBytes = profilerFileLimitBytes;
        policy.mayStartProcesses = policy.mayTalkInside = true;
    } else {
        policy.environment.emplace_back("CUDA_DISABLE_PTX_JIT", "1");
    }
    // A vendor's library has a thousand times the code that it is asked for.
    policy.environment.emplace_back("CUDA_MODULE_LOADING", setup.anchor ? "LAZY" : "EAGER");
    if (setup.anchor) {
        policy.readable.push_back(setup.anchor->library);
        policy.readable.insert(policy.readable.end(), setup.anchor->readable.begin(), setup.anchor->readable.end());
    }
    policy.environment.emplace_back("HSA_XNACK", "0"); // device code reaches no memory of the host
    return policy;
}

} // namespace gks
