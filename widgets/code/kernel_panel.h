// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/commands.h"
#include "widgets/code/kernel_page.h"
#include "widgets/common/latest_work.h"
#include "widgets/common/panel.h"

#include <QList>
#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QToolButton;
class QWidget;

namespace gks {

class CompileView;
class UnsavedText;
class EmptyState;
class NearDuplicateLine;
class RichTextView;
class SourceEditor;
class SubmittedKernel;

// One kernel: its source, and the facts of its evaluations (times by shape, what was verified, the compiler's words).
// "Edit as new kernel" turns the source into an editor that compiles while one types; what is typed there is kept while
// other kernels are looked at, until it is sent or dropped.
class KernelPanel final : public Panel {
    Q_OBJECT

public:
    explicit KernelPanel(const PanelContext& context, QWidget* parent = nullptr);

    bool beginEdit(); // the selected kernel becomes the basis; refused while another edit is open
    void setEditTitle(const QString& title);
    // A source from elsewhere in the editor, on the same basis; refused while another is being edited.
    void beginEditOf(const QString& title, const QString& source);
    bool isEditing() const { return m_basis.has_value(); }
    CompileView& compileView() { return *m_compile; } // for tests

protected:
    void refresh() override;
    bool isFilled() const override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void createActions();
    QWidget* createEditBar();
    QWidget* createExportButton();
    UnsavedText* createUnsaved();
    void startEdit(const Kernel& basis);
    void endEdit();
    void submitEdit();
    SteeringCommand typed() const; // a new kernel, or the text in the place of a draft that waits for the person
    void showRefusal(const QString& why);
    QString refusal() const; // why what is typed cannot become a kernel
    bool replacesDraft() const;
    void showKernel(const Kernel& kernel);
    bool mayBeEvaluatedNow(const Kernel& kernel) const;
    void ask(const Kernel& kernel);
    void read(std::vector<Evaluation> evaluations);
    bool isPageNew() const; // no other one is on its way
    void takeBasis();
    void replaceText(const QString& text);
    void showPage();
    void showSource();
    void showFacts();
    void announceFilled();
    void showDiagnostics(); // of what is typed, or of the build of a finished kernel
    void askParentOf(const Kernel& basis);
    void divideParts();
    void showNearDuplicate();
    void compareWithNearDuplicate();

    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QLabel* m_name;
    QLabel* m_outcome;
    QLabel* m_refusal; // why the edit cannot be sent
    QLabel* m_unread;  // in the place of a source that cannot be read: why
    SubmittedKernel* m_submitted;
    QPushButton* m_evaluateNow;
    NearDuplicateLine* m_near; // "differs from 00012 in 3 lines ...: compare"
    QWidget* m_editBar;
    QLineEdit* m_editTitle;
    SourceEditor* m_source;
    CompileView* m_compile;
    RichTextView* m_facts;
    QSplitter* m_parts;
    QList<int> m_partsBefore; // an edit took more of the page
    UnsavedText* m_unsaved;
    std::optional<KernelId> m_basis;          // of the edit
    std::optional<std::string> m_basisSource; // once it is read
    bool m_textAwaited = false;               // the editor has not got it yet, nor another one
    std::optional<KernelId> m_shown;          // whose source the editor has
    std::optional<KernelPageQuestion> m_asked;
    KernelPagePtr m_page; // the newest that is there
    QString m_shownFacts;
    bool m_evaluationsAwaited = false;
    LatestWork<KernelPagePtr> m_work;
};

} // namespace gks
