// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/elapsed.h"
#include "core/base/process.h"
#include "core/base/stop_interval.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace gks {
namespace {

using Clock = std::chrono::steady_clock;

}

Result<CompletedProcess> runProcess(const Command& command, const RunOptions& options) {
    const auto started = Clock::now();
    const auto deadline = started + options.timeout;
    GKS_TRY_ASSIGN(ChildProcess child, ChildProcess::start(command));
    CompletedProcess result;
    std::string_view input = options.input;
    if (input.empty()) {
        child.closeInput();
    } else {
        ::fcntl(child.inputDescriptor(), F_SETFL, O_NONBLOCK);
    }
    std::array<bool, 2> open = {true, true};
    std::array<char, 65536> chunk;
    const auto isFull = [&] { return options.endAtLimit && result.output.size() == options.outputLimitBytes; };
    while ((open[0] || open[1]) && !isFull()) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        result.timedOut = left.count() <= 0;
        result.cancelled = options.stop.stop_requested();
        if (result.timedOut || result.cancelled) {
            break;
        }
        std::array<pollfd, 3> watched = {{{open[0] ? child.outputDescriptor() : -1, POLLIN, 0},
                                          {open[1] ? child.errorDescriptor() : -1, POLLIN, 0},
                                          {input.empty() ? -1 : child.inputDescriptor(), POLLOUT, 0}}};
        if (::poll(watched.data(), watched.size(), static_cast<int>(std::min(left, stopPollInterval).count())) <= 0) {
            // A grandchild may hold the pipes open after the child itself has ended.
            if (child.wait(std::chrono::milliseconds(0))) {
                break;
            }
            continue;
        }
        for (std::size_t i = 0; i < open.size(); ++i) {
            if ((watched[i].revents & (POLLIN | POLLHUP | POLLERR)) == 0) {
                continue;
            }
            const ssize_t got = ::read(watched[i].fd, chunk.data(), chunk.size());
            if (got <= 0) {
                open[i] = got < 0 && errno == EINTR;
                continue;
            }
            const std::string_view piece(chunk.data(), static_cast<std::size_t>(got));
            std::string& sink = i == 0 ? result.output : result.error;
            const std::size_t room = options.outputLimitBytes - std::min(options.outputLimitBytes, sink.size());
            sink.append(piece.substr(0, room));
            result.outputTruncated = result.outputTruncated || piece.size() > room;
            if (const auto& heard = i == 0 ? options.onOutput : options.onError) {
                heard(piece);
            }
        }
        if ((watched[2].revents & (POLLOUT | POLLERR)) != 0) {
            const ssize_t put =
                ::write(child.inputDescriptor(), input.data(), std::min<std::size_t>(input.size(), 65536));
            if (put > 0) {
                input.remove_prefix(static_cast<std::size_t>(put));
            }
            if (input.empty() || (put < 0 && errno != EAGAIN && errno != EINTR)) {
                input = {};
                child.closeInput();
            }
        }
    }
    if (!result.timedOut && !result.cancelled && !isFull()) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        result.timedOut = !child.wait(std::max(left, std::chrono::milliseconds(0)), options.stop).has_value();
        result.cancelled = result.timedOut && options.stop.stop_requested();
        result.timedOut = result.timedOut && !result.cancelled;
    }
    result.exit = child.kill();
    result.seconds = secondsSince(started);
    return result;
}

std::optional<std::filesystem::path> findProgram(std::string_view name,
                                                 const std::vector<std::filesystem::path>& extraFolders) {
    const auto executable = [](const std::filesystem::path& path) {
        std::error_code ignored;
        return !std::filesystem::is_directory(path, ignored) && ::access(path.c_str(), X_OK) == 0;
    };
    if (name.find('/') != std::string_view::npos) {
        const std::filesystem::path path(name);
        return executable(path) ? std::optional(path) : std::nullopt;
    }
    for (const auto& folder : extraFolders) {
        if (const auto path = folder / name; executable(path)) {
            return path;
        }
    }
    const char* searched = std::getenv("PATH");
    std::string_view rest = searched != nullptr ? searched : "/usr/local/bin:/usr/bin:/bin";
    while (!rest.empty()) {
        const std::size_t at = rest.find(':');
        if (const auto path = std::filesystem::path(rest.substr(0, at)) / name; at != 0 && executable(path)) {
            return path;
        }
        rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
    }
    return std::nullopt;
}

} // namespace gks
