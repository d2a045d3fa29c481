// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "tests/support/cli_run.h"

#include <QTest>
#include <fmt/format.h>

using namespace gks;
using namespace gks::test;

// A command pack: somebody's own harness behind the wall, and whose verdict it is.
class HarnessCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void rightIsMeasured();
    void whatTheCommandsSay_data();
    void whatTheCommandsSay();
    void theWallStandsAroundIt();
    void twoKernelsTakeTurns();
    void itIsNoVerdictOfOurs();

private:
    void write(const std::string& verify, const std::string& measure = "echo 10; echo 12; echo '# note'; echo 11",
               const std::string& more = {}) const {
        const auto toml = R"(name = "mine"
title = "a harness of my own"
build = ["sh", "{pack}/build.sh"]
verify = ["sh", "{pack}/verify.sh"]
measure = ["sh", "{pack}/measure.sh"]
)" + more;
        if (!writeFileAtomically(m_pack / "harness.toml", toml) || !writeFileAtomically(m_pack / "verify.sh", verify) ||
            !writeFileAtomically(m_pack / "measure.sh", measure) ||
            !writeFileAtomically(m_pack / "build.sh", "cp \"$GKS_KERNEL\" built")) {
            qFatal("not written");
        }
    }
    std::vector<std::string> evaluate() const {
        return {"evaluate", (m_folder->path() / "k.hip").string(), "--problem", m_pack.string()};
    }

    std::optional<TemporaryDirectory> m_folder;
    std::filesystem::path m_pack;
};

void HarnessCommands::init() {
    m_folder.emplace(TemporaryDirectory::create("gks-harness").value());
    m_pack = m_folder->path() / "pack";
    QVERIFY(makeDirectories(m_pack) && writeFileAtomically(m_folder->path() / "k.hip", "// the kernel\n"));
}

void HarnessCommands::rightIsMeasured() {
    write("grep -q 'the kernel' built");
    const Json verdict = cliJson(evaluate());
    QVERIFY2(verdict["verdict"] == "correct" && verdict["judged_by"] == "the user's harness", verdict.dump().c_str());
    QCOMPARE(verdict["geomean_us"].get<double>(), 11.0);
    QVERIFY(verdict["measurements"][0]["samples"] == 3);
    QCOMPARE(verdict["measurements"][0]["clock"].get<std::string>(), std::string("the user's harness"));
    QVERIFY(verdict["problem"] == "mine" && !verdict.contains("comparison"));
    QVERIFY(verdict["reason"].get<std::string>().ends_with("judged by the user's harness"));
    write("true", "echo '{\"us\": [4, 6]}'", "times = \"json\"\n");
    QCOMPARE(cliJson(evaluate())["geomean_us"].get<double>(), 5.0);
    const auto text = runCli(evaluate());
    QVERIFY2(text.output.find("Judged by  the user's harness; no proof") != std::string::npos, text.output.c_str());
}

void HarnessCommands::whatTheCommandsSay_data() {
    QTest::addColumn<std::string>("verify");
    QTest::addColumn<std::string>("measure");
    QTest::addColumn<std::string>("verdict");
    QTest::addColumn<int>("status");
    QTest::addColumn<std::string>("said");
    const auto row = [](const char* name, const char* verify, const char* measure, const char* verdict, int status,
                        const char* said) {
        QTest::newRow(name) << std::string(verify) << std::string(measure) << std::string(verdict) << status
                            << std::string(said);
    };
    row("wrong", "echo; echo 'y[3] is 7'; exit 1", "echo 1", "wrong", 1, "wrong: y[3] is 7; judged by");
    row("crash", "kill -SEGV $$", "echo 1", "crashed", 1, "judged by");
    row("crash in measure", "true", "sh -c 'kill -ABRT $$'", "crashed", 1, "measure");
    row("fault of the harness", "echo 'no python' >&2; exit 3", "echo 1", "infrastructure-failed", 3, "no python");
    row("missing program", "no-such-program", "echo 1", "infrastructure-failed", 3, "exit status 127");
    row("too long", "true", "sleep 60", "timed-out", 1, "longer than 2 s");
    row("no times", "true", "echo fast", "infrastructure-failed", 3, "\"fast\" is no time");
    row("nothing", "true", "true", "infrastructure-failed", 3, "holds no time");
    row("measure fails", "true", "echo 1; exit 1", "infrastructure-failed", 3, "exit status 1");
}

