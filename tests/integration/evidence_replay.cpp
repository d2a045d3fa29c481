// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/judge/recorded_plans.h"
#include "core/report/bundle.h"
#include "core/report/plan_evidence.h"
#include "core/report/replay.h"
#include "tests/support/evidence_samples.h"

#include <QTest>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

using namespace gks;
using namespace gks::test;

namespace {

CompletedProcess cli(const std::vector<std::string>& words) {
    Command command;
    command.arguments = {GKS_BINARY_DIR "/bin/kernel-scientist-cli"};
    command.arguments.insert(command.arguments.end(), words.begin(), words.end());
    RunOptions options;
    options.timeout = std::chrono::minutes(10);
    options.outputLimitBytes = std::size_t{64} << 20;
    return runProcess(command, options).value();
}

Json jsonOf(const CompletedProcess& done) {
    const auto json = parseJson(done.output, "output");
    if (!json) {
        qFatal("%s\n%s", json.error().message().c_str(), done.error.c_str());
    }
    return *json;
}

const std::string seeds = GKS_SOURCE_DIR "/resources/problems/sum-reduction/seeds/";

// The naive seed, and the same doing its work `times` over: a difference that no busy machine hides.
std::string naive(int times) {
    const std::string source = readFile(seeds + "naive.hip").value();
    const std::string launch = "    sum_naive<<<64, 256, 0, stream>>>(p);\n";
    std::string repeated;
    for (int i = 1; i < times; ++i) {
        repeated += launch + "    (void)hipMemsetAsync(p.y, 0, sizeof(float), stream);\n";
    }
    return replaceAll(source, launch, repeated + launch);
}

// The claim of this name in the JSON of replay.
Json claimIn(const Json& json, const std::string& what) {
    for (const Json& claim : json.at("claims")) {
        if (claim.at("what") == what) {
            return claim;
        }
    }
    const std::string absent = "there is no claim \"" + what + "\" in " + json.dump();
    return {{"outcome", absent}, {"claimed", absent}, {"found", absent}, {"why", absent}};
}

// The claims that do not agree; everything where the output is not of replay.
std::string differing(const CompletedProcess& done) {
    const auto json = parseJson(done.output, "output");
    if (!json) {
        return done.output + done.error;
    }
    std::string text;
    for (const Json& claim : json->at("claims")) {
        text += claim.at("outcome") == "differs" ? claim.dump() + "\n" : "";
    }
    return text;
}

} // namespace

