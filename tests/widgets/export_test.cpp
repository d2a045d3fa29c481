// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "tests/support/evidence_samples.h"
#include "tests/support/gui_test.h"
#include "widgets/common/terms.h"
#include "widgets/export/export_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <memory>

using namespace gks;

// A kernel into other people's code, from the window.
class ExportTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_gui = std::make_unique<GuiTest>();
        m_folder.emplace(TemporaryDirectory::create("gks-export-dialog").value());
        m_file = m_folder->path() / "a.gks";
        test::makeEvidenceCampaign(m_file);
    }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void saysWhatItWritesAndClaims();
    void writesWhatTheCommandLineWrites();
    void aFolderThatHoldsSomethingIsLeftAlone();
    void everyFormAsksForWhatItNeeds();
    void aKernelThatClaimsNothingIsRefused();

private:
    struct Stage {
        ExportDialog dialog;

        Stage(const std::filesystem::path& file, KernelId kernel) : dialog(toText(file.string()), kernel, nullptr) {
            dialog.show();
        }
        template<class T>
        T* part(const char* name) const {
            return dialog.findChild<T*>(QLatin1String(name));
        }
        QString text(const char* name) const {
            const auto* label = part<QLabel>(name);
            return label->isVisible() ? label->text() : QString();
        }
        void choose(ExportForm form) const {
            auto* forms = part<QComboBox>("exportForm");
            forms->setCurrentIndex(forms->findData(static_cast<int>(form)));
        }
        QStringList files() const {
            QStringList rows;
            const auto* list = part<QListWidget>("exportFiles");
            for (int row = 0; row < list->count(); ++row) {
                rows.append(list->item(row)->text().section(QLatin1Char(' '), 0, 0));
            }
            return rows;
        }
    };
    std::unique_ptr<GuiTest> m_gui;
    std::optional<TemporaryDirectory> m_folder;
    std::filesystem::path m_file;
};

void ExportTest::saysWhatItWritesAndClaims() {
    const Stage stage(m_file, 3);
    QVERIFY(GuiTest::unnamedWidgets(&stage.dialog).isEmpty());
    QVERIFY(stage.dialog.isBusy() && !stage.part<QPushButton>("exportAccept")->isEnabled());
    QTRY_VERIFY(!stage.dialog.isBusy());
    const auto store = CampaignStore::open(m_file, CampaignStore::Access::read).value();
    const ExportedKernel kernel = readExportedKernel(*store, 3).value();
    const QString claim = stage.text("exportClaim");
    QVERIFY2(claim.contains(toText(kernel.claim)) && claim.contains(toText(kernel.evidenceSha256)), qPrintable(claim));
    QVERIFY2(claim.contains(QStringLiteral("%1 of %2 measured").arg(kernel.wonShapes()).arg(kernel.shapes.size())),
             qPrintable(claim));
    QVERIFY(stage.text("exportOpen").contains(toText(openOf(kernel, ExportForm::header).front())));
    QVERIFY2(stage.files().contains(toText(kernel.name + ".hip")), qPrintable(stage.files().join(QLatin1Char('|'))));
    QVERIFY(stage.files().contains(QStringLiteral("EVIDENCE.md")));
    QVERIFY(stage.part<QWidget>("exportCheck")->isVisible() && !stage.part<QWidget>("exportHardware")->isVisible());
    const QString suggested = stage.part<QLineEdit>("exportFolder")->text();
    QCOMPARE(suggested, toText((m_folder->path() / (kernel.name + "-header")).string()));
    stage.choose(ExportForm::library);
    QTRY_VERIFY(!stage.dialog.isBusy());
    QVERIFY(stage.files().contains(QStringLiteral("test/reference.cpp")));
    QVERIFY(stage.part<QLineEdit>("exportFolder")->text().endsWith(QStringLiteral("-library")));
    const QWidget& dialog = stage.dialog; // has grown with its texts
    QVERIFY(dialog.height() >= dialog.layout()->totalHeightForWidth(dialog.width()));
}

