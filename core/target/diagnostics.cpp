// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/diagnostics.h"

#include "core/base/terminal_text.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

namespace gks {
namespace {

constexpr std::size_t diagnosticLimit = 200;
constexpr std::size_t diagnosticTextLimitBytes = 400;

struct KindWord {
    std::string_view word;
    DiagnosticKind kind;
};
constexpr std::array kindWords = {
    KindWord{": fatal error: ", DiagnosticKind::error}, KindWord{": error: ", DiagnosticKind::error},
    KindWord{": warning: ", DiagnosticKind::warning}, KindWord{": warning #", DiagnosticKind::warning},
    KindWord{": note: ", DiagnosticKind::note}};

constexpr int noPlace = 0; // a number that is none of a line or a column

// Takes ":17" from the end of `place`, or nvcc's "(17)"; nullopt: no number stands there.
std::optional<int> numberAtEnd(std::string_view& place) {
    const bool inBrackets = place.ends_with(')');
    const std::size_t colon = place.rfind(inBrackets ? '(' : ':');
    int value = noPlace;
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    const char* first = place.data() + colon + 1;
    const char* last = place.data() + place.size() - (inBrackets ? 1 : 0);
    const auto [end, error] = std::from_chars(first, last, value);
    if (end != last || error == std::errc::invalid_argument) {
        return std::nullopt;
    }
    place = place.substr(0, colon);
    return error == std::errc() ? value : noPlace;
}

std::optional<Diagnostic> diagnosticIn(std::string_view line, std::string_view sourceFile) {
    if (line.starts_with(' ')) { // "   12 | int x; // /kernel.hip:1:1: error: ...": a line of the source, quoted
        return std::nullopt;
    }
    std::size_t at = std::string_view::npos;
    const KindWord* kind = nullptr;
    for (const KindWord& one : kindWords) { // the first of them: the text behind it may hold others
        if (const std::size_t found = line.find(one.word); found < at) {
            at = found;
            kind = &one;
        }
    }
    if (kind == nullptr) {
        return std::nullopt;
    }
    std::string_view place = line.substr(0, at);
    const auto last = numberAtEnd(place);
    const auto before = numberAtEnd(place);
    if (!last || *last < 1 || before.value_or(1) < 1) {
        return std::nullopt;
    }
    Diagnostic found;
    found.line = before.value_or(*last);
    found.column = before ? *last : 0;
    const std::string_view file = place.substr(place.rfind('/') + 1);
    found.isOfKernel = file == sourceFile;
    found.file = terminalLine(abbreviated(sanitizedUtf8(file), diagnosticTextLimitBytes));
    found.kind = kind->kind;
    found.text = terminalLine(
        abbreviated(sanitizedUtf8(trimmed(line.substr(at + kind->word.size()))), diagnosticTextLimitBytes));
    return found;
}

} // namespace

std::string_view name(DiagnosticKind kind) {
    switch (kind) {
    case DiagnosticKind::error:
        return "error";
    case DiagnosticKind::warning:
        return "warning";
    case DiagnosticKind::note:
        return "note";
    }
    return "";
}

namespace {

bool isOfAssembler(std::string_view line) {
    return line.starts_with("ptxas ");
}

// Where the last words of another program than ptxas end. Under a function's name ptxas indents its figures.
std::size_t beginOfAssembler(std::string_view printed) {
    std::size_t begin = 0;
    for (std::size_t at = 0; at < printed.size();) {
        const std::size_t end = std::min(printed.find('\n', at), printed.size() - 1) + 1;
        const std::string_view line = printed.substr(at, end - at);
        const bool isFigures = line.starts_with("    ") && line.find("bytes stack frame") != std::string_view::npos;
        begin = isOfAssembler(line) || isFigures || trimmed(line).empty() ? begin : end;
        at = end;
    }
    return begin;
}

} // namespace

std::string ownWords(std::string_view printed, const std::filesystem::path& folder) {
    const std::string own = folder.string() + "/";
    const std::size_t assembler = beginOfAssembler(printed);
    std::string words;
    for (std::string_view rest = printed; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
        const std::string_view line = rest.substr(0, end + 1);
        const bool isBeforeIt = printed.size() - rest.size() < assembler;
        if ((!line.starts_with(own) && diagnosticIn(line, {})) || (isBeforeIt && isOfAssembler(line))) {
            words += ' ';
        }
        words += line;
        rest.remove_prefix(end + 1);
    }
    return replaceAll(std::move(words), own, "");
}

std::string ownWords(const BuildStep& step, std::string_view printed, const std::filesystem::path& folder) {
    return step.hidesPlaces ? ownWords(printed, folder) : replaceAll(std::string(printed), folder.string() + "/", "");
}

std::string_view firstErrorLine(std::string_view log) {
    std::string_view saysError;
    std::string_view fallback;
    for (const std::string_view line : lines(log)) {
        const auto found = diagnosticIn(line, {});
        if (found && found->kind == DiagnosticKind::error) {
            return trimmed(line);
        }
        saysError = saysError.empty() && line.find("error:") != std::string_view::npos ? trimmed(line) : saysError;
        fallback = fallback.empty() ? trimmed(line) : fallback;
    }
    return saysError.empty() ? fallback : saysError;
}

std::vector<Diagnostic> readDiagnostics(std::string_view log, std::string_view sourceFile) {
    std::vector<Diagnostic> all;
    for (const std::string_view line : lines(log)) {
        if (all.size() == diagnosticLimit) {
            break;
        }
        auto found = diagnosticIn(line, sourceFile);
        if (found && std::find(all.begin(), all.end(), *found) == all.end()) {
            all.push_back(std::move(*found));
        }
    }
    return all;
}

OrderedJson toJson(const std::vector<Diagnostic>& diagnostics) {
    OrderedJson json = OrderedJson::array();
    for (const Diagnostic& one : diagnostics) {
        json.push_back({{"file", one.file},
                        {"line", one.line},
                        {"column", one.column},
                        {"kind", name(one.kind)},
                        {"text", one.text}});
    }
    return json;
}

bool namesItsOwnLines(std::string_view source) {
    for (std::string_view line : lines(source)) {
        line = trimmed(line);
        if (!line.starts_with('#')) {
            continue;
        }
        line = trimmed(line.substr(1));
        if (line.starts_with("line") || (!line.empty() && line.front() >= '0' && line.front() <= '9')) {
            return true;
        }
    }
    return false;
}

} // namespace gks
