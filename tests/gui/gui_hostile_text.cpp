// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/campaign_view.h"
#include "app/workbench/main_window.h"
#include "tests/support/gui_test.h"
#include "tests/support/one_text_campaign.h"
#include "widgets/common/selection_context.h"
#include "widgets/run/problem_page.h"
#include "widgets/wizard/new_campaign_dialog.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QImage>
#include <QLabel>
#include <QMessageBox>
#include <QTemporaryFile>
#include <QTest>
#include <QTextBlock>
#include <QTextEdit>
#include <QToolTip>
#include <QUrl>
#include <algorithm>
#include <memory>

using namespace gks;

// A campaign file from a stranger: every text of it is markup that would draw a picture from this disk. The window
// shows the text as it is.
class HostileTextTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup() { GuiTest::failOnWarnings(); }
    void nothingOfItIsMarkup();
    void tooltipsArePlain();
    void messagesArePlain();
    void descriptionsLoadNothing();

private:
    QString hostile() const { return QString::fromStdString(m_text); }
    CampaignView* open(MainWindow& window) const;
    // What of the text of this widget, as it is drawn, is not plain; empty when all is well.
    QStringList markupIn(QWidget* root) const;
    void checkDocument(const QTextDocument* document, const QString& where, QStringList& found) const;

    std::unique_ptr<GuiTest> m_gui;
    QTemporaryFile m_picture; // of this machine
    std::string m_text;
};

namespace {

WindowSeams noSeams() {
    return {[](QWidget*) { return QString(); }, [](QWidget*) { return ClosingChoice::pause; },
            [] { return CampaignChoices(); },
            [](const QString&, CampaignStore::Access, QObject*, const std::function<void(Result<EngineBridge*>)>&) {},
            [] { return Result<QString>(QString()); }};
}

} // namespace

void HostileTextTest::initTestCase() {
    m_gui = std::make_unique<GuiTest>();
    QVERIFY(m_picture.open());
    QImage image(8, 8, QImage::Format_RGB32);
    image.fill(Qt::red);
    QVERIFY(image.save(&m_picture, "PNG"));
    m_picture.close();
    m_text = "<img src=\"file://" + m_picture.fileName().toStdString() + "\"><b>bold</b> \xe2\x80\xae \x1b]0;owned\x07";
}

CampaignView* HostileTextTest::open(MainWindow& window) const {
    window.show();
    CampaignView* view = window.addCampaign(
        makeCampaignOfOneText(m_text, m_text + "\n\n![picture](file://" + m_picture.fileName().toStdString() + ")\n"));
    view->selection().select(12);
    if (!QTest::qWaitFor([view] { return view->isSettled(); })) {
        qFatal("the campaign does not come to rest");
    }
    return view;
}

void HostileTextTest::checkDocument(const QTextDocument* document, const QString& where, QStringList& found) const {
    const QVariant loaded = document->resource(QTextDocument::ImageResource, QUrl::fromLocalFile(m_picture.fileName()));
    if (!loaded.toByteArray().isEmpty() || loaded.userType() == QMetaType::QImage) {
        found.append(where + QStringLiteral(" reads files of this disk"));
    }
    for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
        for (auto at = block.begin(); !at.atEnd(); ++at) {
            const QTextFragment fragment = at.fragment();
            if (fragment.text() == QLatin1String("bold") && fragment.charFormat().fontWeight() > QFont::Medium) {
                found.append(where + QStringLiteral(" obeys HTML"));
            }
        }
    }
}

QStringList HostileTextTest::markupIn(QWidget* root) const {
    QStringList found;
    for (QLabel* label : root->findChildren<QLabel*>()) {
        label->ensurePolished();
        const bool isRich = label->textFormat() == Qt::RichText || label->textFormat() == Qt::MarkdownText ||
                            (label->textFormat() == Qt::AutoText && Qt::mightBeRichText(label->text()));
        if (label->textFormat() == Qt::AutoText) {
            found.append(label->objectName() + QStringLiteral(" guesses: ") + label->text().left(60));
        } else if (isRich && label->text().contains(QLatin1String("<img"))) {
            found.append(label->objectName() + QStringLiteral(" is rich: ") + label->text().left(60));
        }
    }
    for (const QTextEdit* edit : root->findChildren<QTextEdit*>()) {
        checkDocument(edit->document(), edit->objectName(), found);
    }
    found.removeDuplicates();
    return found;
}

void HostileTextTest::nothingOfItIsMarkup() {
    MainWindow window(noSeams());
    CampaignView* view = open(window);
    for (const QString& panel : view->panelIds()) {
        view->showPanel(panel);
        QVERIFY(QTest::qWaitFor([view] { return view->isSettled(); }));
        QCOMPARE(markupIn(&window).join(QLatin1Char('\n')), QString());
    }
    int shown = 0; // the text is really there
    for (const QLabel* label : window.findChildren<QLabel*>()) {
        shown += label->text().contains(QLatin1String("<img")) ? 1 : 0;
    }
    QVERIFY2(shown >= 3, qPrintable(QString::number(shown)));
}

void HostileTextTest::tooltipsArePlain() {
    MainWindow window(noSeams());
    CampaignView* view = open(window);
    QStringList tips;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        tips.append(widget->toolTip());
    }
    for (const QAbstractItemView* items : view->findChildren<QAbstractItemView*>()) {
        const QAbstractItemModel* model = items->model();
        for (int row = 0; model != nullptr && row < model->rowCount(); ++row) {
            for (int column = 0; column < model->columnCount(); ++column) {
                tips.append(model->index(row, column).data(Qt::ToolTipRole).toString());
            }
        }
    }
    tips = tips.filter(QStringLiteral("<img"));
    tips.removeDuplicates();
    QVERIFY(!tips.isEmpty()); // they bring the text of the file
    for (const QString& tip : tips) {
        QToolTip::showText(window.mapToGlobal(QPoint(10, 10)), tip, &window);
        const auto all = QApplication::topLevelWidgets();
        const auto drawn = std::find_if(all.begin(), all.end(), [](const QWidget* widget) {
            return widget->inherits("QTipLabel") && widget->isVisible();
        });
        QVERIFY(drawn != all.end());
        QCOMPARE(qobject_cast<const QLabel*>(*drawn)->textFormat(), Qt::PlainText);
        QToolTip::hideText();
    }
}

void HostileTextTest::messagesArePlain() {
    MainWindow window(noSeams());
    QMessageBox box(QMessageBox::Warning, QStringLiteral("Not opened"), hostile(), QMessageBox::Ok, &window);
    box.setInformativeText(hostile());
    box.open();
    QCOMPARE(markupIn(&box).join(QLatin1Char('\n')), QString());
}

void HostileTextTest::descriptionsLoadNothing() {
    MainWindow window(noSeams());
    CampaignChoices choices;
    choices.problems.push_back({QStringLiteral("p"), hostile(),
                                QStringLiteral("%1\n\n![picture](file://%2)\n").arg(hostile(), m_picture.fileName())});
    NewCampaignDialog dialog(choices, &window);
    dialog.show();
    QCOMPARE(markupIn(&dialog).join(QLatin1Char('\n')), QString());
}

QTEST_MAIN(HostileTextTest)
#include "gui_hostile_text.moc"
