// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/local_socket.h"
#include "core/base/process.h"
#include "core/campaign/running.h"
#include "core/engine/event_json.h"
#include "core/engine/run_lines.h"
#include "core/engine/viewer_port.h"
#include "core/engine/watched_run.h"
#include "tests/support/engine_fakes.h"

#include <QTest>
#include <algorithm>
#include <fcntl.h>
#include <future>
#include <list>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gks;
using namespace gks::test;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

constexpr auto patience = 20s;

// One who looks, with all that it has heard.
class TestViewer {
public:
    RunLink::Heard heard() {
        return {[this](const EngineEvent& event) {
                    const std::lock_guard lock(m_mutex);
                    m_events.push_back(event);
                    m_changed.notify_all();
                },
                [this](const std::optional<Error>& why) {
                    const std::lock_guard lock(m_mutex);
                    m_ended = true;
                    m_why = why;
                    m_changed.notify_all();
                }};
    }
    void watch(const fs::path& file) {
        auto made = RunLink::to(file, heard(), patience, {});
        if (!made) {
            qFatal("%s", made.error().message().c_str());
        }
        link = std::move(*made);
    }
    Result<KernelId> ask(const SteeringCommand& command) { return link->ask(command, patience, {}); }

    template<class Event>
    bool hears(const std::function<bool(const Event&)>& wanted) {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, patience, [&] {
            return std::ranges::any_of(m_events, [&](const EngineEvent& event) {
                const auto* one = std::get_if<Event>(&event);
                return one != nullptr && wanted(*one);
            });
        });
    }
    bool hears(EngineState state) {
        return hears<StateChanged>([&](const StateChanged& changed) { return changed.state == state; });
    }
    bool ends(bool inOrder) {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, patience, [&] { return m_ended; }) && m_why.has_value() != inOrder;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<EngineEvent> m_events;
    bool m_ended = false;
    std::optional<Error> m_why;

public:
    std::unique_ptr<RunLink> link; // last, so that it goes first: its thread tells what it hears to the rest
};

std::string whatOf(const Result<KernelId>& refused) {
    return refused ? "" : refused.error().what;
}

// A stranger's end of the socket, without manners.
class RawViewer {
public:
    explicit RawViewer(const fs::path& socket) : m_socket(connectTo(socket).value()) {
        ::fcntl(m_socket.number(), F_SETFL, 0); // it waits
        const timeval longest = {20, 0};
        ::setsockopt(m_socket.number(), SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof longest);
        m_reader.emplace(m_socket.number());
    }
    bool put(std::string_view text) {
        while (!text.empty()) {
            const ssize_t sent = ::send(m_socket.number(), text.data(), text.size(), MSG_NOSIGNAL);
            if (sent <= 0) {
                return false;
            }
            text.remove_prefix(static_cast<std::size_t>(sent));
        }
        return true;
    }
    // The next answer; nothing at the end.
    std::optional<RunAnswer> answer() {
        std::string line;
        while (m_reader->next(line, patience) == LineReader::Status::line) {
            auto reply = replyFrom(line);
            if (reply && std::holds_alternative<RunAnswer>(*reply)) {
                return std::get<RunAnswer>(*reply);
            }
        }
        return std::nullopt;
    }
    void saysNoMore() { ::shutdown(m_socket.number(), SHUT_WR); }
    bool isCutOff() { return !answer().has_value(); }

private:
    FileDescriptor m_socket;
    std::optional<LineReader> m_reader;
};

std::vector<EngineEvent> fullEvents() {
    return {StateChanged{EngineState::paused, "budget reached"},
            PopulationChanged{},
            ActivityChanged{"cpu:0", Activity::measuring, 12, 3, 0.25, "shape 1", 17},
            SamplesArrived{12, {{"m", 64}}, {1.5, 0.1}, true},
            TextArrived{"compiler", "warning: \xe2\x82\xac\n", 12, {}},
            NextParentChanged{12, {}, "because", true},
            WarningRaised{Error{ErrorKind::usage, "what", "where", "next"}, "lane", {}, 3},
            TrustAsked{{{TrustKind::command, "s", "v", "f", "c", "run me"}}, true}};
}

} // namespace

// Programs that watch and steer a campaign which another one runs.
class EngineViewers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyEventComesBack();
    void hostileEventsAreRefused();
    void twoWatchAndSteerOneEngine();
    void whoComesLaterHearsHowThingsStand();
    void theSocketIsForThisUserAlone();
    void anotherUserIsTurnedAway();
    void strangeLinesAreRefused();
    void aLineWithoutEndIsCutOff();
    void onlySoManyQuestionsAreOpen();
    void whoDoesNotReadIsLetGo();
    void whoHasSaidAllIsStillAnswered();
    void oneTooManyIsToldSo();
    void aWatchComesBack();
};

