// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/llm/chat.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <unistd.h>

// One JSON line per request and what came of it: {"request": {...}, "reply": {...}} or {"request": {...}, "error":
// "..."}. A replay looks answers up by the messages alone, so that it survives a change of model or temperature.
namespace gks {
namespace {

constexpr std::size_t recordingLimitBytes = std::size_t{256} << 20;

OrderedJson messagesJson(const std::vector<ChatMessage>& messages) {
    OrderedJson array = OrderedJson::array();
    for (const ChatMessage& message : messages) {
        array.push_back({{"role", message.role}, {"content", sanitizedUtf8(message.content)}});
    }
    return array;
}

class RecordingProvider final : public ChatProvider {
public:
    RecordingProvider(std::unique_ptr<ChatProvider> inner, std::string file)
        : m_inner(std::move(inner)), m_file(std::move(file)) {}

    std::string name() const override { return m_inner->name(); }

    ChatResult complete(const ChatRequest& request, const ChatSinks& sinks, const std::stop_token& stop) override {
        ChatResult reply = m_inner->complete(request, sinks, stop);
        OrderedJson line;
        line["request"] = {{"model", request.model},
                           {"messages", messagesJson(request.messages)},
                           {"temperature", request.temperature},
                           {"max_output_tokens", request.maxOutputTokens},
                           {"schema", request.schemaName}};
        if (reply) {
            line["reply"] = {{"text", reply->text},
                             {"finish_reason", reply->finishReason},
                             {"tokens_in", reply->tokensIn},
                             {"tokens_out", reply->tokensOut},
                             {"estimated", reply->tokensEstimated},
                             {"seconds", reply->seconds}};
        } else if (reply.error().kind == ErrorKind::cancelled) {
            return reply;
        } else {
            line["error"] = reply.error().message();
        }
        GKS_TRY(append(line.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n"));
        return reply;
    }

private:
    Result<void> append(const std::string& line) {
        const std::lock_guard lock(m_mutex);
        const int descriptor = ::open(m_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        bool written = descriptor >= 0;
        for (std::size_t at = 0; written && at < line.size();) {
            const ssize_t count = ::write(descriptor, line.data() + at, line.size() - at);
            written = count > 0 || (count < 0 && errno == EINTR);
            at += count > 0 ? static_cast<std::size_t>(count) : 0;
        }
        const int error = errno;
        if (descriptor >= 0) {
            ::close(descriptor);
        }
        if (!written) {
            return infrastructureError("cannot record: " + systemMessage(error), m_file,
                                       "Choose another file for the recording");
        }
        return {};
    }

    std::unique_ptr<ChatProvider> m_inner;
    std::string m_file;
    std::mutex m_mutex;
};

struct Recorded {
    std::string prompt; // the messages as JSON
    std::vector<Result<ChatReply>> answers;
    std::size_t next = 0;
};

Result<Recorded> readRecord(const Json& json, const std::string& where) {
    try {
        Recorded record;
        std::vector<ChatMessage> messages;
        for (const Json& message : json.at("request").at("messages")) {
            messages.push_back({message.at("role").get<std::string>(), message.at("content").get<std::string>()});
        }
        record.prompt = messagesJson(messages).dump();
        if (json.contains("error")) {
            record.answers.push_back(
                infrastructureError("recorded failure: " + json.at("error").get<std::string>(), where));
            return record;
        }
        const Json& reply = json.at("reply");
        ChatReply answer;
        answer.text = reply.at("text").get<std::string>();
        answer.finishReason = reply.value("finish_reason", "stop");
        answer.tokensIn = reply.value("tokens_in", std::int64_t{0});
        answer.tokensOut = reply.value("tokens_out", std::int64_t{0});
        answer.tokensEstimated = reply.value("estimated", false);
        answer.seconds = reply.value("seconds", 0.0);
        if (answer.text.size() > replyLimitBytes) {
            return usageError("a recorded reply is longer than allowed", where);
        }
        record.answers.push_back(std::move(answer));
        return record;
    } catch (const Json::exception& error) {
        return usageError(fmt::format("not a recorded call ({})", error.what()), where, "Record it again");
    }
}

class ReplayProvider final : public ChatProvider {
public:
    ReplayProvider(std::vector<Recorded> records, std::string file)
        : m_records(std::move(records)), m_file(std::move(file)) {}

    std::string name() const override { return std::string(replayProviderName); }

    ChatResult complete(const ChatRequest& request, const ChatSinks& sinks, const std::stop_token& stop) override {
        if (stop.stop_requested()) {
            return cancelledError(m_file);
        }
        const std::string prompt = messagesJson(request.messages).dump();
        const std::lock_guard lock(m_mutex);
        const auto found =
            std::find_if(m_records.begin(), m_records.end(), [&](const Recorded& r) { return r.prompt == prompt; });
        if (found == m_records.end()) {
            return missing(prompt);
        }
        if (found->next == found->answers.size()) {
            return usageError(fmt::format("all {} recorded answers to this prompt were used", found->answers.size()),
                              m_file, "Record the campaign again");
        }
        Result<ChatReply> answer = found->answers[found->next++];
        if (answer && sinks.text) {
            for (const std::string_view line : lines(answer->text)) {
                const bool last = line.data() + line.size() == answer->text.data() + answer->text.size();
                sinks.text(last ? std::string(line) : std::string(line) + "\n");
            }
        }
        return answer;
    }

private:
    tl::unexpected<Error> missing(const std::string& prompt) const {
        std::string_view nearest;
        std::size_t shared = 0;
        for (const Recorded& record : m_records) {
            const auto [a, b] = std::mismatch(prompt.begin(), prompt.end(), record.prompt.begin(), record.prompt.end());
            const auto length = static_cast<std::size_t>(a - prompt.begin());
            if (nearest.empty() || length > shared) {
                nearest = record.prompt;
                shared = length;
            }
        }
        constexpr std::size_t shown = 80;
        const auto excerpt = [&](std::string_view text) {
            return sanitizedUtf8(text.substr(std::min(shared, text.size()), shown));
        };
        return usageError(nearest.empty() ? std::string("nothing was recorded")
                                          : fmt::format("prompt not in the recording; the closest one matches {} of {} "
                                                        "bytes, then has \"{}\" instead of \"{}\"",
                                                        shared, prompt.size(), excerpt(nearest), excerpt(prompt)),
                          m_file, "Record the campaign again");
    }

    std::vector<Recorded> m_records;
    std::string m_file;
    std::mutex m_mutex;
};

} // namespace

std::unique_ptr<ChatProvider> makeRecordingProvider(std::unique_ptr<ChatProvider> inner, std::string file) {
    return std::make_unique<RecordingProvider>(std::move(inner), std::move(file));
}

Result<std::unique_ptr<ChatProvider>> makeReplayProvider(const std::string& file) {
    GKS_TRY_ASSIGN(const std::string content, readFile(file, recordingLimitBytes));
    std::vector<Recorded> records;
    std::map<std::string, std::size_t> places;
    int number = 0;
    for (const std::string_view line : lines(content)) {
        const std::string where = fmt::format("{}:{}", file, ++number);
        if (trimmed(line).empty()) {
            continue;
        }
        GKS_TRY_ASSIGN(const Json json, parseJson(line, where));
        GKS_TRY_ASSIGN(Recorded record, readRecord(json, where));
        const auto [place, isNew] = places.try_emplace(record.prompt, records.size());
        if (isNew) {
            records.push_back(std::move(record));
        } else {
            records[place->second].answers.push_back(std::move(record.answers.front()));
        }
    }
    return std::make_unique<ReplayProvider>(std::move(records), file);
}

} // namespace gks
