// SPDX-License-Identifier: GPL-3.0-or-later
// A runner of the cpu target that belongs to the kernel. Device modules of plain machine code, which the product never
// builds, take the place of the honest one: they write to all memory of their process, answer in its place and outlive
// their calls, and their system calls are those of the real wall. They may lie; none may come out as faster than the
// honest kernel that their host code and plans are of.
#include "core/base/files.h"
#include "core/base/sanitized.h"
#include "core/hipcpu/options/split_files.h"
#include "core/judge/evaluator/statistics/conclusion.h"
#include "core/judge/evaluator/trial/cache_flush.h"
#include "core/judge/evaluator/trial/frozen_trial.h"
#include "core/judge/evaluator/trial/measurement.h"
#include "core/target/target.h"
#include "tests/support/calibration_pack.h"
#include "tests/support/machine_code.h"
#include "tests/support/split_build.h"

#include <QTest>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <utility>

using namespace gks;

namespace {

namespace fs = std::filesystem;

constexpr double seconds = 0.4;
constexpr double marginPercent = 10; // a busy machine must not make a lie look like a gain

constexpr const char* hip = R"(// One thread per element
#include "problem.h"
extern "C" __global__ void k(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = p.x[i];
    for (int n = 0; n < p.iterations; ++n) value = value * (1.0f - 1.0f / 4096) + 1.0f / 8192;
    p.y[i] = value;
}
extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    k<<<dim3(p.elements / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
)";

// What all of them share; `call` counts the calls of k's first block.
constexpr const char* tools = R"(
struct Problem { const float* x; const signed char* steps; float* y; int elements, iterations; };
static void compute(const Problem& p, int begin, int end) {
    for (int at = begin; at < end; at += 64) {
        float v[64];
        for (int i = 0; i < 64; ++i) v[i] = p.x[at + i];
        for (int n = 0; n < p.iterations; ++n) for (int i = 0; i < 64; ++i) v[i] = v[i] * (1.0f - 1.0f / 4096) + 1.0f / 8192;
        for (int i = 0; i < 64; ++i) p.y[at + i] = v[i];
    }
}
static void say(char word) { for (int fd = 3; fd < 64; ++fd) if (fd != 4 && fd != 5) call(1 /* write */, (void*)(long)fd, (long)&word, 1); }
// The byte of the next call, from whichever descriptor it comes.
static void hear() { char word; for (;;) for (int fd = 6; fd < 64; ++fd) if (call(0 /* read */, (void*)(long)fd, (long)&word, 1) == 1) return; }
// At the end of the heap: variables of the module are put back before each call.
static int& counter() { return *reinterpret_cast<int*>(call(12 /* brk */, nullptr, 0, 0) - 64); }
static void copy(float* to, const float* from) { for (int i = 0; i < 4096; ++i) to[i] = from[i]; }
static void nothing(void**, BlockContext*) {}
)";

constexpr const char* prologue = R"(
    [[maybe_unused]] const Problem& p = *static_cast<const Problem*>(arguments[0]);
    [[maybe_unused]] const int begin = static_cast<int>(block->blockIndex[0]) * 256;
    [[maybe_unused]] const int end = begin + 256;
    [[maybe_unused]] const int calls = counter() += begin == 0 ? 1 : 0;
    (void)nothing; (void)copy; (void)say; (void)hear;
    )";
constexpr unsigned bytesOfProblem = 3 * sizeof(void*) + 2 * sizeof(int);

// Of an honest kernel, with a keeper whose clock lies, or the device's events. The judge's own clock shows what a quiet
// machine's would.
class LyingRunner final : public KernelTrial {
public:
    LyingRunner(std::unique_ptr<KernelTrial> honest, const ProblemPack& pack, TargetKind target, double claimed,
                double emptyCallUs = 0)
        : m_honest(std::move(honest)), m_pack(pack), m_target(target), m_claimed(claimed), m_emptyCallUs(emptyCallUs) {}

