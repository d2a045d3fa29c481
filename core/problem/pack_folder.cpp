// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/regular_file.h"
#include "core/base/text.h"
#include "core/problem/anchor_tables.h"
#include "core/problem/harness.h"
#include "core/problem/manifest.h"
#include "core/problem/probe_pack.h"
#include "core/problem/seed_file.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t manifestLimitBytes = std::size_t{1} << 20;
constexpr std::size_t sourceLimitBytes = std::size_t{256} << 10;
constexpr std::size_t notesLimitBytes = std::size_t{64} << 10;

std::string titleOf(std::string_view source) {
    for (const std::string_view line : lines(source)) {
        std::string_view text = trimmed(line);
        if (text.starts_with("//")) {
            text = trimmed(text.substr(2));
            if (!text.empty() && !text.starts_with("SPDX-")) {
                return std::string(text);
            }
        } else if (!text.empty()) {
            break;
        }
    }
    return {};
}

void putInOrder(std::vector<SeedKernel>& seeds) {
    std::sort(seeds.begin(), seeds.end(), [](const SeedKernel& a, const SeedKernel& b) {
        return std::pair(a.name != "naive", a.name) < std::pair(b.name != "naive", b.name);
    });
}

Result<std::vector<SeedKernel>> readSeeds(const fs::path& folder, const fs::path& extension) {
    std::vector<SeedKernel> seeds;
    std::error_code code;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
        if (entry.path().extension() != extension) {
            continue;
        }
        GKS_TRY_ASSIGN(SeedKernel seed, readSeedKernel(entry.path(), sourceLimitBytes));
        if (seed.title.empty()) {
            return usageError("missing title: the first line of a seed must be a // comment",
                              seed.path.string() + ":1");
        }
        seeds.push_back(std::move(seed));
    }
    putInOrder(seeds);
    return seeds;
}

Result<std::string> readNotes(const fs::path& folder) {
    const fs::path file = folder / "notes.md";
    GKS_TRY_ASSIGN(std::string notes, readFile(file, notesLimitBytes));
    return trimmed(notes).empty() ? Result<std::string>(usageError("is empty", file.string())) : notes;
}

// A kernel is compared, tuned and shown as source of the C family: a comment and a word are something else elsewhere.
constexpr std::array kernelExtensions = {".hip", ".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx", ".cl", ".h", ".hpp"};

// Its seeds and notes may be left out: a campaign can begin with kernels of the person's own.
Result<ProblemPack> loadCommandPack(const fs::path& folder) {
    GKS_TRY_ASSIGN(Harness harness, loadHarness(folder));
    const fs::path extension = fs::path(harness.source).extension();
    if (std::ranges::find(kernelExtensions, extension) == kernelExtensions.end()) {
        return usageError(
            fmt::format("\"source\" is {}: a campaign's kernels are HIP, CUDA, OpenCL, C or C++", harness.source),
            (folder / harnessFile).string(), "Judge kernels of other languages with evaluate");
    }
    ProblemPack pack;
    pack.name = harness.name;
    pack.title = harness.title;
    pack.folder = harness.folder;
    for (const ShapeSet set : {ShapeSet::test, ShapeSet::benchmark, ShapeSet::quick, ShapeSet::cpu}) {
        pack.shapes[set] = {Shape()};
    }
    pack.notes = harness.title;
    std::error_code ignored;
    if (fs::exists(folder / "notes.md", ignored)) {
        GKS_TRY_ASSIGN(pack.notes, readNotes(folder));
    }
    GKS_TRY_ASSIGN(pack.seeds, readSeeds(folder / "seeds", extension));
    pack.harness = std::move(harness);
    return pack;
}

enum class Packs { ofTheJudge, ofCampaigns };

Result<ProblemPack> loadFromFolder(const fs::path& folder, Packs packs = Packs::ofTheJudge) {
    std::error_code ignored;
    if (const std::string kind = specialFile(folder); !kind.empty() && !fs::is_directory(folder, ignored)) {
        return usageError(fmt::format("is {}, a folder with a problem.toml is needed", kind), folder.string());
    }
    const fs::path file = folder / "problem.toml";
    if (isHarness(folder)) {
        return packs == Packs::ofCampaigns
                   ? loadCommandPack(folder)
                   : Result<ProblemPack>(usageError("is a command pack: this is for problems that our own judge knows, "
                                                    "and its verdicts are those of its own harness",
                                                    folder.string(), "Use it with evaluate, or in a campaign"));
    }
    GKS_TRY_ASSIGN(const std::string content, readFile(file, manifestLimitBytes));
    ProblemPack pack;
    pack.folder = folder;
    GKS_TRY(readManifest(file, content, pack));
    pack.referencePath = folder / "reference.cpp";
    GKS_TRY_ASSIGN(const std::string reference, readFile(pack.referencePath, sourceLimitBytes));
    if (trimmed(reference).empty()) {
        return usageError("is empty", pack.referencePath.string());
    }
    GKS_TRY_ASSIGN(pack.notes, readNotes(folder));
    GKS_TRY_ASSIGN(pack.seeds, readSeeds(folder / "seeds", ".hip"));
    GKS_TRY(findAnchorSources(folder, pack.anchors));
    return pack;
}

