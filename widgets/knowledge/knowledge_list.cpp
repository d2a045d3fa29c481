// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/knowledge/knowledge_list.h"

#include "core/base/quantity.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"

#include <QHeaderView>
#include <QSignalBlocker>

namespace gks {

namespace {

constexpr int sectionRole = Qt::UserRole;      // index among the sections, counted from 1
constexpr int documentRole = Qt::UserRole + 1; // id

} // namespace

QString tokensText(std::int64_t tokens) {
    return toText(formatTokens(static_cast<std::uint64_t>(tokens)));
}

std::int64_t tokensOf(const Document& document) {
    return document.sizeBytes / static_cast<std::int64_t>(bytesPerToken);
}

KnowledgeList::KnowledgeList(QWidget* parent) : QTreeWidget(parent) {
    setColumnCount(2);
    setHeaderLabels({tr("Section"), tr("Tokens")});
    headerItem()->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(0, QHeaderView::Stretch);
    header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    setFrameShape(QFrame::NoFrame);
    setIndentation(14);
    setMinimumWidth(fontMetrics().averageCharWidth() * 22); // the headings are what one looks for
    setUniformRowHeights(true);
}

int KnowledgeList::section() const {
    return currentItem() == nullptr ? -1 : currentItem()->data(0, sectionRole).toInt() - 1;
}

std::int64_t KnowledgeList::document() const {
    return currentItem() == nullptr ? 0 : currentItem()->data(0, documentRole).toLongLong();
}

void KnowledgeList::chooseDocument(std::int64_t id) {
    for (QTreeWidgetItem* item : findItems(QString(), Qt::MatchContains | Qt::MatchRecursive)) {
        if (item->data(0, documentRole).toLongLong() == id) {
            setCurrentItem(item);
        }
    }
}

void KnowledgeList::showAll(const std::vector<KnowledgeSection>& sections, const std::vector<Document>& documents) {
    QString wanted = QStringLiteral("%1 %2")
                         .arg(sections.size())
                         .arg(sections.empty() ? QString() : toText(sections.front().machine));
    for (const Document& document : documents) {
        wanted += QStringLiteral("\n%1 %2 %3").arg(document.id).arg(document.enabled).arg(toText(document.title));
    }
    if (wanted == m_shown) {
        return;
    }
    m_shown = wanted;
    const int sectionBefore = section();
    const std::int64_t documentBefore = document();
    const QSignalBlocker quiet(this);
    clear();
    addSections(sections);
    addDocuments(documents);
    setCurrentItem(topLevelItem(0)->child(0));
    for (QTreeWidgetItem* item : findItems(QString(), Qt::MatchContains | Qt::MatchRecursive)) {
        const bool same = documentBefore != 0
                              ? item->data(0, documentRole).toLongLong() == documentBefore
                              : sectionBefore >= 0 && item->data(0, sectionRole).toInt() - 1 == sectionBefore;
        if (same) {
            setCurrentItem(item);
        }
    }
}

QTreeWidgetItem* KnowledgeList::addRow(QTreeWidgetItem* parent, const QString& text, const QString& right) {
    auto* item = parent == nullptr ? new QTreeWidgetItem(this) : new QTreeWidgetItem(parent);
    item->setText(0, text);
    item->setToolTip(0, text);
    item->setText(1, right);
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    item->setForeground(1, Theme::instance().palette().quietText);
    return item;
}

void KnowledgeList::addSections(const std::vector<KnowledgeSection>& sections) {
    QTreeWidgetItem* machine = nullptr;
    int number = 0;
    for (const KnowledgeSection& section : sections) {
        if (machine == nullptr || machine->text(0) != toText(section.machine)) {
            machine = addRow(nullptr, toText(section.machine), {});
            machine->setExpanded(true);
        }
        auto* item = addRow(machine, section.heading.empty() ? tr("Introduction") : toText(section.heading),
                            tokensText(estimatedTokens(section.text)));
        item->setData(0, sectionRole, ++number);
        if (section.always) {
            item->setToolTip(0, tr("Included in every prompt"));
            item->setText(0, QStringLiteral("\u2022 ") % item->text(0));
        }
    }
}

void KnowledgeList::addDocuments(const std::vector<Document>& documents) {
    auto* shelf = addRow(nullptr, documents.empty() ? tr("No documents yet. Drop files here.") : tr("Documents"), {});
    shelf->setExpanded(true);
    shelf->setFirstColumnSpanned(documents.empty()); // a sentence, with nothing to count
    for (const Document& document : documents) {
        const QString title = toText(document.title);
        auto* item =
            addRow(shelf, document.enabled ? title : tr("%1 (off)").arg(title), tokensText(tokensOf(document)));
        item->setData(0, documentRole, QVariant::fromValue<qlonglong>(document.id));
        if (!document.enabled) {
            item->setForeground(0, Theme::instance().palette().quietText);
        }
    }
}

} // namespace gks
