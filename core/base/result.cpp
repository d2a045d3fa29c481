// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"

#include <system_error>

namespace gks {

std::string Error::message() const {
    std::string text = where.empty() ? what : where + ": " + what;
    if (!next.empty()) {
        text += ". " + next;
    }
    return text;
}

std::string systemMessage(int errorNumber) {
    return std::generic_category().message(errorNumber);
}

} // namespace gks
