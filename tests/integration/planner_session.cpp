// SPDX-License-Identifier: GPL-3.0-or-later
// Host code in the planner: what it does comes back as a plan, what a plan cannot express is refused by name and line,
// and whatever it tries there comes to nothing. All seeds and honest kernels get a plan.
#include "core/judge/evaluator/session/planner_session.h"
#include "core/base/files.h"
#include "core/base/process.h"
#include "core/base/sanitized.h"
#include "core/base/text.h"
#include "core/hipcpu/options/split_files.h"
#include "core/judge/plan/facts_json.h"
#include "core/judge/plan/plan_compare.h"
#include "core/judge/plan/plan_json.h"
#include "core/problem/problem.h"
#include "tests/cheats/cheat_sample.h"
#include "tests/support/split_build.h"

#include <QTest>
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

using namespace gks;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t firstSet = 0x200000000000;
const std::string testFolder = std::string(GKS_SOURCE_DIR) + "/tests/";

// Buffers one after the other, each with free pages behind it.
SetAddresses addressesOf(const ProblemPack& pack, const Shape& shape, std::uint64_t begin, std::uint64_t workspace) {
    constexpr std::uint64_t stepBytes = std::uint64_t{1} << 26;
    SetAddresses addresses;
    for (const TensorSpec& tensor : pack.tensors) {
        const auto bytes =
            static_cast<std::uint64_t>(pack.elementCount(tensor, shape).value()) * sizeBytes(tensor.type);
        addresses.tensors.push_back({tensor.name, begin, bytes, tensor.role == TensorRole::output});
        begin += stepBytes + bytes / stepBytes * stepBytes;
    }
    addresses.workspace = workspace > 0 ? begin : 0;
    addresses.workspaceBytes = workspace;
    return addresses;
}

struct Built {
    TemporaryDirectory folder;
    ProblemPack pack;
    ModuleFacts facts;
};

std::optional<Built> build(const std::string& problem, const std::string& source) {
    auto pack = loadProblemPack(problem);
    auto folder = TemporaryDirectory::create("planner-session");
    if (!pack || !folder || !writeFileAtomically(folder->path() / "problem.h", generateProblemHeader(*pack)) ||
        !writeFileAtomically(folder->path() / "kernel.hip", source)) {
        return std::nullopt;
    }
    const CompletedProcess run = test::splitBuild(folder->path() / "kernel.hip", folder->path());
    if (!run.ok()) {
        qWarning("%s", run.error.c_str());
        return std::nullopt;
    }
    const auto text = readFile(folder->path() / hipcpu::moduleFactsFile);
    auto facts = moduleFactsFromText(text.value_or(""), "facts");
    if (!facts) {
        qWarning("%s", facts.error().message().c_str());
        return std::nullopt;
    }
    return Built{std::move(*folder), std::move(*pack), std::move(*facts)};
}

PlannerSession::Setup setupFor(const Built& built) {
    PlannerSession::Setup setup;
    setup.hostModule = built.folder.path() / hipcpu::hostModuleFile;
    setup.facts = built.facts;
    setup.device.computeUnits = 3;
    setup.device.memoryBytes = std::size_t{8} << 30;
    setup.reserveBytes = std::size_t{8} << 30;
    setup.sandbox = availableSandbox().level;
    setup.allowNoSandbox = true;
    return setup;
}

// What became of a shape, as a sentence or as a plan.
struct Outcome {
    std::optional<PlannedCall> call;
    std::string refused;
    VerdictKind kind = VerdictKind::correct;
};

