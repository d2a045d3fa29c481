// SPDX-License-Identifier: GPL-3.0-or-later
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

// Formats device printf. The first string is the format, the others are its %s arguments, words are all other
// arguments. Each conversion is given to the host's snprintf by itself, rebuilt from its checked parts: the format is a
// kernel's, not ours.

namespace {

struct Message {
    std::FILE* file = nullptr;
    std::vector<std::string> strings;
    std::vector<std::uint64_t> words;
};

class Formatter {
public:
    explicit Formatter(const Message& message) : m_message(message) {}

    std::string run() {
        const std::string& format = m_message.strings.empty() ? m_empty : m_message.strings.front();
        std::size_t at = 0;
        while (at < format.size()) {
            if (format[at] != '%') {
                m_out += format[at++];
            } else if (at + 1 < format.size() && format[at + 1] == '%') {
                m_out += '%';
                at += 2;
            } else {
                at = convert(format, at);
            }
        }
        return m_out;
    }

private:
    static constexpr int maxWidth = 4096;

    std::uint64_t word() { return m_nextWord < m_message.words.size() ? m_message.words[m_nextWord++] : 0; }

    // Width or precision: digits, or * for an argument.
    int number(const std::string& format, std::size_t& at) {
        if (at < format.size() && format[at] == '*') {
            ++at;
            return static_cast<int>(static_cast<std::int32_t>(word()) % maxWidth);
        }
        int value = 0;
        while (at < format.size() && format[at] >= '0' && format[at] <= '9') {
            value = value < maxWidth ? value * 10 + (format[at] - '0') : value;
            ++at;
        }
        return value < maxWidth ? value : maxWidth;
    }

    std::size_t convert(const std::string& format, std::size_t at) {
        const std::size_t begin = at++;
        std::string specification = "%";
        while (at < format.size() && std::strchr("-+ #0", format[at])) {
            if (specification.size() < 8) {
                specification += format[at];
            }
            ++at;
        }
        specification += '*';
        const int width = number(format, at);
        int precision = -1;
        if (at < format.size() && format[at] == '.') {
            ++at;
            precision = number(format, at);
        }
        specification += ".*";
        int longs = 0;
        int shorts = 0;
        while (at < format.size() && std::strchr("hlzjt", format[at])) {
            longs += format[at] != 'h';
            shorts += format[at] == 'h';
            ++at;
        }
        if (at == format.size()) {
            m_out += format.substr(begin);
            return at;
        }
        append(specification, format[at], width, precision, longs > 0 ? 8 : shorts == 0 ? 4 : shorts == 1 ? 2 : 1);
        return at + 1;
    }

    template<class Value>
    void print(const std::string& specification, int width, int precision, Value value) {
        std::vector<char> buffer(512);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        int size = std::snprintf(buffer.data(), buffer.size(), specification.c_str(), width, precision, value);
        if (size >= static_cast<int>(buffer.size())) {
            buffer.resize(static_cast<std::size_t>(size) + 1);
            size = std::snprintf(buffer.data(), buffer.size(), specification.c_str(), width, precision, value);
        }
#pragma GCC diagnostic pop
        m_out.append(buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    }

    void append(const std::string& specification, char conversion, int width, int precision, int bytes) {
        if (conversion == 's') {
            const std::string& text =
                m_nextString < m_message.strings.size() ? m_message.strings[m_nextString++] : m_empty;
            print(specification + 's', width, precision, text.c_str());
        } else if (std::strchr("eEfFgGaA", conversion)) {
            const std::uint64_t bits = word();
            double value = 0;
            std::memcpy(&value, &bits, sizeof value);
            print(specification + conversion, width, precision, value);
        } else if (std::strchr("di", conversion)) {
            const int unused = 64 - 8 * bytes;
            print(specification + PRId64, width, precision, static_cast<std::int64_t>(word() << unused) >> unused);
        } else if (std::strchr("uxXo", conversion)) {
            const int unused = 64 - 8 * bytes;
            print(specification + 'l' + conversion, width, precision,
                  static_cast<unsigned long>(word() << unused >> unused));
        } else if (conversion == 'c') {
            m_out += static_cast<char>(word());
        } else if (conversion == 'p') {
            print("%*.*s", 0, -1, "0x");
            print("%*.*lx", width, precision, static_cast<unsigned long>(word()));
        }
    }

    const Message& m_message;
    const std::string m_empty;
    std::string m_out;
    std::size_t m_nextString = 1;
    std::size_t m_nextWord = 0;
};

Message& messageOf(std::uint64_t handle) {
    return *reinterpret_cast<Message*>(handle);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

std::uint64_t hipcpu_print_begin(int toStderr) {
    auto* message = new Message;
    message->file = toStderr ? stderr : stdout;
    return reinterpret_cast<std::uint64_t>(message);
}

void hipcpu_print_string(std::uint64_t message, const char* text, std::uint64_t length) {
    messageOf(message).strings.emplace_back(text ? std::string(text, strnlen(text, length)) : std::string());
}

void hipcpu_print_words(std::uint64_t message, const std::uint64_t* words, std::uint32_t count) {
    auto& target = messageOf(message).words;
    target.insert(target.end(), words, words + count);
}

void hipcpu_print_end(std::uint64_t handle) {
    Message& message = messageOf(handle);
    const std::string text = Formatter(message).run();
    std::fwrite(text.data(), 1, text.size(), message.file);
    std::fflush(message.file);
    delete &message;
}

} // extern "C"
#pragma GCC visibility pop
