// SPDX-License-Identifier: GPL-3.0-or-later
// The process that owns a GPU, behind its real wall, with a driver whose device is memory of the host
// (tests/support/fake_driver.cpp): what it executes, what device code may not reach, and what breaks it.
#include "core/base/text.h"
#include "core/judge/evaluator/session/runner_pool.h"
#include "core/judge/runner/opening.h"

#include <QTest>
#include <cstring>

using namespace gks;

namespace {

constexpr std::size_t elements = 1000;
constexpr std::size_t dataBytes = elements * sizeof(float);
constexpr std::uint64_t x = runner::inputArea + runner::guardBytes;
constexpr std::uint64_t y = runner::outputArea + runner::guardBytes;
constexpr std::uint64_t workspace = y + runner::mapStepBytes;
constexpr std::uint64_t valuesOffset = runner::guardBytes; // of x, in the input segment: twice as many
constexpr std::uint64_t pieceOffset = valuesOffset + 2 * runner::guardBytes;
constexpr std::uint64_t poisonOffset = pieceOffset + runner::guardBytes; // of y
constexpr std::uint64_t inputBytes = poisonOffset + runner::guardBytes;

template<class T>
PlanBytes bytesOf(T value) {
    PlanBytes bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

KernelLaunch launchOf(const std::string& kernel, std::vector<PlanBytes> arguments) {
    KernelLaunch launch;
    launch.kernel = kernel;
    launch.arguments = std::move(arguments);
    return launch;
}

KernelLaunch addOne() {
    return launchOf("add", {bytesOf(x), bytesOf(y), bytesOf(int{elements}), bytesOf(1.0F)});
}

LaunchPlan planOf(std::vector<PlanAction> actions) {
    LaunchPlan plan;
    for (PlanAction& action : actions) {
        plan.operations.push_back({0, 0, std::move(action)});
    }
    return plan;
}

std::unique_ptr<RunnerSession> started(const char* driver = GKS_FAKE_CUDA, const char* anchor = nullptr) {
    RunnerSession::Setup setup;
    if (anchor != nullptr) {
        setup.anchor = RunnerSession::AnchorFiles{anchor, {}};
    }
    setup.device.target = TargetKind::nvidia;
    setup.device.runtime = driver;
    setup.segmentBytes = 8 * runner::guardBytes;
    setup.inputBytes = inputBytes;
    setup.sandbox = availableSandbox().level;
    setup.allowNoSandbox = true;
    setup.flushBytes = 1 << 20;
    auto session = RunnerSession::start(setup);
    if (!session) {
        qFatal("%s", session.error().message().c_str());
    }
    return std::move(*session);
}

template<class T>
std::string textOf(const RunnerResult<T>& result) {
    return result ? std::string() : result.error().what;
}

runner::Command shape() {
    runner::Command command;
    command.verb = runner::Verb::shape;
    command.tensorCount = 2;
    command.inputBytes = inputBytes;
    command.workspaceAddress = workspace;
    command.workspaceBytes = 64;
    command.workspaceOffset = 6 * runner::guardBytes;
    command.places[0] = {x, 0, dataBytes, valuesOffset, 2 * dataBytes, pieceOffset, 0};
    command.places[1] = {y, 3 * runner::guardBytes, dataBytes, poisonOffset, runner::poisonBytes, 0, 1};
    return command;
}

RunnerResult<void> simple(RunnerSession& session, runner::Verb verb) {
    runner::Command command;
    command.verb = verb;
    return session.ask(command).map([](const auto&) {});
}

struct AnchorProblem { // of tests/support/fake_anchor.cpp
    std::uint64_t x = ::x;
    std::uint64_t y = ::y;
    int count = int{elements};
    int mode = 0;
};

std::string digitsOf(const AnchorProblem& problem) {
    std::vector<std::uint8_t> bytes(sizeof problem);
    std::memcpy(bytes.data(), &problem, sizeof problem);
    return hexText(bytes);
}

void fillInputs(RunnerSession& session) {
    const auto segment = session.inputs().memory.bytes();
    std::ranges::fill(segment.first(runner::guardBytes), std::byte{0x5a});
    for (std::size_t i = 0; i < 2 * elements; ++i) {
        const auto value = static_cast<float>(i);
        std::memcpy(segment.data() + valuesOffset + i * sizeof value, &value, sizeof value);
    }
    std::ranges::fill(segment.subspan(poisonOffset, runner::poisonBytes), std::byte{0xff});
}

// The same for an anchor: the workspace that it asks for, then everything up to the first call.
RunnerResult<std::uint64_t> openedAnchor(RunnerSession& session, const AnchorProblem& problem) {
    runner::Command question;
    question.verb = runner::Verb::workspace;
    GKS_TRY_ASSIGN(const RunnerSession::Answer answer, session.ask(question, digitsOf(problem)));
    GKS_TRY(session.ask(shape(), digitsOf(problem)));
    fillInputs(session);
    GKS_TRY(simple(session, runner::Verb::values));
    return answer.reply.workspaceBytes;
}

// Everything up to the first call.
RunnerResult<void> opened(RunnerSession& session, const LaunchPlan& plan, const LaunchPlan& setup = {},
                          std::chrono::duration<double> timeout = std::chrono::seconds(60)) {
    GKS_TRY(session.load("device code", timeout, {}));
    GKS_TRY(session.ask(shape(), runner::openingText({{"counter"}, setup, plan})));
    fillInputs(session);
    return simple(session, runner::Verb::values);
}

// With the values from `first` on, four of them replaced by 5000 at place 10.
RunnerResult<void> called(RunnerSession& session, std::size_t first) {
    runner::Command prepare;
    prepare.verb = runner::Verb::prepare;
    prepare.spoilByte = 0xab;
    prepare.windows[0] = {first * sizeof(float), 10 * sizeof(float), 4 * sizeof(float)};
    for (std::size_t i = 0; i < 4; ++i) {
        const float fresh = 5000;
        std::memcpy(session.inputs().memory.bytes().data() + pieceOffset + i * sizeof fresh, &fresh, sizeof fresh);
    }
    GKS_TRY(session.ask(prepare));
    runner::Command call;
    call.verb = runner::Verb::call;
    call.flushBytes = session.setup().flushBytes;
    GKS_TRY(session.ask(call));
    return simple(session, runner::Verb::snapshot);
}

template<class T>
T output(const RunnerSession& session, std::size_t index) {
    T value{};
    std::memcpy(&value, session.outputs().data() + 4 * runner::guardBytes + index * sizeof value, sizeof value);
    return value;
}

} // namespace

class GpuRunner : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void planIsExecuted_data() { addDrivers(); }
    void planIsExecuted() {
        QFETCH(QByteArray, driver);
        auto session = started(driver.constData());
        DeviceCopy rows; // y[500 + 4 i, ... + 1] = y[2 i, ... + 1]
        rows.to = y + 500 * sizeof(float);
        rows.toPitchBytes = 4 * sizeof(float);
        rows.from = y;
        rows.fromPitchBytes = 2 * sizeof(float);
        rows.rowBytes = 2 * sizeof(float);
        rows.rows = 100;
        LaunchPlan plan = planOf({addOne(), DeviceFill{y + 16, 0x3f800000, 4, 2}, rows, EventRecord{0},
                                  HostWrite{y + 996 * sizeof(float), bytesOf(2.0F), {}},
                                  SymbolCopy{"counter", 0, y + 997 * sizeof(float), 4, false}});
        plan.streams.push_back({StreamKind::nonBlocking, -1});
        plan.streams.push_back({StreamKind::legacy, 0});
        plan.operations.push_back({1, 0, EventWait{0}});
        plan.operations.push_back({2, 0, SymbolWrite{"counter", 0, bytesOf(std::uint32_t{9}), {}}});
        const auto ready = opened(*session, plan, planOf({SymbolWrite{"counter", 0, bytesOf(std::uint32_t{3}), {}}}));
        QVERIFY2(ready, textOf(ready).c_str());
        for (const std::size_t first : std::initializer_list<std::size_t>{0, 17, 1000}) {
            const auto done = called(*session, first);
            QVERIFY2(done, textOf(done).c_str());
            const auto start = static_cast<float>(first);
            QCOMPARE(output<float>(*session, 0), start + 1);
            QCOMPARE(output<float>(*session, 4), 1.0F);
            QCOMPARE(output<float>(*session, 10), 5001.0F);
            QCOMPARE(output<float>(*session, 13), 5001.0F);
            QCOMPARE(output<float>(*session, 14), start + 15);
            QCOMPARE(output<float>(*session, 500 + 4 * 50), start + 101);
            QCOMPARE(output<float>(*session, 996), 2.0F);
            QCOMPARE(output<std::uint32_t>(*session, 997), 3U); // restored before every call
            for (const std::size_t band : std::initializer_list<std::size_t>{0, 2, 3, 5, 6, 7}) {
                const std::size_t at = band == 2   ? runner::guardBytes + dataBytes
                                       : band == 5 ? 4 * runner::guardBytes + dataBytes
                                                   : band * runner::guardBytes;
                QCOMPARE(session->outputs()[at], std::byte{0x5a});
            }
        }
        QVERIFY(session->emptyCallUs() > 0);
    }

