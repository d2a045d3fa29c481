// SPDX-License-Identifier: GPL-3.0-or-later
// A verdict of a GPU's target, handed over and checked again: real compiler, evaluator, planner, runner and wall. The
// device is a card where there is one, else memory of the host (tests/support/fake_driver.cpp).
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/judge/evaluator_client.h"
#include "core/judge/recorded_plans.h"
#include "core/report/bundle.h"
#include "core/report/plan_evidence.h"
#include "core/report/replay.h"
#include "core/target/toolchain.h"
#include "tests/support/evidence_samples.h"

#include <QTest>
#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

using namespace gks;
using namespace gks::test;

namespace {

const std::string affine = std::string(GKS_SOURCE_DIR) + "/tests/data/kernels/affine";

// The naive seed, doing its work `times` over.
std::string naive(int times) {
    const std::string launch = "    affine<<<blocks, dim3(256), 0, stream>>>(p);\n";
    std::string repeated;
    for (int i = 0; i < times; ++i) {
        repeated += launch;
    }
    return replaceAll(readFile(affine + "/seeds/naive.hip").value(), launch, repeated);
}

bool ran(const Verdict& verdict, const char* what) {
    return std::any_of(verdict.transcript.begin(), verdict.transcript.end(), [&](const TranscriptLine& line) {
        return line.event == "process" && line.text.starts_with(what);
    });
}

std::string outcomeOf(const Claims& claims, const std::string& what) {
    const auto claim = std::find_if(claims.begin(), claims.end(), [&](const Claim& one) { return one.what == what; });
    return claim == claims.end() ? "no such claim" : std::string(name(claim->outcome)) + ", " + claim->why;
}

} // namespace