void EngineViewers::everyEventComesBack() {
    std::set<std::size_t> seen;
    for (const EngineEvent& event : fullEvents()) {
        seen.insert(event.index());
        const std::string line = eventLine(eventJson(event));
        const auto back = parseJson(line, "test").and_then(engineEventFromJson);
        QVERIFY2(back && back->index() == event.index(), line.c_str());
        QCOMPARE(eventLine(eventJson(*back)), line);
    }
    QCOMPARE(seen.size(), std::variant_size_v<EngineEvent>);
    const auto back = parseJson(eventLine(eventJson(fullEvents()[2])), "test").and_then(engineEventFromJson);
    const auto& work = std::get<ActivityChanged>(*back);
    QVERIFY(work.lane == "cpu:0" && work.activity == Activity::measuring && work.kernel == 12 && work.experiment == 3 &&
            work.fraction == 0.25 && work.detail == "shape 1" && work.since == 17);
}

void EngineViewers::hostileEventsAreRefused() {
    for (const char* text :
         {"[]", "{\"event\": 3}", "{\"event\": \"format\"}", "{\"event\": \"state\", \"state\": \"on fire\"}",
          "{\"event\": \"activity\", \"activity\": \"idle\", \"kernel\": \"../x\"}",
          "{\"event\": \"samples\", \"us\": {}}", "{\"event\": \"samples\", \"shape\": {\"m\": 1e300}}",
          "{\"event\": \"trust\", \"asked\": [3]}", "{\"event\": \"warning\"}"}) {
        QVERIFY2(!parseJson(text, "test").and_then(engineEventFromJson), text);
    }
}

void EngineViewers::twoWatchAndSteerOneEngine() {
    EngineRun run;
    TestViewer first;
    TestViewer second;
    first.watch(run.engine->file());
    second.watch(run.engine->file());
    QVERIFY(run.engine->isWatched());
    QCOMPARE(whatOf(first.ask(command::SetBanned{2})), std::string());
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(2).banned && run.didSteer("ban"));
    QVERIFY(second.hears<PopulationChanged>([](const auto&) { return true; }));
    // As the engine says it, and to nobody else.
    const auto refused = first.ask(command::SetBanned{99});
    QVERIFY2(whatOf(refused).find("99") != std::string::npos, whatOf(refused).c_str());
    QVERIFY(refused.error().kind == ErrorKind::usage && run.warnings().empty());
    QCOMPARE(whatOf(second.ask(command::Start{})), std::string());
    QVERIFY(first.hears(EngineState::running) && second.hears(EngineState::running));
    QVERIFY(first.hears<ActivityChanged>([](const auto& work) { return work.kernel == 1; }));
    QVERIFY(run.quiet());
    QVERIFY(first.hears(EngineState::idle) && second.hears(EngineState::idle));
    second.link.reset();
    QTRY_VERIFY(run.engine->isWatched()); // by the first
    run.close();
    QVERIFY(first.ends(true));
    QVERIFY(whatOf(first.ask(command::Start{})).starts_with("the run has ended"));
    const auto gone = RunLink::to(run.campaign.file, {}, 1ms, {});
    QVERIFY(!gone && gone.error().what == "no program of yours runs this campaign");
}

void EngineViewers::whoComesLaterHearsHowThingsStand() {
    EngineRun run;
    run.world.set([](FakeWorld& world) { world.holdEvaluations = true; });
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 1; }));
    TestViewer late;
    late.watch(run.engine->file());
    QVERIFY(late.hears(EngineState::running));
    QVERIFY(late.hears<ActivityChanged>([](const auto& work) { return work.activity != Activity::idle; }));
    QVERIFY(late.ask(command::Stop{}).has_value());
    QVERIFY(run.quiet());
    QVERIFY(late.hears(EngineState::idle));
}

void EngineViewers::theSocketIsForThisUserAlone() {
    EngineRun run;
    const fs::path socket = ownRunSocket(run.engine->file()).value();
    struct stat entry = {};
    QCOMPARE(::stat(socket.c_str(), &entry), 0);
    QVERIFY(S_ISSOCK(entry.st_mode) && (entry.st_mode & 077) == 0 && entry.st_uid == ::geteuid());
    QCOMPARE(::stat(socket.parent_path().c_str(), &entry), 0);
    QVERIFY((entry.st_mode & 077) == 0);
    run.close();
    QVERIFY(!fs::exists(socket));
}

