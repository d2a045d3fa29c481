// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/rules.h"
#include "tests/support/gui_test.h"
#include "tests/support/panel_stage.h"
#include "tests/support/printed_model.h"
#include "tests/support/recording_bridge.h"
#include "tests/support/sample_campaign.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/settings.h"
#include "widgets/common/verdict_mark.h"
#include "widgets/lineage/kernel_actions.h"
#include "widgets/lineage/kernel_table.h"
#include "widgets/lineage/lineage_item.h"
#include "widgets/lineage/lineage_model.h"
#include "widgets/lineage/lineage_panel.h"
#include "widgets/lineage/lineage_view.h"
#include "widgets/lineage/outline_model.h"
#include "widgets/lineage/outline_view.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>
#include <memory>
#include <set>

using namespace gks;

class LineageTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_gui = std::make_unique<GuiTest>();
        m_population = makeSampleCampaign().population;
    }
    void cleanup() { GuiTest::failOnWarnings(); }

    // Only what becomes the best selects; whoever selects another kernel meanwhile keeps it.
    void theBestIsFollowed() {
        const TemporarySettings settings;
        PanelStage<LineagePanel> stage({300, 600}, 2);
        const std::unique_ptr<QWidget> title(stage.panel->titleWidget());
        const auto becomesBest = [&](KernelId kernel) {
            stage.publish([kernel](Population& population) { population.best = kernel; });
        };
        becomesBest(9);
        QCOMPARE(stage.selection.primary(), std::optional<KernelId>(2));
        stage.actions.action("lineage.follow-best")->trigger();
        QCOMPARE(stage.selection.primary(), std::optional<KernelId>(9));
        becomesBest(12);
        QCOMPARE(stage.selection.primary(), std::optional<KernelId>(12));
        stage.selection.select(4);
        becomesBest(12);
        QCOMPARE(stage.selection.primary(), std::optional<KernelId>(4));
    }

    // The map leaves its corner to the kernel that is selected there.
    void theMapIsNotOverTheSelected() {
        SelectionContext selection;
        LineageView view(&selection);
        view.resize(260, 180);
        view.setPopulation(m_population);
        view.show();
        const auto* map = view.findChild<QWidget*>(QStringLiteral("lineageMinimap"));
        QVERIFY(map->isVisible());
        for (const Kernel& kernel : m_population->kernels) {
            selection.select(kernel.id);
            QVERIFY(!view.selectedRect().isEmpty());
            QVERIFY2(!map->geometry().intersects(view.selectedRect()), qPrintable(QString::number(kernel.id)));
        }
    }

    void treeAsText() {
        LineageModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setPopulation(m_population);
        QCOMPARE(printedModel(model, {LineageModel::idColumn, LineageModel::speedupColumn, LineageModel::verdictColumn,
                                      LineageModel::versusParentColumn}),
                 QStringLiteral("00001 | 1.00x | correct |\n"
                                "00002 | 3.10x [3.05, 3.15] | faster | 3.10x [3.05, 3.15]\n"
                                "  00004 | 4.43x [4.33, 4.53] | faster | 1.43x [1.41, 1.45]\n"
                                "    00006 | 4.08x [3.97, 4.19] | slower | 0.920x [0.906, 0.934]\n"
                                "    00007 | 5.81x [5.65, 5.97] | faster | 1.31x [1.29, 1.33]\n"
                                "      00009 | 5.82x [5.64, 6.01] | tie | tie\n"
                                "        00018 | 5.18x [5.00, 5.37] | slower | 0.890x [0.877, 0.903]\n"
                                "      00010 |  | crashed |\n"
                                "      00011 |  | cheating suspected |\n"
                                "      00012 | 6.74x [6.53, 6.95] | faster | 1.16x [1.14, 1.18]\n"
                                "        00013 |  | timed out |\n"
                                "        00014 |  | infrastructure failed |\n"
                                "        00015 |  | evaluating |\n"
                                "        00016 |  | queued |\n"
                                "    00017 | 4.74x [4.62, 4.88] | faster, banned | 1.07x [1.05, 1.09]\n"
                                "  00005 |  | wrong |\n"
                                "00003 | 2.60x [2.56, 2.64] | faster | 2.60x [2.56, 2.64]\n"
                                "  00008 |  | build failed |\n"));
    }

    // By word, interval and shape, and found by its word.
    void undecidedIsNoTie() {
        auto population = std::make_shared<Population>(*m_population);
        Kernel& kernel = population->kernels.edit(8);
        QCOMPARE(markOf(kernel), VerdictMark::tie);
        kernel.verdict = kernel.versusParent->verdict = VerdictKind::undecided;
        kernel.versusParent->ci99 = {0.95, 1.06};
        LineageModel model;
        model.setPopulation(population);
        const QString printed = printedModel(model, {LineageModel::verdictColumn, LineageModel::versusParentColumn});
        QVERIFY2(printed.contains(QStringLiteral("undecided | undecided 1.00x [0.9500, 1.060] at 99 %")),
                 qPrintable(printed));
        QCOMPARE(markOf(kernel), VerdictMark::undecided);
        QVERIFY(matchesSearch(kernel, QStringLiteral("undecided")));
        QVERIFY(!matchesSearch(kernel, QStringLiteral("tie")));
    }

    // What the sample says of its kernels: 12 leads on two shapes, 9 and 7 are equal on the third.
    void championsAreCounted() {
        LineageModel model;
        model.setPopulation(m_population);
        const auto cell = [&](KernelId kernel, int role) {
            return model.indexOf(kernel).siblingAtColumn(LineageModel::championColumn).data(role);
        };
        QCOMPARE(cell(12, Qt::DisplayRole).toString(), QStringLiteral("2 shapes"));
        QCOMPARE(cell(9, Qt::DisplayRole).toString(), QStringLiteral("1 shape, 1 not decided"));
        QVERIFY(cell(9, Qt::ToolTipRole).toString().endsWith(QStringLiteral("; 00009 or 00007: not decided")));
        QCOMPARE(cell(7, Qt::DisplayRole).toString(), QString());
        QVERIFY(cell(12, LineageModel::sortRole).toInt() > cell(9, LineageModel::sortRole).toInt());

        // 9 turns out wrong, and 7, which is what it was, leads there: both rows are told of.
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        auto later = std::make_shared<Population>(*m_population);
        later->kernels.edit(8).verdict = VerdictKind::wrong;
        model.setPopulation(later);
        QCOMPARE(cell(7, Qt::DisplayRole).toString(), QStringLiteral("1 shape"));
        QCOMPARE(cell(9, Qt::DisplayRole).toString(), QString());
        std::set<KernelId> told;
        for (const QList<QVariant>& arguments : changed) {
            told.insert(arguments[0].toModelIndex().data(LineageModel::kernelRole).value<KernelId>());
        }
        QCOMPARE(told, (std::set<KernelId>{7, 9}));
    }

    void growthInsertsExactlyTheNewRows() {
        LineageModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setPopulation(truncatedPopulation(*m_population, 11));
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        QSignalSpy layout(&model, &QAbstractItemModel::layoutChanged);
        model.setPopulation(truncatedPopulation(*m_population, 12));
        QCOMPARE(inserted.count(), 1);
        QCOMPARE(inserted[0][0].toModelIndex(), model.indexOf(7));
        QCOMPARE(inserted[0][1].toInt(), 3); // after 9, 10 and 11
        QCOMPARE(inserted[0][2].toInt(), 3);
        QCOMPARE(changed.count(), 0);

        auto evaluated = std::make_shared<Population>(*truncatedPopulation(*m_population, 12));
        evaluated->kernels.edit(4).verdict = VerdictKind::slower;
        model.setPopulation(evaluated);
        QCOMPARE(inserted.count(), 1);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(changed[0][0].toModelIndex(), model.indexOf(5));
        auto compared = std::make_shared<Population>(*evaluated);
        compared->speeds.set(3, {9}); // a comparison moves speeds, and no kernel
        model.setPopulation(compared);
        QCOMPARE(changed.count(), 2);
        QCOMPARE(changed[1][0].toModelIndex(), model.indexOf(3));
        QCOMPARE(removed.count() + reset.count() + layout.count(), 0);
    }

    // The sample has no clusters: its kernels come from rounds of one or two.
    void theOutlineFollowsTheBestPath() {
        OutlineModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const Outline outline(outlineKernels(*m_population), 12);
        model.setRows(m_population, outline.rows({}));
        QVERIFY(model.rowOf(12) > model.rowOf(7) && model.rowOf(7) > model.rowOf(4) && model.rowOf(2) >= 0);
        for (const KernelId id : {2, 4, 7, 12}) {
            QVERIFY(model.at(model.rowOf(id))->onBestPath);
        }
        QCOMPARE(model.at(model.rowOf(9))->folded, true);
        QCOMPARE(model.rowOf(18), -1);
        QVERIFY(model.index(model.rowOf(12)).data().toString().endsWith(QStringLiteral("faster 6.74x")));
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        model.setRows(m_population, outline.rows({9}));
        QCOMPARE(model.rowOf(18), model.rowOf(9) + 1);
        QCOMPARE(inserted.count(), 1);
        QCOMPARE(reset.count(), 0);
    }

    // The row strikes it out, which nobody hears.
    void aBannedKernelIsCalledSo() {
        OutlineModel model;
        const Outline outline(outlineKernels(*m_population), 12);
        model.setRows(m_population, outline.rows({}));
        const QModelIndex row = model.index(model.rowOf(17));
        QVERIFY2(row.data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("faster, banned")),
                 qPrintable(row.data(Qt::AccessibleTextRole).toString()));
        QVERIFY(row.data(Qt::ToolTipRole).toString().contains(QStringLiteral("faster, banned")));
        QVERIFY(!model.index(model.rowOf(12)).data().toString().contains(QStringLiteral("banned")));
    }

    // The keys stay on the kernels, whichever way they are shown.
    void theOtherViewTakesTheKeys() {
        const TemporarySettings settings;
        PanelStage<LineagePanel> stage({500, 600}, 12);
        const std::unique_ptr<QWidget> title(stage.panel->titleWidget());
        stage.panel->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.panel.get()));
        stage.panel->setFocus();
        QVERIFY(stage.part<OutlineView>("lineageOutline")->hasFocus());
        stage.actions.action("lineage.table")->trigger();
        auto* table = stage.part<QTreeView>("lineageTable");
        QTRY_COMPARE(table->model()->rowCount(), 18);
        QVERIFY(table->hasFocus());
        QTest::keyClick(table, Qt::Key_Down);
        QCOMPARE(stage.selection.primary(), std::optional<KernelId>(13));
        stage.actions.action("lineage.table")->trigger();
        QVERIFY(stage.part<OutlineView>("lineageOutline")->hasFocus());
    }

    // A tuning run of three, one of which went on: what is folded tells of all of them.
    void aFoldedClusterTellsOfAllBelow() {
        auto population = std::make_shared<Population>();
        for (KernelId id = 1; id <= 6; ++id) {
            Kernel kernel = *m_population->kernel(*m_population->best);
            kernel.id = id;
            kernel.parents = id == 1   ? std::vector<KernelId>{}
                             : id <= 4 ? std::vector<KernelId>{1}
                                       : std::vector{id - 1};
            kernel.experiment = id == 1 ? std::nullopt : std::optional<ExperimentId>(id <= 4 ? 1 : id);
            population->speeds.set(id, {id == 6 ? 9 : static_cast<double>(id)});
            population->kernels.push_back(kernel);
        }
        Experiment tuned;
        tuned.id = 1;
        tuned.round = 1;
        population->experiments.push_back(tuned);
        OutlineModel model;
        const Outline outline(outlineKernels(*population), 1);
        model.setRows(population, outline.rows({}));
        QCOMPARE(model.rowCount(), 2);
        const OutlineRow& cluster = *model.at(1);
        QVERIFY(cluster.members == 3 && cluster.folded);
        QCOMPARE(model.index(1).data().toString(), QStringLiteral("3 variants, best 00006 9.00x, 2 more below"));
        QCOMPARE(model.clusterTexts(cluster).last(), QStringLiteral("3, best 9.00x"));
    }

    // What is found is marked and counted; what is being read stays selected until somebody walks.
    void searchingNeverSelects() {
        const TemporarySettings settings;
        PanelStage<LineagePanel> stage({300, 600}, 12);
        const std::unique_ptr<QWidget> title(stage.panel->titleWidget());
        auto* field = title->findChild<QLineEdit*>(QStringLiteral("lineageSearch"));
        auto* outline = stage.part<OutlineView>("lineageOutline");
        const auto* count = stage.part<QLabel>("lineageFound");
        QTRY_VERIFY(outline->rows().rowOf(12) >= 0 && outline->rows().rowOf(18) < 0);
        field->setText(QStringLiteral("slower"));
        QTRY_COMPARE(count->text(), QStringLiteral("2 kernels, 1 of them folded"));
        QCOMPARE(stage.selection.primary(), std::optional<KernelId>(12));
        QVERIFY(outline->rows().isHit(6) && outline->rows().isHit(18) && !outline->rows().isHit(12));
        stage.actions.action("lineage.find-next")->trigger();
        QCOMPARE(stage.selection.primary(), std::optional<KernelId>(18)); // the next behind 12
        QTRY_VERIFY(outline->rows().rowOf(18) >= 0);
        stage.actions.action("lineage.find-next")->trigger();
        QCOMPARE(stage.selection.primary(), std::optional<KernelId>(6));
        field->clear();
        QTRY_VERIFY(!count->isVisible());
        QVERIFY(!outline->rows().isHit(6));
        QCOMPARE(stage.selection.primary(), std::optional<KernelId>(6));
    }

    // Flat and ranked; what was not measured stands at the end in both directions.
    void theTableIsFlatAndSortedByAnyColumn() {
        LineageModel model;
        model.setPopulation(m_population);
        KernelTable table(&model);
        const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy sorted(&table, &KernelTable::sorted);
        table.setPopulation(m_population);
        table.sort(LineageModel::speedupColumn, Qt::DescendingOrder);
        QTRY_COMPARE(table.rowCount(), 18);
        QCOMPARE(table.index(0, LineageModel::idColumn).data().toString(), QStringLiteral("00012"));
        QCOMPARE(table.index(1, LineageModel::idColumn).data().toString(), QStringLiteral("00009"));
        const QPersistentModelIndex kept(table.indexOf(1));
        table.sort(LineageModel::speedupColumn, Qt::AscendingOrder);
        QTRY_COMPARE(table.index(0, LineageModel::idColumn).data().toString(), QStringLiteral("00001"));
        QCOMPARE(kept.row(), 0);
        QCOMPARE(table.index(17, LineageModel::speedupColumn).data().toString(), QString());
        QCOMPARE(sorted.count(), 2); // the order that nobody waits for any more is dropped
    }

    // By what has become of kernels, who made them and words; the choice comes back with the campaign.
    void theTableIsFiltered() {
        const TemporarySettings settings;
        for (const bool again : {false, true}) {
            PanelStage<LineagePanel> stage({500, 600}, 12);
            const std::unique_ptr<QWidget> title(stage.panel->titleWidget());
            stage.panel->showView(LineagePanel::View::table);
            const auto* table = stage.part<QTreeView>("lineageTable")->model();
            auto* state = stage.part<QComboBox>("tableState");
            auto* shape = stage.part<QComboBox>("tableShape");
            if (again) {
                QCOMPARE(state->currentText(), QStringLiteral("Failed"));
                QCOMPARE(shape->currentIndex(), 1);
                QTRY_VERIFY(table->rowCount() > 0 && table->rowCount() < 18);
                QVERIFY(!stage.part<QTreeView>("lineageTable")->isColumnHidden(KernelTable::shapeColumn));
                state->setCurrentIndex(0);
                QTRY_COMPARE(table->rowCount(), 18);
                title->findChild<QLineEdit*>(QStringLiteral("lineageSearch"))->setText(QStringLiteral("build failed"));
                QTRY_COMPARE(table->rowCount(), 1);
                QCOMPARE(stage.selection.primary(), std::optional<KernelId>(12)); // a filter selects nothing
                continue;
            }
            QTRY_COMPARE(table->rowCount(), 18);
            QVERIFY(stage.part<QTreeView>("lineageTable")->isColumnHidden(KernelTable::shapeColumn));
            state->setCurrentIndex(state->findText(QStringLiteral("Failed")));
            QTRY_VERIFY(table->rowCount() < 18);
            QVERIFY(table->rowCount() > 0);
            for (int row = 0; row < table->rowCount(); ++row) {
                const auto id = table->index(row, 0).data(LineageModel::kernelRole).value<KernelId>();
                const Kernel* kernel = stage.bridge.population()->kernel(id);
                QVERIFY2(kernel->verdict && !passedJudge(*kernel), qPrintable(QString::number(id)));
            }
            shape->setCurrentIndex(1);
            state->setCurrentIndex(state->findText(QStringLiteral("Accepted")));
            QTRY_VERIFY(table->index(0, KernelTable::shapeColumn).data().toString().contains(QLatin1String("us")));
            QCOMPARE(table->headerData(KernelTable::shapeColumn, Qt::Horizontal).toString(), shape->currentText());
            state->setCurrentIndex(state->findText(QStringLiteral("Failed")));
        }
    }

    void viewAndFoldsAreRememberedForTheCampaign() {
        const TemporarySettings settings;
        {
            PanelStage<LineagePanel> stage({300, 600}, 12);
            const std::unique_ptr<QWidget> title(stage.panel->titleWidget());
            auto* outline = stage.part<OutlineView>("lineageOutline");
            QTRY_VERIFY(outline->rows().rowOf(9) >= 0);
            QCOMPARE(outline->rows().rowOf(18), -1);
            stage.selection.select(9);
            stage.settle();
            QTest::keyClick(outline, Qt::Key_Right);
            QTRY_VERIFY(outline->rows().rowOf(18) >= 0);
            stage.actions.action("lineage.canvas")->trigger();
        }
        PanelStage<LineagePanel> stage({300, 600}, 12);
        const std::unique_ptr<QWidget> title(stage.panel->titleWidget());
        QVERIFY(stage.panel->shown() == LineagePanel::View::canvas);
        stage.actions.action("lineage.canvas")->trigger();
        QTRY_VERIFY(stage.part<OutlineView>("lineageOutline")->rows().rowOf(18) >= 0);
    }

    // 18 lies in 9, which is folded to begin with.
    void aFoldedKernelThatIsSelectedAtFirstIsInView() {
        const TemporarySettings settings;
        PanelStage<LineagePanel> stage({300, 600}, 18);
        auto* outline = stage.part<OutlineView>("lineageOutline");
        QTRY_VERIFY(outline->rows().rowOf(18) >= 0);
        QCOMPARE(outline->currentIndex().row(), outline->rows().rowOf(18));
        QCOMPARE(stage.selection.primary(), std::optional<KernelId>(18));
        outline->setFocus();
        QCOMPARE(stage.selection.primary(), std::optional<KernelId>(18));
    }

    void kernelsNeverMoveWhenOthersCome() {
        LineageItem item;
        item.setPopulation(truncatedPopulation(*m_population, 9));
        QList<QRectF> before;
        for (KernelId id = 1; id <= 9; ++id) {
            before.append(item.nodeRect(id));
        }
        item.setPopulation(m_population);
        for (KernelId id = 1; id <= 9; ++id) {
            QCOMPARE(item.nodeRect(id), before[id - 1]);
        }
        for (const Kernel& kernel : m_population->kernels) {
            QCOMPARE(item.kernelAt(item.nodeRect(kernel.id).center()), std::optional(kernel.id));
            QVERIFY(item.boundingRect().contains(item.nodeRect(kernel.id)));
        }
    }

    // A second parent is more than a kernel that was looked at.
    void secondParentHasAnEdgeOfItsOwn() {
        const auto drawn = [&](std::vector<KernelId> parents) {
            auto population = std::make_shared<Population>(*m_population);
            population->kernels.edit(11).parents = std::move(parents);
            population->kernels.edit(11).reference = 3;
            SelectionContext selection;
            LineageView view(&selection);
            view.resize(900, 700);
            view.show();
            view.setPopulation(population);
            return view.viewport()->grab().toImage();
        };
        QCOMPARE(drawn({7}), drawn({7}));
        QVERIFY(drawn({7, 3}) != drawn({7}));
    }

    void collapsingHidesDescendants() {
        LineageItem item;
        item.setPopulation(m_population);
        item.setCollapsed(7, true);
        QVERIFY(item.isHidden(12) && item.isHidden(18) && !item.isHidden(7) && !item.isHidden(6));
        QVERIFY(!item.kernelAt(item.nodeRect(12).center()));
        item.setCollapsed(7, false);
        QVERIFY(!item.isHidden(12));
    }

    void keysWalkTheTree() {
        SelectionContext selection;
        LineageView view(&selection);
        view.resize(500, 400);
        view.show();
        view.setPopulation(m_population);
        QTest::keyClick(&view, Qt::Key_Home);
        QCOMPARE(selection.primary(), std::optional<KernelId>(1));
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(selection.primary(), std::optional<KernelId>(2));
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(selection.primary(), std::optional<KernelId>(4));
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(selection.primary(), std::optional<KernelId>(2));
        QTest::keyClick(&view, Qt::Key_End);
        QCOMPARE(selection.primary(), std::optional<KernelId>(18));
        QTest::keyClicks(&view, QStringLiteral("12"));
        QCOMPARE(selection.primary(), std::optional<KernelId>(12));
    }

    // Too many to be read at once: the view begins at the way to the best.
    void theCanvasBeginsAtTheBestPath() {
        auto population = std::make_shared<Population>(*m_population);
        for (KernelId id = 19; id <= 200; ++id) {
            Kernel kernel = population->kernels.front();
            kernel.id = id;
            population->kernels.push_back(kernel);
        }
        Kernel last = population->kernels[11];
        last.id = 201;
        last.parents = {200};
        population->kernels.push_back(last);
        population->best = 201;
        SelectionContext selection;
        LineageView view(&selection);
        view.resize(500, 400);
        view.show();
        view.setPopulation(population);
        QVERIFY(view.viewport()->rect().contains(view.mapFromScene(view.item().nodeRect(201).center())));
    }

    void clicksSelectAndAddTheSecond() {
        SelectionContext selection;
        LineageView view(&selection);
        view.resize(900, 700);
        view.show();
        view.setPopulation(m_population);
        const auto at = [&](KernelId id) { return view.mapFromScene(view.item().nodeRect(id).center()); };
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at(4));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::ControlModifier, at(2));
        QCOMPARE(selection.primary(), std::optional<KernelId>(4));
        QCOMPARE(selection.second(), std::optional<KernelId>(2));
        selection.back();
        QVERIFY(!selection.second());
        selection.forward();
        QCOMPARE(selection.second(), std::optional<KernelId>(2));
    }

    // Beside the baseline, and beside the second that is selected; the page that shows what comes of it is asked for.
    void kernelsAreMeasuredFromTheirMenu() {
        RecordingBridge bridge(QStringLiteral("sample.gks"));
        SelectionContext selection;
        ActionCollection actions;
        QWidget home;
        const KernelActions kernelActions({&bridge, &selection, &actions}, &home);
        QSignalSpy pages(&selection, &SelectionContext::pageRequested);
        selection.select(12);
        QAction* beside = actions.action("kernel.measure-beside");
        QVERIFY(!beside->isEnabled());
        selection.setSecond(7);
        QVERIFY(beside->isEnabled());
        QCOMPARE(beside->text(), QStringLiteral("Measure beside 00007"));
        beside->trigger();
        QCOMPARE(pages.last().first().toString(), QStringLiteral("compare"));
        actions.action("kernel.confirm")->trigger();
        QCOMPARE(bridge.takeCommands(),
                 (Commands{command::MeasureSideBySide{12, 7, true}, command::MeasureSideBySide{12, 1, true}}));
        QCOMPARE(selection.second(), std::optional<KernelId>(1));
        selection.select(5); // wrong
        QVERIFY(!actions.action("kernel.confirm")->isEnabled() && !actions.action("kernel.fork")->isEnabled());
        selection.select(1); // the baseline itself
        QVERIFY(!actions.action("kernel.confirm")->isEnabled() && actions.action("kernel.fork")->isEnabled());
        QCOMPARE(shortcutConflicts(actions.actions()), QStringList());
        QMenu menu;
        kernelActions.fill(menu);
        for (const char* id : {"kernel.confirm", "kernel.measure-beside", "kernel.fork"}) {
            QVERIFY2(menu.actions().contains(actions.action(id)), id);
        }
    }

    void nothingIsDecidedInAReadOnlyCampaign() {
        RecordingBridge bridge(QStringLiteral("sample.gks"));
        bridge.setReadOnly();
        SelectionContext selection;
        ActionCollection actions;
        QWidget home;
        const KernelActions kernelActions({&bridge, &selection, &actions}, &home);
        selection.select(12);
        selection.setSecond(7);
        for (const char* id : {"kernel.pin-parent", "kernel.pin-reference", "kernel.ban", "kernel.evaluate-again",
                               "kernel.edit", "kernel.confirm", "kernel.measure-beside"}) {
            QVERIFY2(!actions.action(id)->isEnabled(), id);
            QVERIFY2(actions.action(id)->toolTip().contains(QStringLiteral("read-only")), id);
        }
        for (const char* id : {"kernel.open", "kernel.compare-parent", "kernel.copy-source", "kernel.fork"}) {
            QVERIFY2(actions.action(id)->isEnabled(), id);
        }
        QCOMPARE(bridge.takeCommands(), Commands());
    }

private:
    std::unique_ptr<GuiTest> m_gui;
    PopulationPtr m_population;
};

QTEST_MAIN(LineageTest)
#include "widgets_lineage.moc"
