// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/resource_notes.h"

#include "core/base/text.h"

#include <charconv>
#include <fmt/format.h>

// The metadata is YAML as LLVM writes it, a small and regular part of that language: a list under `amdhsa.kernels:`
// whose entries are maps of scalars, with deeper lists (arguments, versions) that are of no interest here. Indentation
// alone tells them apart: entries begin with "  - ", their scalars stand at column four.
namespace gks {
namespace {

constexpr std::size_t kernelLimit = 1024;
constexpr std::size_t keyLimit = 64; // of one kernel
constexpr std::size_t valueLimitBytes = 4096;

// Of a scalar between double quotes: what LLVM writes for characters that are not printed.
std::string unescaped(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\\' || at + 1 == text.size()) {
            result += text[at];
            continue;
        }
        const char kind = text[++at];
        static constexpr std::string_view kinds = "abtnvfre0";
        static constexpr std::string_view meant{"\a\b\t\n\v\f\r\x1b\0", 9};
        unsigned byte = 0;
        if (const std::size_t known = kinds.find(kind); known != std::string_view::npos) {
            result += meant[known];
        } else if (kind == 'x' && at + 2 < text.size() &&
                   std::from_chars(text.data() + at + 1, text.data() + at + 3, byte, 16).ptr == text.data() + at + 3) {
            result += static_cast<char>(byte);
            at += 2;
        } else {
            result += kind;
        }
    }
    return result;
}

// "!str yes", "'it''s'", "\"a\\nb\"": a symbol may look like a number, or like another thing of that language.
std::string scalar(std::string_view value) {
    constexpr std::string_view tag = "!str ";
    if (value.starts_with(tag)) {
        value = trimmed(value.substr(tag.size()));
    }
    const bool isQuoted = value.size() >= 2 && value.back() == value.front();
    if (isQuoted && value.front() == '\'') {
        return replaceAll(std::string(value.substr(1, value.size() - 2)), "''", "'");
    }
    return isQuoted && value.front() == '"' ? unescaped(value.substr(1, value.size() - 2)) : std::string(value);
}

Result<void> addScalar(std::string_view content, std::size_t line, KernelNotes& into) {
    const std::size_t colon = content.find(':');
    if (colon == std::string_view::npos || colon == 0) {
        return infrastructureError("not a key with a value", fmt::format("resource notes:{}", line));
    }
    const std::string_view value = trimmed(content.substr(colon + 1));
    if (value.size() > valueLimitBytes || into.size() >= keyLimit) {
        return infrastructureError("too long", fmt::format("resource notes:{}", line));
    }
    if (!value.empty()) {
        into.insert_or_assign(std::string(content.substr(0, colon)), scalar(value));
    }
    return {};
}

} // namespace

Result<std::vector<KernelNotes>> readResourceNotes(std::string_view text) {
    std::vector<KernelNotes> kernels;
    bool seen = false;
    bool inside = false;
    std::size_t number = 0;
    for (const std::string_view line : lines(text)) {
        ++number;
        if (!line.starts_with(' ')) {
            inside = line.starts_with("amdhsa.kernels:");
            seen = seen || inside;
            continue;
        }
        if (!inside || line.size() < 5) {
            continue;
        }
        const bool entry = line.starts_with("  - ");
        if (!entry && (!line.starts_with("    ") || line[4] == ' ' || line[4] == '-')) {
            continue; // deeper
        }
        if (entry) {
            if (kernels.size() == kernelLimit) {
                return infrastructureError(fmt::format("more than {} kernels", kernelLimit),
                                           fmt::format("resource notes:{}", number));
            }
            kernels.emplace_back();
        }
        if (kernels.empty()) {
            return infrastructureError("a value outside any kernel", fmt::format("resource notes:{}", number));
        }
        GKS_TRY(addScalar(line.substr(4), number, kernels.back()));
    }
    if (!seen) {
        return infrastructureError("no AMDGPU metadata", "resource notes");
    }
    return kernels;
}

} // namespace gks
