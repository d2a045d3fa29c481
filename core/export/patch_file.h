// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/report/manifest.h"

#include <filesystem>
#include <string>

// Files as a patch for a tree that a person names. The tree is read and never written: git makes the patch of files in
// a folder of its own.
namespace gks {

// `below`: a plain relative path in the tree. Refused where the tree has one of these files, or where git would not
// apply the patch.
Result<std::string> patchFor(const BundleFiles& files, const std::filesystem::path& tree, const std::string& below);
// In a new folder, which becomes a tree of its own: whatever tree it lies in has no say.
Result<void> applyPatch(const std::filesystem::path& patch, const std::filesystem::path& folder);

} // namespace gks
