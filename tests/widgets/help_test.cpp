// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/campaign_view.h"
#include "app/workbench/panel_list.h"
#include "core/base/files.h"
#include "core/base/locations.h"
#include "tests/support/gui_test.h"
#include "tests/support/recording_bridge.h"
#include "widgets/common/rich_text.h"
#include "widgets/help/help_window.h"

#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTreeWidget>
#include <memory>

using namespace gks;

// The manual as the window shows it, and that it speaks of everything the window has.
class HelpTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_gui = std::make_unique<GuiTest>();
        m_folder = resourceFolder() / "docs";
    }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void everyPanelHasItsSection();
    void linksLeadSomewhere();
    void theGalleryShowsEveryPanel();
    void aMissingPictureSaysHowItIsMade();
    void aTopicComesIntoView();
    void aPageIsLaidOutOnce();
    void noMarkOutlivesItsPage();
    void wordsAreFoundInOtherPages();
    void aMissingFolderIsNamed();
    void thePanelWithTheFocusIsTheTopic();

private:
    // The heading of the topic lies within the view.
    static bool isInView(const HelpWindow& help, const QString& heading) {
        const auto* text = help.findChild<QTextBrowser*>(QStringLiteral("helpText"));
        for (QTextBlock block = text->document()->begin(); block.isValid(); block = block.next()) {
            if (block.blockFormat().headingLevel() > 0 && block.text() == heading) {
                return text->viewport()->rect().contains(text->cursorRect(QTextCursor(block)).center());
            }
        }
        return false;
    }

    std::unique_ptr<GuiTest> m_gui;
    std::filesystem::path m_folder;
};

void HelpTest::everyPanelHasItsSection() {
    const auto pages = manualPages(m_folder);
    QVERIFY(pages.size() >= 10);
    QCOMPARE(pages.front().file, QStringLiteral("workbench.md"));
    for (const PanelSpec& panel : workbenchPanels()) {
        QVERIFY2(pages.front().sections.contains(panel.title), qPrintable(panel.title));
    }
}

void HelpTest::linksLeadSomewhere() {
    static const QRegularExpression link(QStringLiteral("\\]\\(([^)#]+)"));
    int links = 0;
    for (const ManualPage& page : manualPages(m_folder)) {
        QVERIFY2(!page.title.isEmpty(), qPrintable(page.file));
        for (auto found = link.globalMatch(page.text); found.hasNext();) {
            const QString to = found.next().captured(1);
            if (!to.startsWith(QLatin1String("http")) && !to.startsWith(QLatin1String("gallery/"))) { // drawn later
                ++links;
                QVERIFY2(std::filesystem::exists(m_folder / to.toStdString()), qPrintable(page.file + to));
            }
        }
    }
    QVERIFY(links > 3);
}

void HelpTest::theGalleryShowsEveryPanel() {
    for (const ManualPage& page : manualPages(m_folder)) {
        for (const PanelSpec& panel : workbenchPanels()) {
            for (const char* theme : {"-dark.png)", "-light.png)"}) {
                const QString picture = QStringLiteral("(gallery/") + panel.id + QLatin1String(theme);
                QVERIFY2(page.file != QLatin1String("gallery.md") || page.text.contains(picture), qPrintable(picture));
            }
        }
    }
}

void HelpTest::aMissingPictureSaysHowItIsMade() {
    const auto folder = TemporaryDirectory::create("manual").value();
    QVERIFY(writeFileAtomically(folder.path() / "there.png", "x"));
    const QString text = withoutMissingPictures(
        QStringLiteral("![a](there.png)\n![b](gallery/b.png)\nb\n![c](gallery/c.png)\n[d](d.md)"), folder.path());
    const QStringList lines = text.split(QLatin1Char('\n'));
    QCOMPARE(lines.front(), QStringLiteral("![a](there.png)"));
    QCOMPARE(text.count(QStringLiteral("packaging/gallery.sh")), 1);
    QVERIFY2(lines.contains(QStringLiteral("*No picture: b*")) && lines.contains(QStringLiteral("*No picture: c*")),
             qPrintable(text));
    QCOMPARE(lines.back(), QStringLiteral("[d](d.md)"));
}

