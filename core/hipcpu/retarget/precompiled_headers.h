// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/architecture.h"
#include "core/hipcpu/retarget/toolchain.h"

#include <stop_token>

namespace gks::hipcpu {

enum class Side { device, host };

// Options that both the front end and its precompiled header need, including the optimisation level (macros depend on
// it).
std::vector<std::string> sideOptions(const Toolchain& toolchain, Side side, int optimisationLevel,
                                     Architecture architecture);

// The HIP headers that a source includes before anything else, in the order in which they are precompiled; headers of
// its own are followed. Empty when the source does not begin with the HIP runtime, or defines something before it.
std::vector<std::string> leadingHipHeaders(const std::filesystem::path& source,
                                           const std::vector<std::filesystem::path>& includeFolders);

// Those of a person's options that the meaning of HIP's headers can depend on: language mode, -f, macros that the
// headers may ask for. Warnings and the source's own macros are not among them.
std::vector<std::string> optionsOfHeaders(const std::vector<std::string>& frontEndOptions);

// A precompiled header of these headers for these options from the cache, made when it is not there yet. Several
// processes may do this at once: each writes a file of its own and renames it. An empty path when the cache cannot be
// used: the build then goes without.
std::filesystem::path precompiledHeader(const Toolchain& toolchain, Side side, const std::vector<std::string>& options,
                                        const std::vector<std::string>& headers,
                                        const std::filesystem::path& cacheFolder, const std::stop_token& stop = {});

} // namespace gks::hipcpu