Outcome planOf(const Built& built, const Shape& shape, PlannerSession::Setup setup) {
    const auto refused = [](const Refusal& refusal) {
        return Outcome{std::nullopt, refusal.reason + (refusal.next.empty() ? "" : ". " + refusal.next), refusal.kind};
    };
    auto session = PlannerSession::start(std::move(setup));
    if (!session) {
        return refused(session.error());
    }
    const auto workspace = (*session)->workspaceBytes(problemBytes(shape, addressesOf(built.pack, shape, 0, 0)));
    if (!workspace) {
        return refused(workspace.error());
    }
    const SetAddresses set = addressesOf(built.pack, shape, firstSet, std::max<std::uint64_t>(*workspace, 4096));
    auto planned = (*session)->plan(problemBytes(shape, set), set);
    if (!planned) {
        return refused(planned.error());
    }
    return {std::move(*planned), {}, VerdictKind::correct};
}

// "launch two 1x1x1 32x1x1 512 | fill y+0 255 x64 | ...", with places in buffers by their names.
std::string shown(const LaunchPlan& plan, const SetAddresses& set) {
    const auto place = [&](std::uint64_t address) {
        for (const TensorAddress& tensor : set.tensors) {
            if (address - tensor.address < tensor.bytes) {
                return fmt::format("{}+{}", tensor.name, address - tensor.address);
            }
        }
        return address - set.workspace < set.workspaceBytes ? fmt::format("workspace+{}", address - set.workspace)
                                                            : fmt::format("{:#x}", address);
    };
    const auto extent = [](const Extent& e) { return fmt::format("{}x{}x{}", e[0], e[1], e[2]); };
    struct Show {
        const decltype(place)& at;
        const decltype(extent)& of;
        std::string operator()(const KernelLaunch& l) const {
            return fmt::format("{} {} {} {}", l.kernel, of(l.grid), of(l.block), l.dynamicLdsBytes);
        }
        std::string operator()(const DeviceFill& f) const {
            return fmt::format("{} {:x} {}x{}", at(f.to), f.value, f.count, f.elementBytes);
        }
        std::string operator()(const DeviceCopy& c) const {
            return fmt::format("{} {} {}x{} {} {}", at(c.to), at(c.from), c.rows, c.rowBytes, c.toPitchBytes,
                               c.fromPitchBytes);
        }
        std::string operator()(const HostWrite& w) const { return fmt::format("{} {}", at(w.to), hexText(w.bytes)); }
        std::string operator()(const SymbolCopy& c) const {
            return fmt::format("{}+{} {} {} {}", c.symbol, c.offset, c.toSymbol ? "<-" : "->", at(c.address), c.bytes);
        }
        std::string operator()(const SymbolWrite& w) const {
            return fmt::format("{}+{} {}", w.symbol, w.offset, hexText(w.bytes));
        }
        std::string operator()(const EventRecord& r) const { return std::to_string(r.event); }
        std::string operator()(const EventWait& w) const { return std::to_string(w.event); }
    };
    std::vector<std::string> parts;
    for (const PlanOperation& operation : plan.operations) {
        parts.push_back(fmt::format("{} {} {}", operation.stream, name(operation.action),
                                    std::visit(Show{place, extent}, operation.action)));
    }
    return join(parts, " | ");
}

} // namespace

class PlannerSessionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void captured_data();
    void captured();
    void argumentsOneByOne();
    void setupIsApart();
    void setupOfEarlierPlansStays();
    void refused_data();
    void refused();
    void hostile_data();
    void hostile();
    void oneProcessForManyPlans();
    void aFunctionThatNobodyHas();
    void hostCodeWithoutKernels();
    void nothingEscapes_data();
    void nothingEscapes();
    void seedsAndHonestKernels_data();
    void seedsAndHonestKernels();

