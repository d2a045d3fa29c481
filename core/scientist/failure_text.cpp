// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/failure_text.h"

#include "core/base/foreign_text.h"
#include "core/base/text.h"
#include "core/problem/shape_text.h"
#include "core/scientist/held_out.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <set>
#include <vector>

namespace gks {
namespace {

constexpr std::size_t ownNoteLimit = 3; // of one error, about the kernel's own lines
constexpr std::size_t snippetLineLimit = 4;
constexpr std::size_t shownLineLimitBytes = 400;
constexpr std::size_t failedCheckLimit = 6;
constexpr std::size_t logTailLines = 40;

enum class Severity { none, error, warning, note };

struct Diagnostic {
    Severity severity = Severity::none;
    std::string head; // with its place, paths shortened
    bool ownFile = false;
    std::vector<std::string> snippet;
    std::vector<Diagnostic> notes;
};

// "/build/x1/kernel.hip" and "../problem.h" become their file names: where the sandbox builds means nothing outside.
std::string withoutFolders(std::string_view line) {
    std::string result;
    for (std::size_t at = 0; at < line.size();) {
        const auto isPathCharacter = [&](std::size_t i) {
            const auto c = static_cast<unsigned char>(line[i]);
            return std::isalnum(c) != 0 || c == '/' || c == '.' || c == '_' || c == '-' || c == '+';
        };
        std::size_t end = at;
        while (end < line.size() && isPathCharacter(end)) {
            ++end;
        }
        const std::string_view word = line.substr(at, end - at);
        const std::size_t slash = word.rfind('/');
        const bool isPath = slash != std::string_view::npos && (word.front() == '/' || word.starts_with("../")) &&
                            slash + 1 < word.size() && word.find("//") == std::string_view::npos;
        result += isPath ? word.substr(slash + 1) : word;
        if (end == at) {
            result += line[end++];
        }
        at = end;
    }
    return result;
}

// "kernel.hip:19:71: error: what" and "ld.lld: error: what".
Diagnostic diagnosticOf(std::string_view line) {
    static const std::pair<std::string_view, Severity> marks[] = {{": fatal error: ", Severity::error},
                                                                  {": error: ", Severity::error},
                                                                  {": warning: ", Severity::warning},
                                                                  {": note: ", Severity::note}};
    Diagnostic diagnostic;
    std::size_t first = std::string_view::npos;
    for (const auto& [mark, severity] : marks) {
        const std::size_t at = line.find(mark);
        if (at < first && at > 0 && line.substr(0, at).find(' ') == std::string_view::npos) {
            first = at;
            diagnostic.severity = severity;
        }
    }
    if (diagnostic.severity == Severity::none) {
        const bool bare = line.starts_with("error: ") || line.starts_with("fatal error: ");
        diagnostic.severity = bare ? Severity::error : Severity::none;
    }
    diagnostic.head = abbreviated(withoutFolders(line), shownLineLimitBytes);
    diagnostic.ownFile = diagnostic.head.starts_with("kernel.hip:") || diagnostic.head.starts_with("problem.h:");
    return diagnostic;
}

// "   19 |   code" and "      |   ^~~".
bool isSnippet(std::string_view line) {
    const std::size_t bar = line.find(" |");
    return bar != std::string_view::npos && std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(bar),
                                                        [](char c) { return c == ' ' || (c >= '0' && c <= '9'); });
}

std::vector<Diagnostic> diagnosticsOf(std::string_view log) {
    std::vector<Diagnostic> result;
    Diagnostic* last = nullptr; // whose snippet may follow
    for (const std::string_view line : lines(log)) {
        Diagnostic found = diagnosticOf(line);
        if (found.severity == Severity::note && !result.empty()) {
            result.back().notes.push_back(std::move(found));
            last = &result.back().notes.back();
        } else if (found.severity == Severity::error || found.severity == Severity::warning) {
            result.push_back(std::move(found));
            last = &result.back();
        } else if (last != nullptr && isSnippet(line) && last->snippet.size() < snippetLineLimit) {
            last->snippet.push_back(abbreviated(line, shownLineLimitBytes));
        }
    }
    return result;
}

std::string text(const Diagnostic& error) {
    std::string result = error.head + "\n";
    for (const std::string& line : error.snippet) {
        result += line + "\n";
    }
    std::size_t shown = 0;
    const Diagnostic* first = nullptr; // of those about headers
    std::size_t others = 0;
    for (const Diagnostic& note : error.notes) {
        if (note.ownFile && shown < ownNoteLimit) {
            result += "  " + note.head + "\n";
            ++shown;
        } else {
            first = others++ == 0 ? &note : first;
        }
    }
    if (first != nullptr) {
        result += "  " + first->head + (others > 1 ? fmt::format(" (and {} more notes)", others - 1) : "") + "\n";
    }
    return result;
}

std::string tail(std::string_view log) {
    const std::vector<std::string_view> all = lines(trimmed(log));
    std::string result;
    for (std::size_t i = all.size() - std::min(all.size(), logTailLines); i < all.size(); ++i) {
        result += abbreviated(withoutFolders(all[i]), shownLineLimitBytes) + "\n";
    }
    return result;
}

} // namespace

