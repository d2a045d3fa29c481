// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/problem/harness.h"
#include "core/problem/problem.h"

#include <QTest>

using namespace gks;

// The manifest of a command pack, and what its measure prints.
class ProblemHarness : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void manifestsAreRead();
    void badManifestsAreRefused_data();
    void badManifestsAreRefused();
    void timesAreRead();
    void badTimesAreRefused_data();
    void badTimesAreRefused();
    void noOtherCommandTakesOne();

private:
    static constexpr const char* good = "name = \"mine\"\ntitle = \"my own\"\nverify = [\"sh\", \"{pack}/v.sh\"]\n"
                                        "measure = [\"{scratch}/m\", \"{kernel}\"]\n";
};

void ProblemHarness::manifestsAreRead() {
    const auto folder = TemporaryDirectory::create("gks-harness-test").value();
    QVERIFY(!isHarness(folder.path()));
    QVERIFY(writeFileAtomically(folder.path() / harnessFile,
                                std::string(good) + "source = \"k.cu\"\ntimes = \"json\"\nseconds = 7\nmemory_gib = 2\n"
                                                    "readable = [\"/usr/share/../lib\"]\nbuild = [\"make\"]\n"));
    QVERIFY(isHarness(folder.path()));
    const auto harness = loadHarness(folder.path());
    QVERIFY2(harness.has_value(), harness ? "" : harness.error().message().c_str());
    QVERIFY(harness->times == Harness::Times::json && harness->seconds == 7);
    QCOMPARE(harness->memoryBytes, std::size_t{2} << 30);
    QVERIFY(harness->build == std::vector<std::string>({"make"}));
    QVERIFY(harness->readable == std::vector<std::filesystem::path>({"/usr/lib"}));
    QVERIFY(harnessWords(harness->measure, *harness, "/s") == std::vector<std::string>({"/s/m", "/s/k.cu"}));
    QCOMPARE(harnessWords(harness->verify, *harness, "/s").back(),
             std::filesystem::canonical(folder.path()).string() + "/v.sh");
}

void ProblemHarness::badManifestsAreRefused_data() {
    QTest::addColumn<std::string>("added");
    QTest::addColumn<std::string>("said");
    const auto row = [](const char* name, const char* added, const char* said) {
        QTest::newRow(name) << std::string(added) << std::string(said);
    };
    row("unknown key", "verfy = 1\n", "harness.toml:5: unknown key \"verfy\"");
    row("no words", "build = []\n", "\"build\" must be an array");
    row("text", "build = \"make\"\n", "\"build\" must be an array");
    row("number", "build = [1]\n", "a word of \"build\"");
    row("source elsewhere", "source = \"../../x\"\n", "plain file name");
    row("hidden source", "source = \".x\"\n", "plain file name");
    row("times", "times = \"csv\"\n", "must be one of lines, json");
    row("seconds", "seconds = -1\n", "\"seconds\" must be above 0");
    row("memory", "memory_gib = \"all\"\n", "\"memory_gib\" must be above 0");
    row("root", "readable = [\"/\"]\n", "no folder by its whole path");
    row("relative", "readable = [\"tmp\"]\n", "no folder by its whole path");
    row("no TOML", "= 3\n", "harness.toml:5");
}

void ProblemHarness::badManifestsAreRefused() {
    QFETCH(const std::string, added);
    QFETCH(const std::string, said);
    const auto folder = TemporaryDirectory::create("gks-harness-test").value();
    QVERIFY(writeFileAtomically(folder.path() / harnessFile, good + added));
    const auto harness = loadHarness(folder.path());
    QVERIFY(!harness && harness.error().kind == ErrorKind::usage);
    const std::string message = harness.error().message();
    QVERIFY2(message.find(said) != std::string::npos, message.c_str());
}

void ProblemHarness::timesAreRead() {
    QVERIFY(harnessTimes("# warm\n 12.5\n\n3e1\r\n", Harness::Times::lines) == std::vector<double>({12.5, 30}));
    QVERIFY(harnessTimes("{\"us\": [1, 2.5], \"more\": true}", Harness::Times::json) == std::vector<double>({1, 2.5}));
}

void ProblemHarness::badTimesAreRefused_data() {
    QTest::addColumn<std::string>("output");
    QTest::addColumn<bool>("isJson");
    const auto row = [](const std::string& output, bool isJson) {
        QTest::newRow(output.substr(0, 20).c_str()) << output << isJson;
    };
    for (const char* output :
         {"", "# 1\n", "1\nfast\n", "0\n", "-3\n", "nan\n", "inf\n", "1 2\n", "1us\n", "1e300\n", "5e-324\n"}) {
        row(output, false);
    }
    for (const char* output : {"", "[]", "[1]", "{}", "{\"us\": 1}", "{\"us\": []}", "{\"us\": [\"1\"]}",
                               "{\"us\": [1, -1]}", "{\"us\": [1e999]}"}) {
        row(output, true);
    }
    std::string many;
    for (int i = 0; i < 100'001; ++i) {
        many += "1\n";
    }
    row(many, false);
}

void ProblemHarness::badTimesAreRefused() {
    QFETCH(const std::string, output);
    QFETCH(const bool, isJson);
    QVERIFY(!harnessTimes(output, isJson ? Harness::Times::json : Harness::Times::lines));
}

void ProblemHarness::noOtherCommandTakesOne() {
    const auto folder = TemporaryDirectory::create("gks-harness-test").value();
    QVERIFY(writeFileAtomically(folder.path() / harnessFile, good));
    const auto pack = loadProblemPack(folder.path().string());
    QVERIFY(!pack && pack.error().message().find("command pack") != std::string::npos);
}

QTEST_APPLESS_MAIN(ProblemHarness)
#include "problem_harness.moc"
