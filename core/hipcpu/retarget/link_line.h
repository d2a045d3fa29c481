// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/toolchain.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// How the compiler's driver calls the linker. The driver takes as long to say so as the linker to link a kernel, so it
// is asked once, and what it says is kept.
namespace gks::hipcpu {

// What stands in the options for the files that differ from build to build.
inline constexpr std::string_view placeOfObjects = "/dev/null"; // the driver wants a file that is there
inline constexpr std::string_view placeOfOutput = "/dev/full";

// The words of the line for these options of the driver; none where it does not say, or nothing can be kept.
std::vector<std::string> linkLine(const Toolchain& toolchain, const std::vector<std::string>& options,
                                  const std::filesystem::path& cacheFolder);

// Of the last line of what `-###` prints: words in quotes, in which a backslash goes before itself and a quote.
std::vector<std::string> wordsOfLastLine(std::string_view printed);

} // namespace gks::hipcpu
