// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/documents.h"
#include "core/scientist/knowledge.h"
#include "core/scientist/machine.h"
#include "widgets/common/latest_work.h"
#include "widgets/common/panel.h"

#include <QStringList>
#include <QTimer>
#include <functional>

class QLabel;
class QLineEdit;
class QSpinBox;
class QStackedWidget;

namespace gks {

class DocumentPage;
class UnsavedText;
class EmptyState;
class KnowledgeList;
class RichTextView;

// What the models are told of the machine, and what the person gave them to read: sections and documents with what they
// cost in tokens, the words of a search in their passages, and how much of all that one prompt may hold.
class KnowledgePanel final : public Panel {
    Q_OBJECT

public:
    explicit KnowledgePanel(const PanelContext& context, QWidget* parent = nullptr);

    // Replaced by tests.
    using AskFiles = std::function<QStringList(QWidget*)>;
    void setAskFiles(AskFiles ask) { m_askFiles = std::move(ask); }
    void addFiles(const QStringList& files); // one after the other, beside the window

protected:
    void refresh() override;
    bool isFilled() const override { return !m_machine.isBusy() && !m_import.isBusy() && m_awaited == 0; }
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* buildTools();
    UnsavedText* createUnsaved();
    QWidget* buildList();
    void addActions();
    void findMachine();
    void showMachine();
    void showTotal();
    void showCurrent();
    void search();
    void importNext();
    void makeDigest(const Document& document);
    void tell(const QString& text, bool isError);
    void sendBudget();

    AskFiles m_askFiles;
    QLineEdit* m_words;
    QSpinBox* m_budget;
    QLabel* m_total;
    QLabel* m_notice; // of an import: running, or why it failed
    KnowledgeList* m_list;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    RichTextView* m_text;
    DocumentPage* m_document;
    UnsavedText* m_unsaved;
    QLabel* m_about; // what kernels run on, and whose sections stand for it
    std::vector<KnowledgeSection> m_sections;
    QString m_sectionsOf; // the state of the campaign that the machine was looked for in
    QStringList m_toImport;
    QStringList m_failures;
    QTimer m_pause; // of the typing
    struct KnownMachine {
        Machine machine;
        std::vector<KnowledgeSection> sections;
    };
    LatestWork<KnownMachine> m_machine;
    LatestWork<Result<ImportedDocument>> m_import;
    LatestWork<Result<std::string>> m_digest;
    std::int64_t m_shownDocument = 0;
    int m_awaited = 0;
};

} // namespace gks
