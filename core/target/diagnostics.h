// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <string>
#include <string_view>
#include <vector>

namespace gks {

enum class DiagnosticKind { error, warning, note };
std::string_view name(DiagnosticKind kind); // "error", "warning", "note"

// One thing that a compiler says of a place.
struct Diagnostic {
    std::string file; // without its folder
    int line = 0;     // from 1
    int column = 0;   // in bytes, from 1; 0: the compiler names none
    DiagnosticKind kind = DiagnosticKind::error;
    std::string text;
    bool isOfKernel = false; // of the kernel's own file; otherwise of a header
    bool operator==(const Diagnostic&) const = default;
};

// "file:line:column: error: text" of clang and "file(line): error: text" of nvcc, in their order, each once. The source
// chooses many of these words (`#error`,
// `#line`), so they are bounded: at most 200 of them, a text of 400 bytes.
std::vector<Diagnostic> readDiagnostics(std::string_view log, std::string_view sourceFile = "kernel.hip");

OrderedJson toJson(const std::vector<Diagnostic>& diagnostics);

// A source with `#line` chooses the places that a compiler names, unless the compiler was told to name its own
// (machine_code_plan.h).
bool namesItsOwnLines(std::string_view source);

} // namespace gks
