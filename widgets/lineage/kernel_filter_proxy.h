// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

namespace gks {

// The lineage tree restricted to what a search finds, with the ancestors that lead there.
class KernelFilterProxy final : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit KernelFilterProxy(QObject* parent = nullptr);
    void setQuery(const QString& query);

protected:
    bool filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const override;

private:
    QString m_query;
};

} // namespace gks
