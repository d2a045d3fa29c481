// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QStringList>
#include <QStyledItemDelegate>
#include <optional>

namespace gks {

struct OutlineRow;
struct Palette;

// One row of the outline: the line that it stands on, fold mark, verdict, id, title, ratio to the baseline and time as
// far as there is room. What failed is dim, the best path strong.
class OutlineDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setSecond(std::optional<KernelId> second) { m_second = second; }
    static int markLeft(const OutlineRow& row); // of the fold mark, within the row
    static constexpr int foldWidth = 12;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintLine(QPainter& painter, const QRect& rect, const OutlineRow& row, const Palette& colors) const;
    void paintCluster(QPainter& painter, QRect rect, const OutlineRow& row, const QStringList& texts,
                      const Palette& colors) const;
    void paintKernel(QPainter& painter, QRect rect, const OutlineRow& row, const Kernel& kernel,
                     const Population& population, const Palette& colors) const;

    std::optional<KernelId> m_second;
};

} // namespace gks
