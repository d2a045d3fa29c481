// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lineage/ranked_rows.h"
#include "widgets/common/panel.h"

#include <QWidget>
#include <optional>

class QComboBox;
class QLabel;

namespace gks {

// Above the table of kernels: which of them are in it, by what has become of them and by who made them, and of which
// shape it has a column. Remembered for each campaign.
class TableFilters final : public QWidget {
    Q_OBJECT

public:
    explicit TableFilters(const PanelContext& context, QWidget* parent = nullptr);

    RowFilter filter() const;                 // without what a search has found
    std::optional<std::size_t> shape() const; // of those that the campaign measures
    void setCount(int shown, int all);

Q_SIGNALS:
    void changed();

private:
    void fillShapes();
    void restore();
    void remember();
    QByteArray key() const;

    PanelContext m_context;
    QComboBox* m_state;
    QComboBox* m_author;
    QComboBox* m_shape;
    QLabel* m_count;
};

} // namespace gks
