// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/help/help_window.h"

#include "widgets/common/find_bar.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/rich_text.h"
#include "widgets/common/terms.h"

#include <QAction>
#include <QDesktopServices>
#include <QHeaderView>
#include <QScrollBar>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTreeWidget>
#include <QUrl>
#include <QVBoxLayout>

namespace gks {

namespace {

constexpr int pictureWidth = 480;

enum ItemRole { pageRole = Qt::UserRole, sectionRole };

// Pictures are of the whole window; on the page they are no wider than its text.
void shrinkPictures(QTextDocument& document) {
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        for (auto part = block.begin(); !part.atEnd(); ++part) {
            QTextImageFormat picture = part.fragment().charFormat().toImageFormat();
            if (picture.isValid()) {
                QTextCursor cursor(&document);
                cursor.setPosition(part.fragment().position());
                cursor.setPosition(part.fragment().position() + part.fragment().length(), QTextCursor::KeepAnchor);
                picture.setWidth(pictureWidth); // the height follows
                cursor.setCharFormat(picture);
                break;
            }
        }
    }
}

} // namespace

HelpWindow::HelpWindow(const std::filesystem::path& folder, QWidget* parent)
    : QDialog(parent)
    , m_folder(folder)
    , m_pages(manualPages(folder))
    , m_contents(named(new QTreeWidget(this), "helpContents", tr("Contents")))
    , m_text(named(new QTextBrowser(this), "helpText", tr("Manual page")))
    , m_find(new FindBar(QStringLiteral("helpFind"), m_text, this)) {
    setObjectName(QStringLiteral("helpWindow"));
    setWindowTitle(tr("Manual"));
    m_text->setOpenLinks(false);
    m_text->setProperty("flat", true);
    m_text->setSearchPaths({toText(folder.string())}); // pictures
    auto* parts = new QSplitter(Qt::Horizontal, this);
    parts->setObjectName(QStringLiteral("helpParts"));
    parts->addWidget(buildContents());
    parts->addWidget(m_text);
    parts->setSizes({240, 700});
    parts->setStretchFactor(1, 1);
    parts->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_find);
    column->addWidget(parts, 1);
    m_find->setContentsMargins(spacing3, spacing2, spacing3, spacing2);
    auto* find = new QAction(tr("Find"), this);
    find->setShortcut(QKeySequence::Find);
    addAction(find);
    connect(find, &QAction::triggered, m_find, &FindBar::begin);
    connect(m_contents, &QTreeWidget::currentItemChanged, this, &HelpWindow::showItem);
    connect(m_text, &QTextBrowser::anchorClicked, this, &HelpWindow::openLink);
    connect(m_find, &FindBar::queryChanged, this, &HelpWindow::countElsewhere);
    connect(m_find, &FindBar::stepsOut, this, &HelpWindow::goToAnother);
    if (m_pages.empty()) {
        m_text->setPlainText(
            tr("Manual not found in %1. Reinstall the program, or set GKS_RESOURCES to its resources folder.")
                .arg(toText(folder.string())));
    }
    resize(980, 720);
}

QWidget* HelpWindow::buildContents() {
    m_contents->header()->hide();
    m_contents->setIndentation(14);
    for (int page = 0; page < static_cast<int>(m_pages.size()); ++page) {
        const ManualPage& about = m_pages[static_cast<std::size_t>(page)];
        auto* item = new QTreeWidgetItem(m_contents, {about.title});
        item->setData(0, pageRole, page);
        for (const QString& section : about.sections) {
            auto* below = new QTreeWidgetItem(item, {section});
            below->setData(0, pageRole, page);
            below->setData(0, sectionRole, section);
        }
    }
    return m_contents;
}

QString HelpWindow::shownFile() const {
    return m_shown < 0 ? QString() : m_pages[static_cast<std::size_t>(m_shown)].file;
}

void HelpWindow::showTopic(const QString& file, const QString& section) {
    QTreeWidgetItem* found = m_contents->topLevelItem(0);
    for (int i = 0; i < m_contents->topLevelItemCount(); ++i) {
        QTreeWidgetItem* page = m_contents->topLevelItem(i);
        if (m_pages[page->data(0, pageRole).toUInt()].file != file) {
            continue;
        }
        found = page;
        for (int j = 0; j < page->childCount(); ++j) {
            if (page->child(j)->text(0) == section) {
                found = page->child(j);
            }
        }
    }
    if (found != nullptr) {
        m_contents->expandItem(found);
        m_contents->setCurrentItem(found);
        showItem(found); // also when it was current before and the page has been scrolled
    }
}

void HelpWindow::showItem(const QTreeWidgetItem* item) {
    if (item == nullptr) {
        return;
    }
    if (const int page = item->data(0, pageRole).toInt(); page != m_shown) {
        m_shown = page;
        showMarkdown(*m_text, withoutMissingPictures(m_pages[static_cast<std::size_t>(page)].text, m_folder),
                     QTextDocument::MarkdownDialectGitHub, [](QTextDocument& document) {
                         document.setDocumentMargin(spacing4);
                         document.setIndentWidth(20);
                         calmTables(document);
                         shrinkPictures(document);
                     });
        m_find->refresh();
        countElsewhere();
    }
    scrollTo(item->data(0, sectionRole).toString());
}

// The place of a section is known once the window has its size, which it has after it was shown.
void HelpWindow::scrollTo(const QString& section) {
    const auto scroll = [this, section] {
        QTextCursor at(m_text->document());
        for (QTextBlock block = m_text->document()->begin(); !section.isEmpty() && block.isValid();
             block = block.next()) {
            if (block.blockFormat().headingLevel() > 1 && block.text().trimmed() == section) {
                at = QTextCursor(block);
                break;
            }
        }
        m_text->setTextCursor(at); // comes into view, and a search goes on from here
        QScrollBar* bar = m_text->verticalScrollBar();
        bar->setValue(bar->value() + m_text->cursorRect(at).top() - spacing2);
    };
    QMetaObject::invokeMethod(this, scroll, Qt::QueuedConnection);
}

void HelpWindow::openLink(const QUrl& link) {
    if (link.scheme().startsWith(QLatin1String("http"))) {
        QDesktopServices::openUrl(link);
    } else {
        showTopic(link.fileName(), link.fragment());
    }
}

void HelpWindow::countElsewhere() {
    int others = 0;
    for (int page = 0; page < static_cast<int>(m_pages.size()) && !m_find->query().isEmpty(); ++page) {
        const QString& text = m_pages[static_cast<std::size_t>(page)].text;
        others += page != m_shown && text.contains(m_find->query(), Qt::CaseInsensitive) ? 1 : 0;
    }
    m_find->setElsewhere(others);
}

void HelpWindow::goToAnother(bool forward) {
    const int count = static_cast<int>(m_pages.size());
    for (int step = 1; step < count; ++step) {
        const int page = (m_shown + (forward ? step : count - step)) % count;
        const ManualPage& wanted = m_pages[static_cast<std::size_t>(page)];
        if (wanted.text.contains(m_find->query(), Qt::CaseInsensitive)) {
            showTopic(wanted.file, {});
            m_find->goToFirst(!forward);
            return;
        }
    }
    m_find->goToFirst(!forward);
}

} // namespace gks
