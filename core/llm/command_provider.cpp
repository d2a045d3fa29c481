// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/command_line.h"
#include "core/base/elapsed.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/key_variable.h"
#include "core/base/process.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/llm/chat.h"
#include "core/llm/plain_request.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unistd.h>

// A program of the person's own answers: the request on its standard input, the reply on its standard output. It runs
// with the person's rights, in an empty folder, without a terminal and without a shell.
namespace gks {
namespace {

constexpr std::size_t complaintLimitBytes = 2000; // the end of standard error, of which a part is quoted

// Ours, without what is named like a key: a command gets the one that was chosen for it.
std::vector<std::pair<std::string, std::string>> environmentOf(const CommandOptions& options) {
    std::vector<std::pair<std::string, std::string>> kept;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const std::string_view name = text.substr(0, text.find('='));
        const bool isWithheld =
            std::find(options.withheld.begin(), options.withheld.end(), name) != options.withheld.end();
        if (name.size() < text.size() && name != options.variable && !isWithheld && !isNamedLikeKey(name)) {
            kept.emplace_back(name, text.substr(name.size() + 1));
        }
    }
    if (!options.variable.empty() && !options.key.empty()) {
        kept.emplace_back(options.variable, options.key);
    }
    return kept;
}

// What the command printed, as it may be kept: a command may print the key that it was given.
std::string withoutKey(std::string_view printed, const std::string& key) {
    std::string text = sanitizedUtf8(printed);
    return key.empty() ? text : replaceAll(std::move(text), key, "[key]");
}

// Whole lines of what arrives, so that no character is shown by halves.
class LineSink {
public:
    LineSink(const ChatSink& sink, const std::string& key) : m_sink(sink), m_key(key) {}
    void operator()(std::string_view piece) {
        m_rest += piece;
        if (const std::size_t end = m_rest.rfind('\n'); end != std::string::npos) {
            pass(std::string_view(m_rest).substr(0, end + 1));
            m_rest.erase(0, end + 1);
        }
    }
    void finish() { pass(std::exchange(m_rest, {})); }

private:
    void pass(std::string_view text) const {
        if (m_sink && !text.empty()) {
            m_sink(withoutKey(text, m_key));
        }
    }
    const ChatSink& m_sink;
    const std::string& m_key;
    std::string m_rest;
};

class CommandProvider final : public ChatProvider {
public:
    CommandProvider(CommandOptions options, std::vector<std::string> words)
        : m_options(std::move(options)), m_words(std::move(words)) {}

    std::string name() const override { return std::string(commandProviderName); }

    ChatResult complete(const ChatRequest& request, const ChatSinks& sinks, const std::stop_token& stop) override {
        GKS_TRY_ASSIGN(const TemporaryDirectory folder, TemporaryDirectory::create("gks-command"));
        const std::string input = plainRequest(request);
        LineSink shown(sinks.text, m_options.key);
        std::string complaint;
        ChatReply counted;
        const auto started = std::chrono::steady_clock::now();
        RunOptions options;
        options.timeout = std::chrono::milliseconds(std::llround(m_options.totalSeconds * 1000));
        options.outputLimitBytes = replyLimitBytes + 1;
        options.endAtLimit = true;
        options.input = input;
        options.stop = stop;
        options.onOutput = [&](std::string_view piece) {
            if (counted.firstTokenSeconds == 0) {
                counted.firstTokenSeconds = secondsSince(started);
                progress(sinks, ChatPhase::writing, counted.firstTokenSeconds);
            }
            shown(piece);
        };
        options.onError = [&](std::string_view piece) {
            complaint += piece;
            complaint.erase(0, complaint.size() - std::min(complaint.size(), complaintLimitBytes));
        };
        progress(sinks, ChatPhase::waiting, 0);
        const auto done = runProcess({.arguments = m_words,
                                      .environment = environmentOf(m_options),
                                      .folder = folder.path(),
                                      .ownSession = true},
                                     options);
        if (!done) {
            return tl::unexpected<ChatFailure>(done.error());
        }
        shown.finish();
        ChatReply reply = plainReply(withoutKey(done->output, m_options.key), input);
        reply.seconds = done->seconds;
        reply.firstTokenSeconds = counted.firstTokenSeconds;
        if (auto failure = failureOf(*done, complaint)) {
            reply.finishReason.clear();
            return tl::unexpected(ChatFailure(std::move(*failure), std::move(reply)));
        }
        return reply;
    }

private:
    static void progress(const ChatSinks& sinks, ChatPhase phase, double elapsedSeconds) {
        if (sinks.progress) {
            sinks.progress({phase, elapsedSeconds});
        }
    }
    std::optional<Error> failureOf(const CompletedProcess& done, const std::string& complaint) const {
        const auto failed = [&](std::string what, std::string next) {
            const std::string text = withoutKey(trimmed(complaint), m_options.key);
            if (!text.empty()) {
                what += "; the end of its standard error: " + quotation(endOf(text));
            }
            return Error{ErrorKind::infrastructure, std::move(what), m_words.front(), std::move(next)};
        };
        const std::string again = "Try the command in a terminal: it gets the prompt on standard input and prints the "
                                  "reply";
        if (done.cancelled) {
            return Error{ErrorKind::cancelled, "cancelled", m_words.front(), {}};
        }
        if (done.timedOut) {
            return failed(fmt::format("no whole reply after {}", formatSeconds(m_options.totalSeconds)),
                          "Raise the limit of the whole call (--total-minutes), or see what the command waits for");
        }
        if (done.output.size() > replyLimitBytes) {
            return failed(fmt::format("the reply is longer than {}", formatBytes(replyLimitBytes)),
                          "Have the command print the reply alone");
        }
        if (!done.exit.ok()) {
            return failed(fmt::format("ended with {}", done.exit.text()), again);
        }
        if (trimmed(done.output).empty()) {
            return failed("printed no reply", again);
        }
        return std::nullopt;
    }
    // Whole lines, as many as a quotation takes: the last ones say what went wrong.
    static std::string endOf(const std::string& text) {
        if (text.size() <= quotationLimitBytes) {
            return text;
        }
        const std::size_t cut = text.size() - quotationLimitBytes;
        const std::size_t line = text.find('\n', cut);
        return line == std::string::npos ? sanitizedUtf8(std::string_view(text).substr(cut)) : text.substr(line + 1);
    }

    CommandOptions m_options;
    std::vector<std::string> m_words; // the first is the program's full path
};

} // namespace

Result<std::unique_ptr<ChatProvider>> makeCommandProvider(CommandOptions options) {
    GKS_TRY_ASSIGN(std::vector<std::string> words, commandWords(options.line));
    GKS_TRY_ASSIGN(const std::filesystem::path program, commandProgram(words));
    words.front() = program.string();
    return std::make_unique<CommandProvider>(std::move(options), std::move(words));
}

} // namespace gks
