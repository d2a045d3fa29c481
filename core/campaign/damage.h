// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <utility>

namespace gks {

inline constexpr std::string_view restoreCopy = "Restore a copy";

// What a campaign file cannot hold, since this program wrote it.
inline Error damage(std::string_view what, std::string where, std::string_view next = restoreCopy) {
    return {ErrorKind::infrastructure, "the campaign file is damaged (" + std::string(what) + ")", std::move(where),
            std::string(next)};
}
inline tl::unexpected<Error> damaged(std::string_view what, std::string where, std::string_view next = restoreCopy) {
    return tl::unexpected(damage(what, std::move(where), next));
}

} // namespace gks
