// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/problem/harness.h"
#include "core/problem/problem.h"

#include <QTest>
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

using namespace gks;

// The manifest of a command pack, and what its measure prints.
class ProblemHarness : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void manifestsAreRead();
    void badManifestsAreRefused_data();
    void badManifestsAreRefused();
    void foldersWithSecretsAreNotShown();
    void campaignsTakeOne();
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
    row("source of two lines", "source = \"a\\nb.cu\"\n", "one line of at most 100 bytes");
    QTest::newRow("long source") << "source = \"" + std::string(300, 'k') + ".cu\"\n"
                                 << std::string("one line of at most 100 bytes");
    for (const char* folder : {"/proc", "/proc/self", "/sys", "/dev", "/run"}) {
        QTest::newRow(folder) << fmt::format("readable = [\"{}\"]\n", folder)
                              << std::string("what runs on this machine is seen there");
    }
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

void ProblemHarness::foldersWithSecretsAreNotShown() {
    const auto folder = TemporaryDirectory::create("gks-harness-test").value();
    const std::filesystem::path home = std::filesystem::canonical(folder.path()) / "home";
    for (const char* part : {".ssh/old", ".gnupg", "tools", "state/kernel-scientist"}) {
        QVERIFY(makeDirectories(home / part));
    }
    const QByteArray before = qgetenv("HOME");
    qputenv("HOME", home.c_str());
    const QByteArray stateBefore = qgetenv("GKS_STATE");
    qputenv("GKS_STATE", (home / "state/kernel-scientist").c_str());
    const auto saidOf = [&](const std::filesystem::path& readable) {
        const std::string line = "readable = [\"" + readable.string() + "\"]\n";
        const auto harness = writeFileAtomically(folder.path() / harnessFile, good + line)
                                 ? loadHarness(folder.path())
                                 : Result<Harness>(usageError("not written"));
        return harness ? std::string() : harness.error().message();
    };
    const auto contains = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    QCOMPARE(saidOf(home / "tools"), std::string());
    QVERIFY(contains(saidOf(home), "it holds your home folder"));
    QVERIFY(contains(saidOf(home.parent_path()), "it holds your home folder"));
    QVERIFY(contains(saidOf(home / "tools/.."), "it holds your home folder"));
    if (const passwd* account = ::getpwuid(::getuid())) { // while HOME points elsewhere
        const std::filesystem::path own = std::filesystem::weakly_canonical(account->pw_dir);
        if (own.has_relative_path() && std::filesystem::is_directory(own)) {
            QVERIFY(contains(saidOf(own), "it holds your home folder"));
        }
    }
    QVERIFY(contains(saidOf(home / ".ssh"), "it is for keys"));
    QVERIFY(contains(saidOf(home / ".ssh/old"), "it is for keys"));
    QVERIFY(contains(saidOf(home / ".gnupg"), "it is for keys"));
    QVERIFY(contains(saidOf(home / "state"), "this program keeps its own files there"));
    QVERIFY(contains(saidOf(home / "state/kernel-scientist"), "this program keeps its own files there"));
    std::filesystem::create_directory_symlink(home / ".ssh", home / "tools/link");
    QVERIFY(contains(saidOf(home / "tools/link"), "it is for keys"));
    qputenv("HOME", before);
    stateBefore.isNull() ? qunsetenv("GKS_STATE") : qputenv("GKS_STATE", stateBefore);
}

// One shape without extents, seeds of the kind of its kernel, and a title in the place of notes that are not there.
void ProblemHarness::campaignsTakeOne() {
    const auto folder = TemporaryDirectory::create("gks-harness-test").value();
    QVERIFY(makeDirectories(folder.path() / "seeds"));
    const auto put = [&](const char* name, const std::string& text) {
        QVERIFY(writeFileAtomically(folder.path() / name, text));
    };
    put(harnessFile, std::string(good) + "source = \"k.cu\"\n");
    put("seeds/b.cu", "// second\n");
    put("seeds/naive.cu", "// first\n");
    put("seeds/readme.hip", "// not of this kind\n");
    const auto pack = loadCampaignProblem(folder.path().string());
    QVERIFY2(pack.has_value(), pack ? "" : pack.error().message().c_str());
    QVERIFY(pack->harness && pack->name == "mine" && pack->notes == "my own" && pack->tensors.empty());
    QCOMPARE(pack->seeds.size(), std::size_t{2});
    QCOMPARE(pack->seeds.front().title, std::string("first"));
    QVERIFY(pack->shapesOf(ShapeSet::cpu) == std::vector<Shape>{Shape()} && !pack->flops({}));
    QCOMPARE(pack->shapeLabel({}), std::string("whole run"));
    put("notes.md", "# Task\n");
    QCOMPARE(loadCampaignProblem(folder.path().string())->notes, std::string("# Task\n"));
    put(harnessFile, std::string(good) + "source = \"k.py\"\n");
    const auto refused = loadCampaignProblem(folder.path().string());
    QVERIFY(!refused && refused.error().message().find("HIP, CUDA, OpenCL, C or C++") != std::string::npos);
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
