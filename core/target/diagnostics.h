// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/target/target.h"

#include <filesystem>
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

// What a compiler printed of a build in `folder`, with the folder's path taken out. A source makes a compiler print
// lines of its choice (`#pragma message "\n..."`), but where the folder is hidden from it
// (hipcpu::hiddenPlaceOptions(), and those of cuda_build.cpp), no such line begins with its name: whatever else looks
// like a diagnostic is set off by a space, as quoted source is. So is what looks like the report of ptxas and has words
// of another program behind it: ptxas comes last.
std::string ownWords(std::string_view printed, const std::filesystem::path& folder);
// The same of a step of a build; of one without hidden places (a pack's own code) all lines as they are.
std::string ownWords(const BuildStep& step, std::string_view printed, const std::filesystem::path& folder);

// "file:line:column: error: text" of clang and "file(line): error: text" of nvcc, in their order, each once; none that
// is set off. The source chooses many of these words (`#error`), so they are bounded: at most 200 of them, a text of
// 400 bytes.
std::vector<Diagnostic> readDiagnostics(std::string_view log, std::string_view sourceFile = "kernel.hip");

// The line that says why a build failed: the first error that has a place, else whatever says so first.
std::string_view firstErrorLine(std::string_view log);

OrderedJson toJson(const std::vector<Diagnostic>& diagnostics);

// A source with `#line` chooses the places that a compiler names, unless the compiler was told to name its own
// (hipcpu::hiddenPlaceOptions): nvcc cannot be told which line of the kernel's file it is, and logs of earlier versions
// are of compilers that were not.
bool namesItsOwnLines(std::string_view source);

} // namespace gks
