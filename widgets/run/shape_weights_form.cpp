// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/shape_weights_form.h"

#include "core/campaign/limits.h"
#include "core/problem/shape_text.h"
#include "core/rating/shape_scales.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"

#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {

ShapeWeightsForm::ShapeWeightsForm(const Population& population, QWidget* parent)
    : QWidget(parent), m_before(population.settings.shapeWeights) {
    auto* rows = new QWidget;
    auto* form = new QFormLayout(rows);
    if (population.shapeScales != nullptr) {
        for (const auto& [shape, scale] : population.shapeScales->shapes()) {
            const QString label = toText(namedShapeText(shape));
            auto* weight = named(new QDoubleSpinBox, "shapeWeight", tr("Weight of the shape %1").arg(label));
            weight->setObjectName(QStringLiteral("shapeWeight%1").arg(m_rows.size()));
            weight->setRange(0, limits::shapeWeight);
            weight->setDecimals(3);
            weight->setValue(weightOf(m_before, shape));
            weight->setAlignment(Qt::AlignRight);
            form->addRow(label, weight);
            m_rows.push_back({shape, weight});
        }
    }
    auto* text = new MessageLabel(
        m_rows.empty() ? tr("No kernels were compared on a shape yet: weights can be set when the seeds are "
                            "measured.")
                       : tr("Kernels are ranked by the weighted geometric mean over these shapes. A shape with "
                            "the weight 0 is still verified and measured. Verdicts against the parent count "
                            "every shape once."));
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(rows);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing3);
    column->addWidget(text);
    column->addWidget(scroll, 1);
}

ShapeWeights ShapeWeightsForm::weights() const {
    ShapeWeights weights;
    for (const Row& row : m_rows) {
        // A field that was not touched keeps what it was rounded from.
        const double before = weightOf(m_before, row.shape);
        const double rounded = row.weight->valueFromText(row.weight->textFromValue(before));
        const double weight = row.weight->value() == rounded ? before : row.weight->value();
        if (weight != 1) {
            weights[row.shape] = weight;
        }
    }
    return weights;
}

QString ShapeWeightsForm::mistake() const {
    const bool none =
        !m_rows.empty() && std::ranges::all_of(m_rows, [](const Row& row) { return row.weight->value() <= 0; });
    return none ? tr("Every shape has the weight 0: give one of them more") : QString();
}

} // namespace gks
