// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace gks {

// The libraries that the dynamic loader finds for this library or program, under the names by which it finds them.
std::vector<std::filesystem::path> neededLibraries(const std::filesystem::path& file);

// What a vendor's runtime library needs beside the system's own folders: its installation, the folders of the libraries
// that it is linked with, and AMD's, whose parts it opens by name.
std::vector<std::filesystem::path> runtimeFiles(const std::filesystem::path& library);

} // namespace gks
