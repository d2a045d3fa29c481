// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/foreign_text.h"

#include "core/base/terminal_text.h"
#include "core/base/text.h"

#include <fmt/format.h>

namespace gks {

std::string quotation(std::string_view text, std::size_t limitBytes) {
    // What is far beyond the limit need not be made visible first.
    const std::string line = replaceAll(terminalLine(abbreviated(text, 4 * limitBytes)), "\"", "'");
    return "\"" + replaceAll(abbreviated(line, limitBytes), "\n", " ") + "\"";
}

std::string attributed(std::string_view text, std::string_view speaker, std::size_t limitBytes) {
    std::string result;
    const std::string shown = terminalText(abbreviated(text, limitBytes)); // marked last: a cut must not free a line
    for (const std::string_view line : lines(shown)) {
        if (!line.empty()) { // thousands of them are a mark each
            result += fmt::format("{}: {}\n", speaker, line);
        }
    }
    return result;
}

} // namespace gks
