// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gks {

// All names of a module together. Kernels have a few kilobytes of them; entries that share one long name could ask for
// gigabytes.
inline constexpr std::size_t moduleNamesLimitBytes = std::size_t{1} << 20;

// What a shared object asks of others: read from the file's bytes, nothing of it is loaded.
struct ModuleSymbols {
    std::vector<std::string> libraries; // DT_NEEDED
    std::vector<std::string> imported;  // undefined dynamic symbols
    std::vector<std::string> exported;
    bool runsWhenLoaded = false; // constructors, or relocations that call functions
};
// 64-bit little-endian ELF with one table of dynamic symbols; every offset is checked against the file.
Result<ModuleSymbols> readModuleSymbols(std::string_view elf);

} // namespace gks
