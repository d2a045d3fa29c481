// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/target/target.h"

namespace gks {

// The modules of the nvidia target: a cubin for the architecture with all its features, which holds no code to be
// translated when it is loaded, and host code that nothing of CUDA is linked to. nvcc reads the unchanged HIP source
// through the project's own hip/*.h, both times from one path, since names of entities with internal linkage hold a
// hash of it. `given` are the options that come with the kernel, as far as nvcc has them.
Result<std::vector<BuildStep>> cudaModuleSteps(const BuildRequest& request, const std::vector<std::string>& given,
                                               const std::filesystem::path& hostModule,
                                               const std::filesystem::path& cubin);

// The same compilation for people: a cubin, or PTX, with line tables.
Result<BuildStep> cudaListingStep(const BuildRequest& request, const std::vector<std::string>& given,
                                  const std::filesystem::path& output, bool asPtx);

// A library of the problem pack with host and device code, linked to the CUDA runtime and to what `linking` says. In
// messages its source is called `shownAs`.
Result<BuildStep> cudaAnchorStep(const BuildRequest& request, std::string_view shownAs,
                                 const std::vector<std::string>& linking, const std::filesystem::path& library);

// "90a" of "sm_90": from 9.0 on an architecture has features of its own that only code for it alone may use.
std::string withItsFeatures(std::string_view architecture);

// nvcc hands the argument of "#pragma unroll NAME" on without expanding macros; here it becomes an operator that does.
// Lines keep their numbers.
std::string withExpandedUnrolls(std::string_view source);

} // namespace gks
