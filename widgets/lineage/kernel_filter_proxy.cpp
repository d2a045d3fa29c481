// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lineage/kernel_filter_proxy.h"

#include "widgets/lineage/lineage_model.h"

namespace gks {

KernelFilterProxy::KernelFilterProxy(QObject* parent) : QSortFilterProxyModel(parent) {
    setRecursiveFilteringEnabled(true);
    setSortRole(LineageModel::sortRole);
}

void KernelFilterProxy::setQuery(const QString& query) {
    m_query = query;
    invalidateFilter();
}

bool KernelFilterProxy::filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const {
    if (m_query.isEmpty()) {
        return true;
    }
    const auto* lineage = static_cast<const LineageModel*>(sourceModel());
    const Kernel* kernel = lineage->kernel(lineage->index(sourceRow, 0, sourceParent));
    return kernel != nullptr && matchesSearch(*kernel, m_query);
}

} // namespace gks
