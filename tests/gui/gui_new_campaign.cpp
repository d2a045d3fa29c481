// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/campaign/store.h"
#include "tests/support/gui_test.h"
#include "widgets/wizard/new_campaign_dialog.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <filesystem>
#include <memory>

using namespace gks;

class NewCampaignTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        CampaignChoices choices;
        choices.problems = {{QStringLiteral("row-softmax"),
                             QStringLiteral("Softmax of each row"),
                             QStringLiteral("Softmax."),
                             {{QStringLiteral("naive"), QStringLiteral("One thread a row")}}},
                            {QStringLiteral("fp8-gemm"),
                             QStringLiteral("fp8 GEMM"),
                             QStringLiteral("Multiply."),
                             {{QStringLiteral("naive"), QStringLiteral("One thread an element")},
                              {QStringLiteral("tunable"), QStringLiteral("With tunables")}}}};
        choices.targets = {{TargetKind::cpu, {QStringLiteral("2 threads")}, {}},
                           {TargetKind::amd, {}, QStringLiteral("libamdhip64 is not installed")}};
        choices.folder = m_folder->path();
        m_dialog = std::make_unique<NewCampaignDialog>(
            choices, nullptr,
            BrowseSeams{[this](QWidget*) { return m_pack; }, [this](QWidget*) { return m_kernels; },
                        [this](QWidget*, const QString&) { return m_folder->filePath(QStringLiteral("chosen.gks")); }});
        m_dialog->show();
        QVERIFY(QTest::qWaitForWindowActive(m_dialog.get()));
    }
    void cleanup() {
        m_dialog.reset();
        GuiTest::failOnWarnings();
    }

    void theShortestWayMakesACampaign() {
        QTest::keyClick(m_dialog.get(), Qt::Key_Return);
        QTRY_COMPARE(m_dialog->result(), int(QDialog::Accepted));
        QCOMPARE(m_dialog->createdFile(), m_folder->filePath(QStringLiteral("row-softmax.gks")));
        const auto store = CampaignStore::open(m_dialog->createdFile().toStdString());
        QVERIFY2(store.has_value(), store ? "" : store.error().message().c_str());
        const auto settings = (*store)->settings();
        QCOMPARE(settings->problem, std::string("row-softmax"));
        QCOMPARE(settings->scientist, ScientistKind::tuner);
        QCOMPARE(settings->budgets.evaluations, std::int64_t(24));
    }

    void aCampaignStartsFromTheSeedsThatAreChosen() {
        find<QListWidget>("newProblems")->setCurrentRow(1);
        auto* seeds = find<QListWidget>("newSeeds");
        QCOMPARE(seeds->count(), 2);
        QCOMPARE(find<QComboBox>("newBaseline")->currentText(), QStringLiteral("naive"));
        seeds->item(0)->setCheckState(Qt::Unchecked);
        QCOMPARE(find<QComboBox>("newBaseline")->currentText(), QStringLiteral("tunable"));
        create();
        QTRY_VERIFY(!m_dialog->isVisible());
        const auto store = CampaignStore::open(m_dialog->createdFile().toStdString());
        QVERIFY2(store.has_value(), store ? "" : store.error().message().c_str());
        const auto population = (*store)->population();
        QCOMPARE((*population)->kernels.size(), std::size_t{1});
        QVERIFY((*population)->kernels.front().source.orNothing().find("@tune BLOCK_M") != std::string::npos);
    }

    void withoutAnyKernelNothingIsMade() {
        find<QListWidget>("newProblems")->setCurrentRow(1);
        auto* seeds = find<QListWidget>("newSeeds");
        seeds->item(0)->setCheckState(Qt::Unchecked);
        seeds->item(1)->setCheckState(Qt::Unchecked);
        create();
        QVERIFY(m_dialog->isVisible());
        QVERIFY(seeds->property("invalid").toBool());
    }

    void ownKernelsAreAddedRemovedAndMadeTheBaseline() {
        write(QStringLiteral("mine.hip"), "// Mine\nint mine;\n");
        write(QStringLiteral("other.hip"), "int other;\n");
        m_kernels = {m_folder->filePath(QStringLiteral("mine.hip")), m_folder->filePath(QStringLiteral("other.hip")),
                     m_folder->filePath(QStringLiteral("mine.hip"))}; // the same twice
        find<QListWidget>("newProblems")->setCurrentRow(1);
        auto* seeds = find<QListWidget>("newSeeds");
        QTest::mouseClick(find<QPushButton>("newAddKernels"), Qt::LeftButton);
        QCOMPARE(seeds->count(), 4);
        seeds->setCurrentRow(0);
        QVERIFY(!find<QPushButton>("newRemoveKernel")->isEnabled()); // of the pack: it is unticked instead
        seeds->setCurrentRow(3);
        QTest::mouseClick(find<QPushButton>("newRemoveKernel"), Qt::LeftButton);
        QCOMPARE(seeds->count(), 3);
        auto* baseline = find<QComboBox>("newBaseline");
        baseline->setCurrentIndex(baseline->findText(QStringLiteral("mine.hip")));
        create();
        QTRY_VERIFY(!m_dialog->isVisible());
        const auto population = CampaignStore::open(m_dialog->createdFile().toStdString()).value()->population();
        QCOMPARE((*population)->kernels.size(), std::size_t{3});
        QVERIFY((*population)->baseline == KernelId{1});
        QCOMPARE((*population)->kernel(1)->title, std::string("Mine"));
    }

    // The problem is said at the kernels, and the dialog stays with all that was typed.
    void aFileThatIsNoKernelIsToldAtItsPlace() {
        write(QStringLiteral("bad.hip"), std::string("\0\1", 2));
        m_dialog->addKernels({m_folder->filePath(QStringLiteral("bad.hip"))});
        create();
        auto* seeds = find<QListWidget>("newSeeds");
        QTRY_VERIFY(seeds->property("invalid").toBool());
        QVERIFY2(seeds->accessibleDescription().contains(QLatin1String("no text")),
                 qPrintable(seeds->accessibleDescription()));
        QVERIFY(m_dialog->isVisible());
        QVERIFY(!QFileInfo::exists(m_folder->filePath(QStringLiteral("row-softmax.gks"))));
    }

    void aPackOfOnesOwnIsBrowsedFor() {
        m_pack = m_folder->filePath(QStringLiteral("pack"));
        copyPack(m_pack);
        const int before = find<QListWidget>("newProblems")->count();
        QTest::mouseClick(find<QPushButton>("newBrowsePack"), Qt::LeftButton);
        auto* problems = find<QListWidget>("newProblems");
        QTRY_COMPARE(problems->count(), before + 1);
        QCOMPARE(problems->currentRow(), before);
        QTest::mouseClick(find<QPushButton>("newBrowsePack"), Qt::LeftButton); // again: read anew, not added
        QTRY_VERIFY(find<QPushButton>("newBrowsePack")->isEnabled());
        QCOMPARE(problems->count(), before + 1);
        create();
        QTRY_VERIFY(!m_dialog->isVisible());
        const auto store = CampaignStore::open(m_dialog->createdFile().toStdString());
        QCOMPARE((*store)->settings()->problem, m_pack.toStdString());
    }

    void aBadPackIsToldWithFileAndReason() {
        m_pack = m_folder->filePath(QStringLiteral("pack"));
        copyPack(m_pack);
        write(QStringLiteral("pack/problem.toml"), "name = 3\n");
        const int before = find<QListWidget>("newProblems")->count();
        QTest::mouseClick(find<QPushButton>("newBrowsePack"), Qt::LeftButton);
        auto* mistake = find<QLabel>("newProblemMistake");
        QTRY_VERIFY(mistake->isVisible());
        QVERIFY2(mistake->text().contains(QLatin1String("problem.toml")), qPrintable(mistake->text()));
        QCOMPARE(find<QListWidget>("newProblems")->count(), before);
    }

    void aTemplateSetsTheFieldsAndTheyGoBeforeIt() {
        auto* chosen = find<QComboBox>("newTemplate");
        chosen->setCurrentIndex(chosen->findData(QStringLiteral("steer")));
        QCOMPARE(m_dialog->settings().mode, Mode::approveExperiments);
        QVERIFY(m_dialog->settings().policies.checkCode);
        QVERIFY(find<QLineEdit>("modelName")->isVisible());
        QVERIFY(find<QPushButton>("modelTest")->isVisible()); // tried in place
        chosen->setCurrentIndex(chosen->findData(QStringLiteral("llm-loop")));
        QVERIFY(m_dialog->settings().policies.probes && !m_dialog->settings().policies.checkCode);
        QCOMPARE(m_dialog->settings().budgets.fruitless, std::int64_t{20});
        find<QToolButton>("newMore")->click();
        QVERIFY(find<QSpinBox>("newDrafts")->isVisible());
        find<QSpinBox>("newDrafts")->setValue(3);
        find<QSpinBox>("newFruitless")->setValue(0);
        find<QDoubleSpinBox>("newGoal")->setValue(95.5);
        const CampaignSettings settings = m_dialog->settings();
        QCOMPARE(settings.policies.drafts, 3);
        QCOMPARE(settings.budgets.fruitless, std::int64_t{0});
        QCOMPARE(settings.budgets.goalUs, 95.5);
        find<QComboBox>("newScientist")->setCurrentIndex(0); // who writes no drafts and no probes
        QVERIFY(m_dialog->settings().policies.drafts == 1 && !m_dialog->settings().policies.probes);
    }

    void theFileIsBrowsedFor() {
        QTest::mouseClick(find<QPushButton>("newBrowseFile"), Qt::LeftButton);
        find<QListWidget>("newProblems")->setCurrentRow(1); // suggests another name only where none was chosen
        create();
        QTRY_VERIFY(!m_dialog->isVisible());
        QCOMPARE(m_dialog->createdFile(), m_folder->filePath(QStringLiteral("chosen.gks")));
    }

    void aTargetWithoutDeviceIsRefusedAtItsField() {
        auto* target = find<QComboBox>("newTarget");
        target->setCurrentIndex(1);
        QCOMPARE(find<QLabel>("newTargetNote")->text(), QStringLiteral("libamdhip64 is not installed"));
        create();
        QVERIFY(m_dialog->isVisible());
        QVERIFY(target->property("invalid").toBool());
        QCOMPARE(target->accessibleDescription(),
                 QStringLiteral("No device found for this target. Choose another target."));
        target->setCurrentIndex(0);
        create();
        QTRY_VERIFY(!m_dialog->isVisible());
    }

    void anExistingFileIsNeverOverwritten() {
        QVERIFY(
            writeFileAtomically(m_folder->filePath(QStringLiteral("mine.gks")).toStdString(), "precious").has_value());
        auto* file = find<QLineEdit>("newFile");
        file->setText(m_folder->filePath(QStringLiteral("mine.gks")));
        create();
        QVERIFY(m_dialog->isVisible() && file->property("invalid").toBool());
        QCOMPARE(*readFile(m_folder->filePath(QStringLiteral("mine.gks")).toStdString()), std::string("precious"));
    }

    void aNameAloneIsInTheFolderOfCampaigns() {
        find<QLineEdit>("newFile")->setText(QStringLiteral("tile 1.05"));
        create();
        QTRY_VERIFY(!m_dialog->isVisible());
        QCOMPARE(m_dialog->createdFile(), m_folder->filePath(QStringLiteral("tile 1.05.gks")));
        QVERIFY(QFileInfo::exists(m_dialog->createdFile()));
    }

    void modelFieldsAreCheckedAndTheKeyIsNotKept() {
        find<QComboBox>("newScientist")->setCurrentIndex(1);
        auto* address = find<QLineEdit>("modelAddress");
        auto* model = find<QLineEdit>("modelName");
        auto* key = find<QLineEdit>("modelKeyVariable");
        QVERIFY(model->isVisible());
        address->setText(QStringLiteral("ftp://example.org"));
        key->setText(QStringLiteral("sk-abc123"));
        create();
        QVERIFY(m_dialog->isVisible());
        for (const QWidget* field : {address, model, key}) {
            QVERIFY2(field->property("invalid").toBool(), qPrintable(field->objectName()));
        }
        address->setText(QStringLiteral("http://127.0.0.1:8080/v1"));
        model->setText(QStringLiteral("local-model"));
        key->setText(QStringLiteral("MY_KEY"));
        create();
        QTRY_VERIFY(!m_dialog->isVisible());
        const auto store = CampaignStore::open(m_dialog->createdFile().toStdString());
        QVERIFY(store.has_value());
        QCOMPARE((*store)->settings()->models.at("default").keyVariable, std::string("MY_KEY"));
    }

    void everyFieldHasNames() {
        const QStringList unnamed = GuiTest::unnamedWidgets(m_dialog.get());
        QVERIFY2(unnamed.isEmpty(), qPrintable(unnamed.join(QLatin1Char('\n'))));
    }

private:
    template<class W>
    W* find(const char* name) const {
        W* found = m_dialog->findChild<W*>(QLatin1String(name));
        if (found == nullptr) {
            qFatal("no %s", name);
        }
        return found;
    }
    void create() { QTest::mouseClick(find<QPushButton>("newCreate"), Qt::LeftButton); }

    void write(const QString& name, const std::string& content) {
        QVERIFY(writeFileAtomically(m_folder->filePath(name).toStdString(), content).has_value());
    }
    static void copyPack(const QString& target) {
        std::filesystem::copy(resourceFolder() / "problems" / "row-softmax", target.toStdString(),
                              std::filesystem::copy_options::recursive);
    }

    QString m_pack;
    QStringList m_kernels;
    std::unique_ptr<GuiTest> m_gui;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<NewCampaignDialog> m_dialog;
};

QTEST_MAIN(NewCampaignTest)
#include "gui_new_campaign.moc"
