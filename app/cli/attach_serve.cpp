// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/attach_serve.h"

#include "app/cli/output.h"
#include "core/base/line_channel.h"
#include "core/base/local_socket.h"
#include "core/base/locations.h"
#include "core/campaign/mirror.h"
#include "core/campaign/running.h"
#include "core/engine/remote_run.h"
#include "core/engine/run_lines.h"

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <unistd.h>

namespace gks::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds runInterval(1000);  // between two looks for a run
constexpr std::chrono::milliseconds fileInterval(2000); // at the file, when nobody says that it has changed
constexpr std::chrono::milliseconds leastRest(300);     // between two moments of it
constexpr int restForCost = 10;                         // of ten parts of the time the file takes one at most
constexpr std::size_t fullBytes = std::size_t{8} << 20; // so much waits for the viewer: the run is not read
constexpr std::chrono::seconds partingTime(10);

// What a run says and the file, to one viewer by its standard streams; what the viewer asks for, to the run.
class Relay {
public:
    Relay(MirroredFile& mirrored, std::filesystem::path file, FileDescriptor output)
        : m_mirrored(mirrored)
        , m_file(std::move(file))
        , m_viewer(FileDescriptor(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)), std::move(output), runLineBytes) {}

    Result<void> serve() {
        lookForRun(); // who is greeted knows whether there is one
        if (!m_run) {
            m_viewer.put(mirrorRunLine(std::nullopt));
        }
        m_viewer.put(replyLine(RunGreeting{runProtocol, std::string(programVersion())}));
        while (!m_isOver) {
            lookForRun();
            GKS_TRY(lookAtFile());
            wait();
            hearViewer();
            hearRun();
        }
        return {};
    }

private:
    void lookForRun() {
        if (m_run || Clock::now() < m_nextRun) {
            return;
        }
        m_nextRun = Clock::now() + runInterval;
        const auto run = runOf(m_file);
        auto connection = run && run->here ? connectTo(runSocketOf(*run)) : infrastructureError("");
        if (connection) {
            m_run.emplace(std::move(*connection), FileDescriptor(-1), runLineBytes);
            m_viewer.put(mirrorRunLine(processText(*run)));
        }
    }
    Result<void> lookAtFile() {
        const auto begun = Clock::now();
        const bool isDue =
            m_hasViewerSpoken && ((m_hasChanged && begun >= m_nextLook) || begun >= m_lastLook + fileInterval);
        if (!isDue || m_viewer.hasToWrite()) {
            return {};
        }
        m_hasChanged = false;
        GKS_TRY_ASSIGN(const auto change, m_mirrored.look());
        if (change) {
            for (std::string& line : mirrorLines(*change)) {
                m_viewer.put(std::move(line));
            }
        }
        m_lastLook = Clock::now();
        m_nextLook = m_lastLook + std::max<Clock::duration>(leastRest, restForCost * (m_lastLook - begun));
        return {};
    }
    void wait() {
        const auto write = [](const LineChannel& channel) { return channel.hasToWrite() ? POLLOUT : 0; };
        pollfd watched[3] = {{m_viewer.in(), POLLIN, 0},
                             {m_viewer.out(), static_cast<short>(write(m_viewer)), 0},
                             {m_run ? m_run->in() : -1, 0, 0}};
        if (m_run) {
            watched[2].events = static_cast<short>(write(*m_run) | (m_viewer.queuedBytes() < fullBytes ? POLLIN : 0));
        }
        ::poll(watched, 3, static_cast<int>(leastRest.count()));
    }
    void hearViewer() {
        const auto status = m_viewer.read([this](std::string_view line) {
            auto has = m_hasViewerSpoken ? std::nullopt : mirrorHasFrom(line);
            m_hasViewerSpoken = true;
            if (has) {
                m_mirrored.otherHas(std::move(*has));
            } else if (m_run) {
                m_run->put(std::string(line));
            } else {
                const auto request = requestFrom(line);
                m_viewer.put(replyLine(RunAnswer{
                    request ? request->id : request.error().id,
                    usageError("nobody runs it there", "the run", "Start it there with: kernel-scientist-cli run")}));
            }
            return true;
        });
        m_isOver = m_isOver || status != LineChannel::Status::open || m_viewer.write() == LineChannel::Status::ended;
    }
    void hearRun() {
        if (!m_run || m_viewer.queuedBytes() >= fullBytes) {
            return;
        }
        bool isClosed = m_run->write() == LineChannel::Status::ended;
        const auto status = m_run->read([&](std::string_view line) {
            isClosed = isClosed || line.starts_with("{\"closed\"");
            m_hasChanged = m_hasChanged || line.starts_with("{\"event\":\"population\"");
            if (!isClosed) {
                m_viewer.put(std::string(line));
            }
            return !isClosed && m_viewer.queuedBytes() < fullBytes;
        });
        if (isClosed || status != LineChannel::Status::open) {
            part();
        }
    }
    // The run has ended: what it left in the file goes over, and the viewer comes again if it likes.
    void part() {
        const auto deadline = Clock::now() + partingTime;
        const auto flush = [&] {
            while (m_viewer.hasToWrite() && Clock::now() < deadline && m_viewer.write() != LineChannel::Status::ended) {
                pollfd watched = {m_viewer.out(), POLLOUT, 0};
                ::poll(&watched, 1, static_cast<int>(leastRest.count()));
            }
        };
        flush();
        if (const auto change = m_mirrored.look(); change && *change) {
            for (std::string& line : mirrorLines(**change)) {
                m_viewer.put(std::move(line));
            }
        }
        m_viewer.put(replyLine(RunClosed{}));
        flush();
        m_isOver = true;
    }

    MirroredFile& m_mirrored;
    std::filesystem::path m_file;
    LineChannel m_viewer;
    std::optional<LineChannel> m_run;
    Clock::time_point m_nextRun;
    Clock::time_point m_nextLook;
    Clock::time_point m_lastLook;
    bool m_hasChanged = true;
    bool m_hasViewerSpoken = false; // first of what it has
    bool m_isOver = false;
};

} // namespace

Result<void> serveViewer(const std::string& file) {
    GKS_TRY_ASSIGN(FileDescriptor output, messageOutput());
    auto mirrored = MirroredFile::open(file);
    if (!mirrored) {
        sayMessage(mirrorTroubleLine(mirrored.error()));
        return tl::unexpected(mirrored.error());
    }
    return Relay(**mirrored, file, std::move(output)).serve();
}

} // namespace gks::cli
