// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/commands.h"

#include <QJsonObject>
#include <QWidget>
#include <map>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace gks {

class RichTextView;

// One finding: its words, to be edited in place, and what it rests on. What was typed is sent when the field is left,
// or with Ctrl+Enter; news about the finding never takes typed text away.
class FindingEditor final : public QWidget {
    Q_OBJECT

public:
    explicit FindingEditor(QWidget* parent = nullptr);

    // Null: none. `owners`: evaluation to kernel. `use`: by whom it was used.
    void showFinding(const Finding* finding, const std::map<std::int64_t, KernelId>& owners, bool writable,
                     const QString& use = {});
    void beginNew();
    void commit();
    void toggleDismissed();
    bool isNew() const { return m_isNew; }
    // What is typed and not sent, in words and as fields; put back into an empty form, or over the finding that it
    // belongs to. False: that one is not shown.
    QString unsent() const;
    QJsonObject unsentFields() const;
    bool restore(const QJsonObject& fields);
    void drop();

Q_SIGNALS:
    void typed(); // or sent, or dropped
    void edited(const gks::command::EditFinding& edit);
    void created(const gks::command::AddFinding& add);
    void kernelClicked(std::int64_t kernel);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void startNew();
    void fill();
    void writeEvidence();

    QLabel* m_title;
    QLabel* m_refusal;
    QLineEdit* m_subject;
    QPlainTextEdit* m_text;
    RichTextView* m_evidence;
    QPushButton* m_save;
    QPushButton* m_dismiss;
    Finding m_finding; // id 0: none, or a new one
    std::map<std::int64_t, KernelId> m_owners;
    QString m_use;
    bool m_isNew = false;
    bool m_writable = false;
    bool m_dirty = false;
    bool m_filling = false;
};

} // namespace gks
