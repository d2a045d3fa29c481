// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/commands.h"

#include <QWidget>
#include <optional>

class QLabel;
class QListWidget;

namespace gks {

class DraftDecision;

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

    QLabel* m_title;
    QListWidget* m_list;
    DraftDecision* m_decision;
    bool m_writable = false;
};

} // namespace gks