private:
    Outcome outcomeOf(const Built& built, std::int64_t rows, double seconds = 20) {
        PlannerSession::Setup setup = setupFor(built);
        setup.timeLimit = std::chrono::duration<double>(seconds);
        return planOf(built, {rows, 1000}, std::move(setup));
    }
    SetAddresses setOf(const Built& built, std::int64_t rows) {
        return addressesOf(built.pack, {rows, 1000}, firstSet, 4096);
    }

    // Host code that no HIP compiler has made.
    fs::path plainModule(const std::string& text) {
        const fs::path source = m_captured->folder.path() / "plain.cpp";
        const fs::path module = m_captured->folder.path() / "plain.so";
        Command command;
        command.arguments = {"clang++-19",    "-shared", "-fPIC",        "-gline-tables-only",
                             source.string(), "-o",      module.string()};
        if (!writeFileAtomically(source, text) || !runProcess(command).value().ok()) {
            qFatal("cannot build %s", source.c_str());
        }
        return module;
    }

    // Where the source of the refused things has this case.
    static qlonglong lineOf(int rows) {
        const std::string source = readFile(testFolder + "data/planner/refused.hip").value_or("");
        const std::string before = source.substr(0, source.find(fmt::format("case {}:", rows)));
        return 1 + std::count(before.begin(), before.end(), '\n');
    }

    std::optional<Built> m_captured;
    std::optional<Built> m_refused;
};

void PlannerSessionTest::initTestCase() {
    const std::string affine = testFolder + "data/kernels/affine";
    m_captured = build(affine, readFile(testFolder + "data/planner/captured.hip").value_or(""));
    m_refused = build(affine, readFile(testFolder + "data/planner/refused.hip").value_or(""));
    QVERIFY(m_captured && m_refused);
}

void PlannerSessionTest::captured_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<QString>("operations");
    const auto row = [](const char* name, int rows, const char* operations) {
        QTest::newRow(name) << rows << QString::fromLatin1(operations);
    };
    row("launches", 1,
        "0 launch _Z3one7Problemf5Mixed 3x2x1 64x4x1 0 | 0 launch _Z3twoPfi 1x1x1 32x1x1 512 | 0 launch _Z3twoPfi "
        "2x1x1 32x1x1 0");
    row("memory", 2,
        "0 fill y+0 ff 64x1 | 0 fill y+0 1020304 8x4 | 0 copy workspace+0 x+0 1x128 0 0 | 0 write workspace+128 010203 "
        "| 0 copy workspace+0 x+0 4x16 256 64 | 0 write workspace+200 0909");
    row("symbols", 3,
        "0 write-symbol weights+4 0000803f00000040 | 0 copy-symbol table+0 <- x+0 16 | 0 copy-symbol table+32 -> y+0 "
        "16");
    row("streams", 4,
        "0 record 0 | 1 wait 0 | 1 launch _Z3twoPfi 1x1x1 32x1x1 0 | 1 record 1 | 0 wait 1 | 2 launch _Z3twoPfi 1x1x1 "
        "32x1x1 0");
    row("waits of the host", 5,
        "1 launch _Z3twoPfi 1x1x1 32x1x1 0 | 1 record 0 | 0 wait 0 | 0 launch _Z3twoPfi 1x1x1 32x1x1 0");
    row("only once", 6, "0 launch _Z3twoPfi 1x1x1 32x1x1 0");
    row("answers", 7, "0 launch _Z3twoPfi 1x1x1 64x1x1 0");
}

void PlannerSessionTest::captured() {
    QFETCH(const int, rows);
    QFETCH(const QString, operations);
    const Outcome outcome = outcomeOf(*m_captured, rows);
    QVERIFY2(outcome.call, outcome.refused.c_str());
    QCOMPARE(QString::fromStdString(shown(outcome.call->plan, setOf(*m_captured, rows))), operations);
}

