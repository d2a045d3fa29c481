// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/last_words.h"

#include "core/base/foreign_text.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace gks {
namespace {

constexpr std::size_t saidLimitBytes = 4096;
constexpr std::size_t lastWordsLimitBytes = 500;

} // namespace

std::string_view lastLine(std::string_view text) {
    std::string_view last;
    for (const std::string_view line : lines(text)) {
        last = trimmed(line).empty() ? last : trimmed(line);
    }
    return last;
}

std::string endText(const ExitState& exit, std::string_view log) {
    const std::string how = fmt::format("the process {} {}", exit.signal ? "was" : "ended with", exit.text());
    const std::string_view last = lastLine(log);
    return last.empty() ? how : fmt::format("{}, and its last words are {}", how, quotation(last, lastWordsLimitBytes));
}

std::string readNow(int descriptor) {
    std::string said(saidLimitBytes, '\0');
    pollfd watched = {descriptor, POLLIN, 0};
    const ssize_t got = ::poll(&watched, 1, 0) > 0 ? ::read(descriptor, said.data(), said.size()) : 0;
    said.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return said;
}

} // namespace gks
