// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/check_place.h"
#include "core/export/export_check.h"

// The part of a check that needs a PyTorch: that of `python3` here, of whatever kind. Where there is none, the rest is
// checked and the check says what was not.
namespace gks {

// `output`: an object of the problem's reference.
Result<void> compileReference(const CheckPlace& place, const std::filesystem::path& source,
                              const std::filesystem::path& output);
// An export --as torch: kernel, binding and reference compiled for the CPU, and its test run there.
Result<ExportCheck> checkTorch(const ExportedKernel& kernel, const CheckPlace& place);
// A binding alone, against the headers; `check` says with what, or why not.
Result<void> compileBinding(const ExportedKernel& kernel, const CheckPlace& place, const std::filesystem::path& source,
                            ExportCheck& check);

} // namespace gks
