// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace gks {

// A flat model over values. An update says exactly which rows changed, came and went, and never resets: views keep
// selection and place. Base: QAbstractListModel or QAbstractTableModel.
template<class Base, class T>
class RowModel : public Base {
public:
    using Base::Base;

    const std::vector<T>& rows() const { return m_rows; }
    const T* at(int row) const {
        return row >= 0 && static_cast<std::size_t>(row) < m_rows.size() ? &m_rows[static_cast<std::size_t>(row)]
                                                                         : nullptr;
    }
    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }

protected:
    // `same`: two values are one row at two times. `equal`: nothing of it has changed. Rows behind the first that is
    // not the same are replaced: what we show grows at its end.
    template<class Same, class Equal>
    void updateRows(std::vector<T> rows, Same same, Equal equal) {
        std::size_t kept = 0;
        for (; kept < std::min(rows.size(), m_rows.size()) && same(rows[kept], m_rows[kept]); ++kept) {
            if (!equal(rows[kept], m_rows[kept])) {
                m_rows[kept] = std::move(rows[kept]);
                const int row = static_cast<int>(kept);
                const QAbstractItemModel& model = *this; // in a list model the count of columns is private
                Q_EMIT this->dataChanged(this->index(row, 0), this->index(row, model.columnCount() - 1));
            }
        }
        if (kept < m_rows.size()) {
            this->beginRemoveRows({}, static_cast<int>(kept), static_cast<int>(m_rows.size()) - 1);
            m_rows.resize(kept);
            this->endRemoveRows();
        }
        if (kept < rows.size()) {
            this->beginInsertRows({}, static_cast<int>(kept), static_cast<int>(rows.size()) - 1);
            for (std::size_t row = kept; row < rows.size(); ++row) {
                m_rows.push_back(std::move(rows[row]));
            }
            this->endInsertRows();
        }
    }

private:
    std::vector<T> m_rows;
};

} // namespace gks
