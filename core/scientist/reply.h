// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <memory>
#include <string>
#include <string_view>

namespace gks {

// The object in a model's reply: the whole text, a fenced block, or the outermost braces as JSON; else `key: value`
// lines in the manner of YAML. Code beside it joins the object when that has neither `source` nor `edits`: blocks with
// SEARCH and REPLACE marks become `edits`, else the longest block of code becomes `source`. The error is written for
// the model to read.
Result<Json> objectInReply(std::string_view text);

// The subset of YAML that models write: nested keys and lists by indentation, block text after `|`, [a, b] and quoted
// text in one line. Always ends; the error says which line is not understood.
Result<Json> parseYamlLike(std::string_view text);

// prompts/schema/NAME.json, its fields in their order.
Result<std::shared_ptr<const OrderedJson>> loadSchema(const std::string& name);

} // namespace gks
