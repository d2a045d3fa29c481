// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/person_desk.h"

namespace gks {

void PersonDesk::listen(std::function<void()> changed) {
    const std::lock_guard lock(m_mutex);
    m_changed = std::move(changed);
}

// Under the lock: who has called listen({}) is never called again.
void PersonDesk::tell() {
    if (m_changed) {
        m_changed();
    }
}

Result<std::string> PersonDesk::ask(const std::string& stage, const ChatRequest& request, const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    const int id = ++m_newest;
    m_waiting[id].question = {id, stage, request.messages};
    tell();
    m_moved.wait(lock, stop, [&] { return m_closed || m_waiting.at(id).end != End::none; });
    const Waiting ended = std::move(m_waiting.at(id));
    m_waiting.erase(id);
    tell();
    if (ended.end == End::answered) {
        return ended.text;
    }
    if (stop.stop_requested()) {
        return cancelledError(stage);
    }
    return usageError("you declined to reply for the model", stage,
                      "Press Run to get the prompt again, or choose a model for this stage in the campaign settings");
}

std::vector<PersonQuestion> PersonDesk::questions() const {
    const std::lock_guard lock(m_mutex);
    std::vector<PersonQuestion> open;
    for (const auto& [id, waiting] : m_waiting) {
        if (waiting.end == End::none && !m_closed) {
            open.push_back(waiting.question);
        }
    }
    return open;
}

void PersonDesk::answer(int id, std::string text) {
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_waiting.find(id); found != m_waiting.end() && found->second.end == End::none) {
        found->second.end = End::answered;
        found->second.text = std::move(text);
        m_moved.notify_all();
    }
}

void PersonDesk::decline(int id) {
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_waiting.find(id); found != m_waiting.end() && found->second.end == End::none) {
        found->second.end = End::declined;
        m_moved.notify_all();
    }
}

void PersonDesk::close() {
    const std::lock_guard lock(m_mutex);
    m_closed = true;
    m_moved.notify_all();
}

} // namespace gks
