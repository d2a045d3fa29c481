// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/attach_serve.h"
#include "app/cli/commands.h"
#include "app/cli/interrupts.h"
#include "app/cli/output.h"
#include "app/cli/run_events.h"
#include "app/cli/run_watch.h"
#include "core/base/address.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/campaign/store.h"
#include "core/engine/event_json.h"
#include "core/engine/remote_run.h"
#include "core/engine/run_link.h"
#include "core/remote/remote_shell.h"

#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <thread>
#include <unistd.h>

// A run of another process, as it goes on: nothing here changes it.
namespace gks::cli {
namespace {

constexpr std::chrono::seconds attachPatience(3);
constexpr std::size_t noteBytes = std::size_t{1} << 16; // of a line that is passed on
constexpr std::chrono::milliseconds printInterval(100);

// From the link's thread to the one that prints.
class Watch {
public:
    explicit Watch(bool asEvents) : m_asEvents(asEvents) {}

    RunLink::Heard heard() {
        return {[this](const EngineEvent& event) { hear(event); },
                [this](const std::optional<Error>& why) {
                    const std::lock_guard lock(m_mutex);
                    m_isOver = true;
                    m_why = why;
                    m_changed.notify_all();
                }};
    }
    // A moment. False: the run has ended, or its process has given the campaign back.
    bool wait(const std::stop_token& stop) {
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(lock, stop, printInterval, [this] { return m_isOver; });
        return !m_isOver && !stop.stop_requested();
    }
    std::optional<Error> why() const {
        const std::lock_guard lock(m_mutex);
        return m_why;
    }
    StateChanged state() const { return m_said.state(); }
    void print(const CampaignStore& store, Progress& progress) {
        for (const std::string& line : m_queue.take()) {
            sayMessage(line);
        }
        std::string work;
        {
            const std::lock_guard lock(m_mutex);
            work.swap(m_work);
        }
        noteText(work);
        if (!m_asEvents) {
            noteSaid(m_said);
        }
        if (const auto population = store.population()) {
            progress.report(**population);
        }
    }

private:
    void hear(const EngineEvent& event) {
        m_said.hear(event);
        if (m_asEvents) {
            m_queue.push(event);
        }
        const std::lock_guard lock(m_mutex);
        if (const auto* state = std::get_if<StateChanged>(&event)) {
            m_isOver = m_isOver || (m_hasRun && state->state == EngineState::idle);
            m_hasRun = m_hasRun || state->state != EngineState::idle;
            if (!m_asEvents && state->state != EngineState::idle) {
                m_work += fmt::format("{}{}\n", name(state->state),
                                      state->reason.empty() ? "" : ": " + terminalLine(state->reason));
            }
            m_changed.notify_all();
        }
        const auto* work = std::get_if<ActivityChanged>(&event);
        if (work == nullptr || m_asEvents || work->activity == Activity::idle || m_work.size() > mostUnprinted) {
            return;
        }
        std::string line = fmt::format("{}: {}{}\n", terminalLine(work->lane), name(work->activity),
                                       work->kernel ? " " + kernelLabel(*work->kernel) : std::string());
        if (line != m_lastWork[work->lane]) { // one for each stage
            m_work += line;
            m_lastWork[work->lane] = std::move(line);
        }
    }

    static constexpr std::size_t mostUnprinted = std::size_t{1} << 20;

