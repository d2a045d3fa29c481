// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/build.h"

#include "core/base/elapsed.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/killed.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/hipcpu/options/hidden_places.h"
#include "core/hipcpu/options/missing_header.h"
#include "core/hipcpu/options/split_files.h"
#include "core/hipcpu/retarget/device_code.h"
#include "core/hipcpu/retarget/linker.h"
#include "core/hipcpu/retarget/module_facts.h"
#include "core/hipcpu/retarget/module_table.h"
#include "core/hipcpu/retarget/precompiled_headers.h"

#include <algorithm>
#include <fmt/format.h>
#include <future>
#include <optional>

namespace gks::hipcpu {
namespace fs = std::filesystem;
namespace {

// One source on its way: the files between the stages.
struct Unit {
    fs::path source;
    std::string id;
    fs::path bitcode;
    fs::path hostObject;
    std::string deviceStem; // of its objects' names
    std::string checkedStem;
    Architecture architecture = Architecture::gfx942;
    bool isChecked = false;
    std::vector<fs::path> deviceObjects = {};
    std::vector<fs::path> checkedObjects = {};
    fs::path devicePch;
    fs::path hostPch;
};

struct FrontEndRun {
    Result<CompletedProcess> process;
    fs::path source;
};

FrontEndRun runFrontEnd(const Toolchain& toolchain, const BuildOptions& options, const Unit& unit, Side side) {
    Command command;
    std::vector<std::string>& arguments = command.arguments;
    arguments = {toolchain.clang.string()};
    const std::vector<std::string> shared =
        sideOptions(toolchain, side, options.optimisationLevel(), options.architecture());
    arguments.insert(arguments.end(), shared.begin(), shared.end());
    arguments.emplace_back("-Wno-unused-command-line-argument"); // what one side has no use for the other has
    const CompilerOptions& given = options.compiler;
    arguments.insert(arguments.end(), given.frontEnd.begin(), given.frontEnd.end());
    if (side == Side::host && options.kind == OutputKind::sharedObject) {
        // Who refuses a call of host code can say where it is.
        arguments.insert(arguments.end(), {"-gline-tables-only", "-fno-optimize-sibling-calls"});
    }
    if (side == Side::host) {
        arguments.insert(arguments.end(), given.host.begin(), given.host.end());
    } else if (options.isChecked || options.splitFolder) { // whoever tells an access says where it is, and what
        arguments.insert(arguments.end(), {"-gline-tables-only", "-fno-discard-value-names"});
    }
    if (side == Side::device && options.isChecked) {
        arguments.insert(arguments.end(), given.host.begin(), given.host.end());
    }
    // The same id on both sides: it names the fat binary, and kernels and variables of internal linkage.
    if (side == Side::device) {
        arguments.push_back("-cuid=" + unit.id);
    } else {
        arguments.insert(arguments.end(), {"-Xclang", "-cuid=" + unit.id});
    }
    const fs::path& pch = side == Side::device ? unit.devicePch : unit.hostPch;
    if (!pch.empty()) {
        arguments.insert(arguments.end(), {"-Xclang", "-include-pch", "-Xclang", pch.string()});
    }
    const fs::path& output = side == Side::device ? unit.bitcode : unit.hostObject;
    if (options.splitFolder) { // for the judge, who reads what is said
        const std::vector<std::string> hidden = hiddenPlaceOptions(unit.source.parent_path());
        arguments.insert(arguments.end(), hidden.begin(), hidden.end());
    }
    arguments.insert(arguments.end(), {unit.source.string(), "-o", output.string()});
    return {runProcess(command, {.timeout = options.timeout, .stop = options.stop}), unit.source};
}

// Both sides of a source report most problems twice.
std::string merged(const std::string& first, const std::string& second) {
    if (first.empty() || first == second) {
        return second;
    }
    return second.empty() ? first : first + second;
}

// Success, or the error that a front end's end stands for.
Result<void> judged(const FrontEndRun& run, const BuildOptions& options) {
    if (!run.process) {
        return tl::unexpected(run.process.error());
    }
    const CompletedProcess& process = *run.process;
    if (process.cancelled) {
        return cancelledError(run.source.string());
    }
    if (process.timedOut) {
        return kernelError(fmt::format("the compiler did not finish within {} s",
                                       std::chrono::duration_cast<std::chrono::seconds>(options.timeout).count()),
                           run.source.string());
    }
    if (wasKilled(process)) {
        return tl::unexpected(killedError("a compiler", run.source.string()));
    }
    if (process.exit.signal) {
        return infrastructureError("the compiler was " + process.exit.text(), run.source.string());
    }
    if (!process.ok()) {
        const std::string advice = adviceOnMissingHeader(process.error);
        return kernelError(boundedDiagnostics((advice.empty() ? "" : "note: " + advice + "\n") + process.error));
    }
    return {};
}

class Build {
public:
    Build(const BuildOptions& options, Toolchain toolchain, const fs::path& folder)
        : m_options(options), m_toolchain(std::move(toolchain)), m_folder(folder) {}

