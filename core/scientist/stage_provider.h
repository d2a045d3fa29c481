// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llm/chat.h"
#include "core/scientist/scientist.h"

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace gks {

// The variables that hold the keys of these, each once.
std::vector<std::string> keyVariablesOf(const std::map<std::string, ModelChoice>& models);

// Who answers for a stage with this choice: a service over HTTP or a command, with the key from the environment or from
// where the person keeps it, a folder, a recording, or a person. Fails when the provider is unknown, or its key,
// address or model is missing.
Result<std::unique_ptr<ChatProvider>> makeStageProvider(const ModelChoice& choice, const std::string& stage,
                                                        const ScientistSinks& sinks);

// One tiny request, sent once: whether address, key and name of the model are right. Blocks; the error says what is
// wrong.
Result<ChatReply> tryModel(const ModelChoice& choice, const ScientistSinks& sinks, const std::stop_token& stop);

} // namespace gks
