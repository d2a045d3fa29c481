// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/torch_check.h"

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/target/toolchain.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

struct PyTorch {
    fs::path python;
    fs::path package;              // .../torch
    fs::path prefix;               // of the interpreter
    std::string version;           // "1.13.0"
    std::vector<fs::path> headers; // folders, Python's too
    bool hasNewStrings = true;     // _GLIBCXX_USE_CXX11_ABI
};

constexpr const char* question = R"(
import json, sys, sysconfig, torch
print(json.dumps({"version": torch.__version__, "package": torch.__path__[0], "prefix": sys.base_prefix,
                  "headers": sysconfig.get_paths()["include"], "new": bool(torch._C._GLIBCXX_USE_CXX11_ABI)}))
)";

bool isThere(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

bool isOfSystem(const fs::path& path) {
    return path.string().starts_with("/usr/") && !path.string().starts_with("/usr/local/");
}

// The system's Python as well: one of pyenv or conda may stand before it in the path. It is asked in an empty folder,
// since Python looks for modules where it stands.
std::optional<PyTorch> pyTorchOf(const fs::path& python, const fs::path& empty) {
    Command command;
    command.arguments = {python.string(), "-B", "-c", question};
    command.folder = empty;
    const auto run = runProcess(command, {.timeout = std::chrono::seconds(120)});
    if (!run || !run->ok()) {
        return std::nullopt;
    }
    const auto answer = parseJson(trimmed(run->output), python.string());
    if (!answer || !answer->is_object()) {
        return std::nullopt;
    }
    PyTorch found;
    found.python = python;
    found.package = answer->value("package", "");
    found.prefix = answer->value("prefix", "");
    found.version = answer->value("version", "");
    found.hasNewStrings = answer->value("new", true);
    found.headers = {found.package / "include", found.package / "include/torch/csrc/api/include",
                     "/usr/include/torch/csrc/api/include", fs::path(answer->value("headers", ""))};
    std::erase_if(found.headers, [](const fs::path& folder) { return !isThere(folder); });
    return found;
}

// Debian puts the headers below /usr/include.
std::string missingHeader(const PyTorch& torch) {
    for (const auto& [header, package] :
         {std::pair("torch/extension.h", "libtorch-dev"), std::pair("pybind11/pybind11.h", "pybind11-dev"),
          std::pair("Python.h", "python3-dev")}) {
        const bool isFound =
            isThere(fs::path("/usr/include") / header) ||
            std::ranges::any_of(torch.headers, [&](const fs::path& at) { return isThere(at / header); });
        if (!isFound) {
            return fmt::format("PyTorch {} is here without {}: on Debian, apt-get install {}", torch.version, header,
                               package);
        }
    }
    return {};
}

// Or why there is none that can be used.
Result<PyTorch> findPyTorch(const fs::path& empty) {
    std::vector<fs::path> pythons;
    if (const auto first = findProgram("python3")) {
        pythons.push_back(*first);
    }
    pythons.emplace_back("/usr/bin/python3");
    for (const fs::path& python : pythons) {
        if (auto torch = pyTorchOf(python, empty)) {
            const std::string missing = missingHeader(*torch);
            return missing.empty() ? Result<PyTorch>(std::move(*torch))
                                   : Result<PyTorch>(infrastructureError(missing, "export --check"));
        }
    }
    return infrastructureError("no python3 here has PyTorch: on Debian, apt-get install python3-torch libtorch-dev "
                               "pybind11-dev",
                               "export --check");
}

CheckPlace withPyTorch(CheckPlace place, const PyTorch& torch) {
    for (const fs::path& folder : {torch.prefix, torch.package.parent_path()}) {
        if (!isOfSystem(folder) && folder != "/usr") {
            place.readable.push_back(folder);
        }
    }
    place.environment.emplace_back("PYTHONPATH", torch.package.parent_path().string());
    return place;
}

std::string onCpuMacro(const ExportedKernel& kernel) {
    std::string text = "-D" + kernel.name + "_ON_CPU";
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
    return text;
}

// C++17: the headers of PyTorch 1 are no C++20.
Result<void> compileAgainst(const ExportedKernel& kernel, const CheckPlace& place, const PyTorch& torch,
                            const fs::path& source, const fs::path& output) {
    std::vector<std::string> words = {toolchain().clang->string(),
                                      "-std=c++17",
                                      "-O1",
                                      "-fPIC",
                                      "-w",
                                      onCpuMacro(kernel),
                                      "-DTORCH_EXTENSION_NAME=_C",
                                      fmt::format("-D_GLIBCXX_USE_CXX11_ABI={:d}", torch.hasNewStrings)};
    for (const fs::path& folder : torch.headers) {
        words.insert(words.end(), {"-isystem", folder.string()});
    }
    words.insert(words.end(), {"-I" + source.parent_path().string(), "-c", source.string(), "-o", output.string()});
    GKS_TRY(runInPlace(place, std::move(words), true, source.filename().string()));
    return {};
}

Result<void> linkExtension(const ExportedKernel& kernel, const CheckPlace& place, const PyTorch& torch,
                           const std::vector<fs::path>& objects, const fs::path& output) {
    std::vector<std::string> words = {toolchain().clang->string(), "-shared"};
    for (const fs::path& object : objects) {
        words.push_back(object.string());
    }
    const std::string libraries = (torch.package / "lib").string();
    for (const std::string& folder : {place.built.string(), hipcpuFolder().string(), libraries}) {
        words.insert(words.end(), {"-L" + folder, "-Wl,-rpath," + folder});
    }
    words.insert(words.end(), {"-l" + kernel.name, "-lhipcpu", "-lc10", "-ltorch", "-ltorch_cpu", "-ltorch_python",
                               "-o", output.string()});
    GKS_TRY(runInPlace(place, std::move(words), true, output.filename().string()));
    return {};
}

} // namespace

