// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiments/experiment_delegate.h"

#include "core/base/quantity.h"
#include "widgets/common/fitting_text.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/common/words.h"
#include "widgets/experiments/experiment_model.h"
#include "widgets/experiments/prediction_bar.h"

#include <QPainter>

namespace gks {
namespace {

QColor stateColor(ExperimentState state, const Palette& palette) {
    switch (state) {
    case ExperimentState::proposed:
        return palette.quietText;
    case ExperimentState::notPicked:
        return palette.line;
    case ExperimentState::approved:
        return palette.accent;
    case ExperimentState::writing:
    case ExperimentState::evaluating:
        return palette.accent;
    case ExperimentState::done:
        return palette.tie;
    case ExperimentState::rejected:
        return palette.quietText;
    case ExperimentState::failed:
        return palette.wrong;
    }
    return palette.text;
}

} // namespace

QStringList gainTexts(const Experiment& experiment) {
    QStringList figures;
    if (experiment.predicted) {
        figures.append(gainRangeOf(*experiment.predicted));
    }
    for (const auto& gain : {experiment.measuredGain, experiment.tunedGain}) {
        if (gain) {
            figures.append(toText(formatRatio(*gain)));
        }
    }
    const QString whole = gainsOf(experiment);
    if (figures.isEmpty()) {
        return {whole};
    }
    // Without "predicted", which the place says, and without any word.
    const QString shorter = experiment.predicted ? whole.sliced(whole.indexOf(figures.front())) : whole;
    return {whole, shorter, figures.join(QStringLiteral(", "))};
}

QSize ExperimentDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {200, 3 * option.fontMetrics.height() + 2 * spacing2};
}

void ExperimentDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto experiment = index.data(ExperimentModel::ExperimentRole).value<Experiment>();
    const Palette& palette = Theme::instance().palette();
    const bool selected = (option.state & QStyle::State_Selected) != 0;
    painter->save();
    const QColor background = selected ? tinted(palette.surface, palette.accent, 0.18) : palette.surface;
    painter->fillRect(option.rect, background);
    painter->fillRect(QRect(option.rect.left(), option.rect.top(), 3, option.rect.height() - 1),
                      stateColor(experiment.state, palette));
    painter->setPen(palette.line);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());

    const bool off = experiment.state == ExperimentState::rejected || experiment.state == ExperimentState::notPicked;
    const int lineHeight = option.fontMetrics.height();
    QRect line = option.rect.adjusted(spacing3, spacing1, -spacing2, 0);
    line.setHeight(lineHeight);
    painter->setFont(option.font);
    painter->setPen(off ? palette.quietText : palette.text);
    const QString mark =
        experiment.editedByPerson || experiment.author == Author::person ? QStringLiteral("\u270e ") : QString();
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                      option.fontMetrics.elidedText(mark + QString::fromStdString(experiment.description).simplified(),
                                                    Qt::ElideRight, line.width()));

    line.translate(0, lineHeight + 2);
    painter->setPen(off ? palette.quietText : stateColor(experiment.state, palette));
    const QString state = index.data(ExperimentModel::StateTextRole).toString();
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter, state);
    int used = option.fontMetrics.horizontalAdvance(state);
    painter->setPen(palette.quietText);
    if (experiment.kernel) {
        // A kernel that nearly repeats an earlier one wears that one's number.
        const QVariant near = index.data(ExperimentModel::NearDuplicateRole);
        const QString kernel = QStringLiteral("  ") + idText(*experiment.kernel) +
                               (near.isValid() ? QStringLiteral(" \u2248 ") + idText(near.toLongLong()) : QString());
        painter->drawText(line.adjusted(used, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, kernel);
        used += option.fontMetrics.horizontalAdvance(kernel);
    }
    const int barWidth = line.width() / 4;
    paintPrediction(*painter, QRectF(line.right() - barWidth, line.top() + 2, barWidth, line.height() - 4),
                    {experiment.predicted, experiment.measuredGain}, palette);
    const QString innovation = QObject::tr("innovation %1").arg(experiment.innovation);
    const QString kind = innovation + QStringLiteral(", ") + word(name(experiment.kind));
    QStringList quiet = {kind, innovation, QObject::tr("inn. %1").arg(experiment.innovation)};
    if (!experiment.pick.empty()) {
        quiet.prepend(kind + QStringLiteral(" \u00b7 ") + word(experiment.pick));
    }
    const QRect middle = line.adjusted(used + spacing2, 0, -barWidth - spacing2, 0);
    painter->drawText(middle, Qt::AlignLeft | Qt::AlignVCenter,
                      firstThatFits(quiet, option.fontMetrics, middle.width()));

    line.translate(0, lineHeight + 2);
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                      firstThatFits(gainTexts(experiment), option.fontMetrics, line.width()));
    painter->restore();
}

} // namespace gks
