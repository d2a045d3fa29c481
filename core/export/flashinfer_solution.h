// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/c_interface.h"
#include "core/export/exported_kernel.h"
#include "core/report/manifest.h"

#include <filesystem>

// A Solution of FlashInfer-Bench: one JSON file that names the Definition it solves, in CUDA with a torch binding.
namespace gks {

// `definition`: see solvedDefinition(); empty: that of the problem pack. Where it is another file and nobody could
// compare its reference, the description says so. `meantFor`: the card that the Solution names; empty: the NVIDIA card
// that measured the kernel. Where another device did, the description says so. Refused: no card named and none that
// measured.
Result<BundleFiles> solutionFiles(const ExportedKernel& kernel, const CInterfaceOptions& options,
                                  const std::filesystem::path& definition, const std::string& meantFor);

} // namespace gks
