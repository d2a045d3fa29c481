// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/c_interface.h"
#include "core/export/exported_kernel.h"
#include "core/report/manifest.h"

#include <filesystem>

// A Solution of FlashInfer-Bench: one JSON file that names the Definition it solves, in CUDA with a torch binding.
namespace gks {

// The Definition is the file named, else definition.json of the problem pack, which `import-problem` puts there.
// `meantFor`: the card that the Solution names; empty: the NVIDIA card that measured the kernel. Where another device
// did, the description says so. Refused: no card named and none that measured, a problem without a Definition, and one
// whose tensors are others.
Result<BundleFiles> solutionFiles(const ExportedKernel& kernel, const CInterfaceOptions& options,
                                  const std::filesystem::path& definition, const std::string& meantFor);

inline constexpr const char* definitionFile = "definition.json"; // of a pack that was made from one
std::string definitionTypeName(ElementType type);                // "float8_e4m3fn", ...; empty: there is none

} // namespace gks
