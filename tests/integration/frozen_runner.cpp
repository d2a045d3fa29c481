// SPDX-License-Identifier: GPL-3.0-or-later
// The process with device code of the cpu target behind its real wall: what it computes, what it may not do, and that
// it stands still except within a call. What a kernel in HIP cannot be made to say is compiled from C++ here, for the
// wall must hold against any machine code.
#include "core/base/files.h"
#include "core/base/process_tree.h"
#include "core/hipcpu/options/split_files.h"
#include "core/judge/evaluator/session/call_limit.h"
#include "core/judge/evaluator/session/frozen_session.h"
#include "core/judge/evaluator/trial/past_reads.h"
#include "tests/support/machine_code.h"
#include "tests/support/split_build.h"

#include <QTest>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <optional>
#include <sched.h>
#include <thread>

using namespace gks;

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t pageBytes = 4096;
constexpr std::size_t elements = 1000;
constexpr std::chrono::seconds shortLimit(1);

// Two pages each, the data at their end.
std::vector<frozen::Region> regions() {
    std::vector<frozen::Region> all;
    for (const bool isOutput : {false, true}) {
        frozen::Region region;
        region.name = isOutput ? "y" : "x";
        region.bytes = 2 * pageBytes;
        region.address = frozen::firstAddress + (isOutput ? std::uint64_t{1} << 30 : 0) + frozen::guardBytes;
        region.dataBytes = elements * sizeof(float);
        region.dataAddress = region.address + region.bytes - pageBytes;
        region.isOutput = isOutput;
        all.push_back(region);
    }
    return all;
}

PlanBytes bytesOf(std::uint64_t value) {
    PlanBytes bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

LaunchPlan planOf(std::vector<PlanAction> actions) {
    LaunchPlan plan;
    for (PlanAction& action : actions) {
        plan.operations.push_back({0, 0, std::move(action)});
    }
    return plan;
}

// k(x, y) with one block of 64 threads.
KernelLaunch launchOf(const std::string& kernel) {
    KernelLaunch launch;
    launch.kernel = kernel;
    launch.block = {64, 1, 1};
    launch.arguments = {bytesOf(regions()[0].dataAddress), bytesOf(regions()[1].dataAddress)};
    return launch;
}

} // namespace

