// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llm/chat.h"

#include <string>
#include <string_view>

namespace gks {

// A request as one text, for whoever takes no messages: a command's standard input, a file. Every part begins with a
// line that names its role and carries the request's mark, a hash over all of it: nothing inside a part looks like the
// beginning of another. The wanted form of the reply stands last.
std::string plainRequest(const ChatRequest& request);

// The reply to such a request, with its tokens as estimates.
ChatReply plainReply(std::string text, std::string_view request);

} // namespace gks