// Also where the rights of the folder would let him in.
void EngineViewers::anotherUserIsTurnedAway() {
    if (::geteuid() != 0) {
        QSKIP("only root can be somebody else");
    }
    const TemporaryDirectory folder = TemporaryDirectory::create("viewers").value();
    const fs::path socket = folder.path() / "open" / "socket";
    ViewerPort port;
    QVERIFY(port.listen(socket, {}));
    for (const fs::path& place : {folder.path(), socket.parent_path(), socket}) {
        fs::permissions(place, fs::perms::all);
    }
    constexpr uid_t nobody = 65534;
    const pid_t child = ::fork();
    if (child == 0) {
        const bool isOther = ::setresuid(nobody, nobody, nobody) == 0;
        const auto connection = connectTo(socket); // which looks who listens, too
        ::_exit(isOther && !connection ? 0 : 1);
    }
    int status = -1;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QCOMPARE(status, 0);
    QVERIFY(RawViewer(socket).put("\n")); // the port is there
    const int stranger = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    QVERIFY(socket.string().size() < sizeof address.sun_path);
    socket.string().copy(address.sun_path, sizeof address.sun_path - 1);
    const pid_t second = ::fork();
    if (second == 0) { // one that does not look
        char byte = 0;
        const bool isThere = ::setresuid(nobody, nobody, nobody) == 0 &&
                             ::connect(stranger, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
        ::_exit(isThere && ::read(stranger, &byte, 1) <= 0 ? 0 : 1); // and hears nothing
    }
    ::close(stranger);
    QCOMPARE(::waitpid(second, &status, 0), second);
    QCOMPARE(status, 0);
}

void EngineViewers::strangeLinesAreRefused() {
    EngineRun run;
    RawViewer viewer(ownRunSocket(run.engine->file()).value());
    QVERIFY(viewer.put("no JSON\n[1]\n{\"id\": 7}\n{\"id\": 8, \"command\": {\"name\": \"format-disk\"}}\n"
                       "{\"id\": 9, \"propose\": {\"agent\": 3}}\n\n\x01\xff\n"
                       "{\"id\": 10, \"command\": {\"name\": \"set-banned\", \"kernel\": 2, \"banned\": true}}\n"));
    std::vector<std::int64_t> refused;
    std::optional<RunAnswer> answer;
    while ((answer = viewer.answer()) && !answer->result) {
        QVERIFY(!answer->result.error().what.empty());
        refused.push_back(answer->id);
    }
    QCOMPARE(refused, (std::vector<std::int64_t>{0, 0, 7, 8, 9, 0, 0}));
    QVERIFY(answer && answer->id == 10); // and the conversation goes on
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(2).banned);
}

void EngineViewers::aLineWithoutEndIsCutOff() {
    EngineRun run;
    RawViewer viewer(ownRunSocket(run.engine->file()).value());
    const std::string block(1 << 20, 'x');
    for (std::size_t sent = 0; sent <= runLineBytes + block.size() && viewer.put(block); sent += block.size()) {
    }
    const auto answer = viewer.answer();
    QVERIFY(!answer || !answer->result);
    QVERIFY(viewer.isCutOff());
    TestViewer other; // the next is served
    other.watch(run.engine->file());
    QVERIFY(other.ask(command::SetBanned{2}).has_value());
}

void EngineViewers::onlySoManyQuestionsAreOpen() {
    const TemporaryDirectory folder = TemporaryDirectory::create("viewers").value();
    ViewerPort port;
    std::mutex mutex;
    std::vector<ViewerPort::Answer> open;
    QVERIFY(port.listen(folder.path() / "socket", {[&](const SteeringCommand&, ViewerPort::Answer answer) {
                                                       const std::lock_guard lock(mutex);
                                                       open.push_back(std::move(answer));
                                                   },
                                                   {}}));
    const auto count = [&] {
        const std::lock_guard lock(mutex);
        return open.size();
    };
    RawViewer viewer(folder.path() / "socket");
    constexpr std::size_t asked = 100;
    for (std::size_t i = 0; i < asked; ++i) {
        QVERIFY(viewer.put(requestLine({static_cast<std::int64_t>(i), command::Pause{}}) + "\n"));
    }
    QTRY_COMPARE(count(), std::size_t{64});
    RawViewer other(folder.path() / "socket"); // whom that does not concern
    QVERIFY(other.put(requestLine({1, command::Pause{}}) + "\n"));
    QTRY_COMPARE(count(), std::size_t{65});
    for (std::size_t i = 0; i <= asked; ++i) { // the rest comes with the answers
        QTRY_VERIFY(count() > i);
        const std::lock_guard lock(mutex);
        open[i](Result<KernelId>(0));
    }
}

