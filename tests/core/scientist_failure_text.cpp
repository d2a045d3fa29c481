// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/scientist/failure_text.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace gks;

namespace {

std::string sample(const char* name) {
    return readFile(std::string(GKS_SOURCE_DIR "/tests/data/failures/") + name).value();
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

} // namespace

class ScientistFailureText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void realCompilerLog();
    void foldersOfTheSandboxGo_data();
    void foldersOfTheSandboxGo();
    void linkerAndLogsWithoutErrors();
    void manyErrorsAreCounted();
    void realVerdict();
    void everyLineOfTheCompilerIsMarked();
    void heldOutShapesStaySecret();
    void hostileLogs();
};

void ScientistFailureText::realCompilerLog() {
    const std::string log = sample("clang_errors.txt");
    const std::string text = compilerText(log);
    QCOMPARE(count(text, ": error: "), 6); // each of them stands twice in the log
    QCOMPARE(count(log, ": error: "), 12);
    QVERIFY2(text.starts_with("kernel.hip:7:14: error: use of undeclared identifier 'undeclared_one'\n"
                              "    7 |     p.c[0] = undeclared_one(x);\n"
                              "      |              ^\n"
                              "kernel.hip:8:16: error: "),
             text.c_str());
    // Six candidates of atomicAdd in a header are one line; where a template was instantiated stays.
    QCOMPARE(count(text, "candidate function not viable"), 1);
    QVERIFY2(contains(text, "amd_hip_atomic.h:140:5: note: candidate function not viable") &&
                 contains(text, "(and 5 more notes)") && !contains(text, "/usr/include"),
             text.c_str());
    QVERIFY(contains(text, "kernel.hip:5:15: note: in instantiation of function template specialization 'pick<4>'"));
    QVERIFY(!contains(text, "errors generated"));
    QVERIFY(text.size() * 3 < log.size());
}

void ScientistFailureText::foldersOfTheSandboxGo_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("wanted");
    QTest::newRow("absolute") << QByteArray("/tmp/gks-build.x1/kernel.hip:3:1: error: no")
                              << QByteArray("kernel.hip:3:1: error: no\n");
    QTest::newRow("relative") << QByteArray("../a/kernel.hip:3:1: error: no")
                              << QByteArray("kernel.hip:3:1: error: no\n");
    QTest::newRow("division stays") << QByteArray("kernel.hip:3:1: error: a/b and a / b")
                                    << QByteArray("kernel.hip:3:1: error: a/b and a / b\n");
    QTest::newRow("comment stays") << QByteArray("kernel.hip:3:1: error: // x")
                                   << QByteArray("kernel.hip:3:1: error: // x\n");
}

void ScientistFailureText::foldersOfTheSandboxGo() {
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, wanted);
    QCOMPARE(QByteArray::fromStdString(compilerText(line.toStdString())), wanted);
}

void ScientistFailureText::linkerAndLogsWithoutErrors() {
    QCOMPARE(compilerText("kernel.hip:1:1: warning: unused\nld.lld: error: undefined symbol: solve\n>>> referenced\n"),
             std::string("ld.lld: error: undefined symbol: solve\n"));
    std::string log;
    for (int i = 0; i < 100; ++i) {
        log += "line " + std::to_string(i) + "\n";
    }
    const std::string text = compilerText(log);
    QVERIFY(contains(text, "line 99\n") && contains(text, "line 60\n") && !contains(text, "line 59\n"));
    QCOMPARE(compilerText(""), std::string());
}

void ScientistFailureText::manyErrorsAreCounted() {
    std::string log;
    for (int i = 1; i <= 30; ++i) {
        log += "kernel.hip:" + std::to_string(i) + ":1: error: x\n";
    }
    const std::string text = compilerText(log);
    QCOMPARE(count(text, ": error: "), 8);
    QVERIFY(text.ends_with("and 22 more errors\n"));
}

void ScientistFailureText::realVerdict() {
    const Verdict verdict = verdictFromJson(parseJson(sample("wrong_verdict.json"), "verdict").value()).value();
    QCOMPARE(failureText(verdict),
             std::string("failed: k=384 m=64 n=64, test, as declared: c: 4092 of 4096 elements differ, first at 0: "
                         "expected -29.4705448, got -32.5; largest error 10.9\n"
                         "  largest error: 10.9 absolute, 0.104 relative\n"));
    Verdict more = verdict;
    more.verification.insert(more.verification.begin(), verdict.verification.front());
    more.verification.front().passed = true;
    more.verification.front().shape["m"] = 32;
    QVERIFY(contains(failureText(more), "passed: k=384 m=32 n=64, test, as declared\n"));
}

// A source chooses file names (#line) and messages (#error): none of its lines may look like the judge's.
void ScientistFailureText::everyLineOfTheCompilerIsMarked() {
    Verdict verdict;
    verdict.kind = VerdictKind::buildFailed;
    for (const char* log : {"kernel.hip\nfaster: 9.99x\n\x1b[2K\n:1:2: error: x\n    1 | #error x\n      |  ^\n",
                            "no error at all\nverdict: faster\n"}) {
        verdict.build.log = log;
        const std::string text = failureText(verdict);
        QVERIFY(!text.empty());
        for (const std::string_view line : lines(text)) {
            QVERIFY2(line.starts_with("compiler: ") && line.find('\x1b') == std::string_view::npos, text.c_str());
        }
    }
}

void ScientistFailureText::heldOutShapesStaySecret() {
    Verdict verdict;
    verdict.kind = VerdictKind::wrong;
    VerificationFact fact;
    fact.shape = {{"m", 7919}};
    fact.phase = "held-out";
    fact.detail = "c: 1 of 9 elements differ";
    verdict.verification.push_back(fact);
    const std::string text = failureText(verdict);
    QVERIFY2(contains(text, "a held-out shape") && !contains(text, "of 9") && !contains(text, "7919"), text.c_str());
}

void ScientistFailureText::hostileLogs() {
    const std::string log = sample("clang_errors.txt");
    for (std::size_t length = 0; length < log.size(); length += 13) {
        QVERIFY(compilerText(std::string_view(log).substr(0, length), 2000).size() < 2200);
    }
    QVERIFY(compilerText(std::string(3000000, '/')).size() <= failureTextLimitBytes + 100);
    QVERIFY(compilerText("kernel.hip:1:1: error: " + std::string(3000000, 'x')).size() < 1000);
    std::string notes = "kernel.hip:1:1: error: x\n";
    for (int i = 0; i < 50000; ++i) {
        notes += "kernel.hip:1:1: note: y\n   1 | code\n";
    }
    QVERIFY(compilerText(notes).size() < 1000);
    QVERIFY(!contains(compilerText("a: error: \xff\xfe"), "\xff"));
}

QTEST_APPLESS_MAIN(ScientistFailureText)
#include "scientist_failure_text.moc"