    // The evaluator says after a call what it wants to see of it, and that alone comes back.
    void probesAreReadAlone() {
        auto session = started();
        QVERIFY(opened(*session, planOf({addOne()})));
        QVERIFY(called(*session, 0));
        QVERIFY(called(*session, 100));
        runner::Command prepare; // poisons what the call left
        prepare.verb = runner::Verb::prepare;
        QVERIFY(session->ask(prepare));
        runner::Command probe;
        probe.verb = runner::Verb::probe;
        probe.pieceCount = 2;
        probe.pieces[0] = {1, 8, 400};
        probe.pieces[1] = {1, 4, dataBytes - 4};
        QVERIFY(session->ask(probe));
        QCOMPARE(output<std::uint32_t>(*session, 99), std::uint32_t{0x43480000}); // 200: of the call
        QCOMPARE(output<std::uint32_t>(*session, 100), ~0U);
        QCOMPARE(output<std::uint32_t>(*session, 101), ~0U);
        QCOMPARE(output<std::uint32_t>(*session, 102), std::uint32_t{0x434b0000});
        QCOMPARE(output<std::uint32_t>(*session, elements - 1), ~0U);
        for (const runner::Piece& outside : {runner::Piece{1, 8, dataBytes - 4}, runner::Piece{0, 4, 0},
                                             runner::Piece{2, 4, 0}, runner::Piece{1, 4, ~std::uint64_t{0}}}) {
            session = started();
            QVERIFY(opened(*session, planOf({addOne()})) && called(*session, 0));
            probe.pieces[1] = outside;
            const auto answer = session->ask(probe);
            QVERIFY(!answer && answer.error().trouble == RunnerTrouble::tampered);
        }
    }

