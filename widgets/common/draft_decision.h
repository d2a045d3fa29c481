// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/commands.h"

#include <QString>
#include <QWidget>
#include <map>
#include <optional>
#include <string>

class QLineEdit;
class QPushButton;

namespace gks {

// What the person says of a draft whose code waits: a remark, and approve, send back, reject or edit.
class DraftDecision final : public QWidget {
    Q_OBJECT

public:
    // `prefix` begins the names of the parts. Beside the remark where there is room, else below it; mnemonics in one
    // place of a window alone.
    enum class Place { narrow, wide };
    DraftDecision(Place place, const QString& prefix, QWidget* parent = nullptr);

    void setDraft(std::optional<KernelId> draft, bool writable); // each has its own remark

    void approve();
    void sendBack(); // with the words that the Writer needs; else they are asked for
    void reject();
    void edit();

Q_SIGNALS:
    void decided(const gks::SteeringCommand& command);
    void editRequested(qint64 draft);

private:
    void decide(const SteeringCommand& command);
    void showButtons();
    std::string remark() const;

    QLineEdit* m_remark;
    QPushButton* m_approve;
    QPushButton* m_sendBack;
    QPushButton* m_reject;
    QPushButton* m_edit;
    std::optional<KernelId> m_draft;
    std::map<KernelId, QString> m_remarks; // typed, and not sent yet
    bool m_writable = false;
};

} // namespace gks
