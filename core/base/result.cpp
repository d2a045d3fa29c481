// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"

#include "core/base/terminal_text.h"

#include <system_error>

namespace gks {

std::string Error::message() const {
    // A file's name is what somebody else chose: it must not begin a line.
    std::string text = where.empty() ? what : terminalLine(where) + ": " + what;
    if (!next.empty()) {
        text += ". " + next;
    }
    return text;
}

std::string systemMessage(int errorNumber) {
    return std::generic_category().message(errorNumber);
}

} // namespace gks
