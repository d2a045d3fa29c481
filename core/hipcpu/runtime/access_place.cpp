// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/access_place.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace gks::hipcpu {
namespace {

constexpr std::size_t textLimitBytes = 256;

} // namespace

std::string cleaned(const char* text) {
    std::string result;
    for (; text != nullptr && *text != 0 && result.size() < textLimitBytes; ++text) {
        const auto letter = static_cast<unsigned char>(*text);
        result += letter < ' ' || letter == 0x7f ? '?' : *text;
    }
    return result;
}

SourcePlace placeOf(const AccessSite& site) {
    return {cleaned(site.file), site.line, site.column};
}

std::string readableKernel(const char* symbol) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> readable(abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
                                                               &std::free);
    return cleaned(status == 0 ? readable.get() : symbol);
}

} // namespace gks::hipcpu