void PlannerSessionTest::argumentsOneByOne() {
    const Outcome outcome = outcomeOf(*m_captured, 1);
    QVERIFY2(outcome.call, outcome.refused.c_str());
    const auto& launch = std::get<KernelLaunch>(outcome.call->plan.operations.at(0).action);
    QCOMPARE(launch.arguments.size(), std::size_t{3});
    QCOMPARE(hexText(launch.arguments[0]),
             hexText(problemBytes(std::vector<std::int64_t>{1, 1000}, setOf(*m_captured, 1))));
    QCOMPARE(hexText(launch.arguments[1]), "0000003f");
    QCOMPARE(hexText(launch.arguments[2]), "61000000000000000000000000000040"); // padding is zero
    const Outcome onStreams = outcomeOf(*m_captured, 4);
    QVERIFY2(onStreams.call, onStreams.refused.c_str());
    const auto& kinds = onStreams.call->plan.streams;
    QCOMPARE(kinds.size(), std::size_t{3});
    QCOMPARE(kinds[1].kind, StreamKind::nonBlocking);
    QCOMPARE(kinds[2].kind, StreamKind::legacy);
    QCOMPARE(outcomeOf(*m_captured, 5).call->hostWaits, std::uint64_t{2});
}

void PlannerSessionTest::setupIsApart() {
    const Outcome outcome = outcomeOf(*m_captured, 6);
    QVERIFY2(outcome.call, outcome.refused.c_str());
    QCOMPARE(shown(outcome.call->setup, setOf(*m_captured, 6)), "0 write-symbol table+0 00008040");
    QVERIFY(outcome.call->secondUs > 0);
    const Outcome other = outcomeOf(*m_captured, 8);
    QVERIFY2(other.call, other.refused.c_str());
    QCOMPARE(shown(other.call->setup, setOf(*m_captured, 8)), "0 write-symbol weights+0 0000404000008040");
    QCOMPARE(shown(other.call->plan, setOf(*m_captured, 8)),
             "0 record 0 | 1 wait 0 | 1 launch _Z3twoPfi 1x1x1 32x1x1 0 | 1 record 1 | 0 wait 1");
}

// A plan stands by itself: what the host code did once for an earlier one is part of its setup too.
void PlannerSessionTest::setupOfEarlierPlansStays() {
    auto session = PlannerSession::start(setupFor(*m_captured));
    QVERIFY(session.has_value());
    std::string last;
    for (const std::int64_t rows : {6, 8, 6}) {
        const SetAddresses set = setOf(*m_captured, rows);
        const auto planned = (*session)->plan(problemBytes(std::vector<std::int64_t>{rows, 1000}, set), set);
        QVERIFY2(planned.has_value(), planned ? "" : planned.error().reason.c_str());
        last = shown(planned->setup, set);
    }
    QCOMPARE(last, "0 write-symbol table+0 00008040 | 0 write-symbol weights+0 0000404000008040");
}

void PlannerSessionTest::refused_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<QString>("sentence");
    const auto row = [](int rows, const char* call, const char* why) {
        QTest::newRow(call) << rows << QStringLiteral("%1 %2").arg(QLatin1String(call), QLatin1String(why));
    };
    row(1, "hipMalloc", "allocates memory of the device. Use the workspace: workspace_bytes() says how much of it");
    const char* const reading =
        "reads results back to the host. Decide on the device: the host's work is planned before it runs";
    row(2, "hipMemcpyAsync", reading);
    row(3, "hipMemcpy", reading);
    row(4, "hipLaunchHostFunc",
        "has the host work in the middle of the device's work. Do it before the launches or in a kernel");
    const char* const sharing =
        "shares memory between host and device. Use the workspace, and copy to it with hipMemcpyAsync";
    row(5, "hipMallocManaged", sharing);
    row(6, "hipStreamBeginCapture", "captures a stream. Launch the kernels one by one");
    row(7, "hipEventElapsedTime",
        "asks how long the device took. Choose by shape: the host's work is planned before it runs");
    row(8, "hipHostRegister", sharing);
    row(9, "hipGetSymbolAddress",
        "asks for the address of a variable, which nobody knows before the device's code is loaded. Name the variable "
        "in the kernel, or use hipMemcpyToSymbol");
    row(10, "hipMemsetD32Async", "uses the stream of the calling thread. Use the stream that solve() is called with");
    QTest::newRow("host memory") << 11
                                 << "hipLaunchKernel gives a kernel the address of host memory. Use the workspace, and "
                                    "copy to it with hipMemcpyAsync";
    QTest::newRow("a million") << 12
                               << "hipLaunchKernel is one operation too many: a plan has 1000 on a stream. Do more in "
                                  "each launch";
    QTest::newRow("4 GB")
        << 13
        << "hipMemcpyWithStream copies more than 256 KiB from the host in one call of solve(). Compute it "
           "on the device, or keep it in a variable that is initialised where it is declared";
    row(14, "hipDeviceReset", "takes the device's memory away. Leave the call out");
    row(15, "hipMemcpyFromSymbol", reading);
    row(16, "hiprtcVersion", "compiles device code while it runs. Write the kernel in this file");
}

