// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error_drain.h"
#include "core/base/json.h"
#include "core/base/process.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace gks {

// A running evaluator, or what leads to one. A child dies with the thread that started it, so a thread of its own
// starts it and stays for as long.
class EvaluatorProcess {
public:
    // `beat`: how often an evaluator far away is told that somebody is there; unset: never. `patience`: for how long it
    // may leave unread what it is sent.
    static Result<std::unique_ptr<EvaluatorProcess>> start(const std::vector<std::string>& command,
                                                           std::optional<std::chrono::seconds> beat,
                                                           std::chrono::seconds patience);
    ~EvaluatorProcess(); // asks it to end, and makes sure

    Result<void> send(const OrderedJson& json, const std::stop_token& stop = {});
    LineReader::Status next(std::string& line, std::chrono::milliseconds timeout) {
        return m_reader->next(line, timeout);
    }
    void kill() { m_child->kill(); } // now, with all that it has started

    struct End {
        std::string text;       // "exit status 255: Connection refused": with the last line that it wrote about it
        bool wasKilled = false; // by a SIGKILL of somebody else
    };
    // Kills it where it has not ended, and says how it ended.
    End autopsy();

private:
    EvaluatorProcess() = default;
    void keep(const std::stop_token& stop, std::optional<std::chrono::seconds> beat);

    std::jthread m_keeper; // first: outlives the child
    std::mutex m_writing;
    std::chrono::seconds m_patience{};
    std::optional<ChildProcess> m_child;
    std::optional<LineReader> m_reader;
    std::optional<ErrorDrain> m_errors; // last: reads from the child
};

} // namespace gks
