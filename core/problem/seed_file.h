// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/problem.h"

namespace gks {

// A kernel as it lies in a file: its name without extension, and its first comment line, which may be missing, as the
// title.
Result<SeedKernel> readSeedKernel(const std::filesystem::path& file, std::size_t limitBytes);
// What the kernels of a problem end in: ".hip", or what the source of a command pack ends in.
std::string kernelExtension(const ProblemPack& pack);
// A file that a person adds. Our own judge takes one of any name; a harness knows a kernel by the end of its name.
Result<void> checkKernelFile(const ProblemPack& pack, const std::filesystem::path& file);

} // namespace gks
