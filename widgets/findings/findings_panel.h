// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "widgets/common/panel.h"

#include <map>

class QComboBox;
class QLabel;
class QLineEdit;
class QListView;
class QStackedWidget;

namespace gks {

class UnsavedText;
class EmptyState;
class FindingEditor;
class FindingFilter;
class FindingModel;

// What the campaign has learnt, each lesson with the evaluations that taught it and those that disagree; a person
// edits, dismisses, restores and adds.
class FindingsPanel final : public Panel {
    Q_OBJECT

public:
    explicit FindingsPanel(const PanelContext& context, QWidget* parent = nullptr);

protected:
    void refresh() override;
    bool isFilled() const override { return !m_awaited; }

private:
    QWidget* buildTools();
    UnsavedText* createUnsaved();
    void addActions();
    void beginNew();
    void showCurrent();
    void count();

    QStackedWidget* m_stack;
    EmptyState* m_empty;
    FindingModel* m_model;
    FindingFilter* m_filter;
    QLineEdit* m_words;
    QComboBox* m_state;
    QLabel* m_count;
    QListView* m_list;
    FindingEditor* m_editor;
    UnsavedText* m_unsaved;
    std::map<std::int64_t, KernelId> m_owners; // evaluation to kernel
    bool m_awaited = false;
    std::int64_t m_ownersOf = -1; // the newest evaluation that is known
};

} // namespace gks
