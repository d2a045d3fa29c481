// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/process.h"
#include "core/campaign/running.h"
#include "core/campaign/store.h"

#include <QTest>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

// Programs of a person in two terminals: a run that goes on for as long as a test likes, and one that looks at it.
namespace gks::test {

inline constexpr int patienceMs = 60'000;
inline constexpr std::chrono::seconds patience(60);

// kernel-scientist-cli run, which waits for a machine that works off no job.
class AwayRun {
public:
    explicit AwayRun(const std::filesystem::path& folder) : file(folder / "away.gks") {
        CampaignSettings settings;
        settings.problem = "sum-reduction";
        std::filesystem::create_directories(folder / "jobs");
        if (!CampaignStore::create(file, settings)) {
            qFatal("no campaign");
        }
        Command command;
        command.arguments = {GKS_BINARY_DIR "/bin/kernel-scientist-cli",      "run",     file.string(), "--lanes",
                             "folder:\"" + (folder / "jobs").string() + "\"", "--trust", "folder"};
        process.emplace(ChildProcess::start(command).value());
        if (!QTest::qWaitFor([&] { return state() == EngineState::running; }, patienceMs)) {
            qFatal("it does not run");
        }
    }
    std::optional<EngineState> state() const {
        const auto run = runOf(file);
        return run ? run->state : std::nullopt;
    }
    int stop() {
        ::kill(process->pid(), SIGTERM);
        const auto exit = process->wait(patience);
        return exit ? exit->status.value_or(-1) : -1;
    }

    std::filesystem::path file;
    std::optional<ChildProcess> process;
};

// kernel-scientist-cli attach, line by line.
class Attached {
public:
    explicit Attached(std::vector<std::string> words) {
        Command command;
        command.arguments = {GKS_BINARY_DIR "/bin/kernel-scientist-cli", "attach"};
        command.arguments.insert(command.arguments.end(), words.begin(), words.end());
        m_process.emplace(ChildProcess::start(command).value());
        m_reader.emplace(m_process->outputDescriptor());
    }
    // The next event that is this one.
    Json event(const std::string& name) {
        std::string line;
        while (m_reader->next(line, patience) == LineReader::Status::line) {
            const auto json = parseJson(line, "attach");
            if (json && json->at("event") == name) {
                return *json;
            }
        }
        return {};
    }
    // A field of it, as text.
    std::string field(const std::string& name, const char* key) {
        const Json found = event(name);
        const Json value = found.is_object() ? found.value(key, Json()) : Json();
        return value.is_string() ? value.get<std::string>() : value.dump();
    }
    std::optional<ExitState> wait() { return m_process->wait(patience); }
    void interrupt() const { ::kill(m_process->pid(), SIGINT); }
    // The next line of what it says beside.
    std::string note() {
        LineReader reader(m_process->errorDescriptor());
        std::string line;
        return reader.next(line, patience) == LineReader::Status::line ? line : std::string();
    }

private:
    std::optional<ChildProcess> m_process;
    std::optional<LineReader> m_reader;
};

} // namespace gks::test
