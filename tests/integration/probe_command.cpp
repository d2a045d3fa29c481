// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "tests/support/cli_run.h"

#include <QTest>

using namespace gks;
using namespace gks::test;

// `probe` as people and scripts use it, on the cpu target.
class ProbeCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void examplesGiveFigures_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("variants");
        QTest::newRow("copies") << "copy_widths" << 3;
        QTest::newRow("barrier") << "barrier" << 2;
    }
    void examplesGiveFigures() {
        QFETCH(QString, name);
        QFETCH(int, variants);
        const Json json = cliJson({"probe", m_seeds + name.toStdString() + ".hip", "--measure-seconds", "0.3"});
        QCOMPARE(json.at("target").get<std::string>(), std::string("cpu"));
        QCOMPARE(static_cast<int>(json.at("figures").size()), variants);
        for (const Json& figure : json.at("figures")) {
            QVERIFY(figure.at("median_us").get<double>() >= 0);
            QVERIFY(figure.at("samples").get<int>() > 0);
        }
    }

    void aVariantThatDoesNothingIsWrong() {
        const auto folder = TemporaryDirectory::create("gks-probe").value();
        const auto file = folder.path() / "idle.hip";
        QVERIFY(writeFileAtomically(file, "// probe: idle\n#include \"problem.h\"\n"
                                          "extern \"C\" hipError_t solve(const Problem&, void*, hipStream_t) {\n"
                                          "    return hipSuccess;\n}\n"));
        const auto done = runCli({"probe", file.string()});
        QCOMPARE(done.exit.status, std::optional(1));
        QVERIFY2(done.error.find("wrong") != std::string::npos, done.error.c_str());
    }

    void aSourceWithoutVariantsIsRefused() {
        const auto done =
            runCli({"probe", std::string(GKS_SOURCE_DIR) + "/resources/problems/sum-reduction/seeds/naive.hip"});
        QCOMPARE(done.exit.status, std::optional(1));
        QVERIFY2(done.error.find("no line declares a variant") != std::string::npos, done.error.c_str());
    }

private:
    const std::string m_seeds = std::string(GKS_SOURCE_DIR) + "/resources/probe/seeds/";
};

QTEST_GUILESS_MAIN(ProbeCommand)
#include "probe_command.moc"
