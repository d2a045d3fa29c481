// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace gks {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

// Nesting deeper than this is refused: hostile text must not exhaust the stack.
inline constexpr int jsonDepthLimit = 128;

// Parses without exceptions; the error says line and column. `where` names the origin.
Result<Json> parseJson(std::string_view text, std::string_view where);

} // namespace gks
