// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/compiled_parts.h"

#include "core/base/elapsed.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/hipcpu/retarget/diagnostic_keeper.h"
#include "core/hipcpu/retarget/host_code.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <numeric>
#include <thread>

namespace gks::hipcpu {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t keptObjects = 1500; // of some tens of kilobytes, three for a kernel
constexpr int pipelineVersion = 3;        // to be raised when optimise() or emitObject() do something else

// Compiled parts by what they were made of. Whoever cannot write there only compiles again.
class KeptParts {
public:
    explicit KeptParts(const fs::path& cacheFolder)
        : m_folder(cacheFolder.empty() ? fs::path() : cacheFolder / "kernels") {}

    bool restore(const std::string& key, const fs::path& object) const {
        std::error_code failed;
        if (m_folder.empty() || !fs::copy_file(path(key), object, fs::copy_options::overwrite_existing, failed)) {
            return false;
        }
        fs::last_write_time(path(key), fs::file_time_type::clock::now(), failed); // the oldest use goes first
        return true;
    }

    void keep(const std::string& key, const fs::path& object) const {
        const auto content = m_folder.empty() ? Result<std::string>(std::string()) : readFile(object);
        if (!content || content->empty() || !makeDirectories(m_folder)) {
            return;
        }
        if (writeFileAtomically(path(key), *content)) {
            dropOldest();
        }
    }

private:
    fs::path path(const std::string& key) const { return m_folder / (key + ".o"); }

    void dropOldest() const {
        std::vector<std::pair<fs::file_time_type, fs::path>> files;
        std::error_code ignored;
        for (fs::directory_iterator at(m_folder, ignored), end; !ignored && at != end; at.increment(ignored)) {
            files.emplace_back(at->last_write_time(ignored), at->path());
        }
        if (files.size() > keptObjects) {
            const auto middle = files.begin() + static_cast<std::ptrdiff_t>(files.size() / 2);
            std::nth_element(files.begin(), middle, files.end());
            std::for_each(files.begin(), middle, [&](const auto& file) { fs::remove(file.second, ignored); });
        }
    }

    fs::path m_folder;
};

Result<void> writeText(const llvm::Module& module, const fs::path& path) {
    std::error_code problem;
    llvm::raw_fd_ostream out(path.string(), problem);
    if (problem) {
        return infrastructureError(problem.message(), path.string());
    }
    module.print(out, nullptr);
    return {};
}

struct PartSeconds {
    double optimise = 0;
    double emit = 0;
};

Result<PartSeconds> compilePart(const DevicePart& device, const fs::path& object, const PartOptions& options) {
    PartSeconds seconds;
    llvm::LLVMContext context;
    context.setDiscardValueNames(options.irPath.empty()); // nobody reads them
    DiagnosticKeeper diagnostics(context);
    GKS_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine, hostMachine(options.optimisationLevel));
    const KeptParts kept(options.irPath.empty() ? options.cacheFolder : fs::path());
    const std::string key = sha256Hex(
        fmt::format("{} LLVM {} {} {} {} {}\n", pipelineVersion, LLVM_VERSION_STRING, device.isForFaults,
                    options.optimisationLevel, machine->getTargetCPU().str(), machine->getTargetFeatureString().str()) +
        device.bitcode);
    if (kept.restore(key, object)) {
        return seconds;
    }
    auto part = llvm::parseBitcodeFile(llvm::MemoryBufferRef(device.bitcode, "device code"), context);
    if (!part) {
        return infrastructureError("invalid IR of a part: " + llvm::toString(part.takeError()), "retargeter",
                                   "Please report this with the kernel");
    }
    const auto begin = std::chrono::steady_clock::now();
    if (device.isForFaults) {
        tidy(**part, *machine);
    } else {
        optimise(**part, *machine, options.optimisationLevel);
    }
    seconds.optimise = secondsSince(begin);
    if (!options.irPath.empty()) {
        GKS_TRY(writeText(**part, options.irPath));
    }
    const auto optimised = std::chrono::steady_clock::now();
    GKS_TRY(emitObject(**part, *machine, object));
    seconds.emit = secondsSince(optimised);
    if (!diagnostics.text().empty()) {
        return kernelError(diagnostics.text());
    }
    kept.keep(key, object);
    return seconds;
}

} // namespace

Result<CompiledParts> compileParts(const std::vector<DevicePart>& parts, const fs::path& folder,
                                   const std::string& stem, const PartOptions& options) {
    CompiledParts compiled;
    std::vector<Result<PartSeconds>> outcomes(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        compiled.objects.push_back(folder / fmt::format("{}.{}.o", stem, i));
    }
    // The longest first, so that none is begun when the others are nearly done.
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return parts[a].bitcode.size() > parts[b].bitcode.size(); });
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t at = next++; at < parts.size(); at = next++) {
            const std::size_t i = order[at];
            outcomes[i] = compilePart(parts[i], compiled.objects[i], options);
        }
    };
    {
        std::vector<std::jthread> others;
        const std::size_t threads =
            std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), parts.size());
        for (std::size_t i = 1; i < threads; ++i) {
            others.emplace_back(work);
        }
        work();
    }
    for (const Result<PartSeconds>& outcome : outcomes) {
        GKS_TRY(outcome);
        compiled.optimiseSeconds += outcome->optimise;
        compiled.emitSeconds += outcome->emit;
    }
    return compiled;
}

} // namespace gks::hipcpu
