// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/resource_notes.h"

#include "core/base/text.h"

#include <fmt/format.h>

// The metadata is YAML as LLVM writes it, a small and regular part of that language: a list under `amdhsa.kernels:`
// whose entries are maps of scalars, with deeper lists (arguments, versions) that are of no interest here. Indentation
// alone tells them apart: entries begin with "  - ", their scalars stand at column four.
namespace gks {
namespace {

constexpr std::size_t kernelLimit = 1024;
constexpr std::size_t keyLimit = 64; // of one kernel
constexpr std::size_t valueLimitBytes = 4096;

std::string unquoted(std::string_view value) {
    if (value.size() >= 2 && (value.front() == '\'' || value.front() == '"') && value.back() == value.front()) {
        value = value.substr(1, value.size() - 2);
    }
    return std::string(value);
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
        into.insert_or_assign(std::string(content.substr(0, colon)), unquoted(value));
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