class FrozenRunner : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_folder.emplace(*TemporaryDirectory::create("frozen-runner"));
        const auto write = [&](const char* name, const std::string& text) {
            QVERIFY(writeFileAtomically(m_folder->path() / name, text).has_value());
        };
        write("honest.hip", R"(#include <hip/hip_runtime.h>
__device__ float factor = 1;
__constant__ float offset;
extern "C" __global__ void scale(const float* x, float* y) {
    for (unsigned i = threadIdx.x; i < 1000; i += blockDim.x) y[i] = factor * x[i] + offset;
}
extern "C" __global__ void reversed(const float* x, float* y) {
    __shared__ float s[1000];
    for (unsigned i = threadIdx.x; i < 1000; i += blockDim.x) s[i] = x[i];
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 1000; i += blockDim.x) y[i] = expf(s[999 - i]);
}
extern "C" __global__ void writesInput(float* x, float*) { x[threadIdx.x] = 1; }
extern "C" __global__ void readsTooFar(const float* x, float* y) { y[threadIdx.x] = x[1024 + threadIdx.x]; }
extern "C" __global__ void writesTooFar(const float*, float* y) { y[1024] = 1; }
// How often a place on the stack was used, in memory that no function uses any more.
__device__ __attribute__((noinline)) float uses() {
    volatile unsigned room[4096];
    asm volatile("" ::: "memory");
    if (room[5] != 0x5eed5eedu || room[7] != ~room[6]) { room[5] = 0x5eed5eedu; room[6] = 0; }
    room[6] = room[6] + 1;
    room[7] = ~room[6];
    return room[6];
}
extern "C" __global__ void counts(const float*, float* y) { if (threadIdx.x == 0) y[blockIdx.x] = uses(); }
extern "C" __global__ void countsAndWaits(const float*, float* y) {
    if (threadIdx.x == 0) y[blockIdx.x] = uses();
    __syncthreads();
    if (threadIdx.x == 1) y[blockIdx.x + 500] = y[blockIdx.x];
}
extern "C" __global__ void waits(const float*, float* y) { volatile float* v = y; v[1] = 1; while (v[0] == 0) {} }
extern "C" __global__ void prints(const float* x, float*) { if (threadIdx.x == 3) printf("x is %.1f\n", x[3]); }
)");
        const CompletedProcess built = test::splitBuild(m_folder->path() / "honest.hip", m_folder->path());
        QVERIFY2(built.ok(), built.error.c_str());
        m_honest = m_folder->path() / hipcpu::deviceModuleFile;
    }

    void planIsExecuted_data() { addLevels(); }
    void planIsExecuted() {
        QFETCH(SandboxLevel, level);
        auto session = started(m_honest, level);
        const auto [x, y] = tensors(*session);
        const float two = 2;
        PlanBytes twoBytes(sizeof two);
        std::memcpy(twoBytes.data(), &two, sizeof two);
        const std::uint64_t at = regions()[1].dataAddress;
        DeviceCopy rows; // y[500 + 2 i] = y[i], pairs
        rows.to = at + 500 * sizeof(float);
        rows.toPitchBytes = 4 * sizeof(float);
        rows.from = at;
        rows.fromPitchBytes = 2 * sizeof(float);
        rows.rowBytes = 2 * sizeof(float);
        rows.rows = 100;
        SymbolCopy back{"factor", 0, at + 999 * sizeof(float), sizeof(float), false};
        const auto opened =
            session->open(regions(), planOf({SymbolWrite{"factor", 0, twoBytes}}),
                          planOf({launchOf("scale"), DeviceFill{at, 0x3f800000, 4, 10}, rows, EventRecord{0},
                                  EventWait{0}, back, HostWrite{at + 998 * sizeof(float), twoBytes}}));
        QVERIFY2(opened, text(opened));
        QVERIFY2(session->call(frozen::Which::setup), "setup");
        for (int again = 0; again < 3; ++again) {
            for (std::size_t i = 0; i < elements; ++i) {
                x[i] = static_cast<float>(i) + static_cast<float>(again);
                y[i] = -1;
            }
            const auto called = session->call(frozen::Which::plan);
            QVERIFY2(called, text(called));
            QVERIFY(called->us > 0 && called->us <= called->hostUs);
            QCOMPARE(y[5], 1.0F);
            QCOMPARE(y[100], 2 * x[100]);
            QCOMPARE(y[500], 1.0F);
            QCOMPARE(y[504 + 1], 1.0F);
            QCOMPARE(y[502], 2 * x[502]);
            QCOMPARE(y[500 + 4 * 60], 2 * x[2 * 60]);
            QCOMPARE(y[998], 2.0F);
            QCOMPARE(y[999], 2.0F);
        }
        QVERIFY(session->calibrate() && session->emptyCallUs() > 0);
    }

    void aNewProcessForgetsVariables() {
        auto session = started(m_honest);
        const auto [x, y] = tensors(*session);
        x[7] = 3;
        PlanBytes two = {0, 0, 0, 0x40};
        const LaunchPlan plan = planOf({launchOf("scale")});
        QVERIFY(session->open(regions(), planOf({SymbolWrite{"factor", 0, two}}), plan));
        QVERIFY(session->call(frozen::Which::setup) && session->call(frozen::Which::plan));
        QCOMPARE(y[7], 6.0F);
        QVERIFY(session->open(regions(), {}, plan));
        QVERIFY(session->call(frozen::Which::plan));
        QCOMPARE(y[7], 3.0F);
    }

    void aCallFindsNothingOfAnEarlierOne() {
        auto session = started(m_honest);
        const auto [x, y] = tensors(*session);
        x[7] = 3;
        const PlanBytes two = {0, 0, 0, 0x40};
        QVERIFY(session->open(regions(), {}, planOf({launchOf("scale"), SymbolWrite{"factor", 0, two}})));
        for (const float expected : {3.0F, 6.0F}) {
            QVERIFY(session->call(frozen::Which::plan));
            QCOMPARE(y[7], expected);
        }
        QVERIFY(session->call(frozen::Which::restore) && session->call(frozen::Which::plan));
        QCOMPARE(y[7], 3.0F);
    }

    void aCallFindsNothingOnItsStacks_data() {
        QTest::addColumn<QString>("kernel");
        QTest::newRow("of the threads of the process") << "counts";
        QTest::newRow("of the threads of a block") << "countsAndWaits";
    }
    void aCallFindsNothingOnItsStacks() {
        QFETCH(QString, kernel);
        auto session = started(m_honest);
        float* const y = tensors(*session).second;
        KernelLaunch launch = launchOf(kernel.toStdString());
        launch.grid = {64, 1, 1};
        QVERIFY(session->open(regions(), {}, planOf({launch})));
        for (int again = 0; again < 3; ++again) {
            QVERIFY(session->call(frozen::Which::restore) && session->call(frozen::Which::plan));
            std::array<int, 66> blocks = {}; // by what they have counted: every stack counts from 1 on
            for (int block = 0; block < 64; ++block) {
                blocks.at(std::min(static_cast<std::size_t>(y[block]), blocks.size() - 1)) += 1;
            }
            for (std::size_t count = 2; count < blocks.size(); ++count) {
                QVERIFY2(blocks.at(count) <= blocks.at(count - 1), qPrintable(QString::number(count)));
            }
        }
    }

    void whatKernelsDoWrongIsNamed_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<QString>("message");
        QTest::newRow("input") << "writesInput" << "memory access fault";
        QTest::newRow("too far") << "writesTooFar" << "; kernel writesTooFar block (0,0,0)";
        QTest::newRow("no such kernel") << "absent" << "the module has no kernel absent";
    }
    void whatKernelsDoWrongIsNamed() {
        QFETCH(QString, kernel);
        QFETCH(QString, message);
        auto session = started(m_honest);
        const auto opened = session->open(regions(), {}, planOf({launchOf(kernel.toStdString())}));
        const std::string said = opened ? text(session->call(frozen::Which::plan)) : text(opened);
        QVERIFY2(said.find(message.toStdString()) != std::string::npos, said.c_str());
    }

    void readsPastTheEndAreNamed() {
        auto session = started(m_honest, availableSandbox().level, true);
        QVERIFY(session->open(regions(), {}, planOf({launchOf("readsTooFar")})));
        const auto called = session->call(frozen::Which::plan);
        QVERIFY2(called, text(called));
        QCOMPARE(called->printed, std::string());
        const std::vector<PastRead> reads = pastReads(called->reads, regions(), planOf({launchOf("readsTooFar")}));
        QCOMPARE(reads.size(), std::size_t{1});
        QCOMPARE(reads.front().tensor, std::string("x"));
        const std::string& read = reads.front().text;
        QVERIFY2(read.starts_with("read ") && read.find(" past the end of x (4000 bytes); kernel readsTooFar block "
                                                        "(0,0,0) thread (") != std::string::npos,
                 read.c_str());
        QVERIFY(session->call(frozen::Which::restore)->reads.empty());
    }

    // The process with device code can write to the notes what it likes: numbers that lie nowhere say nothing.
    void inventedReadsAreLeftOut() {
        const std::uint64_t end = regions()[0].dataAddress + regions()[0].dataBytes;
        const auto noted = [&](std::uint64_t address, std::string_view kernel) {
            hipcpu::ReadNote note;
            note.address = address;
            std::ranges::copy(kernel, note.kernel.begin());
            return pastReads(std::vector{note}, regions(), planOf({launchOf("readsTooFar")}));
        };
        QCOMPARE(noted(end, "readsTooFar").front().text,
                 std::string("read right past the end of x (4000 bytes); kernel readsTooFar block (0,0,0)"));
        QVERIFY(noted(end - 1, "readsTooFar").empty());
        QVERIFY(noted(~std::uint64_t{0}, "readsTooFar").empty());
        QVERIFY(noted(end, "the baseline is broken").empty());
        QVERIFY(noted(end, "").empty());
        QVERIFY(noted(end, std::string(hipcpu::ReadNote().kernel.size(), 'r')).empty());
    }

    void deviceOutputIsALog() {
        auto session = started(m_honest);
        tensors(*session).first[3] = 1.5F;
        QVERIFY(session->open(regions(), {}, planOf({launchOf("prints")})));
        const auto called = session->call(frozen::Which::plan);
        QVERIFY2(called, text(called));
        QCOMPARE(called->printed, std::string("x is 1.5\n"));
    }

    // From the kernel's begin until long after the limit others have its processor; then it comes to its end.
    void timeOfOthersIsNotTheKernels() {
        auto session = started(m_honest, availableSandbox().level, false, shortLimit);
        volatile float* const y = tensors(*session).second;
        y[0] = 0;
        y[1] = 0;
        QVERIFY(session->open(regions(), {}, planOf({launchOf("waits")})));
        const std::jthread others([&] {
            while (y[1] == 0 && !QTest::currentTestFailed()) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            takeProcessor(*session, 1.5 * shortLimit);
            y[0] = 1;
        });
        const auto called = session->call(frozen::Which::plan);
        QVERIFY2(called, text(called));
        const double limitUs = std::chrono::duration<double, std::micro>(shortLimit).count();
        QVERIFY2(called->us > limitUs, qPrintable(QString::number(called->us)));
    }

    void aKernelWithoutEndIsTimedOut() {
        auto session = started(m_honest, availableSandbox().level, false, shortLimit);
        tensors(*session).second[0] = 0;
        QVERIFY(session->open(regions(), {}, planOf({launchOf("waits")})));
        const auto called = session->call(frozen::Which::plan);
        QVERIFY(!called);
        QVERIFY2(called.error().trouble == RunnerTrouble::timedOut, text(called));
        QCOMPARE(called.error().what, std::string("no answer within 1 s"));
    }

    void aLimitIsOfTheKernelsTime_data() {
        QTest::addColumn<double>("passed");
        QTest::addColumn<double>("waited");
        QTest::addColumn<int>("state");
        const auto row = [](const char* name, double passed, double waited, CallLimit::State state) {
            QTest::newRow(name) << passed << waited << static_cast<int>(state);
        };
        row("within", 9, 0, CallLimit::State::within);
        row("alone", 11, 0, CallLimit::State::over);
        row("hardly disturbed", 11, 0.5, CallLimit::State::over);
        row("half of the time", 19, 10, CallLimit::State::within);
        row("half of the time, used up", 21, 10, CallLimit::State::over);
        row("a tenth of the time", 39, 36, CallLimit::State::within);
        row("a tenth of the time, for too long", 41, 37, CallLimit::State::starved);
    }
    void aLimitIsOfTheKernelsTime() {
        QFETCH(const double, passed);
        QFETCH(const double, waited);
        QFETCH(const int, state);
        QCOMPARE(static_cast<int>(CallLimit::of(10, passed, waited)), state);
    }

    // Machine code of any kind, on the main thread of the process.
    void nothingButWorkIsLeft_data() {
        QTest::addColumn<QString>("code");
        QTest::newRow("a file") << "call(2 /* open */, \"/etc/passwd\", 0, 0)";
        QTest::newRow("a process") << "call(57 /* fork */, 0, 0, 0)";
        QTest::newRow("a thread") << "call(56 /* clone */, (void*)0x10f00, 0, 0)";
        QTest::newRow("executable memory") << "call(9 /* mmap */, 0, 4096, 7)";
        QTest::newRow("memory made executable") << "call(10 /* mprotect */, y, 4096, 5)";
        QTest::newRow("a signal") << "call(62 /* kill */, (void*)1, 15, 0)";
        QTest::newRow("a handler") << "call(13 /* rt_sigaction */, (void*)15, 0, 0)";
        QTest::newRow("signals held back") << "call(14 /* rt_sigprocmask */, 0, 0, 0)";
        QTest::newRow("another's memory") << "call(310 /* process_vm_readv */, (void*)1, 0, 0)";
        QTest::newRow("a socket") << "call(41 /* socket */, (void*)1, 1, 0)";
        QTest::newRow("32-bit calls") << "({ int a = 20; asm volatile(\"int $0x80\" : \"+a\"(a)); })";
    }
    void nothingButWorkIsLeft() {
        QFETCH(QString, code);
        auto session = started(machineCode(code.toStdString() + ";"));
        QVERIFY(session->open(regions(), {}, planOf({launchOf("k")})));
        const auto called = session->call(frozen::Which::plan);
        QCOMPARE(QString::fromStdString(text(called)),
                 QStringLiteral("device code made a system call that it may not make"));
    }

    // It says "done" before it has done anything, and goes on for ever: until the next call nothing moves.
    void sayingDoneEarlyGainsNothing() {
        auto session = started(machineCode(R"c(for (int fd = 3; fd < 64; ++fd) call(1, (void*)(long)fd, (long)"d", 1);
            for (;;) ++*(volatile unsigned*)y;)c"));
        QVERIFY(session->open(regions(), {}, planOf({launchOf("k")})));
        const auto called = session->call(frozen::Which::plan);
        QVERIFY2(called, text(called));
        volatile const auto* const counter = reinterpret_cast<volatile unsigned*>(tensors(*session).second);
        const unsigned before = *counter;
        for (int look = 0; look < 1000; ++look) {
            QCOMPARE(*counter, before);
        }
        const std::vector<std::string> states = threadStates(session->pid());
        QVERIFY(!states.empty());
        for (const std::string& state : states) {
            QCOMPARE(state, std::string("T"));
        }
    }

    void onlyDeviceCodeIsLoaded_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("message");
        QTest::newRow("library") << "#include <cstdio>\nextern \"C\" int gks_device_module = std::puts(\"\");"
                                 << "needs the library";
        QTest::newRow("constructor") << "extern \"C\" int gks_device_module = 0; int other = 0;\n"
                                        "__attribute__((constructor, visibility(\"hidden\"))) void f() { ++other; }"
                                     << "exports something else";
        QTest::newRow("hidden constructor")
            << "extern \"C\" int gks_device_module = 0;\n"
               "__attribute__((constructor, visibility(\"hidden\"))) void f() { ++gks_device_module; }"
            << "has code that runs when it is loaded";
        QTest::newRow("code among data") << "__attribute__((section(\".data.code\"))) static void f() {}\n"
                                            "extern \"C\" void (*gks_device_module)() = f;"
                                         << "has memory that is written and executed";
        QTest::newRow("code in a section of its own") << "__attribute__((section(\".code\"))) static void f() {}\n"
                                                         "extern \"C\" void (*gks_device_module)() = f;"
                                                      << "has code elsewhere than in .text";
        QTest::newRow("data in pages of code") << "extern \"C\" void (*gks_device_module)(); static void f() {}\n"
                                                  "void (*gks_device_module)() = f; //noseparate"
                                               << "has code elsewhere than in pages of its own";
        QTest::newRow("stack that is executed") << "extern \"C\" void (*gks_device_module)(); static void f() {}\n"
                                                   "void (*gks_device_module)() = f; //execstack"
                                                << "wants a stack that is executed";
    }
    void onlyDeviceCodeIsLoaded() {
        QFETCH(QString, code);
        QFETCH(QString, message);
        const fs::path source = m_folder->path() / "other.cpp";
        const fs::path module = m_folder->path() / "other.so";
        QVERIFY(writeFileAtomically(source, code.toStdString()).has_value());
        std::vector<std::string> command = {"clang++-19", "-shared", "-fPIC", source.string(), "-o", module.string()};
        if (code.contains("constructor")) {
            command.emplace_back("-nostdlib");
        }
        if (code.contains("static void f()")) {
            const char* const option = code.endsWith("//noseparate")  ? "-Wl,-z,noseparate-code"
                                       : code.endsWith("//execstack") ? "-Wl,-z,execstack"
                                                                      : "-Wl,-z,separate-code";
            command.insert(command.end(), {"-nostdlib", "-fuse-ld=lld", "-Wl,-z,separate-code", option});
        }
        test::mustRun(command);
        const auto sound = checkDeviceModule(module);
        QVERIFY(!sound);
        QVERIFY2(sound.error().message().find(message.toStdString()) != std::string::npos,
                 sound.error().message().c_str());
    }