    void launchIsAskedForAsPlanned() {
        auto session = started();
        KernelLaunch launch = launchOf("describe", {bytesOf(y)});
        launch.grid = {8, 6, 4};
        launch.block = {32, 2, 1};
        launch.dynamicLdsBytes = 200000;
        launch.attributes.cluster = {2, 3, 1};
        launch.attributes.cooperative = true;
        launch.attributes.programmaticSerialization = true;
        KernelLaunch map = launchOf("map", {PlanBytes(128), bytesOf(y + 100)});
        map.maps.push_back({0, 0, {9, x, {64, 32}, {256}, {16, 16}, {1, 1}, 0, 3, 2, 0}});
        const auto ready = opened(*session, planOf({launch, map}));
        QVERIFY2(ready, textOf(ready).c_str());
        QVERIFY(called(*session, 0));
        const std::array<std::uint32_t, 12> asked = {8, 6, 4, 32, 2, 1, 2, 3, 1, 200000, 1, 1};
        for (std::size_t i = 0; i < asked.size(); ++i) {
            QCOMPARE(output<std::uint32_t>(*session, i), asked[i]);
        }
        QCOMPARE(output<std::uint32_t>(*session, 25), static_cast<std::uint32_t>(x));
        QCOMPARE(output<std::uint32_t>(*session, 27), 9U);
        QCOMPARE(output<std::uint32_t>(*session, 28), 2U);
    }

    // Nothing of one call is there for the next: variables hold what they held, the workspace is spoiled.
    void callsShareNothing() {
        auto session = started();
        QVERIFY(opened(*session, planOf({launchOf("count", {bytesOf(y)}), launchOf("count", {bytesOf(y + 4)}),
                                         launchOf("load", {bytesOf(workspace), bytesOf(y + 8)}),
                                         launchOf("store", {bytesOf(workspace), bytesOf(1)})})));
        for (int again = 0; again < 3; ++again) {
            QVERIFY(called(*session, 0));
            QCOMPARE(output<std::uint32_t>(*session, 0), 7U);
            QCOMPARE(output<std::uint32_t>(*session, 1), 8U);
            QCOMPARE(output<std::uint32_t>(*session, 2), 0xababababU);
        }
    }