Result<void> compileReference(const CheckPlace& place, const fs::path& source, const fs::path& output) {
    GKS_TRY(runInPlace(
        place,
        {toolchain().clang->string(), "-std=c++20", "-O2", "-fPIC", "-c", source.string(), "-o", output.string()}, true,
        source.filename().string()));
    return {};
}

Result<void> compileBinding(const ExportedKernel& kernel, const CheckPlace& place, const fs::path& source,
                            ExportCheck& check) {
    const std::string name = source.filename().string();
    if (kernel.target != TargetKind::cpu) {
        check.open.push_back(name + " was not compiled: for a card it needs the PyTorch that is made for it.");
        return {};
    }
    const auto torch = findPyTorch(place.built);
    if (!torch) {
        check.open.push_back(fmt::format("{} was not compiled: {}.", name, torch.error().what));
        return {};
    }
    GKS_TRY(compileAgainst(kernel, withPyTorch(place, *torch), *torch, source, place.built / "binding.o"));
    check.compiler += fmt::format(", and clang 19 with the headers of PyTorch {}", torch->version);
    return {};
}

Result<ExportCheck> checkTorch(const ExportedKernel& kernel, const CheckPlace& place) {
    const fs::path sources = place.sources / "csrc";
    ExportCheck check;
    GKS_TRY_ASSIGN(check.compiler, compileInterface(kernel, place, sources / (kernel.name + ".cu")));
    const fs::path binding = sources / (kernel.name + "_torch.cpp");
    GKS_TRY(compileBinding(kernel, place, binding, check));
    if (!check.open.empty()) {
        check.open.emplace_back("The test was not run.");
        return check;
    }
    GKS_TRY_ASSIGN(const PyTorch torch, findPyTorch(place.built));
    const fs::path reference = place.built / "reference.o";
    GKS_TRY(compileReference(place, sources / "reference.cpp", reference));
    const fs::path package = place.built / kernel.name;
    const std::string test = "test_" + kernel.name;
    GKS_TRY(makeDirectories(package));
    for (const fs::path& file : {fs::path(kernel.name) / "__init__.py", fs::path(test + ".py")}) {
        GKS_TRY_ASSIGN(const std::string text, readFile(place.sources / file));
        GKS_TRY(writeFileAtomically(place.built / file, text));
    }
    GKS_TRY(linkExtension(kernel, place, torch, {place.built / "binding.o", reference}, package / "_C.so"));
    const std::string program =
        fmt::format("import sys; sys.path.insert(0, '.'); import {0}; sys.exit(0 if {0}.main('cpu') else 1)", test);
    GKS_TRY_ASSIGN(check.output, runInPlace(withPyTorch(place, torch), {torch.python.string(), "-B", "-c", program},
                                            false, test + ".py"));
    check.hasRun = true;
    return check;
}

} // namespace gks
