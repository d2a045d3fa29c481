// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/compiled_parts.h"

#include "core/base/elapsed.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/locations.h"
#include "core/hipcpu/retarget/diagnostic_keeper.h"
#include "core/hipcpu/retarget/fences.h"
#include "core/hipcpu/retarget/host_code.h"
#include "core/hipcpu/retarget/verified.h"
#include "core/hipcpu/retarget/work_list.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

namespace gks::hipcpu {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t keptObjects = 1500; // of some tens of kilobytes, three for a kernel
constexpr std::size_t mostPieces = 3;

fs::path objectPath(const fs::path& stem, std::size_t number) {
    return stem.string() + fmt::format(".{}.o", number);
}

// The program that this is part of: another one may make something else of a part.
std::string ownBuild() {
    const fs::path program = "/proc/self/exe";
    std::error_code ignored;
    return fmt::format("{} {} {}", programVersion(), fs::file_size(program, ignored),
                       fs::last_write_time(program, ignored).time_since_epoch().count());
}

// Objects of parts by what they were made of. Whoever cannot write there only compiles again.
class KeptParts {
public:
    explicit KeptParts(const fs::path& cacheFolder)
        : m_folder(cacheFolder.empty() ? fs::path() : cacheFolder / "kernels") {}

    bool isThere() const { return !m_folder.empty(); }

    // None where not all of them are there.
    std::vector<fs::path> restore(const std::string& key, const fs::path& stem) const {
        std::vector<fs::path> objects;
        std::error_code failed;
        for (std::size_t count = mostPieces; isThere() && objects.empty() && count > 0; --count) {
            for (std::size_t i = 0; i < count; ++i) {
                objects.push_back(objectPath(stem, i));
                const fs::path kept = path(key, i, count);
                if (!fs::copy_file(kept, objects.back(), fs::copy_options::overwrite_existing, failed)) {
                    objects.clear();
                    break;
                }
                fs::last_write_time(kept, fs::file_time_type::clock::now(), failed); // the oldest use goes first
            }
        }
        return objects;
    }

    void keep(const std::string& key, const std::vector<fs::path>& objects) const {
        for (std::size_t i = 0; isThere() && i < objects.size(); ++i) {
            const auto content = readFile(objects[i]);
            if (!content || content->empty() || !makeDirectories(m_folder) ||
                !writeFileAtomically(path(key, i, objects.size()), *content)) {
                return;
            }
        }
        if (isThere()) {
            dropOldest();
        }
    }

private:
    fs::path path(const std::string& key, std::size_t number, std::size_t count) const {
        return m_folder / fmt::format("{}.{}of{}.o", key, number + 1, count);
    }

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

struct Seconds {
    double optimise = 0;
    double emit = 0;
};

// A context with a module of it, on one thread.
class Work {
public:
    explicit Work(const PartOptions& options) : m_options(options), m_diagnostics(m_context) {
        m_context.setDiscardValueNames(options.irPath.empty()); // nobody reads them
    }

    Result<void> read(const std::string& bitcode) {
        GKS_TRY_ASSIGN(m_machine, hostMachine(m_options.blocks.level));
        auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "device code"), m_context);
        if (!module) {
            return infrastructureError("invalid IR of a part: " + llvm::toString(module.takeError()), "retargeter",
                                       "Please report this with the kernel");
        }
        m_module = std::move(*module);
        return {};
    }

    // Leaves the first piece.
    Result<std::vector<Piece>> takeApart(const KernelCode& code, bool& loops) {
        std::vector<Kernel> kernels(1);
        Kernel& kernel = kernels.front();
        kernel.name = code.name;
        kernel.maxThreadsPerBlock = code.maxThreadsPerBlock;
        kernel.thread = m_module->getFunction(code.thread);
        kernel.item = m_module->getFunction(code.item);
        makeBlockFunctions(kernels, *m_machine, m_options.blocks);
        loops = kernel.block != nullptr;
        if (loops) {
            kernel.block->setName(code.block);
            kernel.block->setLinkage(llvm::GlobalValue::ExternalLinkage);
            kernel.block->setVisibility(llvm::GlobalValue::HiddenVisibility);
        }
        GKS_TRY(verified(*m_module, "making loops"));
        Pieces pieces = piecesOf(*m_module, kernel);
        m_module = std::move(pieces.first);
        return std::move(pieces.others);
    }