class GpuEvidence : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!toolchain().cuda) {
            QSKIP("no CUDA toolkit");
        }
        m_folder.emplace(TemporaryDirectory::create("gks-gpu-evidence").value());
        QVERIFY(makeDirectories(m_folder->path() / "driver"));
        std::filesystem::copy_file(GKS_FAKE_CUDA, m_folder->path() / "driver/libcuda.so.1");
        qputenv("LD_LIBRARY_PATH", (m_folder->path() / "driver").c_str());
        qputenv("GKS_CACHE", (m_folder->path() / "cache").c_str());
        qputenv("GKS_LOCKS", (m_folder->path() / "locks").c_str());
        QVERIFY(makeDirectories(m_folder->path() / "locks"));
        m_request.id = "1";
        m_request.problem = affine;
        m_request.source = naive(1);
        m_request.baseline = naive(8);
        m_request.target = TargetKind::nvidia;
        m_request.measureSeconds = 1;
        m_request.allowNoSandbox = true;
        m_request.flushBytes = std::size_t{1} << 20; // the host's memory is no cache of a card
        m_verdict = m_client.evaluate(m_request, {}, {});
        QVERIFY2(isAccepted(m_verdict.kind) && m_verdict.comparison, m_verdict.reason.c_str());
    }

    void theVerdictKeepsItsPlans() {
        QVERIFY(ran(m_verdict, "planner (") && ran(m_verdict, "runner ("));
        QVERIFY(m_verdict.plans && m_verdict.plans->baseline);
        const KernelPlans& kernel = m_verdict.plans->kernel;
        QCOMPARE(kernel.facts.code, DeviceCode::nvidia);
        QCOMPARE(kernel.timed().size(), m_verdict.measurements.size());
        QCOMPARE(kernel.timed().front()->plan.operations.size(), std::size_t{1});
        QCOMPARE(m_verdict.plans->baseline->timed().front()->plan.operations.size(), std::size_t{8});
        QVERIFY(kernel.deviceCode.starts_with("\x7f"
                                              "ELF"));
        QCOMPARE(sha256Hex(kernel.deviceCode), kernel.deviceCodeSha256);
    }

    void theBundleAgreesWithItself() {
        const Bundle bundle = bundleOf(m_verdict);
        QVERIFY(bundle.files.contains(deviceCodePath(m_verdict.plans->kernel.deviceCodeSha256)));
        const BundleCheck check = checkBundle(bundle);
        QVERIFY2(worst(check.claims) != Outcome::differs, claimLines(check.claims).c_str());
        for (const char* what : {"launch plans", "launch plans of the comparison kernel", "device code", "checks"}) {
            QCOMPARE(outcomeOf(check.claims, what).substr(0, 6), std::string("agrees"));
        }
        QVERIFY(bundle.files.at("report.html").find("What solve() asks of the device") != std::string::npos);
    }

    // The recorded plans are executed on this device, and the kernel's host code runs in the planner alone.
    void replayRunsHostCodeInThePlannerAlone() {
        const auto [claims, again] = replayed([](RecordedPlans&) {});
        QVERIFY2(isAccepted(again.kind), again.reason.c_str());
        QVERIFY(ran(again, "planner (") && ran(again, "recorded plans are executed") && ran(again, "runner ("));
        QCOMPARE(again.shapeSeed, m_verdict.shapeSeed);
        for (const char* what :
             {"measured again: launch plans", "measured again: launch plans of the comparison kernel",
              "measured again: device code", "measured again: device code of the comparison kernel",
              "checked again: drawn shapes"}) {
            QCOMPARE(outcomeOf(claims, what).substr(0, 6), std::string("agrees"));
        }
    }

    void aLaunchLeftOutIsWrong() {
        const auto [claims, again] = replayed([](RecordedPlans& plans) {
            for (ShapePlan& shape : plans.kernel.shapes) {
                shape.plan.operations.clear();
            }
        });
        QVERIFY2(again.kind == VerdictKind::wrong, again.reason.c_str());
        QVERIFY(outcomeOf(claims, "checked again: results").starts_with("differs"));
        QVERIFY(outcomeOf(claims, "measured again: launch plans").starts_with("differs"));
    }

    // Right, and twice as slow: only the source says that it is not the baseline's plan.
    void aLaunchTooManyOfTheBaselineIsSeen() {
        const auto [claims, again] = replayed([](RecordedPlans& plans) {
            for (ShapePlan& shape : plans.baseline->shapes) {
                const auto operations = shape.plan.operations;
                shape.plan.operations.insert(shape.plan.operations.end(), operations.begin(), operations.end());
            }
        });
        QVERIFY2(isAccepted(again.kind), again.reason.c_str());
        QCOMPARE(outcomeOf(claims, "measured again: launch plans of the comparison kernel"),
                 std::string("differs, solve() of the source asks for something else than was recorded"));
    }

    void aKernelThatTheSourceDoesNotHaveIsRefused() {
        const auto [claims, again] = replayed([](RecordedPlans& plans) {
            for (KernelFacts& kernel : plans.kernel.facts.kernels) {
                kernel.symbol += "_fast";
            }
            for (ShapePlan& shape : plans.kernel.shapes) {
                for (PlanOperation& operation : shape.plan.operations) {
                    std::get<KernelLaunch>(operation.action).kernel += "_fast";
                }
            }
        });
        QVERIFY2(again.reason.find("the recorded plan does not fit this build") != std::string::npos,
                 again.reason.c_str());
        QVERIFY(outcomeOf(claims, "checked again: results").starts_with("differs"));
    }

    void probesLeftOutAreSeen() {
        Verdict forged = m_verdict;
        QVERIFY(std::erase_if(forged.verification,
                              [](const VerificationFact& fact) { return fact.phase == phase::everyTimedCall; }) > 0);
        const std::string outcome = outcomeOf(checkBundle(bundleOf(forged)).claims, "checks");
        QVERIFY2(outcome.starts_with("differs, missing: ") && outcome.ends_with(", every timed call, as declared"),
                 outcome.c_str());
    }

    void aShapeWithoutItsPlanIsSeen() {
        Verdict forged = m_verdict;
        RecordedPlans plans = *forged.plans;
        std::erase_if(plans.kernel.shapes, [&](const ShapePlan& one) {
            return std::any_of(forged.verification.begin(), forged.verification.end(), [&](const auto& fact) {
                return fact.phase == phase::heldOutDrawn && fact.shape == one.shape;
            });
        });
        QVERIFY(plans.kernel.shapes.size() < forged.plans->kernel.shapes.size());
        forged.plans = std::make_shared<const RecordedPlans>(std::move(plans));
        const BundleCheck check = checkBundle(bundleOf(forged));
        QCOMPARE(outcomeOf(check.claims, "launch plans"), std::string("differs, a plan was left out"));
    }

private:
    Bundle bundleOf(const Verdict& verdict) {
        const auto folder = m_folder->path() / fmt::format("bundle{}", ++m_bundles);
        const auto written = writeBundle(evidenceOf(m_request, verdict).value(), folder);
        if (!written) {
            qFatal("%s", written.error().message().c_str());
        }
        return readBundle(folder).value();
    }

    // What comes of a bundle with other plans.
    std::pair<Claims, Verdict> replayed(const std::function<void(RecordedPlans&)>& edit) {
        Verdict forged = m_verdict;
        RecordedPlans plans = *forged.plans;
        edit(plans);
        forged.plans = std::make_shared<const RecordedPlans>(std::move(plans));
        const Bundle bundle = bundleOf(forged);
        const BundleCheck check = checkBundle(bundle);
        const TemporaryDirectory place = TemporaryDirectory::create("gks-replayed").value();
        EvaluationRequest request = requestAgain(bundle, check.verdicts.front(), place.path()).value();
        request.allowNoSandbox = true;
        const Verdict again = m_client.evaluate(request, {}, {});
        return {compareAgain(check.verdicts.front().evaluation.verdict, again, "verdict"), again};
    }

    std::optional<TemporaryDirectory> m_folder;
    EvaluationRequest m_request;
    Verdict m_verdict;
    EvaluatorClient m_client;
    int m_bundles = 0;
};

QTEST_APPLESS_MAIN(GpuEvidence)
#include "gpu_evidence.moc"
