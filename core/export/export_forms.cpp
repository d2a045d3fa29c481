// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/export_forms.h"

#include "core/base/text.h"
#include "core/base/whole_folder.h"
#include "core/export/c_interface.h"
#include "core/export/export_pages.h"
#include "core/export/flashinfer_solution.h"
#include "core/export/harness_files.h"
#include "core/export/library_files.h"
#include "core/export/patch_file.h"
#include "core/export/torch_files.h"
#include "core/report/bundle.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

std::string code(std::string_view language, const std::string& text) {
    return fmt::format("```{}\n{}\n```", language, text);
}

// Of a compiler that understands the source as it is, and what it is called.
std::string compileLines(const std::string& name) {
    return code(
        "sh",
        fmt::format("hipcc -O3 -std=c++17 -fPIC -shared {0}.hip -o lib{0}.so                                  # AMD\n"
                    "nvcc -x cu -O3 -std=c++17 --expt-relaxed-constexpr -Xcompiler -fPIC -shared {0}.hip -o lib{0}.so  "
                    "# NVIDIA\n"
                    "kernel-scientist-hipcc -O3 -std=c++17 -shared {0}.hip -o lib{0}.so                     # CPU",
                    name));
}

std::string cmakeLines() {
    return code(
        "sh",
        "cmake -B build            # -D..._COMPILER=/path/of/kernel-scientist-hipcc for the CPU\ncmake --build build\n"
        "ctest --test-dir build --output-on-failure   # where there is a test");
}

ReadmeText readmeOf(const ExportedKernel& kernel, ExportForm form) {
    ReadmeText text;
    const std::string& name = kernel.name;
    switch (form) {
    case ExportForm::header:
    case ExportForm::patch:
        text.form = form == ExportForm::patch ? "A git patch" : "C header and source";
        text.use = {"`" + name + ".h` is the interface, `" + name +
                        ".hip` all of the rest: kernel, fallback and the choice between them.",
                    compileLines(name)};
        if (form == ExportForm::patch) {
            text.use.insert(text.use.begin(), code("sh", "git apply " + name + ".patch"));
        }
        break;
    case ExportForm::library:
        text.form = "A shared library with a C interface, and its test,";
        text.use = {cmakeLines(), "The test compares kernel, fallback and the problem's reference on measured shapes "
                                  "and on others; its status "
                                  "is not 0 where an output is wrong."};
        break;
    case ExportForm::torch:
        text.form = "A PyTorch extension";
        text.use = {
            code("sh", fmt::format("python load_inline.py                     # compiles and tests, installs nothing\n"
                                   "pip install --no-build-isolation .\npython test_{}.py",
                                   name)),
            code("python",
                 fmt::format(
                     "import {0}\nresult = {0}.run(...)   # which=1: always the kernel, which=2: always the fallback",
                     name))};
        break;
    case ExportForm::hfKernel:
        text.form = "A project for Hugging Face's kernel-builder";
        text.use = {"The layout is that of `kernel-builder`: `build.toml`, `torch-ext/`, `src/`. Build it there (`nix "
                    "run .#build-and-copy`), then "
                    "publish the folder."};
        break;
    case ExportForm::flashinfer:
        text.form = "A Solution for FlashInfer-Bench";
        text.use = {"`" + name +
                    ".json` goes to `solutions/` of a trace set, below its author, op type and Definition."};
        break;
    }
    text.open = openOf(kernel, form);
    return text;
}

Result<BundleFiles> formFiles(const ExportedKernel& kernel, const ExportOptions& options) {
    const CInterfaceOptions interface = {.between = options.between};
    switch (options.form) {
    case ExportForm::header: {
        GKS_TRY_ASSIGN(BundleFiles files, interfaceFiles(kernel, interface));
        files["CMakeLists.txt"] = buildFile(kernel, false);
        return files;
    }
    case ExportForm::library: {
        GKS_TRY_ASSIGN(BundleFiles files, interfaceFiles(kernel, interface));
        GKS_TRY_ASSIGN(const BundleFiles tests, testFiles(kernel));
        files.insert(tests.begin(), tests.end());
        files["CMakeLists.txt"] = buildFile(kernel, true);
        return files;
    }
    case ExportForm::torch:
        return torchFiles(kernel, interface);
    case ExportForm::hfKernel:
        return hubFiles(kernel, interface);
    case ExportForm::flashinfer:
        return solutionFiles(kernel, interface, options.definition, options.hardware);
    case ExportForm::patch:
        break;
    }
    GKS_TRY(checkPatchPlace(options));
    GKS_TRY_ASSIGN(BundleFiles added, interfaceFiles(kernel, interface));
    added[kernel.name + ".md"] = evidencePage(kernel, options.between);
    BundleFiles files;
    GKS_TRY_ASSIGN(files[kernel.name + ".patch"], patchFor(added, options.into, options.path));
    return files;
}

} // namespace

