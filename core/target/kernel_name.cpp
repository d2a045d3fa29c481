// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/kernel_name.h"

#include "core/base/terminal_text.h"
#include "core/base/text.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace gks {
namespace {

constexpr std::size_t mangledLimitBytes = 1024; // what is longer is shown as it is
constexpr std::size_t referenceLimit = 24;      // and what has more of these as well
constexpr std::size_t nameLimitBytes = 400;

// "S0_" and "T_" repeat a part of what stands before them. P<P<P<int, int>, ...>, ...> takes two more of them for each
// doubling of its name, so a short symbol may stand for gigabytes.
std::size_t references(std::string_view symbol) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < symbol.size(); ++i) {
        if (symbol[i] == 'S' || symbol[i] == 'T') {
            const std::size_t end = symbol.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", i + 1);
            count += end != std::string_view::npos && symbol[end] == '_' ? 1 : 0;
        }
    }
    return count;
}

} // namespace

std::string boundedName(std::string_view text) {
    std::string clean = terminalLine(text);
    return clean.size() <= nameLimitBytes ? clean
                                          : sanitizedUtf8(std::string_view(clean).substr(0, nameLimitBytes)) + "...";
}

std::string kernelName(const std::string& symbol) {
    int status = -1;
    if (symbol.size() <= mangledLimitBytes && references(symbol) <= referenceLimit) {
        const std::unique_ptr<char, decltype(&std::free)> text(
            abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
        if (status == 0 && text) {
            return boundedName(text.get());
        }
    }
    return boundedName(symbol);
}

} // namespace gks
