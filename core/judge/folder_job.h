// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/protocol.h"
#include "core/problem/pack_files.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What is exchanged with a machine that no program may reach: jobs in one direction, results in the other, each a file
// that somebody carries. Both sides read what may be anybody's.
namespace gks {

inline constexpr std::size_t jobLimitBytes = std::size_t{16} << 20;
inline constexpr std::size_t resultLimitBytes = std::size_t{64} << 20;

// One evaluation with all that it needs but the program. Its name is the SHA-256 of its text: the same evaluation
// always has the same name, whoever asks for it again.
struct FolderJob {
    EvaluationRequest request; // problem: the name of the pack; device: that of whoever works it off, unless told
    int repeat = 0;            // so many evaluations of the same were counted before
    int rules = currentRules;
    std::vector<PackFile> pack; // whole: nobody knows which version is installed there
};
std::string jobText(const FolderJob& job);
Result<FolderJob> jobFromText(std::string_view text, const std::string& where);

// A first line that says what the rest has to be, then the verdict with samples and plans.
struct FolderResult {
    std::string job;     // its name
    std::string content; // SHA-256 of the job's file as it was read there; another one: it arrived damaged
    Verdict verdict;
};
std::string resultText(const FolderResult& result);
// Errors say whether it is altered, or of another form.
Result<FolderResult> resultFromText(std::string_view text, const std::string& where);
// Shorter than its first line says: being written still, or cut off. The first line may be missing itself.
bool isIncompleteResult(std::string_view text);

std::string jobFileName(const std::string& job);
std::string resultFileName(const std::string& job);
// The job's name in that of a file; nothing when it is another kind of name.
std::optional<std::string> jobOfJobFile(std::string_view fileName);
std::optional<std::string> jobOfResultFile(std::string_view fileName);
std::string shortJobName(const std::string& job); // "1a2b3c4d5e6f"

} // namespace gks
