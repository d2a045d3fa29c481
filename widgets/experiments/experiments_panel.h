// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/commands.h"
#include "widgets/common/panel.h"

#include <optional>

class QLabel;
class QListView;
class QModelIndex;
class QToolButton;

namespace gks {

class UnsavedText;
class CodeReview;
class EmptyState;
class ExperimentEditor;
class ExperimentModel;
class ExperimentOrder;
class RoundView;

// What will be tried next, and what came of what was tried: every proposal can be read, edited, approved, rejected and
// moved until it starts, and the person can add one.
class ExperimentsPanel final : public Panel {
    Q_OBJECT

public:
    explicit ExperimentsPanel(const PanelContext& context, QWidget* parent = nullptr);

Q_SIGNALS:
    // The person writes the kernel of an experiment on this parent; the title says of which.
    void codeRequested(qint64 parent, const QString& title);

protected:
    void refresh() override;

private:
    QWidget* createTools();
    UnsavedText* createUnsaved();
    void createActions();
    void connectReview();
    void followKernel();
    void chosen(const QModelIndex& current);
    void showChosen();
    void move(int by);
    void addOwn();
    void sendOwn(const command::AddExperiment& add);
    void chooseOwn(); // once it is there

    CodeReview* m_review;
    ExperimentModel* m_model;
    ExperimentOrder* m_order;
    QLabel* m_count;
    QListView* m_list;
    EmptyState* m_empty;
    RoundView* m_round;
    ExperimentEditor* m_editor;
    UnsavedText* m_unsaved;
    std::optional<ExperimentId> m_ownComesAfter; // the newest when the person added one
    bool m_seeksText = true; // what was half typed about an experiment the last time brings that one to the front, once
};

} // namespace gks