// A real verdict, handed over and checked again.
class EvidenceReplay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_folder.emplace(TemporaryDirectory::create("gks-evidence").value());
        qputenv("GKS_CACHE", (m_folder->path() / "cache").c_str());
        qputenv("GKS_CONFIG", (m_folder->path() / "config").c_str());
        m_bundle = m_folder->path() / "bundle";
        m_kernel = (m_folder->path() / "once.hip").string();
        m_slow = (m_folder->path() / "eight.hip").string();
        QVERIFY(writeFileAtomically(m_kernel, naive(1)));
        QVERIFY(writeFileAtomically(m_slow, naive(8)));
        evaluate(m_kernel, m_slow, m_bundle);
        m_pristine = readAll(m_bundle);
    }
    void init() { // every test begins with the bundle as it was written
        std::filesystem::remove_all(m_bundle);
        for (const auto& [path, content] : m_pristine) {
            QVERIFY(makeDirectories((m_bundle / path).parent_path()));
            QVERIFY(writeFileAtomically(m_bundle / path, content));
        }
    }

    void verdictHoldsWhatItRestsOn() {
        const Verdict verdict = recorded(m_bundle).second;
        QVERIFY(verdict.kind == VerdictKind::faster && verdict.comparison);
        std::set<std::string> secrets;
        for (const VerificationFact& fact : verdict.verification) {
            if (!fact.phase.ends_with("timed call")) {
                QCOMPARE(fact.seed.size(), std::size_t{64});
                QVERIFY2(secrets.insert(fact.seed).second, "a seed was used twice");
            }
        }
        QVERIFY(!secrets.empty());
        for (const char* fact : {"os", "kernel", "cpu_count", "load", "architecture", "runtime", "version"}) {
            QVERIFY2(verdict.environment.contains(fact), fact);
        }
        QCOMPARE(verdict.conditions.shapes, std::string("quick"));
        QCOMPARE(verdict.conditions.measureSeconds, 1.0);
        QVERIFY(verdict.transcript.size() > 3);
        QCOMPARE(verdict.transcript.front().text, std::string("building"));
        for (const MeasurementFact& fact : verdict.measurements) {
            QVERIFY(fact.roundBlocks.size() >= 5);
            QCOMPARE(fact.baselineSampleUs.size(), fact.sampleUs.size());
        }
    }

    void agreesAndIsReproduced() {
        const CompletedProcess done = cli({"replay", m_bundle.string(), "--json"});
        const Json json = jsonOf(done);
        QVERIFY2(done.exit.status == 0, done.output.c_str());
        QVERIFY(json.at("agrees").get<bool>());
        QCOMPARE(claimIn(json, "measured again: ratio").at("outcome").get<std::string>(), std::string("agrees"));
        QCOMPARE(json.at("again").at("pack").get<std::string>(), std::string("built-in sum-reduction"));
        QVERIFY(json.at("again").at("verdict").is_object());
    }

    // Recorded plans are executed; the kernel's own host code is asked for them in the planner, and runs nowhere else.
    void hostCodeRunsInThePlannerAlone() {
        const auto ran = [](const Json& verdict, const char* what) {
            const Json& lines = verdict.at("transcript");
            return std::any_of(lines.begin(), lines.end(), [&](const Json& line) {
                return line.at("event") == "process" && line.at("text").get<std::string>().starts_with(what);
            });
        };
        const Json first = parseJson(m_pristine.at(recorded(m_bundle).first), "verdict").value().at("verdict");
        QVERIFY(ran(first, "planner (") && ran(first, "cpu runner (") && ran(first, "oracle ("));
        const Json json = jsonOf(cli({"replay", m_bundle.string(), "--json"}));
        const Json& verdict = json.at("again").at("verdict");
        QVERIFY2(ran(verdict, "planner (") && ran(verdict, "recorded plans are executed"),
                 verdict.at("transcript").dump().c_str());
        for (const char* claim :
             {"launch plans", "measured again: launch plans", "measured again: launch plans of the comparison kernel",
              "measured again: device code", "measured again: device code of the comparison kernel",
              "checked again: drawn shapes"}) {
            QCOMPARE(claimIn(json, claim).at("outcome").get<std::string>(), std::string("agrees"));
        }
    }

    void aLaunchLeftOutIsWrong() {
        const Json json = forgedPlans([](RecordedPlans& plans) {
            for (ShapePlan& shape : plans.kernel.shapes) {
                std::erase_if(shape.plan.operations, [](const PlanOperation& operation) {
                    return std::holds_alternative<KernelLaunch>(operation.action);
                });
            }
        });
        QCOMPARE(json.at("outcome").get<std::string>(), std::string("differs"));
        const std::string found = claimIn(json, "checked again: results").at("found").get<std::string>();
        QVERIFY2(found.starts_with("wrong: "), found.c_str());
    }

    // Shapes of that evaluation alone are verified in a replay as well, with the plans that the record has of them.
    void aLaunchLeftOutOnDrawnShapesIsWrong() {
        const Verdict verdict = recorded(m_bundle).second;
        const Json json = forgedPlans([&](RecordedPlans& plans) {
            for (ShapePlan& shape : plans.kernel.shapes) {
                const bool isDrawn = std::any_of(
                    verdict.verification.begin(), verdict.verification.end(), [&](const VerificationFact& fact) {
                        return fact.phase == phase::heldOutDrawn && fact.shape == shape.shape;
                    });
                std::erase_if(shape.plan.operations, [&](const PlanOperation& operation) {
                    return isDrawn && std::holds_alternative<KernelLaunch>(operation.action);
                });
            }
        });
        QCOMPARE(json.at("outcome").get<std::string>(), std::string("differs"));
        const std::string found = claimIn(json, "checked again: results").at("found").get<std::string>();
        QVERIFY2(found.starts_with("wrong: ") && found.find("held-out, drawn") != std::string::npos, found.c_str());
    }

    // The sources are not those that the plans were made of; hashes, samples and pages all fit. The device code is the
    // same: the forger has changed what solve() asks for.
    void aBaselineThatAsksForLessIsSeen() {
        const CompletedProcess done = withOtherSources([](EvaluationRequest& request) { request.baseline = naive(7); });
        QVERIFY2(done.exit.status == 1, done.output.c_str());
        const Json claim = claimIn(jsonOf(done), "measured again: launch plans of the comparison kernel");
        QCOMPARE(claim.at("outcome").get<std::string>(), std::string("differs"));
        QVERIFY2(claim.at("found").get<std::string>().find("the plan ends after 14 operations") != std::string::npos,
                 claim.dump().c_str());
    }

    void aSourceThatCannotBePlannedTestsNothing() {
        const CompletedProcess done = withOtherSources([](EvaluationRequest& request) {
            const std::string launch = "    sum_naive<<<";
            request.source = replaceAll(request.source, launch,
                                        "    void* own = nullptr;\n    (void)hipMalloc(&own, 64);\n" + launch);
        });
        QVERIFY2(done.exit.status == 3, done.output.c_str());
        const Json claim = claimIn(jsonOf(done), "measured again");
        QCOMPARE(claim.at("outcome").get<std::string>(), std::string("not tested"));
        QVERIFY2(claim.at("found").get<std::string>().find("no launch plan can be made again from the source of the "
                                                           "kernel: n=65537: kernel.hip:") != std::string::npos,
                 claim.dump().c_str());
    }

    // The record says that the build has such a kernel, and the build says otherwise.
    void aKernelThatTheSourceDoesNotHaveIsRefused() {
        const Json json = forgedPlans([](RecordedPlans& plans) {
            for (KernelFacts& kernel : plans.kernel.facts.kernels) {
                kernel.symbol += "_fast";
            }
            for (ShapePlan& shape : plans.kernel.shapes) {
                for (PlanOperation& operation : shape.plan.operations) {
                    if (auto* launch = std::get_if<KernelLaunch>(&operation.action)) {
                        launch->kernel += "_fast";
                    }
                }
            }
        });
        QCOMPARE(json.at("outcome").get<std::string>(), std::string("differs"));
        const std::string found = claimIn(json, "checked again: results").at("found").get<std::string>();
        QVERIFY2(found.find("the recorded plan does not fit this build") != std::string::npos, found.c_str());
    }

    // Refused before anything is built.
    void aFillOutsideIsRefused() {
        const Json json = forgedPlans([](RecordedPlans& plans) {
            ShapePlan& shape = plans.kernel.shapes.front();
            shape.plan.operations.push_back({0, 0, DeviceFill{shape.addresses.tensors.front().address, 0, 1, 4}});
        });
        QCOMPARE(json.at("outcome").get<std::string>(), std::string("differs"));
        QVERIFY(json.at("again").is_null());
        const std::string why = claimIn(json, "launch plans").at("why").get<std::string>();
        QVERIFY2(why.find("not inside one output") != std::string::npos, why.c_str());
    }

    void foreignDeviceCodeIsSeen() {
        const Json json = forgedPlans([](RecordedPlans& plans) { plans.kernel.deviceCode += "more"; });
        QCOMPARE(json.at("outcome").get<std::string>(), std::string("differs"));
        QCOMPARE(claimIn(json, "device code").at("outcome").get<std::string>(), std::string("agrees")); // of its hash
        const Json again = claimIn(json, "measured again: device code");
        QVERIFY2(again.at("why").get<std::string>() == "the same toolchain makes other code of the source",
                 again.dump().c_str());
    }

    // Samples, statistics, pages and hashes all fit; the kernels are the same.
    void inventedSamplesAreMeasuredAgain() {
        const auto bundle = m_folder->path() / "invented";
        const std::string twin = (m_folder->path() / "twin.hip").string();
        QVERIFY(writeFileAtomically(twin, "// Naive, once more\n" + naive(1)));
        evaluate(m_kernel, twin, bundle);
        editVerdict(bundle / recorded(bundle).first, [](Verdict& verdict) {
            for (MeasurementFact& fact : verdict.measurements) { // faster however busy the machine was
                for (std::size_t i = 0; i < fact.baselineSampleUs.size(); ++i) {
                    fact.baselineSampleUs[i] = 2 * fact.sampleUs[i % fact.sampleUs.size()];
                }
            }
            concludeAgain(verdict);
        });
        forgeEverything(bundle);
        const CompletedProcess itself = cli({"replay", bundle.string(), "--no-run", "--json"});
        QVERIFY2(itself.exit.status == 0, differing(itself).c_str());
        QVERIFY2(itself.output.find("its claim was not tested") != std::string::npos, itself.output.c_str());
        const CompletedProcess done = cli({"replay", bundle.string(), "--json"});
        QVERIFY2(done.exit.status == 1, done.output.c_str());
        const Json claim = claimIn(jsonOf(done), "measured again: ratio");
        QCOMPARE(claim.at("outcome").get<std::string>(), std::string("differs"));
        QVERIFY(claim.at("claimed").get<std::string>().starts_with("faster "));
    }

    void anotherDeviceTestsNothing() {
        editVerdict(m_bundle / recorded(m_bundle).first, [](Verdict& verdict) {
            verdict.device = verdict.environment["cpu"] = "a processor that is not here";
        });
        forgeEverything(m_bundle);
        const CompletedProcess done = cli({"replay", m_bundle.string()});
        QVERIFY2(done.exit.status == 3, done.output.c_str());
        for (const char* text : {"a processor that is not here", "was not tested: this is another device",
                                 "its claim was not tested here"}) {
            QVERIFY2(done.output.find(text) != std::string::npos, done.output.c_str());
        }
    }

    void aMachineWithOtherFactsTestsNothing() {
        editVerdict(m_bundle / recorded(m_bundle).first,
                    [](Verdict& verdict) { verdict.environment["cpu_count"] = "4096"; });
        forgeEverything(m_bundle);
        const CompletedProcess done = cli({"replay", m_bundle.string(), "--json"});
        QVERIFY2(done.exit.status == 3, done.output.c_str());
        const Json claim = claimIn(jsonOf(done), "measured again: cpu_count");
        QCOMPARE(claim.at("outcome").get<std::string>(), std::string("not tested"));
        QVERIFY2(claim.at("why").get<std::string>().find("was not tested: cpu_count was 4096 and is ") !=
                     std::string::npos,
                 claim.dump().c_str());
    }

    // Of the threads that the device has.
    void moreTimedThreadsThanThereAreAreSeen() {
        editVerdict(m_bundle / recorded(m_bundle).first,
                    [](Verdict& verdict) { verdict.environment["timed_threads"] = "4096"; });
        forgeEverything(m_bundle);
        const CompletedProcess done = cli({"replay", m_bundle.string(), "--json"});
        QVERIFY2(done.exit.status == 1, done.output.c_str());
        QCOMPARE(claimIn(jsonOf(done), "timed threads").at("outcome").get<std::string>(), std::string("differs"));
    }

    void missingTargetTestsNothing() {
        const std::string baseline = "int baseline;\n";
        EvaluationRequest request;
        request.problem = "sum-reduction";
        request.source = "int kernel;\n";
        request.baseline = baseline;
        request.target = TargetKind::amd;
        const Verdict verdict = honestVerdict(request.source, 100, &baseline, 1.3, TargetKind::amd);
        const auto bundle = m_folder->path() / "amd";
        QVERIFY(writeBundle(evidenceOf(request, verdict).value(), bundle));
        const CompletedProcess done = cli({"replay", bundle.string()});
        QVERIFY2(done.exit.status == 3, done.output.c_str());
        QVERIFY2(done.output.find("the claim '") != std::string::npos ||
                     done.output.find("the claim was not tested here") != std::string::npos,
                 done.output.c_str());
    }

    void alteredToolchainAndPage() {
        editVerdict(m_bundle / recorded(m_bundle).first,
                    [](Verdict& verdict) { verdict.build.toolchain = "another compiler"; });
        forgeManifest(m_bundle);
        QCOMPARE(cli({"replay", m_bundle.string(), "--no-run"}).exit.status, std::optional<int>(1));
        forgeEverything(m_bundle);
        const CompletedProcess done = cli({"replay", m_bundle.string(), "--json"});
        QVERIFY2(done.exit.status == 1, done.output.c_str());
        QCOMPARE(claimIn(jsonOf(done), "measured again: toolchain").at("outcome").get<std::string>(),
                 std::string("differs"));
    }

    void everyFlippedByteIsSeen() {
        for (const auto& [path, content] : m_pristine) {
            std::string changed = content.empty() ? "x" : content;
            changed[changed.size() / 3] = static_cast<char>(changed[changed.size() / 3] ^ 1);
            QVERIFY(writeFileAtomically(m_bundle / path, changed));
            const auto damage = readBundle(m_bundle).value().damage;
            QVERIFY2(std::any_of(damage.begin(), damage.end(),
                                 [&](const std::string& line) { return line.find(path) != std::string::npos; }),
                     path.c_str());
            QVERIFY(writeFileAtomically(m_bundle / path, content));
        }
        replaceInFile(m_bundle / "report.md", "Root hash", "Root hush");
        const CompletedProcess done = cli({"replay", m_bundle.string()});
        QCOMPARE(done.exit.status, std::optional<int>(1));
        QVERIFY(done.output.find("report.md: was changed") != std::string::npos);
    }

    void editedVerdictWithFittingHashesIsFound() {
        replaceInFile(m_bundle / recorded(m_bundle).first, "\"faster\"", "\"slower\"");
        forgeManifest(m_bundle);
        QVERIFY(readBundle(m_bundle).value().damage.empty());
        const CompletedProcess done = cli({"replay", m_bundle.string(), "--no-run", "--json"});
        QCOMPARE(done.exit.status, std::optional<int>(1));
        QCOMPARE(claimIn(jsonOf(done), "verdict").at("outcome").get<std::string>(), std::string("differs"));
    }

    void foreignReferenceIsNotRun() {
        replaceInFile(m_bundle / "problem/reference.cpp", "#include", "// mine\n#include");
        forgeManifest(m_bundle);
        const CompletedProcess refused = cli({"replay", m_bundle.string()});
        QCOMPARE(refused.exit.status, std::optional<int>(2));
        QVERIFY2(refused.error.find("/problem (SHA-256 ") != std::string::npos, refused.error.c_str());
        QVERIFY2(refused.error.find("add --trust pack") != std::string::npos, refused.error.c_str());
        QCOMPARE(cli({"replay", m_bundle.string(), "--no-run"}).exit.status, std::optional<int>(0));
        const CompletedProcess trusted = cli({"replay", m_bundle.string(), "--trust", "pack", "--json"});
        QVERIFY2(trusted.exit.status == 0, trusted.output.c_str());
        const CompletedProcess remembered = cli({"replay", m_bundle.string()});
        QVERIFY2(remembered.exit.status == 0, remembered.error.c_str());
        replaceInFile(m_bundle / "problem/reference.cpp", "// mine", "// another");
        forgeManifest(m_bundle);
        QCOMPARE(cli({"replay", m_bundle.string()}).exit.status, std::optional<int>(2));
    }

    // The rest of what is known of a kernel does not depend on a plan that a newer version wrote.
    void showWithoutAReadablePlan() {
        const auto file = m_folder->path() / "newer.gks";
        makeEvidenceCampaign(file);
        makePlansUnreadable(file, 2);
        for (const char* kernel : {"2", "3"}) { // itself and its child
            const CompletedProcess done = cli({"show", file.string(), "--kernel", kernel});
            QVERIFY2(done.exit.status == 0, done.error.c_str());
            QVERIFY(!done.output.empty());
            QVERIFY2(done.error.find("Launch plan: the plan of 00002 cannot be read: ") != std::string::npos,
                     done.error.c_str());
            QCOMPARE(done.error.find("Launch plan for n=") != std::string::npos, *kernel == '3');
        }
        const Json json = jsonOf(cli({"show", file.string(), "--kernel", "2", "--json"}));
        QVERIFY(!json.at("launch_plan_trouble").get<std::string>().empty());
    }

    void exitStatus() {
        QCOMPARE(cli({"replay"}).exit.status, std::optional<int>(2));
        QCOMPARE(cli({"replay", "/no/such/bundle"}).exit.status, std::optional<int>(2));
        QCOMPARE(cli({"replay", m_folder->path().string()}).exit.status, std::optional<int>(2));
        QCOMPARE(cli({"replay", m_bundle.string(), "--no-run", "--root", std::string(64, 'a')}).exit.status,
                 std::optional<int>(1));
        QCOMPARE(cli({"report", "/no/such.gks", "--out", (m_folder->path() / "x").string()}).exit.status,
                 std::optional<int>(2));
        // What is there already is not touched, and nothing is evaluated first.
        QCOMPARE(cli({"evaluate", seeds + "naive.hip", "--problem", "sum-reduction", "--evidence", m_bundle.string()})
                     .exit.status,
                 std::optional<int>(2));
    }

    void missingDeviceIsTheDevicesTrouble() {
        const CompletedProcess done =
            cli({"evaluate", seeds + "naive.hip", "--problem", "sum-reduction", "--device", "99", "--json"});
        QCOMPARE(done.exit.status, std::optional<int>(3));
        QCOMPARE(jsonOf(done).at("device_trouble").get<std::string>(), std::string("lost"));
    }

    void campaignReport() {
        const std::string file = (m_folder->path() / "a.gks").string();
        const std::string out = (m_folder->path() / "report").string();
        QCOMPARE(cli({"new", file, "--problem", "sum-reduction", "--measure-seconds", "0.5"}).exit.status,
                 std::optional<int>(0));
        QCOMPARE(cli({"run", file, "--evaluations", "3"}).exit.status, std::optional<int>(0));
        const CompletedProcess report = cli({"report", file, "--out", out});
        QVERIFY2(report.exit.status == 0, report.error.c_str());
        const CompletedProcess replay = cli({"replay", out, "--no-run", "--json"});
        QVERIFY2(replay.exit.status == 0, differing(replay).c_str());
        QVERIFY(jsonOf(replay).at("verdicts").size() >= 3);
        QVERIFY(report.output.find(jsonOf(replay).at("root").get<std::string>()) != std::string::npos);
        for (const auto& [path, content] : readAll(out)) {
            QVERIFY2(content.find(m_folder->path().string()) == std::string::npos, path.c_str());
            QVERIFY2(path.starts_with("problem/") || content.find(GKS_SOURCE_DIR) == std::string::npos, path.c_str());
        }
    }

