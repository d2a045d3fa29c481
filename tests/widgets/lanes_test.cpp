// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "tests/support/panel_stage.h"
#include "widgets/common/settings.h"
#include "widgets/run/activity_panel.h"
#include "widgets/run/lanes_dialog.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <memory>

using namespace gks;

// Where a person chooses lanes, and what they see of one that is a folder.
class LanesTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void choiceIsKeptForItsCampaign() {
        const QTemporaryDir folder;
        const QString text = QStringLiteral("local:0 folder:") + folder.path();
        const QString file = folder.filePath(QStringLiteral("a.gks"));
        LanesDialog dialog(file, TargetKind::cpu, nullptr);
        dialog.show();
        QVERIFY(GuiTest::unnamedWidgets(&dialog).isEmpty());
        auto* field = dialog.findChild<QLineEdit*>(QStringLiteral("laneField"));
        field->setText(QStringLiteral("local:0 folder:/no/such/folder"));
        QTest::mouseClick(dialog.findChild<QPushButton*>(QStringLiteral("laneAccept")), Qt::LeftButton);
        QVERIFY(dialog.isVisible());
        QVERIFY(dialog.findChild<QLabel*>(QStringLiteral("laneError"))->text().contains(QLatin1String("is no folder")));
        QVERIFY(Settings::instance().lanes(file).isEmpty());
        field->setText(text);
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!dialog.isVisible());
        QCOMPARE(Settings::instance().lanes(file), text);
        QVERIFY(Settings::instance().lanes(folder.filePath(QStringLiteral("b.gks"))).isEmpty());
        field->setText(QStringLiteral("local:0 local:7"));
        QTest::mouseClick(dialog.findChild<QPushButton*>(QStringLiteral("laneCheck")), Qt::LeftButton);
        auto* found = dialog.findChild<QLabel*>(QStringLiteral("laneFound"));
        QTRY_VERIFY2(found->text().contains(QLatin1String("cpu:0: ")), qPrintable(found->text()));
        QVERIFY2(found->text().contains(QLatin1String("there is no cpu device 7")), qPrintable(found->text()));
        LanesDialog again(file, TargetKind::cpu, nullptr);
        again.findChild<QLineEdit*>(QStringLiteral("laneField"))->clear();
        again.accept();
        QVERIFY(Settings::instance().lanes(file).isEmpty());
    }

    void tileSaysWhatIsAway() {
        PanelStage<ActivityPanel> stage;
        ActivityChanged away;
        away.lane = "folder:h200";
        away.activity = Activity::away;
        away.detail = "3 jobs away, 2 since 4 min";
        away.since = now();
        stage.bridge.post(away);
        stage.bridge.flush();
        stage.settle();
        auto* cancel = stage.part<QToolButton>("cancel.folder:h200");
        QVERIFY(cancel != nullptr);
        QTRY_VERIFY(cancel->isVisible()); // its row is shown when it is laid out
        QStringList texts;
        for (const QLabel* label : cancel->parentWidget()->findChildren<QLabel*>()) {
            texts.append(label->text());
        }
        QVERIFY2(texts.contains(QStringLiteral("folder:h200")), qPrintable(texts.join(QLatin1Char('|'))));
        QVERIFY2(texts.contains(QStringLiteral("3 jobs away, 2 since 4 min")),
                 qPrintable(texts.join(QLatin1Char('|'))));
    }

private:
    std::unique_ptr<GuiTest> m_gui;
};

QTEST_MAIN(LanesTest)
#include "lanes_test.moc"