    Result<BuildOutcome> run() {
        const auto start = std::chrono::steady_clock::now();
        GKS_TRY(checkInputs());
        m_outcome.toolchain = m_toolchain.identity();
        for (std::size_t i = 0; i < m_options.sources.size(); ++i) {
            GKS_TRY(compile(m_options.sources[i], i));
        }
        GKS_TRY(compileLinked());
        GKS_TRY(linkAll());
        m_outcome.diagnostics = boundedDiagnostics(m_outcome.diagnostics);
        m_outcome.seconds.total = secondsSince(start);
        return std::move(m_outcome);
    }

private:
    Result<void> checkInputs() {
        std::error_code ignored;
        if (m_options.sources.empty() && m_options.objects.empty()) {
            return usageError("no source to compile");
        }
        if (m_options.splitFolder && m_options.isChecked) {
            return usageError("device code of --split is both checked and not", "--checked");
        }
        if (m_options.kind == OutputKind::object && (m_options.sources.size() != 1 || !m_options.objects.empty())) {
            return usageError("an object is made of exactly one source", "-c");
        }
        if (m_options.splitFolder && (m_options.kind != OutputKind::sharedObject || m_options.sources.size() != 1 ||
                                      !m_options.objects.empty())) {
            return usageError("host and device are taken apart for a shared object of exactly one source", "--split");
        }
        if (m_options.splitFolder && m_options.compiler.linksDeviceCode) {
            return usageError("device code of --split is that of one source", "-fgpu-rdc");
        }
        for (const auto* files : {&m_options.sources, &m_options.objects}) {
            for (const fs::path& file : *files) {
                if (!fs::is_regular_file(file, ignored)) {
                    return usageError("no such file", file.string());
                }
            }
        }
        for (const fs::path& part : {m_toolchain.deviceLibrary(), m_toolchain.runtimeLibrary()}) {
            if (!fs::exists(part, ignored)) {
                return infrastructureError("not found", part.string(),
                                           "Install the cpu target's files there, or set GKS_HIPCPU");
            }
        }
        return {};
    }

    Result<void> compile(const fs::path& source, std::size_t number) {
        Unit unit;
        unit.source = source;
        // Objects that are linked to each other later need different ids.
        unit.id = m_options.kind == OutputKind::object
                      ? "gks" + sha256Hex(fs::absolute(m_options.output).string()).substr(0, 16)
                      : fmt::format("gks{}", number);
        unit.bitcode = m_folder / fmt::format("{}.device.bc", number);
        unit.hostObject = m_folder / fmt::format("{}.host.o", number);
        unit.deviceStem = fmt::format("{}.device", number);
        unit.checkedStem = fmt::format("{}.checked", number);
        unit.architecture = m_options.architecture();
        unit.isChecked = m_options.isChecked;
        precompile(unit);
        // The host side runs on while the device side is retargeted.
        auto host =
            std::async(std::launch::async, [&] { return timedFrontEnd(unit, Side::host, m_outcome.seconds.host); });
        const FrontEndRun device = timedFrontEnd(unit, Side::device, m_outcome.seconds.device);
        Result<void> deviceVerdict = judged(device, m_options);
        if (deviceVerdict && m_options.compiler.linksDeviceCode) {
            deviceVerdict = keepForLinking(unit);
        } else if (deviceVerdict) {
            deviceVerdict = retargetUnit(unit);
        }
        const FrontEndRun hostRun = host.get();
        GKS_TRY(deviceVerdict);
        GKS_TRY(judged(hostRun, m_options));
        if (m_options.splitFolder) {
            m_split = SplitObjects{unitHash(unit.id), unit.hostObject, unit.deviceObjects, unit.checkedObjects};
        }
        m_outcome.diagnostics += merged(device.process->error, hostRun.process->error);
        m_objects.push_back(unit.hostObject);
        m_objects.insert(m_objects.end(), unit.deviceObjects.begin(), unit.deviceObjects.end());
        return {};
    }

