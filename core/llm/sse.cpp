// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/sse.h"

#include <utility>

namespace gks {

SseParser::SseParser(Sink sink, std::size_t eventLimitBytes)
    : m_sink(std::move(sink)), m_eventLimitBytes(eventLimitBytes) {}

void SseParser::feed(std::string_view bytes) {
    for (const char c : bytes) {
        if (m_overflowed) {
            return;
        }
        const bool secondOfPair = m_afterReturn && c == '\n';
        m_afterReturn = c == '\r';
        if (secondOfPair) {
            continue;
        }
        if (c == '\n' || c == '\r') {
            endLine();
        } else {
            m_line += c;
            m_overflowed = m_line.size() + m_event.data.size() > m_eventLimitBytes;
        }
    }
}

void SseParser::finish() {
    if (!m_line.empty() && !m_overflowed) {
        endLine();
    }
    dispatch();
}

void SseParser::endLine() {
    std::string_view line = m_line;
    if (std::exchange(m_firstLine, false) && line.starts_with("\xef\xbb\xbf")) {
        line.remove_prefix(3);
    }
    if (line.empty()) {
        dispatch();
    } else {
        const std::size_t colon = line.find(':');
        const std::string_view field = line.substr(0, colon); // empty for a comment
        std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
        if (value.starts_with(' ')) {
            value.remove_prefix(1);
        }
        if (field == "data") {
            if (std::exchange(m_hasData, true)) {
                m_event.data += '\n';
            }
            m_event.data += value;
        } else if (field == "event") {
            m_event.type = value;
        }
    }
    m_line.clear();
}

void SseParser::dispatch() {
    Event event = std::exchange(m_event, {});
    if (std::exchange(m_hasData, false) && !m_overflowed) {
        if (event.type.empty()) {
            event.type = "message";
        }
        m_sink(event);
    }
}

} // namespace gks
