// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/last_words.h"

#include "core/base/one_line.h"
#include "core/base/text.h"

#include <poll.h>
#include <unistd.h>

namespace gks {
namespace {

constexpr std::size_t saidLimitBytes = 4096;
constexpr std::size_t lastLineLimitBytes = 500;
constexpr std::size_t quotationLimitBytes = 300;

} // namespace

std::string lastLine(std::string_view text) {
    std::string_view last;
    for (const std::string_view line : lines(text)) {
        last = trimmed(line).empty() ? last : trimmed(line);
    }
    return abbreviated(last, lastLineLimitBytes);
}

std::string quotation(std::string_view text) {
    std::string line = withoutControls(sanitizedUtf8(text.substr(0, saidLimitBytes)));
    return "\"" + shortened(replaceAll(std::move(line), "\"", "'"), quotationLimitBytes) + "\"";
}

std::string readNow(int descriptor) {
    std::string said(saidLimitBytes, '\0');
    pollfd watched = {descriptor, POLLIN, 0};
    const ssize_t got = ::poll(&watched, 1, 0) > 0 ? ::read(descriptor, said.data(), said.size()) : 0;
    said.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return said;
}

} // namespace gks
