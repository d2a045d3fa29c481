// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/address.h"

#include "core/base/text.h"

#include <algorithm>

namespace gks {

bool isRemoteAddress(std::string_view text) {
    const std::string scheme = lowered(text.substr(0, text.find(':')));
    const bool isScheme = !scheme.empty() && scheme.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == scheme.npos;
    const std::string_view rest = text.substr(std::min(scheme.size(), text.size()));
    return isScheme && scheme != "file" && (rest.starts_with("://") || (scheme == "ssh" && rest.starts_with(":/")));
}

} // namespace gks
