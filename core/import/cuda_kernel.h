// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/cuda_inputs.h"

namespace gks {

// What ref_kernel of a problem of GPU MODE in C++ says of its outputs, before it is ever run.
struct CppKernel {
    std::vector<CppSize> lengths; // of each part
    std::string element;          // of the only output, element i by p's tensors, in HIP; empty: it is no plain loop
};

// `inputs` by the names that the tensors have in the pack.
Result<CppKernel> cppKernel(const CppText& text, const CppFunction& kernel, const CppData& output,
                            const CppData& inputType, const std::vector<CppInput>& inputs);
// How much check_implementation lets an output differ; nothing where it compares in another way.
std::optional<Tolerance> cppTolerance(const CppText& text, const CppFunction& check);

} // namespace gks
