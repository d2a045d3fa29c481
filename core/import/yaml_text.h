// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <string_view>

namespace gks {

// One YAML document as JSON: mappings, sequences, texts and whole numbers, floating-point numbers, true, false, null.
// Bounded in size, depth and number of values. Refused with its line: anchors and aliases, which could be a text of any
// size, tags, keys that are no texts, and a key that is there twice.
Result<OrderedJson> parseYaml(std::string_view text, std::string_view where);

} // namespace gks
