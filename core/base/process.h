// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gks {

// rlimits of a child; nothing set means inherited.
struct ProcessLimits {
    std::optional<std::size_t> addressSpaceBytes;
    std::optional<std::size_t> cpuSeconds;
    std::optional<std::size_t> fileSizeBytes;
    std::optional<std::size_t> openFiles;
};

struct Command {
    std::vector<std::string> arguments; // [0] is the program, looked up in PATH
    std::optional<std::vector<std::pair<std::string, std::string>>> environment = {}; // unset: inherited
    std::filesystem::path folder = {};                                                // empty: inherited
    ProcessLimits limits = {};
    // (number in the child, descriptor of ours); all others are closed
    std::vector<std::pair<int, int>> descriptors = {};
    bool ownSession = false; // away from our terminal as well; a process group of its own it always has
};

// How a child ended.
struct ExitState {
    std::optional<int> status; // exit status, when it exited
    std::optional<int> signal; // when it was killed
    double cpuSeconds = 0;     // user and system, of the child and the children it waited for
    std::size_t peakRssBytes = 0;

    bool ok() const { return status == 0; }
    std::string text() const; // "exit status 1", "killed by signal 11 (Segmentation fault)"
};

// A running child in a process group of its own. Its destructor kills the whole group and reaps the child: no orphan is
// left. The child also dies with the thread that started it (PR_SET_PDEATHSIG), so start it from a thread that outlives
// it.
class ChildProcess {
public:
    static Result<ChildProcess> start(const Command& command);
    ChildProcess(ChildProcess&&) noexcept;
    ChildProcess& operator=(ChildProcess&&) noexcept;
    ~ChildProcess();

    int pid() const;
    // Our ends of the child's standard streams; blocking. Closed by the destructor.
    int inputDescriptor() const;
    int outputDescriptor() const;
    int errorDescriptor() const;
    void closeInput();

    // Writes all of it; an error when the child has closed its end, has read nothing for `patience`, or a stop was
    // requested.
    Result<void> write(std::string_view bytes, std::chrono::milliseconds patience = std::chrono::hours(24),
                       const std::stop_token& stop = {});
    // Waits for the end; nullopt when the time is over or a stop was requested.
    std::optional<ExitState> wait(std::chrono::milliseconds timeout, const std::stop_token& stop = {});
    // SIGKILL to the whole group, then reaps.
    ExitState kill();

private:
    struct State;
    explicit ChildProcess(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

// Reads one stream of lines, for newline-delimited JSON. Never returns a line longer than the limit.
class LineReader {
public:
    explicit LineReader(int descriptor, std::size_t lineLimitBytes = std::size_t{64} << 20);
    enum class Status { line, end, timeout, tooLong, failed };
    // Waits at most `timeout`; wakes up early when a stop is requested (then `timeout`).
    Status next(std::string& line, std::chrono::milliseconds timeout, const std::stop_token& stop = {});

private:
    int m_descriptor;
    std::size_t m_lineLimitBytes;
    std::string m_buffer;
    std::size_t m_scanned = 0;
};

struct CompletedProcess {
    ExitState exit;
    std::string output;
    std::string error;
    bool timedOut = false;
    bool cancelled = false;
    bool outputTruncated = false; // more than the limit was printed; the rest was read and thrown away
    double seconds = 0;

    bool ok() const { return exit.ok() && !timedOut && !cancelled; }
};

struct RunOptions {
    std::chrono::milliseconds timeout = std::chrono::minutes(10);
    std::size_t outputLimitBytes = std::size_t{1} << 20; // of each stream
    std::string input = {};                              // written to the child's standard input
    std::stop_token stop = {};
    bool endAtLimit = false; // so much on standard output kills it; else what is beyond is read and thrown away
    // All pieces as they arrive, also of what is thrown away.
    std::function<void(std::string_view)> onOutput = {};
    std::function<void(std::string_view)> onError = {};
};

// Runs a command to its end and collects what it printed. A timeout or a stop kills the whole process group.
Result<CompletedProcess> runProcess(const Command& command, const RunOptions& options = {});

// Full path of a program in PATH, or in `extraFolders` first.
std::optional<std::filesystem::path> findProgram(std::string_view name,
                                                 const std::vector<std::filesystem::path>& extraFolders = {});

} // namespace gks
