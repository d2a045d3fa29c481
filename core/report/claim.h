// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gks {

// What came of looking at one thing that a bundle states, from the best to the worst.
enum class Outcome {
    agrees,
    noted,     // speaks neither for the bundle nor against it
    notTested, // it may be true, but nothing here can show it
    differs,
};
std::string_view name(Outcome outcome); // "agrees", "noted", "not tested", "differs"

// One line of the table that a check comes to.
struct Claim {
    std::string where; // file of the bundle
    std::string what;  // "ratio"
    std::string claimed;
    std::string found;
    std::string why; // empty when it agrees and there is nothing to add
    Outcome outcome = Outcome::agrees;
};
using Claims = std::vector<Claim>;

// The outcome of the whole; agrees when there is no claim.
Outcome worst(const Claims& claims);

// Adds claims about one file.
class ClaimWriter {
public:
    ClaimWriter(Claims& claims, std::string where) : m_claims(claims), m_where(std::move(where)) {}

    void add(Outcome outcome, std::string what, std::string claimed, std::string found, std::string why = {});
    void differ(std::string what, std::string claimed, std::string found, std::string why);
    // Two texts that must be the same; `why` is said only when they are not.
    void same(std::string what, const std::string& claimed, const std::string& found, std::string why);

private:
    Claims& m_claims;
    std::string m_where;
};

} // namespace gks