void HarnessCommands::whatTheCommandsSay() {
    QFETCH(const std::string, verify);
    QFETCH(const std::string, measure);
    QFETCH(const std::string, verdict);
    QFETCH(const int, status);
    QFETCH(const std::string, said);
    write(verify, measure, "seconds = 2\n");
    const Json json = cliJson(evaluate(), status);
    QVERIFY2(json["verdict"] == verdict, json.dump().c_str());
    QVERIFY2(json["reason"].get<std::string>().find(said) != std::string::npos, json.dump().c_str());
    QVERIFY(json["judged_by"] == "the user's harness");
}

void HarnessCommands::theWallStandsAroundIt() {
    // Each of these would be right if the wall were not there.
    const auto secret = m_folder->path() / "secret";
    QVERIFY(writeFileAtomically(secret, "mine"));
    write(fmt::format("for i in 1; do\n"
                      "touch {0}/written 2>/dev/null && echo 'wrote the pack' && exit 1\n"
                      "cat {1} >/dev/null 2>&1 && echo 'read a file' && exit 1\n"
                      "[ -e /dev/kvm ] && echo 'saw a device' && exit 1\n"
                      "[ \"$HOME\" = \"$PWD\" ] || exit 1\n"
                      "touch \"$TMPDIR/x\" && echo more > scratch || exit 1\n"
                      "done; exit 0",
                      m_pack.string(), secret.string()));
    const Json verdict = cliJson(evaluate());
    QVERIFY2(verdict["verdict"] == "correct", verdict.dump().c_str());
    QVERIFY(!std::filesystem::exists(m_pack / "written"));
}

void HarnessCommands::twoKernelsTakeTurns() {
    write("grep -q 'the kernel' built",
          "if grep -q slow built; then echo 30; echo 30; else echo 10; echo 11; echo 30; fi");
    const auto slow = m_folder->path() / "slow.hip";
    QVERIFY(writeFileAtomically(slow, "// the slow kernel\n"));
    auto words = evaluate();
    words.insert(words.end(), {"--baseline", slow.string(), "--measure-seconds", "0.05"});
    const Json verdict = cliJson(words);
    QVERIFY2(verdict["verdict"] == "faster" && verdict["judged_by"] == "the user's harness", verdict.dump().c_str());
    const Json& measured = verdict["measurements"][0];
    QVERIFY2(measured["median_us"] == 11 && measured["baseline_median_us"] == 30, verdict.dump().c_str());
    const int samples = measured["samples"];
    QVERIFY2(samples >= 10 && samples % 2 == 0, verdict.dump().c_str()); // two of each kernel in a block
    QVERIFY(verdict["comparison"]["ratio"].get<double>() > 2.7);
    QVERIFY(verdict["reason"].get<std::string>().ends_with("judged by the user's harness"));
    // What the other one fails at is not the kernel's.
    QVERIFY(writeFileAtomically(slow, "// another\n"));
    write("grep -q 'the kernel' built", "grep -q 'the kernel' built || kill -SEGV $$; echo 10");
    const Json uncharged = cliJson(words, 3);
    QVERIFY2(uncharged["verdict"] == "infrastructure-failed" &&
                 uncharged["reason"].get<std::string>().starts_with("the comparison kernel: crashed"),
             uncharged.dump().c_str());
}

void HarnessCommands::itIsNoVerdictOfOurs() {
    write("true");
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{"--evidence", (m_folder->path() / "e").string()},
          {"--explain"},
          {"--flags", "-O1"}}) {
        auto words = evaluate();
        words.insert(words.end(), more.begin(), more.end());
        const auto refused = runCli(words);
        QVERIFY2(refused.exit.status == 2 && refused.error.find("judged by the user's harness") != std::string::npos,
                 refused.error.c_str());
    }
}

QTEST_APPLESS_MAIN(HarnessCommands)
#include "harness_commands.moc"