    void whatDeviceCodeMayNotReach_data() {
        QTest::addColumn<QByteArray>("kernel");
        QTest::addColumn<quint64>("from");
        QTest::addColumn<QString>("message");
        QTest::newRow("writes an input") << QByteArray("store") << quint64{x} << "CUDA_ERROR_ILLEGAL_ADDRESS";
        QTest::newRow("reads what inputs come from")
            << QByteArray("load") << quint64{runner::sourceArea + valuesOffset} << "CUDA_ERROR_ILLEGAL_ADDRESS";
        QTest::newRow("writes an input where it is put together")
            << QByteArray("store") << quint64{runner::sourceArea + runner::mapStepBytes + runner::guardBytes}
            << "CUDA_ERROR_ILLEGAL_ADDRESS";
        QTest::newRow("reads between the areas")
            << QByteArray("load") << quint64{x + 2 * runner::mapStepBytes} << "CUDA_ERROR_ILLEGAL_ADDRESS";
        QTest::newRow("device assert") << QByteArray("trap") << quint64{x} << "CUDA_ERROR_LAUNCH_FAILED";
    }
    void whatDeviceCodeMayNotReach() {
        QFETCH(QByteArray, kernel);
        QFETCH(quint64, from);
        QFETCH(QString, message);
        auto session = started();
        QVERIFY(opened(*session, planOf({launchOf(kernel.toStdString(), {bytesOf(std::uint64_t{from}), bytesOf(y)})})));
        const auto done = called(*session, 0);
        QVERIFY2(!done && done.error().trouble == RunnerTrouble::crashed, textOf(done).c_str());
        QVERIFY2(QString::fromStdString(textOf(done)).contains(message), textOf(done).c_str());
        QVERIFY(!session->unload());
    }

    void whatAModuleLacksIsNamed() {
        auto session = started();
        const auto kernel = opened(*session, planOf({launchOf("absent", {})}));
        QVERIFY2(!kernel && kernel.error().trouble == RunnerTrouble::loadFailed, textOf(kernel).c_str());
        QVERIFY2(textOf(kernel).find("no kernel absent") != std::string::npos, textOf(kernel).c_str());
        session = started();
        const auto variable = opened(*session, planOf({SymbolWrite{"counter", 14, bytesOf(1), {}}}));
        QVERIFY2(textOf(variable).find("past the end of the variable counter") != std::string::npos,
                 textOf(variable).c_str());
        session = started();
        const auto broken = session->load("broken", std::chrono::seconds(60), {});
        QVERIFY(!broken && broken.error().trouble == RunnerTrouble::loadFailed);
    }

    void hungKernelTimesOut() {
        auto session = started();
        QVERIFY(opened(*session, planOf({launchOf("hang", {})}), {}, std::chrono::seconds(1)));
        const auto done = called(*session, 0);
        QVERIFY2(!done && done.error().trouble == RunnerTrouble::timedOut, textOf(done).c_str());
        QVERIFY(!session->unload());
    }

    // What device code prints looks like an answer, and comes out as a log.
    void printedTextIsALog() {
        auto session = started();
        QVERIFY(opened(*session, planOf({launchOf("print", {}), addOne()})));
        const auto done = called(*session, 0);
        QVERIFY2(done, textOf(done).c_str());
        QTRY_COMPARE(session->log(), std::string("{\"sequence\": 0}\n"));
        QVERIFY(session->unload());
        QCOMPARE(session->log(), std::string());
    }

    // One process serves one candidate after the other; one that broke serves none.
    void processesAreUsedAgain() {
        RunnerPool pool;
        const RunnerSession::Setup setup = started()->setup();
        QVERIFY(pool.expect(setup, 1));
        auto session = std::move(*pool.take(setup));
        const int pid = session->pid();
        for (int candidate = 0; candidate < 3; ++candidate) {
            QCOMPARE(session->pid(), pid);
            QVERIFY(opened(*session, planOf({launchOf("count", {bytesOf(y)}), addOne()})));
            QVERIFY(called(*session, 5));
            QCOMPARE(output<float>(*session, 0), 6.0F);
            pool.giveBack(std::move(session));
            QVERIFY(pool.hasIdle());
            session = std::move(*pool.take(setup));
        }
        QVERIFY(opened(*session, planOf({launchOf("trap", {})})));
        QVERIFY(!called(*session, 0));
        pool.giveBack(std::move(session));
        QVERIFY(!pool.hasIdle());
        session = std::move(*pool.take(setup));
        QVERIFY(session->pid() != pid);
        QVERIFY(opened(*session, planOf({addOne()})) && called(*session, 1));
    }

