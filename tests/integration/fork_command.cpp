// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/campaign/store.h"
#include "tests/support/cli_run.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace gks;
using namespace gks::test;

namespace {

void succeeds(const std::vector<std::string>& words) {
    const auto done = runCli(words);
    QVERIFY2(done.ok(), done.error.c_str());
}

} // namespace

// Two seeds on the cpu, measured side by side as a person asked, and a campaign that begins at the second.
class ForkCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void measuredSideBySideThenForked();
};

void ForkCommand::measuredSideBySideThenForked() {
    const auto folder = TemporaryDirectory::create("gks-fork").value();
    const std::string old = (folder.path() / "old.gks").string();
    const std::string fork = (folder.path() / "fork.gks").string();
    succeeds({"new", old, "--problem", "sum-reduction", "--measure-seconds", "0.1", "--evaluations", "2"});
    succeeds({"run", old});
    succeeds({"steer", old, "side-by-side", "2", "1"});
    succeeds({"steer", old, "finding", "Wide", "loads", "help"});
    succeeds({"run", old}); // its budget is spent, and it measures what was asked for
    const Json measured = cliJson({"show", old, "--kernel", "2"})["side_by_side"];
    QCOMPARE(measured.size(), 1u);
    QVERIFY(measured[0]["other"] == "00001" && measured[0]["ratio"].get<double>() > 0);
    QVERIFY(cliJson({"show", old})["asked_comparisons"].empty());
    QCOMPARE(cliJson({"show", old})["spend"]["evaluations"].get<int>(), 2);

    const auto refused = runCli({"fork", old, "2"});
    QVERIFY(refused.exit.status == 2 && refused.error.find("one name") != std::string::npos);
    const auto unknown = runCli({"fork", old, "77", fork});
    QVERIFY(unknown.exit.status == 2);
    const auto made = runCli({"fork", old, "2", fork, "--with", "1", "2"});
    QVERIFY2(made.ok(), made.error.c_str());
    QVERIFY2(made.output.find("baseline 00002") != std::string::npos &&
                 made.output.find("2 seeds, 1 finding, 0 documents") != std::string::npos,
             made.output.c_str());
    QVERIFY(runCli({"fork", old, "2", fork}).exit.status == 2); // nothing is replaced
    succeeds({"run", fork, "--evaluations", "1"});
    const Json shown = cliJson({"show", fork});
    QVERIFY(shown["kernels"][0]["verdict"] == "correct" && shown["spend"]["evaluations"] == 1);
    QVERIFY(shown["kernels"][0]["sha256"] == cliJson({"show", old})["kernels"][1]["sha256"]);
}

QTEST_APPLESS_MAIN(ForkCommand)
#include "fork_command.moc"