    Result<Seconds> compile(bool isForFaults, const fs::path& object) {
        const auto begin = std::chrono::steady_clock::now();
        for (llvm::Function& function : *m_module) {
            lowerLdsAtomics(function);
        }
        if (isForFaults) {
            tidy(*m_module, *m_machine);
        } else {
            optimise(*m_module, *m_machine, m_options.blocks.level);
        }
        const double optimiseSeconds = secondsSince(begin);
        if (!m_options.irPath.empty()) {
            GKS_TRY(writeText(*m_module, m_options.irPath));
        }
        const auto optimised = std::chrono::steady_clock::now();
        GKS_TRY(emitObject(*m_module, *m_machine, object));
        if (!m_diagnostics.text().empty()) {
            return kernelError(m_diagnostics.text());
        }
        return Seconds{optimiseSeconds, secondsSince(optimised)};
    }

private:
    const PartOptions& m_options;
    llvm::LLVMContext m_context;
    DiagnosticKeeper m_diagnostics;
    std::unique_ptr<llvm::TargetMachine> m_machine;
    std::unique_ptr<llvm::Module> m_module;
};

class PartCompiler {
public:
    PartCompiler(const std::vector<DevicePart>& parts, fs::path stem, const PartOptions& options)
        : m_parts(parts)
        , m_stem(std::move(stem))
        , m_options(options)
        , m_kept(options.irPath.empty() ? options.cacheFolder : fs::path())
        , m_done(parts.size()) {}

    Result<CompiledParts> run() {
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            m_list.add(kernelsFirst + m_parts[i].bitcode.size(), [this, i] { m_done[i].outcome = compilePart(i); });
        }
        m_list.run();
        CompiledParts all;
        for (const Done& done : m_done) {
            GKS_TRY(done.outcome);
            all.optimiseSeconds += done.loopSeconds;
            for (const Result<Seconds>& seconds : done.pieces) {
                GKS_TRY(seconds);
                all.optimiseSeconds += seconds->optimise;
                all.emitSeconds += seconds->emit;
            }
            if (!done.pieces.empty()) {
                m_kept.keep(done.key, done.objects);
            }
            all.objects.insert(all.objects.end(), done.objects.begin(), done.objects.end());
            all.loops.push_back(done.loops);
        }
        return all;
    }

private:
    static constexpr std::size_t kernelsFirst = std::size_t{1} << 40; // pieces come of them

    struct Done {
        Result<void> outcome;
        std::string key;
        std::vector<fs::path> objects;
        std::vector<Result<Seconds>> pieces; // none of a part that was kept
        bool loops = false;
        double loopSeconds = 0;
    };

    Result<void> compilePart(std::size_t number) {
        const DevicePart& part = m_parts[number];
        Done& done = m_done[number];
        const fs::path stem = m_stem.string() + fmt::format(".{}", number);
        GKS_TRY_ASSIGN(done.key, keyOf(part));
        done.objects = m_kept.restore(done.key, stem);
        done.loops = done.objects.size() > 1;
        if (!done.objects.empty()) {
            return {};
        }
        const auto begin = std::chrono::steady_clock::now();
        Work work(m_options);
        GKS_TRY(work.read(part.bitcode));
        std::vector<Piece> others;
        if (part.kernel) {
            GKS_TRY_ASSIGN(others, work.takeApart(*part.kernel, done.loops));
        }
        done.loopSeconds = secondsSince(begin);
        done.pieces.resize(others.size() + 1);
        for (std::size_t i = 0; i < done.pieces.size(); ++i) {
            done.objects.push_back(objectPath(stem, i));
        }
        for (std::size_t i = 0; i < others.size(); ++i) {
            const std::size_t size = others[i].bitcode.size();
            m_list.add(size, [&done, i, this, piece = std::move(others[i])] {
                done.pieces[i + 1] = compiled(piece, done.objects[i + 1]);
            });
        }
        done.pieces[0] = work.compile(false, done.objects[0]);
        return {};
    }

    Result<std::string> keyOf(const DevicePart& part) const {
        if (!m_kept.isThere()) {
            return std::string();
        }
        GKS_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine, hostMachine(m_options.blocks.level));
        return sha256Hex(fmt::format("{} LLVM {} {} {} {} {}\n", ownBuild(), LLVM_VERSION_STRING,
                                     m_options.blocks.level, part.kernel ? part.kernel->maxThreadsPerBlock : 0,
                                     machine->getTargetCPU().str(), machine->getTargetFeatureString().str()) +
                         part.bitcode);
    }

    Result<Seconds> compiled(const Piece& piece, const fs::path& object) const {
        Work work(m_options);
        GKS_TRY(work.read(piece.bitcode));
        return work.compile(piece.isForFaults, object);
    }

    const std::vector<DevicePart>& m_parts;
    fs::path m_stem;
    const PartOptions& m_options;
    KeptParts m_kept;
    std::vector<Done> m_done;
    WorkList m_list;
};

} // namespace

Result<CompiledParts> compileParts(const std::vector<DevicePart>& parts, const fs::path& folder,
                                   const std::string& stem, const PartOptions& options) {
    return PartCompiler(parts, folder / stem, options).run();
}

} // namespace gks::hipcpu