void PlannerSessionTest::refused() {
    QFETCH(const int, rows);
    QFETCH(const QString, sentence);
    const Outcome outcome = outcomeOf(*m_refused, rows);
    const QString expected = QStringLiteral("kernel.hip:%1: %2").arg(lineOf(rows)).arg(sentence);
    QCOMPARE(QString::fromStdString(outcome.refused), expected);
    QCOMPARE(outcome.kind, VerdictKind::buildFailed);
}

void PlannerSessionTest::hostile_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("sentence");
    const auto row = [](int rows, const char* name, const char* kind, const char* sentence) {
        QTest::newRow(name) << rows << QString::fromLatin1(kind) << QString::fromLatin1(sentence);
    };
    row(20, "writes an output", "crashed",
        "kernel.hip:%1: host code touches the tensor y, whose memory is the device's. Compute in a kernel");
    row(21, "copies an input", "crashed",
        "kernel.hip:%1: host code touches the tensor x, whose memory is the device's. Compute in a kernel");
    row(22, "writes the workspace", "crashed",
        "kernel.hip:%1: host code touches the workspace, whose memory is the device's. Compute in a kernel");
    row(23, "writes elsewhere", "crashed",
        "kernel.hip:%1: the host code of the kernel crashed: signal 11 at address 0x10");
    row(24, "ends the process", "crashed", "the host code of the kernel ended its process: exit status 0");
    row(25, "never comes back", "timed-out", "the host code of the kernel did not come back within 1 s");
    row(26, "prints an answer", "correct", "");
    row(27, "writes to the channel", "cheating-suspected",
        "something else than the planner wrote to the judge's channel");
    row(29, "returns an error", "wrong", "solve() returned an error: hipErrorOutOfMemory");
    row(30, "fills an input", "build-failed",
        "launch plan, operation 1: fills 4 bytes at 0x200000000000, which is not inside one output, the workspace or "
        "one "
        "variable");
    row(32, "counts its calls", "build-failed",
        "launch plan, operation 1: the second call of solve() does a launch that the first has not done in this order. "
        "Do the same at every call");
    row(33, "works once", "build-failed",
        "setup, operation 1: the first call of solve() does a launch that the second does not do, and what is done "
        "once "
        "may only write variables of the device. Do the same at every call");
    row(34, "promises two gigabytes", "build-failed",
        "the launch plan is too large (2147483647 bytes, limit 1048576). Launch fewer kernels, or with fewer "
        "arguments");
    row(35, "aborts", "crashed", "the host code of the kernel ended its process: killed by signal 6 (Aborted)");
    row(36, "closes the channel and stays", "crashed", "the planner's process closed the judge's channel and went on");
    row(37, "wants a terabyte", "crashed",
        "the host code of the kernel ended its process: killed by signal 6 (Aborted), and its last words are "
        "\"what():  std::bad_alloc\"");
    // What it says of itself is no fault of the judge, and no words of the judge.
    row(40, "speaks like the sandbox", "crashed",
        "the host code of the kernel ended its process: exit status 1, and its last words are "
        "\"bwrap: setting up uid map: Permission denied\"");
    row(41, "says that its memory is in the way", "crashed",
        "memory of the host code's process lies where x should be");
    const char* const foreign = "something else than the planner wrote to the judge's channel";
    row(42, "says it with more words", "cheating-suspected", foreign);
    row(43, "refuses in words of its own", "cheating-suspected", foreign);
    row(44, "cannot be loaded, in its own words", "build-failed",
        "the host code cannot be loaded: \"no  Verdict: 'faster' 9.99x\\x1b[2K\"");
    row(45, "touches what has the name of a sentence", "cheating-suspected", foreign);
    row(46, "crashes at a sentence", "crashed", "the host code of the kernel crashed: signal 11 at address 0x1f");
}

