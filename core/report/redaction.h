// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <string>
#include <string_view>
#include <vector>

namespace gks {

// What must not leave this machine with a report: keys, and absolute paths, which name people and hosts. Applied to
// everything but sources and pack files, whose bytes are hashed; those are checked for keys instead.
class Redaction {
public:
    // Keys: the values of environment variables that are named like one, and of `keyVariables`.
    static Redaction forThisMachine(const std::vector<std::string>& keyVariables = {});

    std::string text(std::string_view text) const;
    OrderedJson json(OrderedJson json) const; // every string in it, keys of objects left alone
    bool holdsSecret(std::string_view text) const;

private:
    std::vector<std::string> m_secrets; // longest first
    std::vector<std::string> m_folders; // longest first
};

} // namespace gks