    Judged<void> load() override { return m_honest->load(); }
    double emptyCallUs() const override { return m_emptyCallUs; }
    double emptyWayUs() const override { return m_honest->emptyWayUs(); }
    Judged<void> setShape(const CaseLayout& layout) override { return m_honest->setShape(layout); }
    bool isSet(const CaseLayout& layout) const override { return m_honest->isSet(layout); }
    Judged<void> supply(const InputSource& source) override { return m_honest->supply(source); }
    Judged<Call> call(const InputSource& source, const InputChoice& choice) override {
        auto call = m_target == TargetKind::cpu ? m_honest->call(source, choice) : callComposed(source, choice);
        if (call) {
            call->hostUs += 1000; // that each call takes a millisecond at least
            call->judgeUs = call->hostUs + 30;
            call->hostUs *= m_claimed;
            if (m_target != TargetKind::cpu) {
                call->eventUs = std::exchange(call->hostUs, call->judgeUs);
            }
        }
        return call;
    }
    Judged<std::span<const std::byte>> download() override { return m_honest->download(); }
    std::vector<std::span<const std::byte>> standingOutputs() const override { return m_honest->standingOutputs(); }
    Judged<std::string> inspectMemory(const Tensors& inputs) override { return m_honest->inspectMemory(inputs); }
    std::string log() const override { return m_honest->log(); }

private:
    // A card puts inputs together from values that it has; the honest trial is of the cpu target and takes them as they
    // are.
    Judged<Call> callComposed(const InputSource& source, const InputChoice& choice) {
        Tensors inputs;
        source.compose(choice, inputs);
        InputSource exactly = InputSource::exactly(m_pack, std::move(inputs));
        const InputChoice all = exactly.choose();
        return m_honest->call(exactly, all);
    }

    std::unique_ptr<KernelTrial> m_honest;
    const ProblemPack& m_pack;
    TargetKind m_target;
    double m_claimed; // of the time that passed
    double m_emptyCallUs;
};

} // namespace