    const bool m_asEvents;
    Said m_said;
    EventQueue m_queue;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::string m_work;
    std::map<std::string, std::string> m_lastWork; // by lane
    bool m_hasRun = false;
    bool m_isOver = false;
    std::optional<Error> m_why;
};

// Of a program that somebody started over a connection: it is gone when that is.
bool hasInputEnded() {
    pollfd watched = {STDIN_FILENO, POLLIN, 0};
    char byte = 0;
    return ::poll(&watched, 1, 0) > 0 && ::read(STDIN_FILENO, &byte, 1) <= 0;
}

Result<void> attach(const std::string& file, bool asEvents, bool endsWithInput, const std::stop_token& stop) {
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(file, CampaignStore::Access::read));
    GKS_TRY_ASSIGN(const PopulationPtr before, store->population());
    Progress progress(*before, asEvents);
    Watch watch(asEvents);
    {
        GKS_TRY_ASSIGN(const auto link, RunLink::to(file, watch.heard(), attachPatience, stop));
        while (watch.wait(stop) && !(endsWithInput && hasInputEnded())) {
            watch.print(*store, progress);
        }
    }
    watch.print(*store, progress);
    const StateChanged last = watch.state();
    if (asEvents) {
        sayMessage(eventLine({{"event", "end"}, {"state", name(last.state)}, {"reason", last.reason}}));
    } else if (!stop.stop_requested()) {
        note("{}: {}\n", name(last.state), terminalLine(last.reason.empty() ? "the run has ended" : last.reason));
    }
    const auto why = watch.why();
    return why ? Result<void>(tl::unexpected(*why)) : Result<void>();
}

// What a line of run --events tells of; empty: it is none.
std::string eventOf(std::string_view line) {
    const auto json = parseJson(line, "an event");
    const bool isEvent = json && json->is_object() && json->contains("event") && json->at("event").is_string();
    return isEvent ? json->at("event").get<std::string>() : std::string();
}

// The same there, and what it prints here.
Result<int> attachThere(const std::string& address, bool asEvents, const std::stop_token& stop) {
    GKS_TRY_ASSIGN(const RemoteCampaign campaign, remoteCampaignFrom(address));
    const RemoteShell shell(campaign.host);
    gks::Command command; // not one of this program
    command.arguments = shell.command(
        remoteScript(campaign, asEvents ? "attach --until-input-ends --events" : "attach --until-input-ends"));
    GKS_TRY_ASSIGN(ChildProcess child, ChildProcess::start(command));
    std::string last;
    bool hasEnd = false;
    {
        const std::jthread notes([&](const std::stop_token& over) {
            // A line that is too long is left out, and what comes after it is read: the other side never waits for it.
            LineReader reader(child.errorDescriptor(), noteBytes);
            using enum LineReader::Status;
            auto status = line;
            for (std::string text; status == line || status == tooLong;) {
                status = reader.next(text, std::chrono::hours(24 * 365), over);
                if (status == line) {
                    noteText(text + "\n");
                    last = trimmed(text); // ssh ends its lines with a return
                }
            }
        });
        LineReader reader(child.outputDescriptor());
        for (std::string line; reader.next(line, std::chrono::hours(24 * 365), stop) == LineReader::Status::line;) {
            const std::string event = asEvents ? eventOf(line) : "text";
            if (event.empty()) { // of a shell there that greets whoever comes
                noteText(terminalLine(line) + "\n");
                continue;
            }
            hasEnd = hasEnd || event == "end";
            sayMessage(terminalLine(line)); // as it comes
        }
        if (stop.stop_requested()) {
            child.kill();
            return done;
        }
    }
    const auto exit = child.wait(attachPatience);
    const int status = exit ? exit->status.value_or(-1) : -1;
    if (status == done && asEvents && !hasEnd) {
        return tl::unexpected(shell.explained("it ended without the last event" + (last.empty() ? "" : ": " + last)));
    }
    if (status >= done && status <= infrastructureFailed) {
        return status;
    }
    return tl::unexpected(shell.explained(fmt::format("{}: {}", exit ? exit->text() : "no answer", last)));
}

int runAttach(const Arguments& arguments) {
    if (arguments.has("--serve")) {
        const auto served = serveViewer(arguments.positional());
        return served ? done : failed(served.error());
    }
    const Interrupts interrupts(Interrupts::LastAct{}, "no longer watching: the run goes on");
    if (isRemoteAddress(arguments.positional())) {
        const auto status = attachThere(arguments.positional(), arguments.has("--events"), interrupts.token());
        return status ? *status : failed(status.error());
    }
    const auto attached = attach(arguments.positional(), arguments.has("--events"), arguments.has("--until-input-ends"),
                                 interrupts.token());
    return attached || interrupts.came() ? done : failed(attached.error());
}

} // namespace

const Command attachCommand = {
    "attach",
    "FILE.gks|ssh://HOST/PATH",
    "Watch a run of another program of yours until it ends; Ctrl+C leaves it alone",
    {{"--events", "", "print what happens as one JSON object a line, as run --events does", false},
     {"--until-input-ends", "", "end when the standard input does too", false},
     {"--serve", "", "for the window of another machine: the run and the file on the standard streams", false}},
    runAttach,
    {},
    {{"--serve", "--events"}, {"--serve", "--until-input-ends"}}};

} // namespace gks::cli
