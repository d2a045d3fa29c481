// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/cpp_sizes.h"

#include <set>

// What generate_input of a problem of GPU MODE in C++ draws: how long its vectors are and how their values are
// distributed, where that is said in a few usual forms. It is read and never run.
namespace gks {

// What a distribution draws, and what becomes of it: offset + scale * value.
struct CppFill {
    Fill kind = Fill::zeros;
    double scale = 1;
    double offset = 0;
};

struct CppInput {
    std::string name;
    CppPart part;
    CppSize size; // the length, or the value of a whole number
    CppFill fill;
};

struct CppInputs {
    std::vector<CppInput> parts;
};

// `dims`: what each parameter is called in a pack; empty: it may be no length.
Result<CppInputs> cppInputs(const CppText& text, const CppFunction& generate, const CppData& data,
                            const std::map<std::string, std::string>& dims);
// The names of the parameters.
Result<std::vector<std::string>> cppParameters(const CppText& text, const CppFunction& function);

} // namespace gks
