// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/report/replay.h"
#include "tests/support/evidence_samples.h"
#include "tests/support/gui_test.h"
#include "tests/support/recording_bridge.h"
#include "widgets/common/actions.h"
#include "widgets/common/evidence_export.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"
#include "widgets/run/activity_panel.h"

#include <QMessageBox>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <memory>

using namespace gks;

// Export from the window, and lanes that are out of service.
class EvidenceWidgets final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_gui = std::make_unique<GuiTest>();
        m_folder.emplace(TemporaryDirectory::create("gks-export").value());
        test::makeEvidenceCampaign(m_folder->path() / "a.gks");
    }
    void cleanup() { GuiTest::failOnWarnings(); }

    void exportsWhileTheWindowGoesOn() {
        RecordingBridge bridge(toText((m_folder->path() / "a.gks").string()));
        QWidget home;
        EvidenceExport evidence(&bridge, &home);
        const auto out = m_folder->path() / "out";
        QString suggested;
        evidence.setAskFolder([&](QWidget*, const QString& suggestion) {
            suggested = suggestion;
            return toText(out.string());
        });
        QSignalSpy finished(&evidence, &EvidenceExport::finished);
        evidence.start(KernelId{3});
        QCOMPARE(finished.count(), 0); // the work is somebody else's
        QVERIFY2(suggested.endsWith(QStringLiteral("/a-00003-evidence")), qPrintable(suggested));
        QVERIFY(finished.wait(30000));
        QVERIFY(finished[0][0].toBool());
        const auto check = checkBundle(readBundle(out.string()).value());
        QVERIFY(check.differences.empty());
        QCOMPARE(check.verdicts.size(), std::size_t{2});
        QVERIFY(finished[0][1].toString().contains(toText(check.root)));
        auto* box = home.findChild<QMessageBox*>(QStringLiteral("evidenceExported"));
        QVERIFY(box != nullptr && box->text() == finished[0][1].toString());
        box->close();
        // A folder that holds something is an error that says so.
        evidence.start({});
        QVERIFY(suggested.endsWith(QStringLiteral("/a-report")));
        QVERIFY(finished.wait(30000));
        QVERIFY(!finished[1][0].toBool());
        QVERIFY(finished[1][1].toString().contains(QStringLiteral("something already")));
        // Thinking better of it does nothing.
        evidence.setAskFolder([](QWidget*, const QString&) { return QString(); });
        evidence.start({});
        QCOMPARE(finished.count(), 2);
    }

    void laneOutOfServiceSaysWhyAndComesBack() {
        RecordingBridge bridge(QStringLiteral("x.gks"));
        SelectionContext selection;
        ActionCollection actions;
        ActivityPanel panel({&bridge, &selection, &actions});
        panel.show();
        auto population = std::make_shared<Population>(*bridge.population());
        population->settings.lanesOut["amd:1"] = {"the device did not answer", "Reset the device", 5};
        bridge.post(PopulationChanged{population});
        QTRY_VERIFY(panel.findChild<QToolButton*>(QStringLiteral("restore.amd:1")) != nullptr);
        auto* restore = panel.findChild<QToolButton*>(QStringLiteral("restore.amd:1"));
        QVERIFY(restore->isVisible() && restore->isEnabled());
        QVERIFY(!panel.findChild<QToolButton*>(QStringLiteral("cancel.amd:1"))->isVisible());
        restore->click();
        QCOMPARE(bridge.takeCommands(), Commands{command::RestoreLane{"amd:1"}});
        bridge.post(PopulationChanged{std::make_shared<Population>()});
        QTRY_VERIFY(!restore->isVisible());
    }

private:
    std::unique_ptr<GuiTest> m_gui;
    std::optional<TemporaryDirectory> m_folder;
};

QTEST_MAIN(EvidenceWidgets)
#include "widgets_evidence.moc"
