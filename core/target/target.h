// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/process.h"
#include "core/base/result.h"
#include "core/problem/problem.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

// A target is where a kernel is built and run. This room plans builds and reads what came out of them; it runs nothing
// generated: the judge executes the plan inside its sandbox.
namespace gks {

enum class TargetKind { cpu, amd, nvidia };
std::string_view name(TargetKind kind);
Result<TargetKind> targetFromName(std::string_view name);

struct Target {
    TargetKind kind = TargetKind::cpu;
    std::string architecture; // "gfx942", "sm_90", for cpu the architecture that it plays: "gfx942", "gfx950"

    Fp8Encoding fp8Encoding() const;
    bool operator==(const Target&) const = default;
};

// Of the common card: MI300X, H200; where a device is there, its own architecture counts.
Target commonTarget(TargetKind kind);

// What one thread of a processor can do; 0 where nothing is known. See thread_facts.h.
struct ThreadFacts {
    int threads = 0; // that the judge gives a kernel while it is timed
    int vectorBits = 0;
    double flopsPerSecond = 0; // f32 in vectors, measured
    double bytesPerSecond = 0; // read from memory, measured
    std::int64_t l1Bytes = 0;
    std::int64_t l2Bytes = 0;
    std::int64_t l3Bytes = 0;
    bool operator==(const ThreadFacts&) const = default;
};

// What a device says of itself; 0 where it does not. For people and prompts: the judge does not reckon with it.
struct DeviceFacts {
    int computeUnits = 0;
    int waveSize = 0;
    double clockHz = 0;                // the highest
    std::int64_t ldsBytesPerBlock = 0; // as much as a block may have, also where it must ask for it
    std::int64_t memoryBytes = 0;
    ThreadFacts thread = {}; // cpu target
    bool operator==(const DeviceFacts&) const = default;
};

// A device that a target can run on right now.
struct Device {
    TargetKind target = TargetKind::cpu;
    int index = 0;
    std::string name; // "AMD EPYC ... (2 threads)", "AMD Instinct MI300X"
    std::string architecture;
    std::string identity; // of the card, the same for every process: "0000:1b:00.0"; empty for the CPU
    std::string runtime;  // library that the runner loads, full path: the driver's, of the cpu target ours
    std::vector<std::filesystem::path> runtimeFiles; // folders and files beside /usr that it needs
    DevicePeaks peaks;                               // from resources/devices/*.toml, zero when unknown
    DeviceFacts facts;
    // What host code is told when it asks: the driver's version and, of NVIDIA's devices, its attributes by the number
    // of the CUdevice_attribute.
    int driverVersion = 0;
    std::map<int, int> attributes = {};
    bool operator==(const Device&) const = default;
};

// One command of a build, to be run in the judge's sandbox.
struct BuildStep {
    std::string name;                            // "cpu module", "gfx942 code object", "disassembly"
    std::vector<std::string> arguments;          // paths inside are as the sandbox sees them (identical to outside)
    std::vector<std::filesystem::path> readable; // folders and files beside /usr that the step needs
    std::vector<std::filesystem::path> writable;
    std::vector<std::pair<std::string, std::string>> environment; // beside what every sandboxed program gets
    std::optional<std::filesystem::path> outputFile;              // where standard output is to be stored
    bool required = true;     // the static report's steps are not: a kernel may run without them
    int after = -1;           // index of a step that must have succeeded first
    bool hidesPlaces = false; // no word of the source holds the name of the build's folder; see ownWords()
};

struct BuildRequest {
    Target target;
    std::string source;                            // the candidate, HIP
    std::string header;                            // problem.h
    std::filesystem::path folder;                  // empty working folder, writable
    bool staticReport = true;                      // also compile a gfx942 code object for the report
    bool module = true;                            // false: the report alone, which needs no compiler of the target
    std::vector<std::string> compilerOptions = {}; // that come with the kernel; see hipcpu::kernelOptions
    std::string language = {};                     // of the problem, "c++17"; empty: see kernel_language.h
};

// Everything about a build except running it. `key` identifies its inputs: source, header, flags, toolchain.
struct BuildPlan {
    std::string key;
    std::string toolchain; // "clang 19.1.7, HIP headers 5.2.3, hipcpu 1"
    std::vector<BuildStep> steps;
    std::filesystem::path hostModule;    // host code, which links against nothing of a device's
    std::filesystem::path deviceModule;  // device code: a module of the cpu target, an AMD code object or a cubin
    std::filesystem::path checkedModule; // cpu target: device code for the detector of races
    std::filesystem::path moduleFacts; // what the cpu target's build knows of its kernels: core/judge/plan/facts_json.h
    std::filesystem::path codeObject;  // what the report is of: amd's device module, else a gfx942 ELF made beside it
    std::filesystem::path notesText;   // llvm-readelf --notes of it
    std::filesystem::path disassembly; // llvm-objdump -d of it

