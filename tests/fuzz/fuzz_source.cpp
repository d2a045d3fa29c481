// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/normalized_source.h"
#include "tests/fuzz/fuzz.h"

// The identity of a source: ends, stays bounded, and comments never change it.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = gks::fuzz::text(data, size);
    const std::string identity = gks::normalizedSource(text);
    gks::fuzz::require(identity.size() <= 3 * size + 1, "bounded");
    gks::fuzz::require(gks::normalizedSource("// comment\n" + std::string(text)) == identity, "a comment before it");
    return 0;
}
