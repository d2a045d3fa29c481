// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/cuda_kernel.h"

namespace gks {

struct CudaProblem {
    CppData inputType;
    CppData outputType;
    std::vector<CppInput> inputs; // with the names of the pack
    std::vector<CppSize> outputs; // lengths of the parts
    std::vector<std::string> dims;
};

// reference.cpp of a pack: the host code as it is, but for generate_input and what reports to the harness, and around
// it what calls its ref_kernel and hands out parts of the outputs.
std::string cudaReference(const CppText& text, const CudaProblem& problem);
// A thread for each element, by its expression.
std::string cudaSeed(const CppSize& length, const std::string& element, const std::string& output,
                     const std::vector<std::string>& dims);

} // namespace gks