    // A comparison is confirmed with the processes the other way round.
    void processesChangeRoles() {
        RunnerPool pool;
        const RunnerSession::Setup setup = started()->setup();
        auto candidate = std::move(*pool.take(setup));
        auto baseline = std::move(*pool.take(setup));
        const std::array pids = {candidate->pid(), baseline->pid()};
        QVERIFY(candidate->load("device code", std::chrono::seconds(60), {}));
        QVERIFY(baseline->load("device code", std::chrono::seconds(60), {}));
        pool.giveBack(std::move(candidate));
        pool.giveBack(std::move(baseline));
        candidate = std::move(*pool.take(setup));
        baseline = std::move(*pool.take(setup));
        QCOMPARE((std::array{baseline->pid(), candidate->pid()}), pids);
    }

    // Where device code reaches all memory of the process, the runner's word is worth nothing.
    void deviceThatReachesAllIsRefused() {
        qputenv("CUDA_DEVICE_ORDER", "FAKE_HMM");
        auto session = started();
        qunsetenv("CUDA_DEVICE_ORDER");
        const auto loaded = session->load("device code", std::chrono::seconds(60), {});
        QVERIFY2(!loaded && loaded.error().trouble == RunnerTrouble::infrastructure, textOf(loaded).c_str());
        QVERIFY2(textOf(loaded).find("reaches all memory of its process") != std::string::npos, textOf(loaded).c_str());
    }

    void placesOutsideAreRefused() {
        const auto refusedFor = [](const std::function<void(runner::Command&)>& change) {
            auto session = started();
            if (!session->load("device code", std::chrono::seconds(60), {})) {
                return false;
            }
            runner::Command command = shape();
            change(command);
            const auto answer = session->ask(command, runner::openingText({}));
            return !answer && answer.error().trouble == RunnerTrouble::tampered;
        };
        QVERIFY(!refusedFor([](runner::Command&) {}));
        QVERIFY(refusedFor([](runner::Command& command) { command.places[0].offset = 7 * runner::guardBytes; }));
        QVERIFY(refusedFor([](runner::Command& command) { command.places[1].address = runner::sourceArea; }));
        QVERIFY(refusedFor([](runner::Command& command) { command.places[0].sourceBytes = dataBytes - 4; }));
        QVERIFY(refusedFor([](runner::Command& command) { command.places[0].sourceOffset = inputBytes; }));
        QVERIFY(refusedFor([](runner::Command& command) { command.workspaceAddress = runner::sourceArea; }));
    }

    // A library of the pack in the place of plans: tensors, bands, poison, spoiled workspace and probes as for a
    // kernel.
    void anchorIsCalledWhereAPlanWouldBe_data() { addDrivers(); }
    void anchorIsCalledWhereAPlanWouldBe() {
        QFETCH(QByteArray, driver);
        auto session = started(driver.constData(), GKS_FAKE_ANCHOR);
        const auto version = session->loadAnchor(std::chrono::seconds(60), {});
        QVERIFY2(version, textOf(version).c_str());
        QCOMPARE(*version, std::string("fake 1.2 of \\x1b[31mtwo lines"));
        const auto workspaceBytes = openedAnchor(*session, {});
        QVERIFY2(workspaceBytes, textOf(workspaceBytes).c_str());
        QCOMPARE(*workspaceBytes, std::uint64_t{64});
        for (const std::size_t first : std::initializer_list<std::size_t>{0, 17, 1000}) {
            const auto done = called(*session, first);
            QVERIFY2(done, textOf(done).c_str());
            const auto added = static_cast<float>(0xab); // what the workspace was spoiled with
            QCOMPARE(output<float>(*session, 0), static_cast<float>(first) + added);
            QCOMPARE(output<float>(*session, 10), 5000 + added);
            QCOMPARE(output<float>(*session, elements - 1), static_cast<float>(first + elements - 1) + added);
            QCOMPARE(session->outputs()[5 * runner::guardBytes - 1], std::byte{0x5a});
        }
    }

