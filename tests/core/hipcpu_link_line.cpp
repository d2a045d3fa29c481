// SPDX-License-Identifier: GPL-3.0-or-later
// The linker is called without the compiler's driver, once that has said how.
#include "core/base/files.h"
#include "core/base/process.h"
#include "core/hipcpu/retarget/link_line.h"

#include <QTest>
#include <algorithm>

using namespace gks;
using namespace gks::hipcpu;

class HipcpuLinkLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wordsAreInQuotes_data() {
        using Words = std::vector<std::string>;
        QTest::addColumn<std::string>("printed");
        QTest::addColumn<Words>("words");
        QTest::newRow("nothing") << std::string() << Words();
        QTest::newRow("last line") << std::string("clang version\n \"cc1\"\n \"ld\" \"-o\" \"a b\"\n")
                                   << Words{"ld", "-o", "a b"};
        QTest::newRow("escapes") << std::string(" \"a\\\"b\" \"c\\\\d\" \"\" \"\\$e\"")
                                 << Words{"a\"b", "c\\d", "", "$e"};
        QTest::newRow("cut off") << std::string("\"a\" \"b\\") << Words{"a", "b\\"};
    }
    void wordsAreInQuotes() {
        QFETCH(const std::string, printed);
        using Words = std::vector<std::string>;
        QFETCH(const Words, words);
        QCOMPARE(wordsOfLastLine(printed), words);
    }

    void theDriverIsAskedOnce() {
        const auto toolchain = findToolchain();
        QVERIFY(toolchain.has_value());
        const auto folder = TemporaryDirectory::create("gks-link");
        const std::vector<std::string> options = {"-fuse-ld=lld", "-o", std::string(placeOfOutput),
                                                  std::string(placeOfObjects), "-shared"};
        const auto line = linkLine(*toolchain, options, folder->path());
        QVERIFY(!line.empty());
        QVERIFY(line.front().ends_with("ld.lld"));
        QCOMPARE(std::count(line.begin(), line.end(), placeOfObjects), 1);
        QCOMPARE(linkLine({"/no/such/compiler", toolchain->clangVersion, toolchain->hipPrefix, toolchain->hipVersion,
                           toolchain->hipMajor, toolchain->hipcpuFolder},
                          options, folder->path()),
                 line);
        QVERIFY(linkLine(*toolchain, options, {}).empty());
        std::vector<std::string> twice = options;
        twice.emplace_back(placeOfObjects);
        QVERIFY(linkLine(*toolchain, twice, folder->path()).empty());
    }

    // As that of a compiler whose libraries have moved meanwhile.
    void aLineThatDoesNotHoldAnyMoreCostsNothingButTime() {
        const auto folder = TemporaryDirectory::create("gks-link");
        const auto file = [&](const char* name) { return (folder->path() / name).string(); };
        QVERIFY(writeFileAtomically(file("k.hip"), "int main() { return 7; }\n"));
        const auto isBuilt = [&] {
            Command command;
            command.arguments = {
                GKS_BINARY_DIR "/bin/kernel-scientist-hipcc", "--cache", file("cache"), file("k.hip"), "-o", file("k")};
            return runProcess(command)->ok();
        };
        QVERIFY(isBuilt());
        int lines = 0;
        for (const auto& kept : std::filesystem::directory_iterator(folder->path() / "cache/link-lines")) {
            QVERIFY(writeFileAtomically(kept.path(), "/bin/false\n/dev/full\n/dev/null"));
            ++lines;
        }
        QCOMPARE(lines, 1);
        QVERIFY(std::filesystem::remove(file("k")));
        QVERIFY(isBuilt());
        Command command;
        command.arguments = {file("k")};
        QCOMPARE(runProcess(command)->exit.status, 7);
    }
};

QTEST_APPLESS_MAIN(HipcpuLinkLine)
#include "hipcpu_link_line.moc"
