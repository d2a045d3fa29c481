// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/problem_axes.h"
#include "core/import/problem_import.h"
#include "core/import/tensor_expression.h"
#include "core/problem/problem.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

// A problem that was read from somebody's file, whichever format that has, and the pack that is made of it.
namespace gks {

// A reference that is C++ already: it computes whole outputs in its own types, and knows no magnitudes.
struct OwnReference {
    std::string source; // reference.cpp
    std::string seed;   // a first kernel; empty: none follows from it
};

struct PackDraft {
    std::string name;
    std::string title;
    std::string origin;              // "the Definition": what the pack was made from
    std::vector<ProblemAxis> axes;   // all that values are given for
    std::vector<std::string> dims;   // names of the axes that tensors have, in the order of the pack
    bool isFree = true;              // a kernel has to be right for every extent that is no constant
    std::vector<TensorSpec> tensors; // inputs first
    TensorProgram program;
    std::optional<OwnReference> own;    // in the place of `program`
    std::optional<Tolerance> tolerance; // that the problem states; relative and absolute
    std::vector<AxisValues> tests;      // of axes that are no constants; none: guesses
    std::vector<AxisValues> benchmarks;
    std::string reference;                    // as the problem has it, for the notes
    std::map<std::string, std::string> files; // kept beside the manifest
    std::vector<std::string> notes;
};

// By the name that PyTorch has for it: "float16", "torch.float16" without the module.
std::optional<ElementType> elementTypeFromTorch(std::string_view dtype);
bool isFloatingType(ElementType type);
// One that an output may have: of floating point, and more than a byte.
bool isOutputType(ElementType type);

Result<ImportedProblem> packFrom(PackDraft draft, std::string_view where);

} // namespace gks
