// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/exported_kernel.h"
#include "core/report/manifest.h"

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// What a kernel leaves the program as.
namespace gks {

enum class ExportForm { header, library, torch, hfKernel, flashinfer, patch };
inline constexpr std::array exportForms = {ExportForm::header,   ExportForm::library,    ExportForm::torch,
                                           ExportForm::hfKernel, ExportForm::flashinfer, ExportForm::patch};
inline constexpr std::string_view exportFormNames = "header|library|torch|hf-kernel|flashinfer|patch";
std::string_view name(ExportForm form);
Result<ExportForm> exportFormFromName(std::string_view name);

struct ExportOptions {
    ExportForm form = ExportForm::header;
    bool between = false;                  // shapes between measured ones go to the kernel too
    std::filesystem::path into = {};       // patch: the tree
    std::string path = {};                 // patch: the folder in it
    std::filesystem::path definition = {}; // flashinfer: the Definition; empty: the pack's
    std::string hardware = {};             // flashinfer: the card that it is meant for; empty: the one that measured it
};

// All files of the form, with EVIDENCE.md, LICENSE.md and README.md.
Result<BundleFiles> exportFiles(const ExportedKernel& kernel, const ExportOptions& options);
// What of this form nobody has compiled or run when it is written, as sentences.
std::vector<std::string> openOf(const ExportedKernel& kernel, ExportForm form);
// A patch names its tree and a folder in it.
Result<void> checkPatchPlace(const ExportOptions& options);
// Into a new or empty folder; all of the files or none.
Result<void> writeExport(const BundleFiles& files, const std::filesystem::path& folder);

} // namespace gks
