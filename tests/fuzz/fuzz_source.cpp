// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/campaign/normalized_source.h"
#include "core/scientist/novelty.h"
#include "tests/fuzz/fuzz.h"

// The identity of a source: ends, stays bounded, and neither comments nor white space change it.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(gks::fuzz::text(data, size));
    const std::string identity = gks::normalizedSource(text);
    const auto same = [&](const std::string& other, const char* what) {
        gks::fuzz::require(gks::normalizedSource(other) == identity, what);
    };
    gks::fuzz::require(identity.size() <= 3 * size + 1, "bounded");
    same("// comment\n" + text, "a comment before it");
    same("/* comment */" + text, "another comment before it");
    if (text.find_first_of("\"'\r") == std::string::npos) { // literals keep what is in them
        same(gks::replaceAll(text, "\n", "\r\n"), "line endings");
        same(gks::replaceAll(text, " ", " \t"), "the width of a gap");
        if (text.find("/*") == std::string::npos) { // no comment can hold another one
            same(gks::replaceAll(text, " ", " /* gap */ "), "comments in a gap");
        }
    }
    const double similarity = gks::similarity(text, text);
    gks::fuzz::require(similarity == 1, "a source is the same as itself");
    return 0;
}
