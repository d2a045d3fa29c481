// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/exported_kernel.h"
#include "core/report/manifest.h"

#include <string>
#include <string_view>
#include <vector>

// The plain C interface of an exported kernel: NAME.h, and NAME.hip with the kernel, the fallback and the choice
// between them by shape. Every form is made of it.
namespace gks {

// What the parameters of the interface are called, in its order: tensors and dims as the pack has them, then ours, with
// a '_' behind a name that the pack has taken.
struct InterfaceNames {
    std::string workspace = "workspace";
    std::string workspaceSize = "workspace_size";
    std::string stream = "stream";
};
InterfaceNames interfaceNames(const ProblemPack& pack);
std::string_view cType(ElementType type);         // "float", "void" where C has no such type
std::string tensorText(const TensorSpec& tensor); // "x: f32 [rows][cols], read"
// "int64_t rows, int64_t cols"
std::string dimParameters(const ProblemPack& pack);

struct CInterfaceOptions {
    bool between = false;             // shapes between measured ones go to the kernel too
    std::string sourceSuffix = "hip"; // "cu" where only that is taken for device code
};

std::string interfaceHeader(const ExportedKernel& kernel);
Result<std::string> interfaceSource(const ExportedKernel& kernel, const CInterfaceOptions& options);

// NAME.h, NAME.hip and what nvcc needs beside them: the project's own hip/*.h, below cuda/.
Result<BundleFiles> interfaceFiles(const ExportedKernel& kernel, const CInterfaceOptions& options);
Result<BundleFiles> cudaHeaderFiles();

// `@NAME@` and the like replaced in a template.
std::string filled(std::string_view text, const std::vector<std::pair<std::string, std::string>>& values);

} // namespace gks
