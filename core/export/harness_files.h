// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/export_forms.h"

// A kernel of a command pack. It has neither solve() nor tensors, so nothing can be made around it: its source goes out
// as its harness takes it, with what that harness said.
namespace gks {

// Of `header` the source alone, of `patch` a patch that adds it; other forms are refused.
Result<BundleFiles> harnessFiles(const ExportedKernel& kernel, const ExportOptions& options);

} // namespace gks