std::string compilerText(std::string_view log, std::size_t limitBytes) {
    const std::string clean = sanitizedUtf8(log);
    std::vector<Diagnostic> errors = diagnosticsOf(clean);
    std::erase_if(errors, [](const Diagnostic& one) { return one.severity != Severity::error; });
    if (errors.empty()) {
        return abbreviated(tail(clean), limitBytes);
    }
    std::string result;
    std::set<std::string> seen;
    for (const Diagnostic& error : errors) {
        const bool isNew = seen.insert(error.head).second;
        if (isNew && seen.size() <= failureErrorLimit) {
            result += text(error);
        }
    }
    if (seen.size() > failureErrorLimit) {
        result += fmt::format("and {} more errors\n", seen.size() - failureErrorLimit);
    }
    return abbreviated(result, limitBytes);
}

std::string verificationText(const Verdict& verdict, std::size_t limitBytes) {
    std::string failed;
    std::size_t count = 0;
    std::vector<std::string> passed;
    for (const VerificationFact& fact : verdict.verification) {
        if (fact.isSecret() && fact.passed) {
            continue;
        }
        // The shapes that a scientist must not see are not in its prompts either.
        const std::string shape = fact.isSecret() ? "a held-out shape" : namedShapeText(fact.shape);
        const std::string check =
            fmt::format("{}, {}{}{}", shape, fact.phase, fact.distribution.empty() ? "" : ", ", fact.distribution);
        if (fact.passed) {
            passed.push_back(check);
        } else if (++count <= failedCheckLimit) {
            failed += fmt::format(
                "failed: {}: {}\n", check,
                abbreviated(sanitizedUtf8(fact.isSecret() ? withoutExtents(fact.detail) : fact.detail), 1000));
            if (fact.maxRelativeError > 0) {
                failed +=
                    fmt::format("  largest error: {} absolute, {} relative\n", formatSignificant(fact.maxAbsoluteError),
                                formatSignificant(fact.maxRelativeError));
            }
        }
    }
    if (count > failedCheckLimit) {
        failed += fmt::format("and {} more checks failed\n", count - failedCheckLimit);
    }
    if (!passed.empty() && count > 0) {
        failed += "passed: " + abbreviated(join(passed, "; "), 1000) + "\n";
    }
    return abbreviated(failed, limitBytes);
}

std::string failureText(const Verdict& verdict) {
    if (verdict.kind != VerdictKind::buildFailed) {
        return verificationText(verdict);
    }
    const std::string said = compilerText(verdict.build.log);
    return attributed(said, compilerSpeaker, said.size());
}

} // namespace gks
