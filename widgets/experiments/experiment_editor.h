// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QWidget>
#include <optional>

class QDoubleSpinBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace gks {

class PredictionBar;

// One experiment as text in place. Edits are sent when the focus leaves the form, when another experiment is chosen and
// before it is approved; what was typed is never overwritten by the engine's news about the same experiment.
class ExperimentEditor final : public QWidget {
    Q_OBJECT

public:
    explicit ExperimentEditor(QWidget* parent = nullptr);

    void showExperiment(const Experiment* experiment, bool writable); // null: nothing chosen
    void beginNew(KernelId parent);
    bool isNew() const { return m_isNew; }
    void commit();

Q_SIGNALS:
    void edited(const gks::Experiment& experiment);
    void created(const gks::Experiment& experiment);
    void approveRequested(qint64 id);
    void rejectRequested(qint64 id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void approve();
    void reject();
    void predictionTyped();
    Experiment typed() const;

    QLabel* m_title;
    QPlainTextEdit* m_description;
    QPlainTextEdit* m_rubric;
    QDoubleSpinBox* m_low;
    QDoubleSpinBox* m_high;
    QSpinBox* m_innovation;
    PredictionBar* m_bar;
    QPushButton* m_approve;
    QPushButton* m_reject;
    std::optional<Experiment> m_experiment;
    bool m_editable = false;
    bool m_mayDecide = false;
    bool m_isNew = false;
    bool m_dirty = false;
    bool m_filling = false;
};

} // namespace gks
