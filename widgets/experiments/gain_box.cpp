// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiments/gain_box.h"

#include "core/base/quantity.h"
#include "core/campaign/limits.h"
#include "widgets/common/terms.h"

namespace gks {

GainBox::GainBox(QWidget* parent) : QDoubleSpinBox(parent) {
    setRange(limits::predictedGain.low, limits::predictedGain.high);
    setDecimals(4);
    setSingleStep(0.05);
    setSuffix(QStringLiteral("x"));
    setToolTip(tr("Time before / time after"));
    setAlignment(Qt::AlignRight);
}

QString GainBox::textFromValue(double gain) const {
    return toText(formatSignificant(gain)).replace(QLatin1Char('.'), locale().decimalPoint()); // as it is read back
}

double GainBox::rounded(double gain) {
    return QString::fromStdString(formatSignificant(gain)).toDouble();
}

} // namespace gks