private:
    static void addLevels() {
        QTest::addColumn<SandboxLevel>("level");
        for (const SandboxLevel level : {SandboxLevel::bubblewrap, SandboxLevel::landlock}) {
            if (whyLevelFails(level).empty()) {
                QTest::newRow(std::string(name(level)).c_str()) << level;
            }
        }
        QTest::newRow("none") << SandboxLevel::none;
    }

    std::unique_ptr<FrozenSession> started(const fs::path& module, SandboxLevel level = availableSandbox().level,
                                           bool reversedOrder = false,
                                           std::chrono::seconds timeLimit = std::chrono::seconds(120)) {
        FrozenSession::Setup setup;
        setup.deviceModule = module;
        setup.inputBytes = setup.outputBytes = 2 * pageBytes;
        setup.sandbox = level;
        setup.allowNoSandbox = true;
        setup.reversedOrder = reversedOrder;
        setup.timeLimit = timeLimit;
        auto session = FrozenSession::start(setup, *InputSegment::create(setup.inputBytes));
        if (!session) {
            qFatal("%s", session.error().what.c_str());
        }
        return std::move(*session);
    }

    // A device module with the kernel k(x, y), which runs this code.
    fs::path machineCode(const std::string& code) {
        return test::deviceModuleOf(
            {{}, "[[maybe_unused]] float* y = *static_cast<float**>(arguments[1]);\n" + code, {8, 8}}, m_folder->path(),
            "machine");
    }

    static std::pair<float*, float*> tensors(FrozenSession& session) {
        return {reinterpret_cast<float*>(session.inputs().memory.bytes().data() + pageBytes),
                reinterpret_cast<float*>(session.outputs().data() + pageBytes)};
    }

    // A session has one processor, and others have most of that, for so long.
    static void takeProcessor(const FrozenSession& session, std::chrono::duration<double> time) {
        cpu_set_t all;
        CPU_ZERO(&all);
        ::sched_getaffinity(0, sizeof(all), &all);
        cpu_set_t one;
        CPU_ZERO(&one);
        for (std::size_t cpu = 0; CPU_COUNT(&one) == 0 && cpu < CPU_SETSIZE; ++cpu) {
            if (CPU_ISSET(cpu, &all)) {
                CPU_SET(cpu, &one);
            }
        }
        for (const std::string& process : processTree(session.pid())) {
            for (const std::string& thread : threadsOf(process)) {
                ::sched_setaffinity(std::stoi(fs::path(thread).filename()), sizeof(one), &one);
            }
        }
        const auto end = std::chrono::steady_clock::now() + time;
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([end, &one] {
                ::sched_setaffinity(0, sizeof(one), &one);
                while (std::chrono::steady_clock::now() < end) {
                }
            });
        }
    }

    // Of the youngest descendant of a process.
    static std::vector<std::string> threadStates(int pid) {
        std::vector<std::string> states;
        std::error_code ignored;
        for (const auto& task : fs::directory_iterator("/proc/" + std::to_string(pid) + "/task", ignored)) {
            std::istringstream children(readFile(task.path() / "children").value_or(""));
            if (int child = 0; children >> child) {
                return threadStates(child);
            }
            const std::string stat = readFile(task.path() / "stat").value_or("");
            states.push_back(stat.substr(stat.rfind(')') + 2, 1));
        }
        return states;
    }

    template<class T>
    static const char* text(const RunnerResult<T>& result) {
        static std::string kept;
        kept = result ? "" : result.error().what;
        return kept.c_str();
    }

    std::optional<TemporaryDirectory> m_folder;
    fs::path m_honest;
};

QTEST_APPLESS_MAIN(FrozenRunner)
#include "frozen_runner.moc"