class CompromisedRunner : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if constexpr (isSanitized) {
            QSKIP("its machine code counts at the end of the heap, where a sanitizer's runtime has none");
        }
        qputenv("GKS_CACHE", GKS_BINARY_DIR "/test-cache");
        m_folder.emplace(*TemporaryDirectory::create("compromised-runner"));
        const fs::path folder = m_folder->path();
        QVERIFY(calibration::writePack(folder / "pack", 1000).has_value());
        auto pack = loadProblemPack((folder / "pack").string());
        QVERIFY2(pack.has_value(), pack ? "" : pack.error().message().c_str());
        m_pack.emplace(std::move(*pack));
        QVERIFY(writeFileAtomically(folder / "problem.h", generateProblemHeader(*m_pack)).has_value());
        QVERIFY(writeFileAtomically(folder / "kernel.hip", hip).has_value());
        const CompletedProcess built = test::splitBuild(folder / "kernel.hip", folder);
        QVERIFY2(built.ok(), built.error.c_str());
        auto loaded = Reference::load(*m_pack, {availableSandbox().level, true});
        QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().message().c_str());
        m_check.emplace(*m_pack, *loaded, Fp8Encoding::fnuz);
        m_layout = *layoutOf(*m_pack, m_pack->shapesOf(ShapeSet::cpu).front());
        const DeviceList list = listDevices(TargetKind::cpu);
        QVERIFY2(!list.devices.empty(), list.reason.c_str());
        m_device = list.devices.front();
        m_honest = planned("compute(p, begin, end);", "honest");
    }

    void honestIsNoLie() {
        const Outcome outcome = measured(m_honest);
        QVERIFY2(outcome.kind && *outcome.kind != VerdictKind::faster, outcome.text.c_str());
        QVERIFY(!outcome.checks.empty());
        const VerificationFact& probes = outcome.checks.back();
        QCOMPARE(probes.phase, std::string(phase::everyTimedCall));
        QCOMPARE(probes.calls, outcome.calls);
        QVERIFY(probes.passed && probes.checked >= 40 * probes.calls);
    }

    // It says nothing of the kernel, on no target.
    void clocksThatDisagreeEndTheMeasurement_data() {
        QTest::addColumn<int>("target");
        QTest::newRow("the keeper's") << static_cast<int>(TargetKind::cpu);
        QTest::newRow("the device's events") << static_cast<int>(TargetKind::nvidia);
    }
    void clocksThatDisagreeEndTheMeasurement() {
        QFETCH(const int, target);
        m_device.target = static_cast<TargetKind>(target);
        const auto measuredWith = [&](double candidate, double baseline) {
            return measured(m_honest,
                            [=, this, kind = m_device.target](std::unique_ptr<KernelTrial> trial, bool ofBaseline) {
                                return std::make_unique<LyingRunner>(std::move(trial), *m_pack, kind,
                                                                     ofBaseline ? baseline : candidate);
                            });
        };
        const Outcome less = measuredWith(0.5, 1);
        QVERIFY2(!less.kind && less.text.find("in most calls") != std::string::npos, less.text.c_str());
        QVERIFY2(less.refused == VerdictKind::infrastructureFailed, less.text.c_str());
        const Outcome more = measuredWith(1, 2);
        QVERIFY2(more.refused == VerdictKind::infrastructureFailed, more.text.c_str());
        QVERIFY2(!more.kind && more.text.find("the runner claims that a call took") != std::string::npos,
                 more.text.c_str());
        const Outcome none = measuredWith(1, 1);
        QVERIFY2(none.kind.has_value(), none.text.c_str());
        m_device.target = TargetKind::cpu;
    }

    // Not a lie, but no time either: all that is left is the clock's least figure, and ratios of it are anything.
    void aCallLikeAnEmptyOneHasNoTime() {
        const Outcome outcome = measured(m_honest, [this](std::unique_ptr<KernelTrial> trial, bool) {
            return std::make_unique<LyingRunner>(std::move(trial), *m_pack, TargetKind::cpu, 1, 1e9);
        });
        QVERIFY2(outcome.refused == VerdictKind::infrastructureFailed, outcome.text.c_str());
        QVERIFY2(outcome.text.find("took no longer than an empty call") != std::string::npos, outcome.text.c_str());
    }

    void aLieIsNotFaster_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("stopped"); // what of; empty: it gains nothing
        const QString wrong = "timed call";
        QTest::newRow("does nothing now and then") << "if (calls % 3 != 0) compute(p, begin, end);" << wrong;
        QTest::newRow("computes a part") << "if (calls < 4 || begin < p.elements * 3 / 4) compute(p, begin, end);"
                                         << wrong;
        QTest::newRow("says done and computes") << "if (begin == 0) say('r'); compute(p, begin, end);" << wrong;
        QTest::newRow("says done three times and never ends") // for this call, the next restoring and the next call
            << "compute(p, begin, end); if (end == p.elements) { say('r'); say('r'); say('r'); for (;;) asm "
               "volatile(\"\"); }"
            << wrong;
        // From the first call on it is the runner itself: it never goes back.
        QTest::newRow("answers in the runner's place, honestly")
            << "for (;;) { compute(p, 0, p.elements); say('r'); hear(); }" << "";
        QTest::newRow("answers, then computes")
            << "for (;;) { say('r'); hear(); say('r'); compute(p, 0, p.elements); }" << wrong;
        QTest::newRow("answers what it knows") << "static float kept[4096]; compute(p, 0, p.elements); copy(kept, p.y);"
                                                  "for (;;) { say('r'); hear(); copy(p.y, kept); }"
                                               << wrong;
        // Its own table, and that of the services, are no longer what the runner read.
        QTest::newRow("overwrites the runtime's tables")
            << "compute(p, begin, end); if (calls == 6) { kernels[0].block = nothing; call(10 /* mprotect */, "
               "services, "
               "8192, 3); for (int i = 0; i < 64; ++i) reinterpret_cast<void**>(services)[i] = "
               "reinterpret_cast<void*>(nothing); }"
            << wrong;
        QTest::newRow("overwrites its inputs")
            << "call(10 /* mprotect */, (void*)(reinterpret_cast<long>(p.x) & -4096), 4096, 3);"
               "const_cast<float*>(p.x)[0] = 0; compute(p, begin, end);"
            << "memory access fault";
        // Poison at a few places would tell it which they are.
        QTest::newRow("computes where there is poison")
            << "for (int at = begin; at < end; at += 64) for (int i = at; i < at + 64; ++i) if (p.y[i] != p.y[i]) { "
               "compute(p, at, at + 64); break; }"
            << "";
    }
    void aLieIsNotFaster() {
        QFETCH(QString, code);
        QFETCH(QString, stopped);
        const Outcome outcome = measured(planned(code.toStdString(), "lie"));
        QVERIFY2(outcome.kind != VerdictKind::faster, outcome.text.c_str());
        QCOMPARE(outcome.kind.has_value(), stopped.isEmpty());
        QVERIFY2(outcome.text.find(stopped.toStdString()) != std::string::npos, outcome.text.c_str());
    }

