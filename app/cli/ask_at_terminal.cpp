// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ask_at_terminal.h"

#include "app/cli/output.h"

#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace gks::cli {
namespace {

constexpr std::string_view lastLine = ".";

// Lines of standard input; what is read beyond one reply is kept for the next.
class Lines {
public:
    explicit Lines(const std::stop_token& stop) : m_stop(stop, Waker{m_wake}) {}
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;
    ~Lines() { ::close(m_wake); }

    enum class Got { line, end, stopped };
    Got next(std::string& line) {
        for (;;) {
            if (const std::size_t at = rest().find('\n'); at != std::string::npos) {
                line = rest().substr(0, at);
                rest().erase(0, at + 1);
                return Got::line;
            }
            if (const Got got = fill(); got != Got::line) {
                return got;
            }
        }
    }

private:
    struct Waker {
        int descriptor;
        void operator()() const {
            const std::uint64_t one = 1;
            [[maybe_unused]] const ssize_t written = ::write(descriptor, &one, sizeof one);
        }
    };

    static std::string& rest() {
        static std::string kept;
        return kept;
    }

    Got fill() const {
        std::array<pollfd, 2> watched = {{{STDIN_FILENO, POLLIN, 0}, {m_wake, POLLIN, 0}}};
        if (::poll(watched.data(), watched.size(), -1) < 0) {
            return errno == EINTR ? Got::line : Got::end;
        }
        if (watched[1].revents != 0) {
            return Got::stopped;
        }
        std::array<char, 4096> buffer = {};
        const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (got <= 0) {
            return got < 0 && errno == EINTR ? Got::line : Got::end;
        }
        rest().append(buffer.data(), static_cast<std::size_t>(got));
        return Got::line;
    }

    int m_wake = ::eventfd(0, EFD_CLOEXEC);
    std::stop_callback<Waker> m_stop;
};

} // namespace

Result<std::string> askAtTerminal(const std::string& stage, const ChatRequest& request, const std::stop_token& stop) {
    for (const ChatMessage& message : request.messages) {
        note("--- {} ({})\n{}\n", stage, message.role, message.content);
    }
    if (request.schema != nullptr) {
        note("--- reply with JSON that matches this schema\n{}\n", request.schema->dump(2));
    }
    note("--- paste the reply, then enter a line with a single period\n");
    Lines lines(stop);
    std::string reply;
    std::string line;
    for (;;) {
        switch (lines.next(line)) {
        case Lines::Got::stopped:
            return cancelledError(stage);
        case Lines::Got::end:
            return usageError("end of input before the reply was complete", stage,
                              "End the reply with a line that contains only a period");
        case Lines::Got::line:
            break;
        }
        if (line == lastLine) {
            return reply;
        }
        reply += line + "\n";
        if (reply.size() > replyLimitBytes) {
            return usageError(fmt::format("the reply is longer than {} bytes", replyLimitBytes), stage,
                              "Paste only the reply");
        }
    }
}

} // namespace gks::cli