    // A folder of headers of its own named hip/ stands before HIP's, and what -include names is read before they are.
    bool mayPrecompile() const {
        std::error_code ignored;
        const auto& folders = m_options.compiler.folders;
        return !m_options.compiler.includesFirst &&
               std::none_of(folders.begin(), folders.end(),
                            [&](const auto& folder) { return fs::exists(folder / "hip", ignored); });
    }

    void precompile(Unit& unit) {
        if (!mayPrecompile()) {
            return;
        }
        const auto start = std::chrono::steady_clock::now();
        const auto headers = leadingHipHeaders(unit.source, m_options.compiler.folders);
        const std::vector<std::string> given = optionsOfHeaders(m_options.compiler.frontEnd);
        const auto make = [&](Side side) {
            std::vector<std::string> options =
                sideOptions(m_toolchain, side, m_options.optimisationLevel(), m_options.architecture());
            options.insert(options.end(), given.begin(), given.end());
            return precompiledHeader(m_toolchain, side, options, headers, m_options.cacheFolder, m_options.stop);
        };
        auto host = std::async(std::launch::async, [&] { return make(Side::host); });
        unit.devicePch = make(Side::device);
        unit.hostPch = host.get();
        m_outcome.seconds.headers += secondsSince(start);
    }

    FrontEndRun timedFrontEnd(Unit& unit, Side side, double& seconds) {
        FrontEndRun run = runFrontEnd(m_toolchain, m_options, unit, side);
        fs::path& pch = side == Side::device ? unit.devicePch : unit.hostPch;
        // Only what fails without the precompiled header as well is the source's fault. Who was killed, by a limit as a
        // rule, has nothing to say of it.
        if (run.process && run.process->exit.status.value_or(0) != 0 && !run.process->timedOut &&
            !run.process->cancelled && !pch.empty()) {
            seconds += run.process->seconds;
            pch.clear();
            run = runFrontEnd(m_toolchain, m_options, unit, side);
        }
        seconds += run.process ? run.process->seconds : 0;
        return run;
    }

    Result<void> keepForLinking(Unit& unit) {
        const DeviceCode code{unit.id, unit.architecture, unit.isChecked, unit.bitcode};
        if (m_options.kind != OutputKind::object) {
            m_toBeLinked.push_back(code);
            return {};
        }
        unit.deviceObjects = {m_folder / (unit.deviceStem + ".o")};
        return emitDeviceCode(code, unit.deviceObjects.front());
    }

    // Device code of several sources, also of those that lie in objects, as one module.
    Result<void> compileLinked() {
        if (m_options.kind == OutputKind::object) {
            return {};
        }
        std::vector<fs::path> files = m_options.objects;
        const std::vector<fs::path> archives = archivesAmong(m_options.compiler.linker);
        files.insert(files.end(), archives.begin(), archives.end());
        for (std::size_t i = 0; i < files.size(); ++i) {
            GKS_TRY_ASSIGN(const auto found, deviceCodeIn(files[i], m_folder, fmt::format("linked{}", i)));
            m_toBeLinked.insert(m_toBeLinked.end(), found.begin(), found.end());
        }
        if (m_toBeLinked.empty()) {
            return {};
        }
        GKS_TRY_ASSIGN(const DeviceCode whole, linkedDeviceCode(m_toBeLinked, m_folder / "linked.bc"));
        Unit unit;
        unit.id = whole.unit;
        unit.bitcode = whole.bitcode;
        unit.deviceStem = "linked";
        unit.architecture = whole.architecture;
        unit.isChecked = whole.isChecked || m_options.isChecked;
        GKS_TRY(retargetUnit(unit));
        m_objects.insert(m_objects.end(), unit.deviceObjects.begin(), unit.deviceObjects.end());
        m_linkedUnits = {unitHash(whole.unit)};
        for (const DeviceCode& code : m_toBeLinked) {
            const std::string unitOfCode = unitHash(code.unit);
            if (std::find(m_linkedUnits.begin(), m_linkedUnits.end(), unitOfCode) == m_linkedUnits.end()) {
                m_linkedUnits.push_back(unitOfCode);
            }
        }
        return {};
    }

