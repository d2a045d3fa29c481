// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gks {

// A library that kernels are measured against, as the pack names it: host code of the pack's author with the same
// solve() as a kernel's. No candidate has a part in it, and none may link a library.
struct AnchorSpec {
    std::string name;                   // "cublaslt"
    std::string title;                  // "cuBLASLt"
    std::string target;                 // "nvidia" or "amd"
    std::string source;                 // below the folder of the pack: "anchors/cublaslt.cpp"
    std::filesystem::path path;         // of the source
    std::vector<std::string> libraries; // "cublasLt" of libcublasLt.so
    std::string lacks;                  // what it does not fulfil; empty: nothing
    bool operator==(const AnchorSpec&) const = default;
};

// Lower-case letters, digits and '-', which begin with a letter: neither a path nor an option.
bool isAnchorName(std::string_view name);

} // namespace gks
