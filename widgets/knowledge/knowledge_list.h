// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/scientist/knowledge.h"

#include <QTreeWidget>
#include <vector>

namespace gks {

// The sections of what is known of the machines, and the documents, with what each costs in tokens.
class KnowledgeList final : public QTreeWidget {
    Q_OBJECT

public:
    explicit KnowledgeList(QWidget* parent = nullptr);

    // Rows are rebuilt only when something that they show has changed: a person may be reading.
    void showAll(const std::vector<KnowledgeSection>& sections, const std::vector<Document>& documents);
    int section() const;           // that is chosen, -1: none
    std::int64_t document() const; // likewise, 0: none
    void chooseDocument(std::int64_t id);

private:
    QTreeWidgetItem* addRow(QTreeWidgetItem* parent, const QString& text, const QString& right);
    void addSections(const std::vector<KnowledgeSection>& sections);
    void addDocuments(const std::vector<Document>& documents);

    QString m_shown;
};

QString tokensText(std::int64_t tokens);
std::int64_t tokensOf(const Document& document);

} // namespace gks
