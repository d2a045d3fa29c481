// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/problem_import.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/base/whole_folder.h"
#include "core/import/cuda_task_import.h"
#include "core/import/definition_import.h"
#include "core/import/task_import.h"
#include "core/problem/problem.h"

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t importedFileBytes = std::size_t{1} << 20;

Result<ImportedProblem> readTask(const fs::path& folder) {
    GKS_TRY_ASSIGN(const std::string task, readFile(folder / "task.yml", importedFileBytes));
    std::error_code code;
    const fs::path whole = fs::weakly_canonical(folder, code);
    const std::string name = (whole.filename().empty() ? whole.parent_path() : whole).filename().string();
    if (!fs::exists(folder / "reference.py", code)) {
        if (!fs::exists(folder / "reference.cuh", code)) {
            return usageError("has neither reference.py nor reference.cuh", folder.string(),
                              "Write the problem pack by hand");
        }
        const auto ofFolder = [&](const std::string& file) { return readFile(folder / file, importedFileBytes); };
        return problemFromCudaTask(task, ofFolder, name, folder.string());
    }
    GKS_TRY_ASSIGN(const std::string reference, readFile(folder / "reference.py", importedFileBytes));
    return problemFromTask(task, reference, name, folder.string());
}

Result<ImportedProblem> readBenchmark(const fs::path& folder) {
    const fs::path definition = folder / "definition.json";
    GKS_TRY_ASSIGN(const std::string text, readFile(definition, importedFileBytes));
    std::optional<Workloads> workloads;
    std::error_code code;
    if (const fs::path file = folder / "workload.jsonl"; fs::exists(file, code)) {
        GKS_TRY_ASSIGN(const std::string lines, readFile(file, importedFileBytes));
        GKS_TRY_ASSIGN(workloads, readWorkloads(lines, file.string()));
    }
    return problemFromDefinition(text, definition.string(), workloads);
}

} // namespace

Result<ImportedProblem> readForeignProblem(const fs::path& place) {
    std::error_code code;
    if (!fs::is_directory(place, code)) {
        GKS_TRY_ASSIGN(const std::string text, readFile(place, importedFileBytes));
        return problemFromDefinition(text, place.string());
    }
    if (fs::exists(place / "task.yml", code)) {
        return readTask(place);
    }
    if (fs::exists(place / "definition.json", code)) {
        return readBenchmark(place);
    }
    return usageError("holds neither task.yml nor definition.json", place.string(),
                      "Name a Definition, or the folder of a problem of SOL-ExecBench or GPU MODE");
}

Result<void> writeProblem(const ImportedProblem& problem, const fs::path& folder) {
    return writeFolderAtomically(folder, problem.files, [](const fs::path& written) -> Result<void> {
        auto loaded = loadProblemPack(written.string());
        if (!loaded) { // where it was written is gone by then
            Error& error = loaded.error();
            error.where = "what would be written: " + replaceAll(error.where, written.string() + "/", "");
            return tl::unexpected(std::move(error));
        }
        return {};
    });
}

} // namespace gks
