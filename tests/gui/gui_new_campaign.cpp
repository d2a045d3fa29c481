// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/campaign/store.h"
#include "tests/support/gui_test.h"
#include "widgets/wizard/new_campaign_dialog.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace gks;

class NewCampaignTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        CampaignChoices choices;
        choices.problems = {
            {QStringLiteral("row-softmax"), QStringLiteral("Softmax of each row"), QStringLiteral("Softmax.")},
            {QStringLiteral("fp8-gemm"),
             QStringLiteral("fp8 GEMM"),
             QStringLiteral("Multiply."),
             {{QStringLiteral("naive"), QStringLiteral("One thread an element")},
              {QStringLiteral("tunable"), QStringLiteral("With tunables")}}}};
        choices.targets = {{TargetKind::cpu, {QStringLiteral("2 threads")}, {}},
                           {TargetKind::amd, {}, QStringLiteral("libamdhip64 is not installed")}};
        choices.folder = m_folder->path();
        m_dialog = std::make_unique<NewCampaignDialog>(choices);
        m_dialog->show();
        QVERIFY(QTest::qWaitForWindowActive(m_dialog.get()));
    }
    void cleanup() {
        m_dialog.reset();
        GuiTest::failOnWarnings();
    }

    void theShortestWayMakesACampaign() {
        QTest::keyClick(m_dialog.get(), Qt::Key_Return);
        QCOMPARE(m_dialog->result(), int(QDialog::Accepted));
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
        auto* seeds = find<QComboBox>("newSeeds");
        QCOMPARE(seeds->currentText(), QStringLiteral("All 2"));
        seeds->setCurrentIndex(2);
        create();
        const auto store = CampaignStore::open(m_dialog->createdFile().toStdString());
        QVERIFY2(store.has_value(), store ? "" : store.error().message().c_str());
        const auto population = (*store)->population();
        QCOMPARE((*population)->kernels.size(), std::size_t{1});
        QVERIFY((*population)->kernels.front().source.orNothing().find("@tune BLOCK_M") != std::string::npos);
    }

    void aTargetWithoutDeviceIsRefusedAtItsField() {
        auto* target = find<QComboBox>("newTarget");
        target->setCurrentIndex(1);
        QCOMPARE(find<QLabel>("newTargetNote")->text(), QStringLiteral("libamdhip64 is not installed"));
        create();
        QVERIFY(m_dialog->isVisible());
        QVERIFY(target->property("invalid").toBool());
        QCOMPARE(target->accessibleDescription(), QStringLiteral("There is no device of this target."));
        target->setCurrentIndex(0);
        create();
        QVERIFY(!m_dialog->isVisible());
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
        QVERIFY(!m_dialog->isVisible());
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

    std::unique_ptr<GuiTest> m_gui;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<NewCampaignDialog> m_dialog;
};

QTEST_MAIN(NewCampaignTest)
#include "gui_new_campaign.moc"
