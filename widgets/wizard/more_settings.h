// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QStringList>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

namespace gks {

// What a new campaign can be told besides: which device and shapes, when it ends, how a model works.
class MoreSettings final : public QWidget {
    Q_OBJECT

public:
    explicit MoreSettings(QWidget* parent = nullptr);

    void setDevices(const QStringList& devices); // of the target
    void setSettings(const CampaignSettings& settings);
    void write(CampaignSettings& settings) const;

private:
    QComboBox* m_device;
    QComboBox* m_shapes;
    QDoubleSpinBox* m_goalUs;
    QSpinBox* m_fruitless;
    QDoubleSpinBox* m_measureSeconds;
    QSpinBox* m_drafts;
    QCheckBox* m_probes;
};

} // namespace gks
