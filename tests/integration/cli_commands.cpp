// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/sanitized.h"
#include "core/base/text.h"
#include "core/target/toolchain.h"
#include "tests/support/cli_run.h"

#include <QTest>
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace gks;
using namespace gks::test;

namespace {

const std::string seeds = GKS_SOURCE_DIR "/resources/problems/fp8-gemm/seeds/";

} // namespace

class CliCommandsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_folder.emplace(*TemporaryDirectory::create("gks-cli"));
        qputenv("GKS_CACHE", (m_folder->path() / "cache").c_str());
    }

    void wrongUsageIsOneLineAndStatus2_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("said");
        const QString kernel = QString::fromStdString(seeds + "naive.hip");
        QTest::newRow("command") << QStringList{QStringLiteral("bogus")} << QStringLiteral("bogus");
        const auto row = [](const char* name, const QString& line, const char* said) {
            QTest::newRow(name) << line.split(QLatin1Char(' ')) << QString::fromLatin1(said);
        };
        row("no kernel", QStringLiteral("evaluate --problem fp8-gemm"), "KERNEL.hip");
        row("no problem", QStringLiteral("evaluate %1").arg(kernel), "--problem");
        row("two kernels", QStringLiteral("evaluate %1 other.hip --problem fp8-gemm").arg(kernel), "other.hip");
        row("unknown option", QStringLiteral("evaluate %1 --problem fp8-gemm --faster").arg(kernel), "--faster");
        row("no value", QStringLiteral("evaluate %1 --problem").arg(kernel), "--problem");
        row("an option twice", QStringLiteral("evaluate %1 --problem fp8-gemm --problem row-softmax").arg(kernel),
            "--problem is given twice");
        row("value for a switch", QStringLiteral("problems --json=yes"), "--json");
        row("unknown target", QStringLiteral("evaluate %1 --problem fp8-gemm --target tpu").arg(kernel), "tpu");
        row("unknown shapes", QStringLiteral("evaluate %1 --problem fp8-gemm --shapes=some").arg(kernel), "some");
        row("no number", QStringLiteral("evaluate %1 --problem fp8-gemm --measure-seconds nan").arg(kernel), "nan");
        row("negative device", QStringLiteral("evaluate %1 --problem fp8-gemm --device -1").arg(kernel), "-1");
        row("half a device", QStringLiteral("evaluate %1 --problem fp8-gemm --device 0.5").arg(kernel), "0.5");
        row("compiler option", QStringLiteral("evaluate %1 --problem fp8-gemm --flags -fplugin=x.so").arg(kernel),
            "-fplugin=x.so: refused for kernels");
        row("option of the report", QStringLiteral("inspect %1 --problem fp8-gemm --flags -I/usr/../etc").arg(kernel),
            "-I/usr/../etc: refused for kernels");
        row("no such seed", QStringLiteral("new x.gks --problem fp8-gemm --seeds naive,best"),
            "fp8-gemm has no seed \"best\"");
        row("two at once", QStringLiteral("show x.gks --rounds --kernel 1"),
            "--kernel and --rounds do not go together");
        row("no prompt to search", QStringLiteral("conversation x.gks --preview writer --exchange 1"),
            "--preview and --exchange do not go together");
        row("neither kernel nor library", QStringLiteral("evaluate --problem fp8-gemm"), "missing KERNEL.hip");
        row("kernel and library", QStringLiteral("evaluate %1 --problem fp8-gemm --anchor cublaslt").arg(kernel),
            "a kernel and a library were given");
        row("options for a library", "evaluate --problem fp8-gemm --target nvidia --anchor cublaslt --flags -DX",
            "a library has no --flags");
        row("drafts of the tuner", "new x.gks --problem sum-reduction --drafts 4",
            "the tuner writes no drafts and no probes");
        row("library of another target", QStringLiteral("evaluate --problem fp8-gemm --anchor cublaslt"),
            "fp8-gemm has no anchor \"cublaslt\" for cpu");
        row("library by its path", QStringLiteral("evaluate --problem fp8-gemm --target nvidia --anchor ../x.cpp"),
            "It has cublaslt for nvidia, hipblaslt for amd");
        row("unknown problem", QStringLiteral("evaluate %1 --problem nonsense").arg(kernel), "nonsense");
        row("unknown problem of a campaign", QStringLiteral("new x.gks --problem twise"), "or a command pack");
        row("missing file", QStringLiteral("evaluate /no/such/kernel.hip --problem fp8-gemm"), "/no/such/kernel.hip");
        row("a folder as kernel", QStringLiteral("inspect / --problem fp8-gemm"), "folder");
        row("missing baseline", QStringLiteral("evaluate %1 --problem fp8-gemm --baseline /no/base.hip").arg(kernel),
            "/no/base.hip");
        row("architecture", QStringLiteral("inspect %1 --problem fp8-gemm --arch sm_90").arg(kernel),
            "not \"sm_90\". Add --machine-code");
        row("of a later clang", QStringLiteral("inspect %1 --problem fp8-gemm --arch gfx950").arg(kernel),
            "not \"gfx950\". Add --machine-code");
        row("no architecture", QStringLiteral("inspect %1 --problem fp8-gemm --machine-code --arch sm_9x").arg(kernel),
            "not of \"sm_9x\"");
        row("nothing to tune", QStringLiteral("tune %1 --problem fp8-gemm").arg(kernel), "tunables");
        row("a tuner and a command", QStringLiteral("new x.gks --problem rms-norm --scientist tuner --command cat"),
            "--scientist");
        row("two who answer", QStringLiteral("models try --campaign x.gks --command cat"), "Name one");
        QTest::newRow("folder without a name")
            << QStringList{QStringLiteral("models"), QStringLiteral("try"), QStringLiteral("--folder"), QString()}
            << QStringLiteral("--folder");
        QTest::newRow("evidence without a name")
            << QStringList{QStringLiteral("evaluate"),   kernel,
                           QStringLiteral("--problem"),  QStringLiteral("fp8-gemm"),
                           QStringLiteral("--evidence"), QString()}
            << QStringLiteral("no folder is named");
        row("no evaluations", QStringLiteral("tune %1 --problem fp8-gemm --evaluations 0").arg(kernel),
            "--evaluations");
    }
    void wrongUsageIsOneLineAndStatus2() {
        QFETCH(QStringList, words);
        QFETCH(QString, said);
        std::vector<std::string> arguments;
        for (const QString& word : words) {
            arguments.push_back(word.toStdString());
        }
        const CompletedProcess done = runCli(arguments);
        QCOMPARE(done.exit.status, std::optional<int>(2));
        QCOMPARE(done.output, std::string());
        QCOMPARE(lines(done.error).size(), std::size_t{1});
        QVERIFY2(done.error.find(said.toStdString()) != std::string::npos, done.error.c_str());
    }

    void whatNobodyCanReadIsSaid() {
        Command full;
        full.arguments = {"/bin/sh", "-c", "exec \"$0\" problems --json > /dev/full",
                          GKS_BINARY_DIR "/bin/kernel-scientist-cli"};
        const CompletedProcess said = completed(full, {.timeout = std::chrono::minutes(1)});
        QCOMPARE(said.exit.status, std::optional<int>(3));
        QVERIFY2(said.error.find("standard output: cannot be written: No space left") != std::string::npos,
                 said.error.c_str());
    }

    void filesThatAreNoKernelsAreRefused() {
        const auto path = m_folder->path() / "odd.hip";
        for (const std::string& content :
             {std::string(" \n"), std::string("\xff\xfe\x00", 3), std::string(std::size_t{2} << 20, 'x')}) {
            QVERIFY(writeFileAtomically(path, content).has_value());
            QCOMPARE(runCli({"inspect", path.string(), "--problem", "fp8-gemm"}).exit.status, std::optional<int>(2));
        }
    }

    void addressesAreNoFilesOfThisMachine() {
        for (const char* address : {"ssh://x/y.gks", "SSH://x/y.gks", "sftp://x/y.gks"}) {
            const CompletedProcess shown = runCli({"show", address});
            QCOMPARE(shown.exit.status, std::optional<int>(2));
            QVERIFY2(shown.error.find("show works on files of this machine") != std::string::npos, shown.error.c_str());
        }
    }

    void tuneLooksForItsPlaceFirst() {
        const CompletedProcess tuned = runCli({"tune", seeds + "naive.hip", "--problem", "fp8-gemm", "--out",
                                               (m_folder->path() / "none/best.hip").string()});
        QCOMPARE(tuned.exit.status, std::optional<int>(2));
        QVERIFY2(tuned.error.find("is no folder that is there") != std::string::npos, tuned.error.c_str());
    }

    void helpIsThereForEveryCommand() {
        const CompletedProcess overview = runCli({"--help"});
        QVERIFY(overview.ok());
        for (const std::string command :
             {"doctor", "problems", "evaluate", "inspect", "tune", "conversation", "findings", "replay"}) {
            QVERIFY(overview.output.find("  " + command) != std::string::npos);
            const CompletedProcess help = runCli({command, "--help"});
            QVERIFY(help.ok());
            QVERIFY(help.output.find("Usage: kernel-scientist-cli " + command) != std::string::npos);
            QVERIFY(help.output.find("--json") != std::string::npos);
            QCOMPARE(runCli({"help", command}).output, help.output);
        }
        const CompletedProcess nothing = runCli({});
        QCOMPARE(nothing.exit.status, std::optional<int>(2));
        QCOMPARE(nothing.output, std::string());
        QVERIFY(runCli({"--version"}).output.starts_with("kernel-scientist-cli "));
    }

    void problemsAsJson() {
        const Json all = cliJson({"problems"});
        const auto& packs = all.at("problems");
        const auto at =
            std::find_if(packs.begin(), packs.end(), [](const Json& pack) { return pack.at("name") == "fp8-gemm"; });
        QVERIFY(at != packs.end());
        const Json& first = *at;
        QVERIFY(first.at("seeds").size() >= 2);
        QVERIFY(first.at("shapes").at("cpu").at(0).contains("m"));
        QVERIFY(!first.at("shapes").contains("held_out"));
    }

    void doctorAsJsonTellsNoSecret() {
        qputenv("OPENAI_API_KEY", "sk-very-secret");
        qunsetenv("GEMINI_API_KEY");
        const CompletedProcess done = runCli({"doctor", "--json"});
        QCOMPARE(done.exit.status, std::optional<int>(0));
        QVERIFY(done.output.find("very-secret") == std::string::npos);
        const Json found = *parseJson(done.output, "doctor");
        QVERIFY(found.at("healthy") == Json(true));
        for (const Json& provider : found.at("providers")) {
            if (provider.at("variable") == "OPENAI_API_KEY" || provider.at("variable") == "GEMINI_API_KEY") {
                QCOMPARE(provider.at("set").get<bool>(), provider.at("variable") == "OPENAI_API_KEY");
            }
        }
        const std::size_t attempts = isSanitized ? 20 : 22; // no limit of addresses there
        QVERIFY(found.at("sandbox").at("escapes").size() >= attempts);
        QVERIFY(found.at("sandbox").at("planner_escapes").size() >= attempts);
        QCOMPARE(found.at("sandbox").at("levels").size(), std::size_t{2});
        QCOMPARE(found.at("targets").size(), std::size_t{3});
        for (const Json& target : found.at("targets")) {
            QCOMPARE(target.at("available").get<bool>(), target.at("reason").get<std::string>().empty());
            const Json& trial = target.at("trial");
            QVERIFY2(!trial.at("detail").get<std::string>().empty(), trial.dump().c_str());
            if (target.at("target") == Json("cpu")) {
                QVERIFY2(trial.at("result") == Json("ran"), trial.dump().c_str());
            } else if (!target.at("available").get<bool>()) {
                QVERIFY2(trial.at("result") != Json("ran"), trial.dump().c_str());
            }
        }
        QVERIFY(found.at("targets").at(0).at("devices").at(0).at("architecture") == Json("gfx942"));
    }

    void theWeakerWallIsTriedAndUsed() {
        qputenv("GKS_SANDBOX", "landlock");
        const Json sandbox = parseJson(runCli({"doctor", "--json"}).output, "doctor")->at("sandbox");
        const Json verdict =
            cliJson({"evaluate", seeds + "naive.hip", "--problem", "fp8-gemm", "--measure-seconds", "0.1"});
        qunsetenv("GKS_SANDBOX");
        QVERIFY(sandbox.at("level") == Json("landlock"));
        for (const Json& attempt : sandbox.at("escapes")) {
            QVERIFY2(attempt.at("stopped").get<bool>(), attempt.dump().c_str());
        }
        QVERIFY(verdict.at("sandbox") == Json("landlock"));
    }

    void withoutAWallNothingRuns() {
        qputenv("GKS_SANDBOX", "none");
        const CompletedProcess doctor = runCli({"doctor"});
        const Json verdict = cliJson({"evaluate", seeds + "naive.hip", "--problem", "fp8-gemm"}, 3);
        qunsetenv("GKS_SANDBOX");
        QCOMPARE(doctor.exit.status, std::optional<int>(3));
        QVERIFY2(doctor.output.find("kernels cannot run") != std::string::npos, doctor.output.c_str());
        QVERIFY(verdict.at("verdict") == Json("infrastructure-failed"));
        QVERIFY2(verdict.at("reason").get<std::string>().find("no sandbox works") != std::string::npos,
                 verdict.dump().c_str());
    }

    void doctorForPeople() {
        const CompletedProcess done = runCli({"doctor"});
        for (const char* part :
             {"Compilers and headers", "Devices", "One kernel, in the sandbox", "Sandbox: ", "API keys", "blocked"}) {
            QVERIFY2(done.output.find(part) != std::string::npos, part);
        }
        QVERIFY(done.output.find("very-secret") == std::string::npos);
        QVERIFY(done.error.find('\r') == std::string::npos); // no terminal here: plain lines
    }

    void aGoodKernelIsStatus0() {
        const Json verdict =
            cliJson({"evaluate", seeds + "naive.hip", "--problem", "fp8-gemm", "--measure-seconds", "0.2"});
        QVERIFY(verdict.at("verdict") == Json("correct"));
        for (const char* key : {"reason", "target", "device", "problem", "kernel_sha256", "build", "verification",
                                "measurements", "geomean_us", "static", "sandbox", "seconds"}) {
            QVERIFY2(verdict.contains(key), key);
        }
        for (const char* key : {"build", "verify", "measure", "total"}) {
            QVERIFY2(verdict.at("seconds").contains(key), key);
        }
        const Json& measurement = verdict.at("measurements").at(0);
        QCOMPARE(measurement.at("ci95_us").size(), std::size_t{2});
        QVERIFY(measurement.at("median_us").get<double>() > 0);
    }

    // The first plays gfx942, where the builtin is not there.
    void theSecondDevicePlaysGfx950() {
        const auto path = m_folder->path() / "gfx950.hip";
        const std::string seed = readFile(seeds + "naive.hip").value();
        QVERIFY(writeFileAtomically(path, seed + "\n__device__ int three(int a) {\n"
                                                 "    return __builtin_amdgcn_bitop3_b32(a, a, a, 0x80);\n}\n")
                    .has_value());
        const std::vector<std::string> words = {"evaluate",          path.string(), "--problem", "fp8-gemm",
                                                "--measure-seconds", "0.1",         "--device"};
        const auto on = [&](const char* device, int status) {
            std::vector<std::string> all = words;
            all.push_back(device);
            return cliJson(all, status);
        };
        const Json verdict = on("1", 0);
        QVERIFY2(verdict.at("verdict") == Json("correct"), verdict.dump().c_str());
        QVERIFY(verdict.at("device").get<std::string>().ends_with(", as gfx950)"));
        QVERIFY(on("0", 1).at("verdict") == Json("build-failed"));
    }

    void aBadKernelIsStatus1() {
        const auto path = m_folder->path() / "bad.hip";
        QVERIFY(writeFileAtomically(path, "#include \"problem.h\"\nint x = ; // \x1b[31mred\n").has_value());
        const Json verdict = cliJson({"evaluate", path.string(), "--problem", "fp8-gemm"}, 1);
        QVERIFY(verdict.at("verdict") == Json("build-failed"));
        const CompletedProcess shown = runCli({"evaluate", path.string(), "--problem", "fp8-gemm"});
        QCOMPARE(shown.exit.status, std::optional<int>(1));
        QVERIFY(shown.output.find("expected expression") != std::string::npos);
        QVERIFY(shown.output.find('\x1b') == std::string::npos);
        const Json inspected = cliJson({"inspect", path.string(), "--problem", "fp8-gemm"}, 1);
        QVERIFY(inspected.at("verdict") == Json("build-failed"));
        QVERIFY(inspected.at("diagnostics").at(0).at("line") == Json(2));
        QVERIFY(inspected.at("diagnostics").at(0).at("column") == Json(9));
    }

    void tuneAsJson() {
        const std::filesystem::path best = m_folder->path() / "best.hip";
        const Json result = cliJson({"tune", seeds + "matrix_core.hip", "--problem", "fp8-gemm", "--evaluations", "2",
                                     "--measure-seconds", "0.1", "--fresh", "--out", best.string()},
                                    0);
        QCOMPARE(result.at("points").size(), std::size_t{2});
        QVERIFY(result.at("points_allowed") == Json(162)); // 243 without the condition
        QVERIFY(result.at("points").at(0).at("us").get<double>() > 0);
        QVERIFY(result.at("points").at(1).at("values") != result.at("points").at(0).at("values"));
        // Whatever the comparison says, what is written is what is called the best.
        const bool faster =
            !result.at("comparison").is_null() && result.at("comparison").at("verdict") == Json("faster");
        QVERIFY((result.at("best").at("values") == result.at("points").at(0).at("values")) != faster);
        QCOMPARE(sha256Hex(readFile(best).value()), result.at("best").at("sha256").get<std::string>());
    }

    // As the window's page for campaigns for NVIDIA.
    void machineCodeOfNvidia() {
        if (!toolchain().cuda) {
            QSKIP("nvcc is not installed");
        }
        const Json code = cliJson({"inspect", GKS_SOURCE_DIR "/resources/problems/sum-reduction/seeds/naive.hip",
                                   "--problem", "sum-reduction", "--machine-code", "--arch", "sm_90"});
        const auto architecture = code.at("architecture").get<std::string>();
        QVERIFY2(architecture == "sm_90a" || architecture == "PTX for sm_90a", architecture.c_str());
        QVERIFY(code.at("functions").size() > 0 && code.at("static").is_null());
        const auto text = runCli({"inspect", GKS_SOURCE_DIR "/resources/problems/sum-reduction/seeds/naive.hip",
                                  "--problem", "sum-reduction", "--machine-code", "--arch", "sm_90"});
        QVERIFY2(text.ok() && text.output.find(architecture) != std::string::npos, text.error.c_str());
    }

    void inspectAsJson() {
        const Json report = cliJson({"inspect", seeds + "matrix_core.hip", "--problem", "fp8-gemm"});
        QVERIFY(report.at("architecture") == Json("gfx942"));
        QVERIFY(report.at("diagnostics").is_array());
        const Json& kernel = report.at("kernels").at(0);
        for (const char* key : {"name", "vgprs", "sgprs", "agprs", "vgpr_spills", "scratch_bytes", "lds_bytes",
                                "occupancy_waves_per_simd", "instructions", "code_bytes"}) {
            QVERIFY2(kernel.contains(key), key);
        }
        QVERIFY(kernel.at("instructions").at("mfma").get<int>() > 0);
    }

    void aMissingEvaluatorIsInfrastructure() {
        // A copy of the program alone, without the others beside it.
        const auto alone = m_folder->path() / "kernel-scientist-cli";
        std::filesystem::copy_file(GKS_BINARY_DIR "/bin/kernel-scientist-cli", alone);
        Command command;
        command.arguments = {alone.string(), "evaluate", seeds + "naive.hip", "--problem", "fp8-gemm", "--json"};
        const auto done = runProcess(command);
        QVERIFY(done.has_value());
        QCOMPARE(done->exit.status, std::optional<int>(3));
        QVERIFY(parseJson(done->output, "output")->at("verdict") == Json("infrastructure-failed"));
    }

private:
    std::optional<TemporaryDirectory> m_folder;
};

QTEST_APPLESS_MAIN(CliCommandsTest)
#include "cli_commands.moc"
