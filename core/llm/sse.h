// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace gks {

// Server-sent events (WHATWG HTML, 9.2) from a stream that may be cut anywhere, inside a line ending or a character as
// well.
class SseParser {
public:
    struct Event {
        std::string type; // "message" unless the server named it
        std::string data; // its data lines, joined by \n
    };
    using Sink = std::function<void(const Event&)>;

    // An event that is larger than the limit ends the parsing: overflowed() stays true and nothing more is delivered.
    explicit SseParser(Sink sink, std::size_t eventLimitBytes = std::size_t{1} << 20);

    void feed(std::string_view bytes);
    // The end of the stream: servers leave out the blank line after the last event.
    void finish();
    bool overflowed() const { return m_overflowed; }

private:
    void endLine();
    void dispatch();

    Sink m_sink;
    std::size_t m_eventLimitBytes;
    std::string m_line;
    Event m_event;
    bool m_hasData = false;
    bool m_afterReturn = false; // the last byte was \r: a \n that follows belongs to it
    bool m_firstLine = true;
    bool m_overflowed = false;
};

} // namespace gks
