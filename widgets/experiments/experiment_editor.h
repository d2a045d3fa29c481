// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/commands.h"

#include <QJsonObject>
#include <QWidget>
#include <functional>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QPushButton;

namespace gks {

class ExperimentFields;
class MessageLabel;

// One experiment as text in place. Edits are sent when the focus leaves the form, when another experiment is chosen and
// before it is approved: the fields that were touched and no others. What was typed is never overwritten by the
// engine's news about the same experiment; when that one begins to be written, the text stays as one of the person's
// own.
class ExperimentEditor final : public QWidget {
    Q_OBJECT

public:
    explicit ExperimentEditor(QWidget* parent = nullptr);

    // The campaign's further ones, by name: with none there is nothing to choose.
    void setWriters(const std::vector<std::string>& writers);

    void setWaits(const QString& why);                  // why it does not go on now; "": it does
    void setSettings(const CampaignSettings& settings); // who would write it
    // Whether a new one may be added: one that is refused stays in the form, with the reason.
    using Check = std::function<Result<void>(const command::AddExperiment&)>;
    void setCheck(Check check) { m_check = std::move(check); }
    // Null: nothing chosen. `inLine`: see stateInLine().
    void showExperiment(const Experiment* experiment, bool writable, std::optional<KernelState> inLine = {});
    // On a parent; with a second one it may join both.
    void beginNew(KernelId parent, std::optional<KernelId> second);
    bool isNew() const { return m_isNew; }
    void commit();
    // What is typed and not sent, in words and as fields; put back into an empty form, or over the experiment that it
    // belongs to. False: that one is not shown, or may not be edited.
    QString unsent() const;
    QJsonObject unsentFields() const;
    bool restore(const QJsonObject& fields);
    void drop();

Q_SIGNALS:
    void typed(); // or sent, or dropped
    void edited(const gks::command::EditExperiment& edit);
    void created(const gks::command::AddExperiment& add);
    void codeRequested(qint64 parent, const QString& title); // the person writes the kernel
    void approveRequested(qint64 id);
    void rejectRequested(qint64 id);

private:
    void startNew(KernelId parent, std::optional<KernelId> second);
    void makeOwn();
    void fill();
    void showState();
    void close();
    void approve();
    void reject();
    void writeCode();

    QLabel* m_title;
    QLabel* m_waits; // of a new one why it was not added
    ExperimentFields* m_fields;
    CampaignSettings m_settings;
    MessageLabel* m_needsCode; // said before it is added
    Check m_check;
    QPushButton* m_writeCode;
    QPushButton* m_approve;
    QPushButton* m_reject;
    std::optional<Experiment> m_experiment;
    std::optional<KernelState> m_inLine;
    bool m_editable = false;
    bool m_mayDecide = false;
    bool m_isNew = false;
};

} // namespace gks
