// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/commands.h"

#include <QJsonObject>
#include <QObject>
#include <string>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPlainTextEdit;
class QSpinBox;
class QVBoxLayout;
class QWidget;

namespace gks {

class PredictionBar;

// The fields of one experiment, and which of them were touched since it was put into them. They stand among the other
// parts of their form: what has too little room takes it from the largest part, not from the fields alone.
class ExperimentFields final : public QObject {
    Q_OBJECT

public:
    explicit ExperimentFields(QWidget* form);

    void addTo(QVBoxLayout* column) const;

    void fill(const Experiment& experiment); // nothing is touched then
    // What is typed stays, now for this one.
    void passTo(const Experiment& experiment, ExperimentKind kind);
    // The campaign's further ones, by name: with none there is nothing to choose.
    void setWriters(const std::vector<std::string>& writers);
    void setEditable(bool editable, bool isNew);
    void begin(); // typing, with the description

    bool isTouched() const { return m_edit != command::EditExperiment{}; }
    command::EditExperiment takeEdit();   // of what was touched, without the number; nothing is touched then
    command::AddExperiment added() const; // all of it, as a new experiment
    std::string description() const;

    QJsonObject content() const;
    void restore(const QJsonObject& content);

Q_SIGNALS:
    void typed();
    void left(); // by the focus
    void approveRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void connectFields();
    void fillKinds();
    void fillWriters();
    void enableFields();
    void predictionTyped(double Interval::* bound, double gain);
    bool isProbe() const;

    QWidget* m_form;
    QPlainTextEdit* m_description;
    QPlainTextEdit* m_rubric;
    QDoubleSpinBox* m_low;
    QDoubleSpinBox* m_high;
    PredictionBar* m_bar;
    QSpinBox* m_innovation;
    QComboBox* m_kind; // of a new one
    QLabel* m_kindLabel;
    QComboBox* m_writer;
    QLabel* m_writerLabel;
    std::vector<std::string> m_writers;
    Experiment m_experiment;
    command::EditExperiment m_edit;
    bool m_editable = false;
    bool m_isNew = false;
    bool m_filling = false;
};

} // namespace gks
