// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/failure_text.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t limitBytes = 2000;
    const std::string text = gks::compilerText(gks::fuzz::text(data, size), limitBytes);
    gks::fuzz::require(text.size() <= limitBytes + 100, "bounded");
    return 0;
}