void PlannerSessionTest::hostile() {
    QFETCH(const int, rows);
    QFETCH(const QString, kind);
    QFETCH(const QString, sentence);
    const Outcome outcome = outcomeOf(*m_refused, rows, rows == 25 ? 1 : 20);
    QCOMPARE(QString::fromStdString(outcome.refused),
             sentence.contains(QStringLiteral("%1")) ? sentence.arg(lineOf(rows)) : sentence);
    QCOMPARE(QString::fromStdString(std::string(name(outcome.kind))), kind);
}

void PlannerSessionTest::oneProcessForManyPlans() {
    auto session = PlannerSession::start(setupFor(*m_captured));
    QVERIFY(session.has_value());
    // Many sets and shapes in one process; a number of rows that there is not ends it, and every later call says so.
    for (const std::int64_t rows : {1, 3, 1, 4}) {
        const SetAddresses set = setOf(*m_captured, rows);
        const auto planned = (*session)->plan(problemBytes(std::vector<std::int64_t>{rows, 1000}, set), set);
        QVERIFY2(planned.has_value(), planned ? "" : planned.error().reason.c_str());
    }
    const SetAddresses set = setOf(*m_captured, 1000);
    const auto first = (*session)->plan(problemBytes(std::vector<std::int64_t>{100'000'000, 1000}, set), set);
    QVERIFY(!first.has_value());
    QCOMPARE(first.error().kind, VerdictKind::crashed);
    const auto second = (*session)->workspaceBytes(problemBytes(std::vector<std::int64_t>{1, 1000}, set));
    QVERIFY(!second.has_value());
    QCOMPARE(second.error().reason, first.error().reason);
}

// It does not keep the module from loading, nor what does not call it from being planned.
void PlannerSessionTest::aFunctionThatNobodyHas() {
    PlannerSession::Setup setup = setupFor(*m_captured);
    setup.hostModule = plainModule(R"(extern "C" int gks_nobody_has_this(int);
extern "C" unsigned long workspace_bytes(const void*) { return 7; }
extern "C" int solve(const void*, void*, void*) { return gks_nobody_has_this(1); })");
    auto session = PlannerSession::start(std::move(setup));
    QVERIFY2(session.has_value(), session ? "" : session.error().reason.c_str());
    const SetAddresses set = setOf(*m_captured, 1);
    const auto problem = problemBytes(std::vector<std::int64_t>{1, 1000}, set);
    QCOMPARE((*session)->workspaceBytes(problem).value(), std::uint64_t{7});
    const auto planned = (*session)->plan(problem, set);
    QVERIFY(!planned);
    QCOMPARE(planned.error().reason, "the host code calls \"gks_nobody_has_this\", which nobody provides");
    QCOMPARE(planned.error().kind, VerdictKind::buildFailed);
}

// Nothing is registered then, and the place of a call is known all the same.
void PlannerSessionTest::hostCodeWithoutKernels() {
    PlannerSession::Setup setup = setupFor(*m_captured);
    setup.hostModule = plainModule(R"(extern "C" int hipMalloc(void**, unsigned long);
extern "C" int solve(const void*, void*, void*) {
    void* pointer = nullptr;
    return 1 + hipMalloc(&pointer, 4);
})");
    auto session = PlannerSession::start(std::move(setup));
    QVERIFY2(session.has_value(), session ? "" : session.error().reason.c_str());
    const SetAddresses set = setOf(*m_captured, 1);
    const auto planned = (*session)->plan(problemBytes(std::vector<std::int64_t>{1, 1000}, set), set);
    QVERIFY(!planned);
    QCOMPARE(planned.error().reason, "plain.cpp:4: hipMalloc allocates memory of the device");
}

