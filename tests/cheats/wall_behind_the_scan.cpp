// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose host code goes for the machine, in the planner behind both walls. Each returns an error when it gets
// through and works on when it is refused.
#include "core/base/files.h"
#include "core/base/sanitized.h"
#include "core/judge/evaluator/build/kernel_build.h"
#include "core/judge/evaluator/trial/evaluation_plan.h"
#include "core/judge/evaluator/trial/planned_kernel.h"

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
        QVERIFY(prepareToolchain({TargetKind::cpu, "gfx942"}).has_value());
    }

    void theWallHolds_data() {
        QTest::addColumn<QByteArray>("kernel");
        QTest::addColumn<int>("level");
        for (const auto& entry : fs::directory_iterator(wallFolder)) {
            if (isSanitized && entry.path().stem() == "takes_memory") { // no limit of addresses there
                continue;
            }
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
        const auto planned = plannedOnce(*build, static_cast<SandboxLevel>(level));
        QVERIFY2(planned.has_value(), planned ? "" : planned.error().reason.c_str());
        QCOMPARE(filledFiles(), std::size_t{0});
    }

    void withoutAWallItWouldNot() {
        const auto build = built(wallFolder + "/opens_sockets.hip");
        const auto planned = plannedOnce(*build, SandboxLevel::none);
        QVERIFY(!planned.has_value());
        QVERIFY2(planned.error().reason.find("solve() returned an error") != std::string::npos,
                 planned.error().reason.c_str());
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

    Judged<void> plannedOnce(const KernelBuild& build, SandboxLevel level) const {
        const auto plan = planEvaluation(*m_pack, TargetKind::cpu, ShapeChoice::quick);
        if (!plan) {
            return refuse(plan.error());
        }
        KernelPlanner::Setup setup;
        setup.target = {TargetKind::cpu, "gfx942"};
        setup.sandbox = level;
        setup.allowNoSandbox = level == SandboxLevel::none;
        GKS_TRY(PlannedKernel::plan(*m_pack, build.plan(), {&plan->measured.front()}, setup));
        return {};
    }

    std::optional<ProblemPack> m_pack;
};

QTEST_APPLESS_MAIN(WallBehindTheScan)
#include "wall_behind_the_scan.moc"