private:
    struct Outcome {
        std::optional<VerdictKind> kind; // nothing: it was stopped
        std::optional<VerdictKind> refused = {};
        std::string text;
        std::vector<VerificationFact> checks;
        int calls = 0; // timed ones
    };

    // The plan of the honest kernel, and device code that does this for the elements [begin, end) of a block.
    std::shared_ptr<const PlannedKernel> planned(const std::string& code, const std::string& name) {
        const fs::path folder = m_folder->path();
        BuildPlan build;
        build.hostModule = folder / hipcpu::hostModuleFile;
        build.moduleFacts = folder / hipcpu::moduleFactsFile;
        build.deviceModule =
            test::deviceModuleOf({tools, std::string(prologue) + code, {bytesOfProblem}}, folder, name);
        const KernelPlanner::Setup setup = {
            commonTarget(TargetKind::cpu), std::nullopt, availableSandbox().level, true, std::chrono::seconds(20), {}};
        auto kernel = PlannedKernel::plan(*m_pack, build, {&m_layout}, setup);
        if (!kernel) {
            qFatal("%s", kernel.error().reason.c_str());
        }
        return *kernel;
    }

    using Disguise = std::function<std::unique_ptr<KernelTrial>(std::unique_ptr<KernelTrial>, bool ofBaseline)>;
    Outcome measured(const std::shared_ptr<const PlannedKernel>& candidate, const Disguise& disguise = {}) {
        const CaseImages images(*m_pack, Fp8Encoding::fnuz);
        Measurement::Plan plan;
        plan.shapes = {&m_layout};
        plan.seconds = seconds;
        plan.hasBaseline = true;
        plan.tieMarginPercent = marginPercent;
        plan.device = m_device;
        plan.clock = std::make_shared<WorkClock>();
        Measurement::Trials trials;
        trials.start = [&](bool ofBaseline) -> Judged<std::unique_ptr<KernelTrial>> {
            FrozenTrial::Setup setup;
            setup.sandbox = availableSandbox().level;
            setup.allowNoSandbox = true;
            setup.flushBytes = flushBytesFor(TargetKind::cpu);
            setup.timeLimit = std::chrono::seconds(20);
            std::unique_ptr<KernelTrial> trial =
                std::make_unique<FrozenTrial>(ofBaseline ? m_honest : candidate, setup, images, *m_pack, *plan.clock);
            return disguise ? disguise(std::move(trial), ofBaseline) : std::move(trial);
        };
        trials.end = [](std::unique_ptr<KernelTrial>) {};
        trials.draw = [&](std::size_t) {
            return CaseStock::Measured{m_device.target == TargetKind::cpu
                                           ? InputSource::fresh(*m_pack, m_layout, Fp8Encoding::fnuz)
                                           : InputSource::draw(*m_pack, m_layout, Fp8Encoding::fnuz)};
        };
        const EvaluationSink sink;
        Measurement measurement(*m_pack, *m_check, plan, std::move(trials), sink);
        const auto done = measurement.run(nullptr);
        Outcome outcome;
        outcome.checks = measurement.timedChecks();
        if (!done) {
            outcome.text = done.error().reason;
            outcome.refused = done.error().kind;
            return outcome;
        }
        const RatioEstimate ratio = *measurement.ratio();
        outcome.kind = decide(ratio, marginPercent);
        outcome.text =
            fmt::format("{}: {} [{}, {}]", name(*outcome.kind), ratio.ratio, ratio.ci99.low, ratio.ci99.high);
        outcome.calls = static_cast<int>(measurement.facts().front().sampleUs.size());
        return outcome;
    }

    std::optional<TemporaryDirectory> m_folder;
    std::optional<ProblemPack> m_pack;
    std::optional<OutputCheck> m_check;
    CaseLayout m_layout;
    Device m_device;
    std::shared_ptr<const PlannedKernel> m_honest;
};

QTEST_APPLESS_MAIN(CompromisedRunner)
#include "compromised_runner.moc"
