// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/export_check.h"

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/export/check_place.h"
#include "core/export/patch_file.h"
#include "core/export/torch_check.h"
#include "core/report/bundle.h"
#include "core/target/toolchain.h"

#include <fmt/format.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t solutionLimitBytes = std::size_t{16} << 20;
constexpr const char* noTest = "The interface was compiled and not run: this form has no test. --as library has one.";

Result<ExportCheck> checkHeader(const ExportedKernel& kernel, const CheckPlace& place) {
    ExportCheck check;
    GKS_TRY_ASSIGN(check.compiler, compileInterface(kernel, place, place.sources / (kernel.name + ".hip")));
    check.open.emplace_back(noTest);
    return check;
}

Result<ExportCheck> checkLibrary(const ExportedKernel& kernel, const CheckPlace& place) {
    ExportCheck check;
    GKS_TRY_ASSIGN(check.compiler, compileInterface(kernel, place, place.sources / (kernel.name + ".hip")));
    if (kernel.target != TargetKind::cpu) {
        check.open.emplace_back("The test was not run: it needs the card.");
        return check;
    }
    const fs::path reference = place.built / "reference.o";
    const fs::path program = place.built / "test";
    GKS_TRY(compileReference(place, place.sources / "test/reference.cpp", reference));
    GKS_TRY_ASSIGN(
        std::vector<std::string> words,
        hipccWords(kernel, {(place.sources / "test" / ("test_" + kernel.name + ".hip")).string(), reference.string(),
                            "-I" + place.sources.string(), "-L" + place.built.string(), "-l" + kernel.name,
                            "-Wl,-rpath," + place.built.string(), "-o", program.string()}));
    GKS_TRY(runInPlace(place, std::move(words), true, "test/test_" + kernel.name + ".hip"));
    GKS_TRY_ASSIGN(check.output, runInPlace(place, {program.string()}, false, "test_" + kernel.name));
    check.hasRun = true;
    return check;
}

// What the patch adds, in an empty folder.
Result<ExportCheck> checkPatch(const ExportedKernel& kernel, const CheckPlace& place, const fs::path& patch) {
    const fs::path tree = place.built / "tree";
    GKS_TRY(applyPatch(patch, tree));
    std::error_code code;
    for (auto at = fs::recursive_directory_iterator(tree, code); !code && at != fs::recursive_directory_iterator();
         at.increment(code)) {
        if (at->path().filename() == kernel.name + ".hip") {
            ExportCheck check;
            GKS_TRY_ASSIGN(check.compiler, compileInterface(kernel, place, at->path()));
            check.open.emplace_back(noTest);
            return check;
        }
    }
    return infrastructureError(fmt::format("adds no {}.hip", kernel.name), patch.string());
}

Result<ExportCheck> checkHub(const ExportedKernel& kernel, const CheckPlace& place) {
    ExportCheck check;
    GKS_TRY_ASSIGN(check.compiler, compileInterface(kernel, place, place.sources / "src" / (kernel.name + ".cu")));
    check.open.emplace_back("torch-ext/torch_binding.cpp was not compiled: kernel-builder makes its registration.h.");
    return check;
}

// The sources that stand in the JSON, as files.
Result<ExportCheck> checkSolution(const ExportedKernel& kernel, const CheckPlace& place) {
    const fs::path file = place.sources / (kernel.name + ".json");
    GKS_TRY_ASSIGN(const std::string text, readFile(file, solutionLimitBytes));
    GKS_TRY_ASSIGN(const Json solution, parseJson(text, file.string()));
    const fs::path sources = place.built / "sources";
    for (const Json& one : solution.value("sources", Json::array())) {
        const std::string path = one.value("path", "");
        if (!isBundlePath(path)) {
            return infrastructureError("names a source by what is no plain path", file.string());
        }
        GKS_TRY(makeDirectories((sources / path).parent_path()));
        GKS_TRY(writeFileAtomically(sources / path, one.value("content", "")));
    }
    ExportCheck check;
    GKS_TRY_ASSIGN(check.compiler, compileInterface(kernel, place, sources / (kernel.name + ".cu")));
    GKS_TRY(compileBinding(kernel, place, sources / "binding.cpp", check));
    check.open.emplace_back("It was not run in FlashInfer-Bench, which needs an NVIDIA card.");
    return check;
}

} // namespace

Result<ExportCheck> checkExport(const ExportedKernel& kernel, ExportForm form, const fs::path& folder,
                                const std::stop_token& stop) {
    if (kernel.pack.harness) {
        return usageError("only the harness of its command pack knows how it is built", "export --check",
                          "The export is written; judge its source: kernel-scientist-cli evaluate FILE --problem DIR");
    }
    GKS_TRY_ASSIGN(const TemporaryDirectory built, TemporaryDirectory::create("gks-export"));
    GKS_TRY_ASSIGN(const CheckPlace place, checkPlace(folder, built.path(), stop));
    switch (form) {
    case ExportForm::header:
        return checkHeader(kernel, place);
    case ExportForm::library:
        return checkLibrary(kernel, place);
    case ExportForm::torch:
        return checkTorch(kernel, place);
    case ExportForm::hfKernel:
        return checkHub(kernel, place);
    case ExportForm::flashinfer:
        return checkSolution(kernel, place);
    case ExportForm::patch:
        break;
    }
    return checkPatch(kernel, place, place.sources / (kernel.name + ".patch"));
}

} // namespace gks