    Result<void> retargetUnit(Unit& unit) {
        RetargetOptions options;
        options.deviceLibrary = m_toolchain.deviceLibrary();
        options.compilationUnitId = unit.id;
        options.optimisationLevel = m_options.optimisationLevel();
        options.architecture = unit.architecture;
        options.systemFolders = m_toolchain.headerFolders();
        // Telling its accesses once more, beside the front end of the host. It is run once and needs to be no faster
        // than its stacks are deep: without any optimisation a large kernel outgrows those.
        std::future<Result<RetargetOutcome>> checked;
        RetargetOptions other = options;
        other.tellsAccesses = true;
        other.optimisationLevel = 1;
        other.inStrips = unit.isChecked;
        if (unit.isChecked) {
            options = other;
        } else if (m_options.splitFolder) {
            checked = std::async(std::launch::async, [this, &unit, other = std::move(other)] {
                return retarget(unit.bitcode, m_folder, unit.checkedStem, other);
            });
        } else { // the judge compiles everything itself
            options.cacheFolder = m_options.cacheFolder;
        }
        options.irPath = m_options.irPath;
        const Result<RetargetOutcome> plain = retarget(unit.bitcode, m_folder, unit.deviceStem, options);
        const Result<RetargetOutcome> telling = checked.valid() ? checked.get() : plain;
        GKS_TRY_ASSIGN(const RetargetOutcome outcome, plain);
        GKS_TRY(telling);
        unit.deviceObjects = outcome.objects;
        unit.checkedObjects = telling->objects;
        m_outcome.seconds.prepare += outcome.prepareSeconds;
        m_outcome.seconds.optimise += outcome.optimiseSeconds;
        m_outcome.seconds.emit += outcome.emitSeconds;
        m_outcome.kernels.insert(m_outcome.kernels.end(), outcome.kernels.begin(), outcome.kernels.end());
        m_outcome.variables.insert(m_outcome.variables.end(), outcome.variables.begin(), outcome.variables.end());
        m_outcome.loweredNames.insert(m_outcome.loweredNames.end(), outcome.loweredNames.begin(),
                                      outcome.loweredNames.end());
        return {};
    }

    Result<void> linkAll() {
        const auto start = std::chrono::steady_clock::now();
        const Linker linker(m_options, m_toolchain);
        if (!m_options.output.empty()) {
            GKS_TRY(linker.link(m_objects, m_linkedUnits, m_folder));
        }
        if (m_options.splitFolder) {
            GKS_TRY(linker.split(*m_split, *m_options.splitFolder, m_folder));
            GKS_TRY(writeFileAtomically(*m_options.splitFolder / moduleFactsFile,
                                        moduleFactsText(m_outcome.kernels, m_outcome.variables)));
        }
        m_outcome.seconds.link = secondsSince(start);
        return {};
    }

    const BuildOptions& m_options;
    Toolchain m_toolchain;
    fs::path m_folder;
    BuildOutcome m_outcome;
    std::vector<fs::path> m_objects;
    std::vector<DeviceCode> m_toBeLinked;
    std::vector<std::string> m_linkedUnits; // hashes of their ids
    std::optional<SplitObjects> m_split;
};

// False: it was asked for, is taken out of the options, and has no library here.
bool mayUseOpenMp(const Toolchain& toolchain, CompilerOptions& options) {
    const std::string openMp = "-fopenmp";
    if (std::find(options.linker.begin(), options.linker.end(), openMp) == options.linker.end()) {
        return true;
    }
    Command command;
    command.arguments = {toolchain.clang.string(), "-print-file-name=libomp.so"};
    const auto found = runProcess(command);
    if (found && found->ok() && found->output.starts_with('/')) {
        return true;
    }
    std::erase(options.linker, openMp);
    std::erase(options.frontEnd, openMp);
    return false;
}

} // namespace

Result<BuildOutcome> buildModule(const BuildOptions& options) {
    GKS_TRY_ASSIGN(Toolchain toolchain, findToolchain());
    GKS_TRY_ASSIGN(const TemporaryDirectory folder, TemporaryDirectory::create("gks-hipcpu"));
    BuildOptions possible = options;
    std::string note;
    if (!mayUseOpenMp(toolchain, possible.compiler)) {
        note = "note: -fopenmp is left out, so host code runs on one thread: libomp-19-dev is not installed\n";
    }
    GKS_TRY_ASSIGN(BuildOutcome outcome, Build(possible, std::move(toolchain), folder.path()).run());
    outcome.diagnostics.insert(0, note);
    return outcome;
}

} // namespace gks::hipcpu
