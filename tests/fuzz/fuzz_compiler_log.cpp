// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/scientist/failure_text.h"
#include "tests/fuzz/fuzz.h"

// Whatever a compiler was made to print: bounded, UTF-8, and folders of this machine do not get through.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t limitBytes = 2000;
    const std::string_view log = gks::fuzz::text(data, size);
    const std::string text = gks::compilerText(log, limitBytes);
    gks::fuzz::require(text.size() <= limitBytes + 100, "bounded");
    gks::fuzz::require(gks::sanitizedUtf8(text) == text, "UTF-8");
    const std::string error = gks::compilerText("/build/secret/kernel.hip:1:2: error: broken\n" + std::string(log));
    gks::fuzz::require(error.starts_with("kernel.hip:1:2: error: broken\n"), "the first error comes first");
    return 0;
}
