// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/exported_kernel.h"

#include <string>
#include <vector>

// The pages that every export carries.
namespace gks {

// How fast the kernel is, on which shapes of which devices, and how that is known.
std::string evidencePage(const ExportedKernel& kernel, bool between);
// Whose the parts are, from the SPDX lines of the sources. No lawyer wrote it, and it says so.
std::string licencePage(const ExportedKernel& kernel);
// The line of a source, or "none stated".
std::string spdxOf(std::string_view source);
// A title, which may end as a sentence does.
std::string asSentence(std::string title);
// What the files are, how they are built, and what nobody has compiled or run yet.
struct ReadmeText {
    std::string form;              // "A PyTorch extension"
    std::vector<std::string> use;  // Markdown, in its order
    std::vector<std::string> open; // sentences
};
std::string readmePage(const ExportedKernel& kernel, const ReadmeText& text);

} // namespace gks
