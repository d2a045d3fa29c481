// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run_lines.h"
#include "tests/fuzz/fuzz.h"

namespace {

// What was read once is written so that it is read as the same.
template<class Read, class Write>
void comesBack(const std::string& line, Read read, Write write) {
    const auto value = read(line);
    if (!value) {
        return;
    }
    const std::string written = write(*value);
    const auto again = read(written);
    gks::fuzz::require(again.has_value(), "what is written can be read");
    gks::fuzz::require(write(*again) == written, "and is the same");
}

} // namespace

// One line between a run and those that watch it, who may be on another machine.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string line(gks::fuzz::text(data, size));
    comesBack(line, gks::requestFrom, gks::requestLine);
    comesBack(line, gks::replyFrom, gks::replyLine);
    return 0;
}
