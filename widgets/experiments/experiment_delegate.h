// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QStringList>
#include <QStyledItemDelegate>

namespace gks {

// Prediction and measured gain, ever shorter.
QStringList gainTexts(const Experiment& experiment);

// Three lines for an experiment: what is to be tried; its state, how new it is and why it was picked, beside the bar of
// its prediction; the prediction in numbers with the measured gain.
class ExperimentDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace gks