private:
    static void evaluate(const std::string& kernel, const std::string& baseline, const std::filesystem::path& bundle) {
        const CompletedProcess done = cli({"evaluate", kernel, "--baseline", baseline, "--problem", "sum-reduction",
                                           "--measure-seconds", "1", "--evidence", bundle.string(), "--json"});
        QVERIFY2(done.exit.status == 0, done.error.c_str());
        QVERIFY2(done.error.find("Root hash") != std::string::npos, done.error.c_str());
    }
    // What replay says of the bundle with other plans, everything else made again to fit.
    Json forgedPlans(const std::function<void(RecordedPlans&)>& edit) {
        const BundleCheck check = checkBundle(readBundle(m_bundle).value());
        const EvidenceItem& item = check.verdicts.at(0);
        RecordedPlans plans = *item.evaluation.verdict.plans;
        plans.kernel.deviceCode = m_pristine.at(deviceCodePath(plans.kernel.deviceCodeSha256));
        const std::string before = plans.kernel.deviceCode;
        edit(plans);
        if (plans.kernel.deviceCode != before) {
            if (!plans.baseline || plans.baseline->deviceCodeSha256 != plans.kernel.deviceCodeSha256) {
                std::filesystem::remove(m_bundle / deviceCodePath(plans.kernel.deviceCodeSha256));
            }
            plans.kernel.deviceCodeSha256 = sha256Hex(plans.kernel.deviceCode);
            plans.kernel.deviceCodeBytes = plans.kernel.deviceCode.size();
            write(deviceCodePath(plans.kernel.deviceCodeSha256), plans.kernel.deviceCode);
        }
        write(plansPath(item), toJson(plans, CodeBytes::left).dump());
        forgeEverything(m_bundle);
        return jsonOf(cli({"replay", m_bundle.string(), "--json"}));
    }
    // What replay says when the verdict, with its plans, stands beside other sources.
    CompletedProcess withOtherSources(const std::function<void(EvaluationRequest&)>& edit) const {
        const BundleCheck check = checkBundle(readBundle(m_bundle).value());
        const EvidenceItem& item = check.verdicts.at(0);
        EvaluationRequest request;
        request.problem = "sum-reduction";
        request.source = item.source;
        request.baseline = item.baselineSource;
        edit(request);
        Verdict verdict = item.evaluation.verdict;
        verdict.kernelSha256 = sha256Hex(request.source);
        verdict.comparison->baselineSha256 = sha256Hex(*request.baseline);
        RecordedPlans plans = *verdict.plans;
        for (KernelPlans* const kernel : {&plans.kernel, &*plans.baseline}) {
            kernel->deviceCode = m_pristine.at(deviceCodePath(kernel->deviceCodeSha256));
        }
        verdict.plans = std::make_shared<const RecordedPlans>(std::move(plans));
        const auto bundle = TemporaryDirectory::create("gks-other").value();
        const auto written = writeBundle(evidenceOf(request, verdict).value(), bundle.path());
        if (!written) {
            qFatal("%s", written.error().message().c_str());
        }
        return cli({"replay", bundle.path().string(), "--json"});
    }
    void write(const std::string& path, const std::string& content) const {
        QVERIFY(writeFileAtomically(m_bundle / path, content));
    }
    // Path and verdict of a bundle's only evaluation.
    static std::pair<std::string, Verdict> recorded(const std::filesystem::path& bundle) {
        const BundleCheck check = checkBundle(readBundle(bundle).value());
        return {verdictPath(check.verdicts.at(0)), check.verdicts.at(0).evaluation.verdict};
    }

    std::optional<TemporaryDirectory> m_folder;
    std::filesystem::path m_bundle;
    std::string m_kernel;
    std::string m_slow;
    BundleFiles m_pristine;
};

QTEST_APPLESS_MAIN(EvidenceReplay)
#include "evidence_replay.moc"
