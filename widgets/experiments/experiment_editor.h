// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/commands.h"

#include <QJsonObject>
#include <QWidget>
#include <functional>
#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace gks {

class MessageLabel;
class PredictionBar;

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
    void showExperiment(const Experiment* experiment, bool writable); // null: nothing chosen
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

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void startNew(KernelId parent, std::optional<KernelId> second);
    void fillKinds();
    void fillWriters();
    void makeOwn();
    void fill();
    void showState();
    void close();
    void approve();
    void reject();
    bool isDirty() const { return m_edit != command::EditExperiment{}; }
    void predictionTyped(double Interval::* bound, double gain);
    bool isProbe() const;
    void writeCode();
    command::AddExperiment added() const;

    QLabel* m_title;
    QLabel* m_waits; // of a new one why it was not added
    QPlainTextEdit* m_description;
    QPlainTextEdit* m_rubric;
    QDoubleSpinBox* m_low;
    QDoubleSpinBox* m_high;
    QSpinBox* m_innovation;
    QComboBox* m_kind; // of a new one
    QLabel* m_kindLabel;
    QComboBox* m_writer;
    QLabel* m_writerLabel;
    std::vector<std::string> m_writers;
    CampaignSettings m_settings;
    MessageLabel* m_needsCode; // said before it is added
    Check m_check;
    QPushButton* m_writeCode;
    PredictionBar* m_bar;
    QPushButton* m_approve;
    QPushButton* m_reject;
    std::optional<Experiment> m_experiment;
    command::EditExperiment m_edit; // what was typed and not sent yet
    bool m_editable = false;
    bool m_mayDecide = false;
    bool m_isNew = false;
    bool m_filling = false;
};

} // namespace gks
