// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace gks::hipcpu {

// One line of text for stderr, put together without anything that a signal handler must not call. Longer text is cut.
class SignalText {
public:
    SignalText& operator<<(const char* text); // control characters become question marks
    SignalText& operator<<(std::uint64_t number);
    SignalText& operator<<(const SignalText& other);
    SignalText& hexadecimal(std::uintptr_t number);
    // Writes the line and a newline to stderr.
    void print() const;
    // The line with its newline.
    const char* line() const { return m_text; }
    std::size_t lineBytes() const { return m_size + 1; }

private:
    void append(char c);

    static constexpr std::size_t capacity = 1024;
    char m_text[capacity] = {'\n'};
    std::size_t m_size = 0;
};

} // namespace gks::hipcpu