void ExportTest::writesWhatTheCommandLineWrites() {
    const Stage stage(m_file, 3);
    QSignalSpy exported(&stage.dialog, &ExportDialog::exported);
    QTRY_VERIFY(!stage.dialog.isBusy());
    const auto folder = m_folder->path() / "out/header";
    stage.part<QLineEdit>("exportFolder")->setText(toText(folder.string()));
    QTRY_VERIFY(!stage.dialog.isBusy());
    QTest::mouseClick(stage.part<QPushButton>("exportAccept"), Qt::LeftButton);
    QCOMPARE(exported.count(), 0); // the work is somebody else's
    QVERIFY(exported.wait(30000) && exported[0][0].toBool());
    QVERIFY2(stage.text("exportOutcome").contains(toText(folder.string())), qPrintable(stage.text("exportOutcome")));
    const auto store = CampaignStore::open(m_file, CampaignStore::Access::read).value();
    const ExportedKernel kernel = readExportedKernel(*store, 3).value();
    QVERIFY(test::readAll(folder) == exportFiles(kernel, {.form = ExportForm::header}).value());
    QVERIFY(!stage.part<QPushButton>("exportAccept")->isEnabled());
}

void ExportTest::aFolderThatHoldsSomethingIsLeftAlone() {
    const Stage stage(m_file, 3);
    QSignalSpy exported(&stage.dialog, &ExportDialog::exported);
    QTRY_VERIFY(!stage.dialog.isBusy());
    const auto full = m_folder->path() / "full";
    QVERIFY(makeDirectories(full) && writeFileAtomically(full / "mine.txt", "mine"));
    stage.part<QLineEdit>("exportFolder")->setText(toText(full.string()));
    QTRY_VERIFY(!stage.dialog.isBusy());
    QTest::mouseClick(stage.part<QPushButton>("exportAccept"), Qt::LeftButton);
    QVERIFY(exported.wait(30000) && !exported[0][0].toBool());
    QVERIFY(stage.text("exportError").contains(QStringLiteral("folder not empty")));
    QCOMPARE(test::readAll(full).size(), std::size_t{1});
    QVERIFY(stage.part<QPushButton>("exportAccept")->isEnabled()); // after another folder
}

void ExportTest::everyFormAsksForWhatItNeeds() {
    const Stage stage(m_file, 3);
    QTRY_VERIFY(!stage.dialog.isBusy());
    auto* accept = stage.part<QPushButton>("exportAccept");
    stage.choose(ExportForm::patch);
    QVERIFY(!stage.dialog.isBusy() && !accept->isEnabled() && stage.files().isEmpty());
    QVERIFY(stage.text("exportOutcome").contains(QStringLiteral("tree")));
    stage.part<QLineEdit>("exportTree")->setText(QStringLiteral("/no/such/tree"));
    stage.part<QLineEdit>("exportPath")->setText(QStringLiteral("src"));
    QTRY_VERIFY(!stage.dialog.isBusy());
    QVERIFY(!accept->isEnabled() && stage.text("exportError").contains(QStringLiteral("/no/such/tree")));
    stage.choose(ExportForm::flashinfer); // of a processor
    QTRY_VERIFY(!stage.dialog.isBusy());
    QVERIFY(!accept->isEnabled() && !stage.text("exportError").isEmpty());
    QVERIFY2(stage.text("exportError").contains(QStringLiteral("card")), qPrintable(stage.text("exportError")));
    stage.part<QLineEdit>("exportHardware")->setText(QStringLiteral("NVIDIA_H100"));
    QTRY_VERIFY(!stage.dialog.isBusy()); // what is missing then is the Definition
    QVERIFY2(stage.text("exportError").contains(QStringLiteral("Definition")), qPrintable(stage.text("exportError")));
    QVERIFY(stage.part<QWidget>("exportDefinition")->isVisible() && !stage.part<QWidget>("exportTree")->isVisible());
    stage.choose(ExportForm::torch);
    QTRY_VERIFY(!stage.dialog.isBusy());
    QVERIFY(accept->isEnabled() && stage.text("exportError").isEmpty());
}

void ExportTest::aKernelThatClaimsNothingIsRefused() {
    const Stage stage(m_file, 1); // the baseline
    QTRY_VERIFY(!stage.dialog.isBusy());
    QVERIFY2(stage.text("exportError").contains(QStringLiteral("baseline")), qPrintable(stage.text("exportError")));
    QVERIFY(!stage.part<QPushButton>("exportAccept")->isEnabled());
}

QTEST_MAIN(ExportTest)
#include "export_test.moc"
