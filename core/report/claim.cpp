// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/claim.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace gks {
namespace {

constexpr std::size_t textLimitBytes = 400; // of one cell: it may come from anybody

} // namespace

std::string_view name(Outcome outcome) {
    static constexpr std::array<std::string_view, 4> names = {"agrees", "noted", "not tested", "differs"};
    return names[static_cast<std::size_t>(outcome)];
}

Outcome worst(const Claims& claims) {
    const auto found = std::max_element(claims.begin(), claims.end(),
                                        [](const Claim& a, const Claim& b) { return a.outcome < b.outcome; });
    return found == claims.end() ? Outcome::agrees : found->outcome;
}

void ClaimWriter::add(Outcome outcome, std::string what, std::string claimed, std::string found, std::string why) {
    const auto bounded = [](const std::string& text) { return abbreviated(sanitizedUtf8(text), textLimitBytes); };
    m_claims.push_back({m_where, bounded(what), bounded(claimed), bounded(found), bounded(why), outcome});
}

void ClaimWriter::differ(std::string what, std::string claimed, std::string found, std::string why) {
    add(Outcome::differs, std::move(what), std::move(claimed), std::move(found), std::move(why));
}

void ClaimWriter::same(std::string what, const std::string& claimed, const std::string& found, std::string why) {
    const bool agrees = claimed == found;
    add(agrees ? Outcome::agrees : Outcome::differs, std::move(what), claimed, found,
        agrees ? std::string() : std::move(why));
}

} // namespace gks
