// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QSpinBox;

namespace gks {

// How the scientist works: who selects, which experiments run, how long a new structure is tuned, how much the models
// are told, how often an experiment is written, when another kind is asked for, whether reports are checked and drafts
// screened.
class PoliciesForm final : public QWidget {
    Q_OBJECT

public:
    explicit PoliciesForm(const Policies& policies, QWidget* parent = nullptr);

    Policies policies() const;
    void setModelScientist(bool model); // the tuner selects and picks by itself

private:
    const Policies m_before;
    QComboBox* m_selector;
    QComboBox* m_pick;
    QSpinBox* m_tuning;
    QSpinBox* m_knowledge;
    QSpinBox* m_calls;
    QSpinBox* m_drafts;
    QSpinBox* m_stagnation;
    QCheckBox* m_checkReports;
    QCheckBox* m_screening;
    QCheckBox* m_probes;
};

} // namespace gks