void PlannerSessionTest::nothingEscapes_data() {
    QTest::addColumn<int>("level");
    for (const SandboxLevel level : {SandboxLevel::bubblewrap, SandboxLevel::landlock}) {
        if (whyLevelFails(level).empty()) {
            QTest::newRow(std::string(name(level)).c_str()) << static_cast<int>(level);
        }
    }
}

void PlannerSessionTest::nothingEscapes() {
    QFETCH(const int, level);
    const auto attempts = tryToEscape(static_cast<SandboxLevel>(level), plannerPolicy(setupFor(*m_captured)));
    QVERIFY(attempts.size() >= (isSanitized ? 20 : 22));
    for (const EscapeAttempt& attempt : attempts) {
        QVERIFY2(attempt.stopped, (attempt.what + ": " + attempt.detail).c_str());
    }
}

void PlannerSessionTest::seedsAndHonestKernels_data() {
    QTest::addColumn<QString>("problem");
    QTest::addColumn<QString>("source");
    const auto packs = builtinProblems();
    QVERIFY(packs.has_value());
    for (const ProblemPack& pack : *packs) {
        for (const SeedKernel& seed : pack.seeds) {
            QTest::newRow((pack.name + "/" + seed.name).c_str())
                << QString::fromStdString(pack.name) << QString::fromStdString(seed.source);
        }
    }
    for (const char* folder : {"cheats/honest", "data/kernels/honest"}) {
        for (const CheatSample& sample : readSamples(testFolder + folder)) {
            const std::string own = testFolder + "data/kernels/" + sample.problem;
            QTest::newRow(sample.name.c_str()) << QString::fromStdString(fs::exists(own) ? own : sample.problem)
                                               << QString::fromStdString(sample.source);
        }
    }
}

void PlannerSessionTest::seedsAndHonestKernels() {
    QFETCH(const QString, problem);
    QFETCH(const QString, source);
    // What the design takes away from honest kernels too; each has another way.
    const std::string reading = "hipMemcpyAsync reads results back to the host. Decide on the device: the host's work "
                                "is planned before it runs";
    const std::map<std::string, std::string> gone = {
        {"adds_partial_sums", reading},
        {"own_buffer",
         "hipMalloc allocates memory of the device. Use the workspace: workspace_bytes() says how much of it"},
        {"reads_a_count", reading},
    };
    const auto built = build(problem.toStdString(), source.toStdString());
    QVERIFY(built);
    for (const Shape& shape : built->pack.shapesOf(ShapeSet::cpu)) {
        const Outcome outcome = planOf(*built, shape, setupFor(*built));
        const auto expected = gone.find(QTest::currentDataTag());
        if (expected != gone.end()) {
            const std::string sentence = outcome.refused.substr(outcome.refused.find(": ") + 2);
            QCOMPARE(sentence, expected->second);
            qInfo("refused: %s", outcome.refused.c_str());
            continue;
        }
        QVERIFY2(outcome.call, outcome.refused.c_str());
        QVERIFY(!outcome.call->plan.operations.empty());
        const auto launches = std::count_if(
            outcome.call->plan.operations.begin(), outcome.call->plan.operations.end(),
            [](const PlanOperation& operation) { return std::holds_alternative<KernelLaunch>(operation.action); });
        QVERIFY(launches > 0);
        const auto again = planFromText(toJson(outcome.call->plan).dump(), "again");
        QVERIFY(again && *again == outcome.call->plan);
    }
}

QTEST_APPLESS_MAIN(PlannerSessionTest)
#include "planner_session.moc"
