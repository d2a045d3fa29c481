// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/more_settings.h"

#include "core/campaign/limits.h"
#include "widgets/common/form_fields.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"
#include "widgets/common/words.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QSpinBox>

namespace gks {

MoreSettings::MoreSettings(QWidget* parent)
    : QWidget(parent)
    , m_device(named(new QComboBox, "newDevice", tr("Device")))
    , m_shapes(named(new QComboBox, "newShapes", tr("Shapes")))
    , m_goalUs(named(new QDoubleSpinBox, "newGoal", tr("Goal in microseconds")))
    , m_fruitless(named(new QSpinBox, "newFruitless", tr("End after experiments without a new best")))
    , m_measureSeconds(named(new QDoubleSpinBox, "newMeasureSeconds", tr("Measuring time of one kernel")))
    , m_drafts(named(new QSpinBox, "newDrafts", tr("Drafts of an experiment")))
    , m_probes(named(new QCheckBox(tr("Measure the built-in &probes first")), "newProbes",
                     tr("Measure the built-in probes first"))) {
    for (const ShapeChoice choice : {ShapeChoice::quick, ShapeChoice::test, ShapeChoice::benchmark, ShapeChoice::all}) {
        m_shapes->addItem(word(name(choice)), static_cast<int>(choice));
    }
    m_shapes->setToolTip(tr("Which shapes are measured; on the CPU every choice means the pack's shapes for it"));
    m_goalUs->setRange(0, limits::goalUs);
    m_goalUs->setSuffix(tr(" µs"));
    m_goalUs->setSpecialValueText(tr("no goal"));
    m_fruitless->setRange(0, limits::budget);
    m_fruitless->setSpecialValueText(tr("never"));
    m_fruitless->setToolTip(tr("Ends after so many experiments in a row without a new best"));
    m_measureSeconds->setRange(0.01, limits::measureSeconds);
    m_measureSeconds->setSuffix(tr(" s"));
    m_drafts->setRange(1, limits::drafts);
    m_drafts->setToolTip(tr("How often a model writes each experiment, side by side"));
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(spacing2);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addField(form, tr("De&vice"), m_device, m_device);
    addField(form, tr("S&hapes"), m_shapes, m_shapes);
    addField(form, tr("&Goal"), m_goalUs, m_goalUs);
    addField(form, tr("End a&fter"), m_fruitless, m_fruitless);
    addField(form, tr("Meas&uring"), m_measureSeconds, m_measureSeconds);
    addField(form, tr("Dr&afts"), m_drafts, m_drafts);
    form->addRow(QString(), m_probes);
    setDevices({});
    setSettings({});
}

void MoreSettings::setDevices(const QStringList& devices) {
    m_device->clear();
    for (int i = 0; i < devices.size(); ++i) {
        m_device->addItem(tr("%1: %2").arg(i).arg(devices[i]));
    }
}

void MoreSettings::setSettings(const CampaignSettings& settings) {
    m_shapes->setCurrentIndex(m_shapes->findData(static_cast<int>(settings.shapes)));
    m_goalUs->setValue(settings.budgets.goalUs);
    m_fruitless->setValue(static_cast<int>(settings.budgets.fruitless));
    m_measureSeconds->setValue(settings.measureSeconds);
    m_drafts->setValue(settings.policies.drafts);
    m_probes->setChecked(settings.policies.probes);
}

void MoreSettings::write(CampaignSettings& settings) const {
    const bool asksModel = settings.scientist == ScientistKind::model; // the tuner writes no drafts and no probes
    settings.device = std::max(m_device->currentIndex(), 0);
    settings.shapes = static_cast<ShapeChoice>(m_shapes->currentData().toInt());
    settings.budgets.goalUs = m_goalUs->value();
    settings.budgets.fruitless = m_fruitless->value();
    settings.measureSeconds = m_measureSeconds->value();
    settings.policies.drafts = asksModel ? m_drafts->value() : 1;
    settings.policies.probes = asksModel && m_probes->isChecked();
}

} // namespace gks