    std::vector<std::filesystem::path> modules() const; // what must be there when all required steps are done
};
// Makes what sandboxed steps only read: the device library of the report's compiler and precompiled HIP headers, in the
// cache. Call it once before the first build, outside the sandbox: it reads trusted headers only and costs nothing when
// all is there.
Result<void> prepareToolchain(const Target& target);
// Writes source and header into the folder and says what to run. Errors name the missing tool and the package that has
// it.
Result<BuildPlan> planBuild(BuildRequest request);

// Static facts of one __global__ function in a gfx942 code object. Never a prediction of time.
struct KernelResources {
    std::string name; // demangled
    int vgprs = 0;
    int sgprs = 0;
    int agprs = 0;
    int vgprSpills = 0;
    int sgprSpills = 0;
    int scratchBytes = 0;
    int ldsBytes = 0;
    int maxWorkgroupSize = 0;
    int occupancyWavesPerSimd = 0;
    std::map<std::string, int>
        instructions; // valu, salu, vmem_load, vmem_store, lds, mfma, branch, barrier, waitcnt, ...
    int codeBytes = 0;
    std::map<std::string, int> multiplies = {}; // floating-point products by the type of their factors: f32, bf16, ...
    bool operator==(const KernelResources&) const = default;
};
struct StaticReport {
    std::string architecture;
    std::vector<KernelResources> kernels;
    std::size_t codeObjectBytes = 0;
    bool operator==(const StaticReport&) const = default;
};
Result<StaticReport> readStaticReport(const std::string& architecture, std::string_view notesText,
                                      std::string_view disassembly);
// Waves per SIMD that registers, LDS and workgroup size allow (architecture_facts.h); 0 where that is not known, too.
int occupancyWavesPerSimd(const std::string& architecture, int vgprs, int agprs, int ldsBytes, int workgroupSize);
OrderedJson toJson(const StaticReport& report);
Result<StaticReport> staticReportFromJson(const Json& json);

// Devices of a target that are there now; empty with a reason when there is none.
struct DeviceList {
    std::vector<Device> devices;
    std::string reason; // "no device: libamdhip64 5.2.3 is installed but reports 0 devices"
};
DeviceList listDevices(TargetKind kind);

// Facts for `doctor`: what was found for each target and what to install for the rest.
struct ToolchainFinding {
    std::string part; // "clang", "HIP headers", "ROCm"
    bool found = false;
    std::string detail;  // path and version, or what is missing
    std::string install; // package names or what to do
};
std::vector<ToolchainFinding> inspectToolchains();

// Content-addressed build cache under cacheFolder()/builds, bounded in size (oldest use goes first).
class BuildCache {
public:
    explicit BuildCache(std::filesystem::path folder, std::uint64_t limitBytes = std::uint64_t{2} << 30);
    // Copies of modules, code object, notes, disassembly and log of an earlier build into `plan`'s places; false when
    // there is none.
    bool restore(const BuildPlan& plan, std::string& log) const;
    void store(const BuildPlan& plan, std::string_view log) const;

private:
    std::filesystem::path m_folder;
    std::uint64_t m_limitBytes;
};

} // namespace gks
