// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/version_order.h"

#include <algorithm>

namespace gks {

bool versionBefore(std::string_view a, std::string_view b) {
    const auto digits = [](std::string_view text) {
        return std::min(text.find_first_not_of("0123456789"), text.size());
    };
    while (!a.empty() && !b.empty()) {
        const std::size_t inA = digits(a);
        const std::size_t inB = digits(b);
        if (inA == 0 || inB == 0) {
            if (a.front() != b.front()) {
                return a.front() < b.front();
            }
            a.remove_prefix(1);
            b.remove_prefix(1);
            continue;
        }
        // Without leading zeros the longer number is the larger one.
        const auto number = [](std::string_view text) {
            return text.substr(std::min(text.find_first_not_of('0'), text.size()));
        };
        const std::string_view ofA = number(a.substr(0, inA));
        const std::string_view ofB = number(b.substr(0, inB));
        if (ofA != ofB) {
            return ofA.size() != ofB.size() ? ofA.size() < ofB.size() : ofA < ofB;
        }
        a.remove_prefix(inA);
        b.remove_prefix(inB);
    }
    return a.empty() && !b.empty();
}

} // namespace gks
