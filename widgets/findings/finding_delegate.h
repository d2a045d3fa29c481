// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace gks {

// Mark and subject with the gain, then two lines of the text. The mark tells the state by shape and colour: a disc
// stands, a triangle on its tip is contradicted, a struck ring is dismissed; a square: figures that a probe measured; a
// pencil: a person's words.
class FindingDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace gks