std::string_view name(ExportForm form) {
    switch (form) {
    case ExportForm::header:
        return "header";
    case ExportForm::library:
        return "library";
    case ExportForm::torch:
        return "torch";
    case ExportForm::hfKernel:
        return "hf-kernel";
    case ExportForm::flashinfer:
        return "flashinfer";
    case ExportForm::patch:
        return "patch";
    }
    return "header";
}

Result<ExportForm> exportFormFromName(std::string_view wanted) {
    const auto found = std::ranges::find_if(exportForms, [&](ExportForm form) { return name(form) == wanted; });
    return found != exportForms.end() ? Result<ExportForm>(*found)
                                      : usageError(fmt::format("unknown form \"{}\"", abbreviated(wanted, 40)),
                                                   "export", fmt::format("Use one of {}", exportFormNames));
}

std::vector<std::string> openOf(const ExportedKernel& kernel, ExportForm form) {
    if (kernel.pack.harness) {
        return {"Nothing was compiled: only the harness knows how. It is " + judgedByHarness() + "."};
    }
    std::vector<std::string> open;
    const std::string judged =
        fmt::format("the judge built and ran both kernels on the target {}", name(kernel.target));
    const std::string unlessChecked = ", unless the export was made with --check and said otherwise; ";
    switch (form) {
    case ExportForm::header:
    case ExportForm::patch:
        open.push_back("The interface was written and not compiled" + unlessChecked + judged + ".");
        break;
    case ExportForm::library:
        open.push_back("The library was written and not compiled" + unlessChecked + judged + ".");
        break;
    case ExportForm::torch:
        open.push_back("Nothing was compiled with PyTorch" + unlessChecked + judged + ".");
        break;
    case ExportForm::hfKernel:
        open.push_back("Nothing was built with kernel-builder, which needs Nix and PyTorch; " + judged + ".");
        break;
    case ExportForm::flashinfer:
        open.push_back("The Solution was not run in FlashInfer-Bench; " + judged + ".");
        if (kernel.target != TargetKind::nvidia) {
            open.emplace_back("No CUDA compiler has read its sources.");
        }
        break;
    }
    if (kernel.target != TargetKind::amd) {
        open.emplace_back("Nothing was measured on an AMD GPU.");
    }
    if (kernel.target != TargetKind::nvidia) {
        open.emplace_back("Nothing was measured on an NVIDIA GPU.");
    }
    return open;
}

Result<void> checkPatchPlace(const ExportOptions& options) {
    return options.into.empty() || options.path.empty()
               ? Result<void>(usageError("a patch needs the tree that it is for and a folder in it", "export",
                                         "Add --into TREE --path FOLDER"))
               : Result<void>();
}

Result<BundleFiles> exportFiles(const ExportedKernel& kernel, const ExportOptions& options) {
    if (kernel.pack.harness) {
        return harnessFiles(kernel, options);
    }
    GKS_TRY_ASSIGN(BundleFiles files, formFiles(kernel, options));
    files["README.md"] = readmePage(kernel, readmeOf(kernel, options.form));
    files["EVIDENCE.md"] = evidencePage(kernel, options.between);
    files["LICENSE.md"] = licencePage(kernel);
    return files;
}

Result<void> writeExport(const BundleFiles& files, const std::filesystem::path& folder) {
    GKS_TRY(checkBundleFolder(folder));
    for (const auto& [path, content] : files) {
        if (!isBundlePath(path)) {
            return infrastructureError("is no plain path", path);
        }
    }
    return writeFolderAtomically(folder, files);
}

} // namespace gks