void EngineViewers::whoDoesNotReadIsLetGo() {
    const TemporaryDirectory folder = TemporaryDirectory::create("viewers").value();
    ViewerPort port;
    QVERIFY(port.listen(folder.path() / "socket", {}));
    RawViewer deaf(folder.path() / "socket");
    TestViewer good;
    auto link =
        RunLink::over(LineChannel(connectTo(folder.path() / "socket").value(), FileDescriptor(-1), runLineBytes),
                      good.heard(), patience, {});
    QVERIFY(link.has_value());
    QTRY_VERIFY(port.hasViewers());
    const std::string text(256 << 10, 'x');
    for (int i = 0; i < 64; ++i) { // 16 MiB, twice what is kept for anybody
        port.tell(TextArrived{std::to_string(i), text, {}, {}});
        QVERIFY(good.hears<TextArrived>([&](const auto& one) { return one.source == std::to_string(i); }));
    }
    QVERIFY(deaf.isCutOff());
    link->reset();
    QTRY_VERIFY(!port.hasViewers());
}

void EngineViewers::whoHasSaidAllIsStillAnswered() {
    const TemporaryDirectory folder = TemporaryDirectory::create("viewers").value();
    ViewerPort port;
    std::promise<ViewerPort::Answer> asked;
    QVERIFY(port.listen(
        folder.path() / "socket",
        {[&](const SteeringCommand&, ViewerPort::Answer answer) { asked.set_value(std::move(answer)); }, {}}));
    RawViewer viewer(folder.path() / "socket");
    QVERIFY(viewer.put(requestLine({7, command::Pause{}}) + "\n"));
    viewer.saysNoMore();
    const ViewerPort::Answer answer = asked.get_future().get();
    QVERIFY(port.hasViewers());
    answer(KernelId{3});
    const auto came = viewer.answer();
    QVERIFY(came && came->id == 7 && came->result && *came->result == 3);
    QVERIFY(viewer.isCutOff());
    QTRY_VERIFY_WITH_TIMEOUT(!port.hasViewers(), 20'000);
}

void EngineViewers::oneTooManyIsToldSo() {
    EngineRun run;
    const fs::path socket = ownRunSocket(run.engine->file()).value();
    std::list<RawViewer> idle;
    for (int i = 0; i < 64; ++i) {
        idle.emplace_back(socket);
    }
    const auto refused = RunLink::to(run.engine->file(), {}, patience, {});
    QVERIFY(!refused);
    QCOMPARE(refused.error().what, std::string("64 programs watch this run already"));
    idle.pop_back();
    std::unique_ptr<RunLink> taken; // it stays: QTRY_VERIFY asks once more after the first yes
    const auto isTaken = [&] {
        if (!taken) {
            taken = RunLink::to(run.engine->file(), {}, patience, {}).value_or(nullptr);
        }
        return taken != nullptr;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isTaken(), 20'000);
}

void EngineViewers::aWatchComesBack() {
    EngineRun run;
    std::mutex mutex;
    std::vector<bool> linked;
    TestViewer viewer;
    WatchedRun watched(localRun(run.engine->file()), {10ms, 20ms}, viewer.heard().event,
                       [&](const std::optional<Error>& why) {
                           const std::lock_guard lock(mutex);
                           linked.push_back(!why);
                       });
    QTRY_VERIFY(watched.isLinked());
    run.close();
    QTRY_VERIFY(!watched.isLinked());
    std::optional<Result<KernelId>> answer;
    watched.send(command::Start{}, [&](const Result<KernelId>& result) { answer = result; });
    QVERIFY(answer && !*answer);
    run.open();
    QTRY_VERIFY(watched.isLinked());
    watched.send(command::SetBanned{2}, {[](const Result<KernelId>&) {}});
    QTRY_VERIFY(run.kernel(2).banned);
    const std::lock_guard lock(mutex);
    QVERIFY(linked.size() >= 3 && linked[0] && !linked[1] && linked.back());
}

QTEST_APPLESS_MAIN(EngineViewers)
#include "engine_viewers.moc"
