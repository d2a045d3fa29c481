// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/options/missing_header.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gks::hipcpu {
namespace {

struct HeaderFolder {
    std::string_view name;
    std::string_view package; // of ROCm; Debian has none of them
};

constexpr auto packagedFolders = std::to_array<HeaderFolder>({
    {"rocwmma/", "rocwmma-dev"},
    {"ck/", "composablekernel-dev"},
    {"ck_tile/", "composablekernel-dev"},
});

} // namespace

std::string adviceOnMissingHeader(std::string_view diagnostics) {
    constexpr std::string_view begin = "fatal error: '";
    const std::size_t at = diagnostics.find(begin);
    if (at == std::string_view::npos) {
        return {};
    }
    const std::string_view name = diagnostics.substr(at + begin.size());
    const auto* folder = std::find_if(packagedFolders.begin(), packagedFolders.end(),
                                      [&](const HeaderFolder& each) { return name.starts_with(each.name); });
    return folder == packagedFolders.end()
               ? std::string()
               : fmt::format("Install {} from AMD's ROCm repository and set ROCM_PATH to that ROCm", folder->package);
}

} // namespace gks::hipcpu
