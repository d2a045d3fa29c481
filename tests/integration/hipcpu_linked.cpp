// SPDX-License-Identifier: GPL-3.0-or-later
// Device code of several sources that is linked together (-fgpu-rdc), in the ways in which people build it.
#include "core/base/files.h"
#include "core/base/process.h"
#include "core/base/sanitized.h"
#include "tests/support/completed.h"

#include <QTest>
#include <filesystem>
#include <optional>

namespace fs = std::filesystem;
using namespace gks;

namespace {

const fs::path sources = fs::path(GKS_SOURCE_DIR) / "tests/data/hip/linked";
const std::string mainSource = (sources / "main.hip").string();
const std::string lookupSource = (sources / "lookup.hip").string();

} // namespace

class HipcpuLinked : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        auto folder = TemporaryDirectory::create("hipcpu-linked");
        QVERIFY(folder.has_value());
        m_folder.emplace(std::move(*folder));
    }

    void passes_data() {
        QTest::addColumn<bool>("isChecked");
        QTest::newRow("fast") << false;
        QTest::newRow("checked") << true;
    }
    void passes() {
        QFETCH(bool, isChecked);
        const std::vector<std::string> check(isChecked ? 1 : 0, "--checked");
        expectPass({mainSource, lookupSource}, check);
        const std::string mainObject = at("main.o"), lookupObject = at("lookup.o"), archive = at("liblookup.a");
        build({"-c", mainSource, "-o", mainObject}, check);
        build({"-c", lookupSource, "-o", lookupObject}, check);
        expectPass({"--hip-link", mainObject, lookupObject}, {}); // it stays checked
        Command pack;
        pack.arguments = {"ar", "rcsD", archive, lookupObject};
        QVERIFY(test::completed(pack).ok());
        expectPass({archive, mainSource, archive}, check);
        expectPass({mainSource, "-L", m_folder->path().string(), "-llookup"}, check);
    }

    // An object says what it is for: LDS that gfx942 has not.
    void keepsTheArchitecture() {
        const fs::path source = m_folder->path() / "large.hip";
        QVERIFY(writeFileAtomically(source, "#include <hip/hip_runtime.h>\n"
                                            "__global__ void k(int* p) {\n"
                                            "    __shared__ int large[30000];\n"
                                            "    large[threadIdx.x] = 1;\n"
                                            "    *p = large[0];\n"
                                            "}\n"
                                            "int main() { k<<<1, 1>>>(nullptr); }\n")
                    .has_value());
        build({"-c", source.string(), "-o", at("large.o")}, {"--offload-arch=gfx950"});
        build({at("large.o"), "-o", at("large")}, {});
    }

    void isNamed_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("message");
        const QString main = QString::fromStdString(mainSource), lookup = QString::fromStdString(lookupSource);
        const QString missing =
            QStringLiteral("main.hip:9: looksUp(float, int) is declared for the device and not defined there (used by "
                           "asks(float*)); device code of another source is reached with -fgpu-rdc alone");
        QTest::newRow("a source that is missing") << QStringList{QStringLiteral("-fgpu-rdc"), main} << missing;
        QTest::newRow("an option that is missing") << QStringList{main, lookup} << missing;
        QTest::newRow("two of a name") << QStringList{QStringLiteral("-fgpu-rdc"), main, lookup, lookup}
                                       << QStringLiteral(": symbol multiply defined!");
    }
    void isNamed() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, message);
        std::vector<std::string> words = {"-o", at("refused")};
        for (const QString& word : arguments) {
            words.push_back(word.toStdString());
        }
        const CompletedProcess refused = run(words);
        QCOMPARE(refused.exit.status, std::optional<int>(1));
        QVERIFY2(refused.error.find(message.toStdString()) != std::string::npos, refused.error.c_str());
    }

private:
    std::string at(const char* name) const { return (m_folder->path() / name).string(); }

    CompletedProcess run(std::vector<std::string> words) const {
        Command command;
        command.arguments = {GKS_BINARY_DIR "/bin/kernel-scientist-hipcc", "--cache", at("cache")};
        command.arguments.insert(command.arguments.end(), words.begin(), words.end());
        return test::completed(command);
    }

    void build(std::vector<std::string> words, const std::vector<std::string>& check) const {
        words.emplace_back("-fgpu-rdc");
        words.insert(words.end(), check.begin(), check.end());
        const CompletedProcess built = run(std::move(words));
        QVERIFY2(built.ok(), built.error.c_str());
    }

    void expectPass(std::vector<std::string> words, const std::vector<std::string>& check) const {
        words.insert(words.end(), {"-o", at("program")});
        build(std::move(words), check);
        for (const char* order : {"forward", "reversed"}) {
            Command command;
            command.arguments = {at("program")};
            command.environment.emplace();
            command.environment->emplace_back("HIPCPU_ORDER", order);
            if constexpr (isSanitized) { // of the runtime that such a program is linked with
                command.environment->emplace_back("ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0");
            }
            const CompletedProcess run = test::completed(command);
            QVERIFY2(run.ok(), (run.exit.text() + "\n" + run.output + run.error).c_str());
        }
    }

    std::optional<TemporaryDirectory> m_folder;
};

QTEST_APPLESS_MAIN(HipcpuLinked)
#include "hipcpu_linked.moc"
