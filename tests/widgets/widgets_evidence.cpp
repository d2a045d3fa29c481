// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/report/replay.h"
#include "tests/support/evidence_samples.h"
#include "tests/support/gui_test.h"
#include "tests/support/recording_bridge.h"
#include "widgets/common/actions.h"
#include "widgets/common/campaign_copy.h"
#include "widgets/common/campaign_fork.h"
#include "widgets/common/evidence_export.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"
#include "widgets/run/activity_panel.h"

#include <QMessageBox>
#include <QProgressDialog>
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
        QCOMPARE(QString::fromStdString(test::claimLines(check.claims)), QString());
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
        QVERIFY(finished[1][1].toString().contains(QStringLiteral("folder not empty")));
        // Thinking better of it does nothing.
        evidence.setAskFolder([](QWidget*, const QString&) { return QString(); });
        evidence.start({});
        QCOMPARE(finished.count(), 2);
    }

    void savesACopyWhileTheWindowGoesOn() {
        RecordingBridge bridge(toText((m_folder->path() / "a.gks").string()));
        QWidget home;
        CampaignCopy copy(&bridge, &home);
        QString suggested;
        copy.setAskFile([&](QWidget*, const QString& suggestion) {
            suggested = suggestion;
            return toText((m_folder->path() / "b").string());
        });
        QSignalSpy finished(&copy, &CampaignCopy::finished);
        copy.start();
        QVERIFY2(suggested.endsWith(QStringLiteral("/a-copy.gks")), qPrintable(suggested));
        QVERIFY(finished.wait(30000));
        QVERIFY2(finished[0][0].toBool(), qPrintable(finished[0][1].toString()));
        QVERIFY(home.findChild<QProgressDialog*>() == nullptr);
        auto* box = home.findChild<QMessageBox*>(QStringLiteral("copySaved"));
        QVERIFY(box != nullptr);
        box->close();
        const auto kernels = [&](const char* name) {
            const auto store = CampaignStore::open(m_folder->path() / name, CampaignStore::Access::read);
            return store ? (*store)->population().value()->kernels.size() : 0;
        };
        QVERIFY(kernels("b.gks") > 0);
        QCOMPARE(kernels("b.gks"), kernels("a.gks"));
        // The campaign itself is never the copy.
        copy.setAskFile([&](QWidget*, const QString&) { return bridge.file(); });
        copy.start();
        QVERIFY(finished.wait(30000));
        QVERIFY(!finished[1][0].toBool());
        QVERIFY(finished[1][1].toString().contains(QStringLiteral("the campaign itself")));
    }

    void forksACampaignWhileTheWindowGoesOn() {
        RecordingBridge bridge(toText((m_folder->path() / "a.gks").string()));
        QWidget home;
        CampaignFork fork(&bridge, &home);
        QString suggested;
        fork.setAskFile([&](QWidget*, const QString& suggestion) {
            suggested = suggestion;
            return toText((m_folder->path() / "forked").string());
        });
        QSignalSpy forked(&fork, &CampaignFork::forked);
        QSignalSpy failed(&fork, &CampaignFork::failed);
        fork.start({3, {1}});
        QVERIFY2(suggested.endsWith(QStringLiteral("/a-from-00003.gks")), qPrintable(suggested));
        QVERIFY(forked.wait(30000));
        QCOMPARE(forked[0][0].toString(), toText((m_folder->path() / "forked.gks").string()));
        const auto kernelOf = [&](const char* name, KernelId id) {
            const auto store = CampaignStore::open(m_folder->path() / name, CampaignStore::Access::read).value();
            return store->population().value()->kernel(id)->source;
        };
        QCOMPARE(kernelOf("forked.gks", 1), kernelOf("a.gks", 3));
        QCOMPARE(kernelOf("forked.gks", 2), kernelOf("a.gks", 1));
        fork.start({3}); // what is there is never replaced
        QVERIFY(failed.wait(30000));
        QVERIFY(failed[0][0].toString().contains(QStringLiteral("already exists")));
        auto* box = home.findChild<QMessageBox*>(QStringLiteral("forkFailed"));
        QVERIFY(box != nullptr);
        box->close();
        fork.setAskFile([](QWidget*, const QString&) { return QString(); });
        fork.start({3});
        QCOMPARE(forked.count() + failed.count(), 2);
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
