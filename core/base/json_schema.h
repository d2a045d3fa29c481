// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <string_view>

namespace gks {

// Whether a value fits a schema: the keywords of JSON Schema draft 7 that the schemas of replies use, with the meaning
// that they have there. They are type, enum, required, properties, additionalProperties (false alone), items (one
// schema for all), minItems, maxItems, minLength and maxLength (in characters), pattern, minimum and maximum. Any other
// keyword but $schema, title and description is an error of the schema: nothing that is written there goes unchecked.
//
// The error lists what does not fit, each with its place as a JSON pointer, and is written for the author of the value.
// A text that is not UTF-8 or holds a zero byte never fits.
// `whole` is how it calls the value itself.
Result<void> validate(const Json& value, const Json& schema, std::string_view whole = "the reply");

} // namespace gks
