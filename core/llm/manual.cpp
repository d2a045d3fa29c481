// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/elapsed.h"
#include "core/llm/chat.h"

#include "core/base/text.h"

#include <chrono>
#include <fmt/format.h>

namespace gks {
namespace {

class ManualProvider final : public ChatProvider {
public:
    explicit ManualProvider(ManualAnswer answer) : m_answer(std::move(answer)) {}

    std::string name() const override { return std::string(manualProviderName); }

    ChatResult complete(const ChatRequest& request, const ChatSinks& sinks, const std::stop_token& stop) override {
        const auto start = std::chrono::steady_clock::now();
        GKS_TRY_ASSIGN(const std::string pasted, m_answer(request, stop));
        ChatReply reply;
        reply.text = sanitizedUtf8(pasted);
        if (reply.text.size() > replyLimitBytes) {
            return usageError(
                fmt::format("the pasted reply is too long: {} bytes (limit {})", reply.text.size(), replyLimitBytes),
                "manual model", "Paste only the reply");
        }
        reply.finishReason = "stop";
        reply.seconds = secondsSince(start);
        if (sinks.text) {
            sinks.text(reply.text);
        }
        return reply;
    }

private:
    ManualAnswer m_answer;
};

} // namespace

std::unique_ptr<ChatProvider> makeManualProvider(ManualAnswer answer) {
    return std::make_unique<ManualProvider>(std::move(answer));
}

} // namespace gks