    void anchorThatFailsIsSaidSo() {
        auto session = started(GKS_FAKE_CUDA, GKS_FAKE_ANCHOR);
        QVERIFY(session->loadAnchor(std::chrono::seconds(60), {}));
        AnchorProblem problem;
        problem.mode = 1;
        QVERIFY(openedAnchor(*session, problem));
        const auto failed = called(*session, 0);
        QVERIFY2(!failed && failed.error().trouble == RunnerTrouble::kernelError, textOf(failed).c_str());
        session = started(GKS_FAKE_CUDA, GKS_FAKE_ANCHOR);
        QVERIFY(session->loadAnchor(std::chrono::seconds(60), {}));
        problem.mode = 2;
        QVERIFY(openedAnchor(*session, problem));
        const auto wrote = called(*session, 0); // rights are those of device code
        QVERIFY2(!wrote && wrote.error().trouble == RunnerTrouble::crashed, textOf(wrote).c_str());
        session = started(GKS_FAKE_CUDA, GKS_FAKE_HIP); // a library without solve()
        const auto other = session->loadAnchor(std::chrono::seconds(60), {});
        QVERIFY2(!other && other.error().trouble == RunnerTrouble::loadFailed, textOf(other).c_str());
        QVERIFY2(textOf(other).find("has no function") != std::string::npos, textOf(other).c_str());
    }

    // Which library is called is said when a process starts; a process of candidates has no such mode, whatever it is
    // told, and one with an anchor takes no device code and no plans.
    void candidatesDoNotReachTheAnchor() {
        for (const char* const code : {GKS_FAKE_ANCHOR, ""}) {
            auto session = started();
            if (*code != '\0') {
                QVERIFY(session->load(code, std::chrono::seconds(60), {})); // any text is device code to this driver
            }
            runner::Command question;
            question.verb = runner::Verb::workspace;
            const auto answer = session->ask(question, digitsOf({}));
            QVERIFY2(!answer && answer.error().trouble == RunnerTrouble::tampered, textOf(answer).c_str());
            QCOMPARE(session->log(), std::string());
        }
        auto session = started();
        QVERIFY(session->load(GKS_FAKE_ANCHOR, std::chrono::seconds(60), {}));
        const auto place = session->ask(shape(), digitsOf({}));
        QVERIFY2(!place && place.error().trouble == RunnerTrouble::tampered, textOf(place).c_str());
        QCOMPARE(session->log(), std::string());
        session = started(GKS_FAKE_CUDA, GKS_FAKE_ANCHOR);
        const auto code = session->load("device code", std::chrono::seconds(60), {});
        QVERIFY2(!code && code.error().trouble == RunnerTrouble::tampered, textOf(code).c_str());
        session = started(GKS_FAKE_CUDA, GKS_FAKE_ANCHOR);
        QVERIFY(session->loadAnchor(std::chrono::seconds(60), {}));
        QTRY_COMPARE(session->log(), std::string("the anchor is loaded\n"));
        const auto plans = session->ask(shape(), runner::openingText({{}, {}, planOf({addOne()})}));
        QVERIFY2(!plans && plans.error().trouble == RunnerTrouble::tampered, textOf(plans).c_str());
    }

    // Host code of the pack has run there: no candidate is loaded into it.
    void processOfAnAnchorServesNobodyElse() {
        RunnerPool pool;
        RunnerSession::Setup setup = started()->setup();
        setup.anchor = RunnerSession::AnchorFiles{GKS_FAKE_ANCHOR, {}};
        auto session = std::move(*pool.take(setup));
        QVERIFY(session->loadAnchor(std::chrono::seconds(60), {}));
        QVERIFY(openedAnchor(*session, {}) && called(*session, 0));
        pool.giveBack(std::move(session));
        QVERIFY(!pool.hasIdle());
        setup.anchor.reset();
        QVERIFY(pool.expect(setup, 1));
        session = std::move(*pool.take(setup));
        QVERIFY(opened(*session, planOf({addOne()})) && called(*session, 1));
        QCOMPARE(session->log(), std::string());
    }

private:
    static void addDrivers() {
        QTest::addColumn<QByteArray>("driver");
        QTest::newRow("CUDA's names") << QByteArray(GKS_FAKE_CUDA);
        QTest::newRow("HIP's names") << QByteArray(GKS_FAKE_HIP);
    }
};

QTEST_APPLESS_MAIN(GpuRunner)
#include "gpu_runner.moc"
