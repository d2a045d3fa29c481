// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "tests/support/recording_bridge.h"
#include "widgets/code/kernel_panel.h"
#include "widgets/common/actions.h"
#include "widgets/common/near_duplicates.h"
#include "widgets/common/selection_context.h"
#include "widgets/experiments/experiment_model.h"

#include <QAction>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <memory>

using namespace gks;

namespace {

// Sixty statements; `number` stands in one of them.
std::string sourceWith(int number) {
    std::string source = "#include \"problem.h\"\n";
    for (int i = 0; i < 60; ++i) {
        source += "float f" + std::to_string(i) + "(float x) { return x * " + std::to_string(i == 30 ? number : i + 7) +
                  " + x / 3; }\n";
    }
    return source;
}

Kernel written(KernelId id, Author author, std::vector<KernelId> parents, std::string source) {
    Kernel kernel;
    kernel.id = id;
    kernel.author = author;
    kernel.parents = std::move(parents);
    kernel.source = std::move(source);
    return kernel;
}

// 3 changes one number of 2, which is not its parent; 2 is nothing like the seed.
std::shared_ptr<Population> threeKernels() {
    auto population = std::make_shared<Population>();
    population->kernels = {written(1, Author::seed, {}, "extern \"C\" int solve() { return 0; }\n"),
                           written(2, Author::model, {1}, sourceWith(1000)),
                           written(3, Author::model, {1}, sourceWith(1001))};
    Experiment experiment;
    experiment.id = 1;
    experiment.parent = 1;
    experiment.kernel = 3;
    experiment.rubric = "one more";
    population->experiments = {experiment};
    return population;
}

} // namespace

class NearDuplicatesTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void kernelsThatAreAskedForAreCompared();
    void experimentsWearTheMark();
    void theKernelPageLeadsToTheOther();

private:
    std::unique_ptr<GuiTest> m_gui;
};

void NearDuplicatesTest::kernelsThatAreAskedForAreCompared() {
    const auto population = threeKernels();
    RecordingBridge bridge(population);
    NearDuplicates& duplicates = bridge.nearDuplicates();
    QVERIFY(duplicates.isComplete()); // nobody has asked
    QSignalSpy changed(&duplicates, &NearDuplicates::changed);
    for (const KernelId kernel : {1, 2, 3, 4}) {
        QVERIFY(!duplicates.of(kernel) && !duplicates.isComplete());
    }
    QTRY_VERIFY(duplicates.isComplete());
    QCOMPARE(changed.count(), 1); // one look for all of them
    QCOMPARE(duplicates.of(3)->kernel, KernelId{2});
    QVERIFY(!duplicates.of(1) && !duplicates.of(2) && duplicates.isComplete()); // what is known stays known
    QVERIFY2(duplicates.text(3).startsWith(QStringLiteral("near-duplicate of 00002, 1 line changed (9")),
             qPrintable(duplicates.text(3)));
    QVERIFY(duplicates.text(1).isEmpty() && duplicates.text(2).isEmpty());
    auto grown = std::make_shared<Population>(*population);
    grown->kernels.push_back(written(4, Author::person, {2, 3}, sourceWith(1002))); // near its parents alone
    grown->kernels.push_back(written(5, Author::person, {1}, sourceWith(1000)));
    bridge.post(PopulationChanged{grown});
    bridge.flush();
    QTRY_VERIFY(duplicates.of(5).has_value());
    QCOMPARE(duplicates.of(5)->kernel, KernelId{2});
    QVERIFY(!duplicates.of(4));
}

void NearDuplicatesTest::experimentsWearTheMark() {
    const auto population = threeKernels();
    RecordingBridge bridge(population);
    ExperimentModel model(nullptr, &bridge.nearDuplicates());
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setPopulation(population);
    const QModelIndex row = model.index(0);
    QVERIFY(!row.data(ExperimentModel::NearDuplicateRole).isValid());
    QTRY_COMPARE(changed.count(), 1); // once its source has been compared
    QCOMPARE(row.data(ExperimentModel::NearDuplicateRole).toLongLong(), qint64(2));
    const QString tip = row.data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.startsWith(QStringLiteral("00003: near-duplicate of 00002, 1 line")), qPrintable(tip));
    QVERIFY(tip.endsWith(QStringLiteral("one more")));
}

void NearDuplicatesTest::theKernelPageLeadsToTheOther() {
    RecordingBridge bridge(threeKernels());
    SelectionContext selection;
    ActionCollection actions;
    KernelPanel panel(PanelContext{&bridge, &selection, &actions});
    selection.select(3);
    panel.resize(1000, 600);
    panel.show();
    QTRY_VERIFY(panel.isSettled());
    const auto* line = panel.findChild<QLabel*>(QStringLiteral("kernelNearDuplicate"));
    QTRY_VERIFY(line->isVisible());
    QVERIFY2(line->text().contains(QStringLiteral("near-duplicate of 00002, 1 line changed")),
             qPrintable(line->text()));
    QSignalSpy pages(&selection, &SelectionContext::pageRequested);
    actions.action("kernel.compare-near")->trigger();
    QCOMPARE(selection.primary(), std::optional<KernelId>(3));
    QCOMPARE(selection.second(), std::optional<KernelId>(2));
    QCOMPARE(pages.value(0).value(0).toString(), QStringLiteral("compare"));
    selection.select(2);
    QTRY_VERIFY(!line->isVisible());
    QVERIFY(!actions.action("kernel.compare-near")->isEnabled());
}

QTEST_MAIN(NearDuplicatesTest)
#include "near_duplicates_test.moc"
