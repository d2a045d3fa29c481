// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/engine/engine.h"

#include <string>

namespace gks {

// Events as `run --events` prints them and as they go to viewers: {"event": "activity", "lane": "cpu:0", ...}. Of a
// population it is said that it is a new one; who wants it reads the file.
OrderedJson eventJson(const EngineEvent& event);
// Of another process, perhaps on another machine: what is no event, or has a field of another type, is refused.
Result<EngineEvent> engineEventFromJson(const Json& json);
std::string eventLine(const OrderedJson& json); // ASCII, without a line break

OrderedJson errorJson(const Error& error);
Result<Error> errorFromJson(const Json& json);

// Of which there may be very many, and without which a later one says the same.
bool isProgress(const EngineEvent& event);

} // namespace gks
