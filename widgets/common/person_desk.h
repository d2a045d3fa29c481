// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/llm/chat.h"

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gks {

struct PersonQuestion {
    int id = 0;
    std::string stage;
    std::vector<ChatMessage> messages;
};

// Where the engine's thread waits for the person who answers in the place of a model. Thread-safe.
class PersonDesk final {
public:
    // Called on any thread whenever a question has come or gone; replaced by an empty one when nobody listens any more.
    void listen(std::function<void()> changed);

    // Blocks until somebody answers or declines, the desk closes, or the wait is stopped.
    Result<std::string> ask(const std::string& stage, const ChatRequest& request, const std::stop_token& stop);

    std::vector<PersonQuestion> questions() const; // that wait, the oldest first
    void answer(int id, std::string text);         // an unknown id is one that was answered or withdrawn
    void decline(int id);
    void close(); // declines everything, now and from now on

private:
    enum class End { none, answered, declined };
    struct Waiting {
        PersonQuestion question;
        End end = End::none;
        std::string text;
    };
    void tell();

    mutable std::mutex m_mutex;
    std::condition_variable_any m_moved;
    std::map<int, Waiting> m_waiting;
    std::function<void()> m_changed;
    int m_newest = 0;
    bool m_closed = false;
};

} // namespace gks