Result<std::vector<fs::path>> builtinFolders() {
    const fs::path folder = resourceFolder() / "problems";
    std::vector<fs::path> folders;
    std::error_code code;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
        if (entry.is_directory()) {
            folders.push_back(entry.path());
        }
    }
    if (code || folders.empty()) {
        return infrastructureError("no problem packs are installed here", folder.string(),
                                   "Set GKS_RESOURCES to the resources folder");
    }
    std::sort(folders.begin(), folders.end());
    return folders;
}

} // namespace

Result<SeedKernel> readSeedKernel(const fs::path& file, std::size_t limitBytes) {
    SeedKernel seed;
    seed.path = file;
    seed.name = file.stem().string();
    GKS_TRY_ASSIGN(seed.source, readFile(file, limitBytes));
    seed.title = titleOf(seed.source);
    return seed;
}

namespace {

Result<ProblemPack> loadPack(std::string_view nameOrFolder, Packs packs) {
    if (nameOrFolder == probePackName) {
        return loadFromFolder(resourceFolder() / probePackName);
    }
    if (nameOrFolder.find('/') == std::string_view::npos) {
        GKS_TRY_ASSIGN(const auto folders, builtinFolders());
        std::vector<std::string> names;
        for (const fs::path& folder : folders) {
            names.push_back(folder.filename().string());
            if (names.back() == nameOrFolder) {
                return loadFromFolder(folder);
            }
        }
        std::error_code ignored;
        if (!fs::is_directory(nameOrFolder, ignored)) {
            return usageError(fmt::format("unknown problem \"{}\"", nameOrFolder), {},
                              fmt::format("Use {}, or the folder of a problem pack{}", fmt::join(names, ", "),
                                          packs == Packs::ofCampaigns ? " or a command pack" : ""));
        }
    }
    return loadFromFolder(nameOrFolder, packs);
}

} // namespace

Result<ProblemPack> loadProblemPack(std::string_view nameOrFolder) {
    return loadPack(nameOrFolder, Packs::ofTheJudge);
}

Result<ProblemPack> loadCampaignProblem(std::string_view nameOrFolder) {
    return loadPack(nameOrFolder, Packs::ofCampaigns);
}

std::string kernelExtension(const ProblemPack& pack) {
    return pack.harness ? fs::path(pack.harness->source).extension().string() : ".hip";
}

Result<void> checkKernelFile(const ProblemPack& pack, const fs::path& file) {
    if (!pack.harness || file.extension() == kernelExtension(pack)) {
        return {};
    }
    return usageError(fmt::format("is no kernel of {}: the harness of this command pack takes files like {}", pack.name,
                                  pack.harness->source),
                      file.string(), fmt::format("Name a file that ends in {}", kernelExtension(pack)));
}

bool isBuiltin(const ProblemPack& pack) {
    // Where the links lead, as the kernel goes: "link/.." as text would be another folder.
    std::error_code code;
    const fs::path folder = fs::canonical(pack.folder, code);
    return !code && (fs::equivalent(folder.parent_path(), resourceFolder() / "problems", code) ||
                     fs::equivalent(folder, resourceFolder() / probePackName, code));
}

Result<std::vector<ProblemPack>> builtinProblems() {
    GKS_TRY_ASSIGN(const auto folders, builtinFolders());
    std::vector<ProblemPack> packs;
    for (const fs::path& folder : folders) {
        GKS_TRY_ASSIGN(ProblemPack pack, loadFromFolder(folder));
        packs.push_back(std::move(pack));
    }
    return packs;
}

Result<void> keepSeeds(ProblemPack& pack, const std::vector<std::string>& names) {
    const auto hasName = [](const std::string& name) {
        return [&name](const SeedKernel& seed) { return seed.name == name; };
    };
    for (const std::string& name : names) {
        if (std::none_of(pack.seeds.begin(), pack.seeds.end(), hasName(name))) {
            std::vector<std::string> there;
            std::ranges::transform(pack.seeds, std::back_inserter(there), &SeedKernel::name);
            return usageError(fmt::format("{} has no seed \"{}\"", pack.name, name), {},
                              fmt::format("It has {}", join(there, ", ")));
        }
    }
    std::erase_if(pack.seeds, [&](const SeedKernel& seed) {
        return std::find(names.begin(), names.end(), seed.name) == names.end();
    });
    return {};
}

} // namespace gks
