// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/signal_text.h"

#include <unistd.h>

namespace gks::hipcpu {

void SignalText::append(char c) {
    if (m_size + 1 < capacity) { // one place is kept for the newline
        m_text[m_size++] = c;
        m_text[m_size] = '\n';
    }
}

SignalText& SignalText::operator<<(const char* text) {
    for (; *text; ++text) {
        append(static_cast<unsigned char>(*text) < ' ' || *text == 0x7f ? '?' : *text);
    }
    return *this;
}

SignalText& SignalText::operator<<(std::uint64_t number) {
    char digits[20];
    std::size_t count = 0;
    do {
        digits[count++] = static_cast<char>('0' + number % 10);
        number /= 10;
    } while (number);
    while (count) {
        append(digits[--count]);
    }
    return *this;
}

SignalText& SignalText::operator<<(const SignalText& other) {
    for (std::size_t i = 0; i < other.m_size; ++i) {
        append(other.m_text[i]);
    }
    return *this;
}

SignalText& SignalText::hexadecimal(std::uintptr_t number) {
    *this << "0x";
    bool leading = true;
    for (int shift = 60; shift >= 0; shift -= 4) {
        const auto digit = static_cast<unsigned>(number >> shift & 15u);
        leading = leading && digit == 0 && shift != 0;
        if (!leading) {
            append("0123456789abcdef"[digit]);
        }
    }
    return *this;
}

void SignalText::print() const {
    std::size_t written = 0;
    while (written < lineBytes()) {
        const ssize_t n = write(STDERR_FILENO, m_text + written, lineBytes() - written);
        if (n <= 0) {
            return;
        }
        written += static_cast<std::size_t>(n);
    }
}

} // namespace gks::hipcpu
