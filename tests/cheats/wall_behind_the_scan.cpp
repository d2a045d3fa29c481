// SPDX-License-Identifier: GPL-3.0-or-later
// What holds when the scan of a module's symbols is not there: kernels that go for the machine, run straight in the
// runner behind both walls. Each returns an error when it gets through and works on when it is refused.
#include "core/base/files.h"
#include "core/judge/evaluator/build/kernel_build.h"
#include "core/judge/evaluator/trial/evaluation_plan.h"
#include "core/judge/evaluator/trial/runner_trial.h"

#include <QTest>
#include <filesystem>
#include <fmt/format.h>

using namespace gks;

namespace {

namespace fs = std::filesystem;
const std::string problem = std::string(GKS_SOURCE_DIR) + "/tests/data/kernels/affine";
const std::string wallFolder = std::string(GKS_SOURCE_DIR) + "/tests/cheats/wall";

std::size_t filledFiles() {
    std::size_t count = 0;
    for (const char* folder : {"/tmp", "/dev/shm", "/var/tmp", "."}) {
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(folder, ignored)) {
            count += entry.path().filename().string().starts_with("gks-filled-") ? 1 : 0;
        }
    }
    return count;
}

} // namespace

class WallBehindTheScan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("GKS_CACHE", GKS_BINARY_DIR "/test-cache");
        auto pack = loadProblemPack(problem);
        QVERIFY(pack.has_value());
        m_pack.emplace(std::move(*pack));
        const DeviceList list = listDevices(TargetKind::cpu);
        QVERIFY2(!list.devices.empty(), list.reason.c_str());
        m_device = list.devices.front();
        QVERIFY(prepareToolchain({TargetKind::cpu, "gfx942"}).has_value());
    }

    void theWallHolds_data() {
        QTest::addColumn<QByteArray>("kernel");
        QTest::addColumn<int>("level");
        for (const auto& entry : fs::directory_iterator(wallFolder)) {
            for (const SandboxLevel level : {SandboxLevel::bubblewrap, SandboxLevel::landlock}) {
                if (whyLevelFails(level).empty()) {
                    const std::string kernel = entry.path().stem().string();
                    QTest::newRow(fmt::format("{}, {}", kernel, name(level)).c_str())
                        << QByteArray::fromStdString(kernel) << static_cast<int>(level);
                }
            }
        }
    }
    void theWallHolds() {
        QFETCH(QByteArray, kernel);
        QFETCH(int, level);
        const auto build = built(wallFolder + "/" + kernel.toStdString() + ".hip");
        const auto called = callOnce(*build, static_cast<SandboxLevel>(level));
        QVERIFY2(called.has_value(), called ? "" : called.error().reason.c_str());
        QCOMPARE(filledFiles(), std::size_t{0});
    }

    void withoutAWallItWouldNot() {
        const auto build = built(wallFolder + "/opens_sockets.hip");
        const auto called = callOnce(*build, SandboxLevel::none);
        QVERIFY(!called.has_value());
        QVERIFY2(called.error().reason.find("solve() returned an error") != std::string::npos,
                 called.error().reason.c_str());
    }

private:
    std::unique_ptr<KernelBuild> built(const std::string& file) const {
        KernelBuild::Options options;
        options.target = {TargetKind::cpu, "gfx942"};
        options.sandbox = availableSandbox().level;
        options.staticReport = false;
        auto build = KernelBuild::start(*m_pack, readFile(file).value_or(""), options, {}, {});
        if (!build) {
            qFatal("%s", build.error().reason.c_str());
        }
        if (const auto ready = (*build)->waitForModule(); !ready) {
            qFatal("%s", ready.error().reason.c_str());
        }
        return std::move(*build);
    }

    Judged<void> callOnce(const KernelBuild& build, SandboxLevel level) const {
        const auto plan = planEvaluation(*m_pack, TargetKind::cpu, ShapeChoice::quick);
        if (!plan) {
            return refuse(plan.error());
        }
        RunnerSession::Setup setup;
        setup.device = m_device;
        setup.segmentBytes = plan->segmentBytes;
        setup.inputBytes = plan->inputBytes;
        setup.sandbox = level;
        setup.allowNoSandbox = level == SandboxLevel::none;
        auto session = RunnerSession::start(setup);
        if (!session) {
            return refuse(session.error());
        }
        const CaseImages images(*m_pack, Fp8Encoding::fnuz);
        WorkClock clock;
        RunnerTrial trial(std::move(*session), {build.module(), std::chrono::seconds(60), {}}, images, *m_pack, clock);
        const CaseLayout& layout = plan->measured.front();
        InputSource inputs = InputSource::draw(*m_pack, layout, Fp8Encoding::fnuz);
        GKS_TRY(trial.load());
        GKS_TRY(trial.setShape(layout));
        GKS_TRY(trial.supply(inputs));
        GKS_TRY(trial.call(inputs, inputs.choose()));
        return {};
    }

    std::optional<ProblemPack> m_pack;
    Device m_device;
};

QTEST_APPLESS_MAIN(WallBehindTheScan)
#include "wall_behind_the_scan.moc"