void HelpTest::aTopicComesIntoView() {
    HelpWindow help(m_folder);
    help.resize(760, 320); // there is more below the section than fits
    help.show();
    help.showTopic(QStringLiteral("workbench.md"), QStringLiteral("Findings"));
    QTRY_VERIFY(isInView(help, QStringLiteral("Findings")));
    QVERIFY(!isInView(help, QStringLiteral("Lineage")));
    auto* text = help.findChild<QTextBrowser*>(QStringLiteral("helpText"));
    Q_EMIT text->anchorClicked(QUrl(QStringLiteral("scientists.md")));
    QCOMPARE(help.shownFile(), QStringLiteral("scientists.md"));
    QTRY_VERIFY(isInView(help, QStringLiteral("Language model as scientist")));
    help.showTopic(QStringLiteral("workbench.md"), QStringLiteral("nothing of that name"));
    QCOMPARE(help.shownFile(), QStringLiteral("workbench.md"));
    QCOMPARE(GuiTest::unnamedWidgets(&help), QStringList());
}

// A view that holds its document while it is filled lays it out at every cell of a table: many seconds for a long one.
void HelpTest::aPageIsLaidOutOnce() {
    HelpWindow help(m_folder);
    help.show();
    const auto* text = help.findChild<QTextBrowser*>(QStringLiteral("helpText"));
    for (const ManualPage& page : manualPages(m_folder)) {
        const QPointer<QTextDocument> before = text->document();
        const QSignalSpy changes(before, &QTextDocument::contentsChange);
        help.showTopic(page.file, {});
        QCOMPARE(changes.count(), 0);
        QVERIFY(before.isNull()); // nobody else would delete it
        QCOMPARE(help.shownFile(), page.file);
        QVERIFY(text->toPlainText().contains(page.title.left(10)));
    }
}

// A mark's cursor is in a document, and the view asks where the marks were when it gets new ones.
void HelpTest::noMarkOutlivesItsPage() {
    QTextEdit view;
    view.setPlainText(QStringLiteral("words"));
    view.setExtraSelections({{view.textCursor(), QTextCharFormat()}});
    view.show();
    showMarkdown(view, QStringLiteral("other words"), QTextDocument::MarkdownDialectGitHub, [](QTextDocument&) {});
    QVERIFY(view.extraSelections().isEmpty());
    QCOMPARE(view.toPlainText(), QStringLiteral("other words"));
}

void HelpTest::wordsAreFoundInOtherPages() {
    HelpWindow help(m_folder);
    help.show();
    help.showTopic(QStringLiteral("workbench.md"), {});
    auto* field = help.findChild<QLineEdit*>(QStringLiteral("helpFindField"));
    field->setText(QStringLiteral("bootstrap"));
    const auto* count = help.findChild<QLabel*>(QStringLiteral("helpFindCount"));
    QVERIFY2(count->text().contains(QStringLiteral("other")), qPrintable(count->text()));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(help.shownFile() != QLatin1String("workbench.md"));
    QVERIFY2(count->text().startsWith(QStringLiteral("1 of ")), qPrintable(count->text()));
}

void HelpTest::aMissingFolderIsNamed() {
    const QTemporaryDir empty;
    HelpWindow help(empty.path().toStdString());
    help.showTopic(QStringLiteral("workbench.md"), {});
    const auto* text = help.findChild<QTextBrowser*>(QStringLiteral("helpText"));
    QVERIFY2(text->toPlainText().contains(empty.path()), qPrintable(text->toPlainText()));
}

void HelpTest::thePanelWithTheFocusIsTheTopic() {
    CampaignView view(std::make_unique<RecordingBridge>(QStringLiteral("sample.gks")));
    view.resize(1400, 900);
    view.show();
    QVERIFY(QTest::qWaitForWindowActive(&view));
    view.showPanel(QStringLiteral("calibration"));
    view.findChild<QWidget*>(QStringLiteral("pageTabs"))->setFocus();
    QCOMPARE(view.helpTopic(), QStringLiteral("Calibration"));
    view.findChild<QWidget*>(QStringLiteral("experimentList"))->setFocus();
    QCOMPARE(view.helpTopic(), QStringLiteral("Experiments"));
}

QTEST_MAIN(HelpTest)
#include "help_test.moc"
