// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/commands.h"

#include <QWidget>
#include <optional>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace gks {

// The drafts whose code waits for the person, and what they say of each. Hidden while none waits.
class CodeReview final : public QWidget {
    Q_OBJECT

public:
    explicit CodeReview(QWidget* parent = nullptr);

    void showDrafts(const Population& population, bool writable);

Q_SIGNALS:
    void lookedAt(qint64 draft); // to be shown beside its parent
    void decided(const gks::SteeringCommand& command);
    void editRequested(qint64 draft);

private:
    std::optional<KernelId> current() const;
    void look();
    void decide(const SteeringCommand& command);
    void showButtons();

    QLabel* m_title;
    QListWidget* m_list;
    QLineEdit* m_remark;
    QPushButton* m_approve;
    QPushButton* m_sendBack;
    QPushButton* m_reject;
    QPushButton* m_edit;
    bool m_writable = false;
};

} // namespace gks
