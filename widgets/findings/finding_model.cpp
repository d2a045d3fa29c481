// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/findings/finding_model.h"

#include "widgets/common/terms.h"

#include <algorithm>

namespace gks {

QString findingStateText(FindingState state) {
    switch (state) {
    case FindingState::standing:
        return QObject::tr("supported");
    case FindingState::contradicted:
        return QObject::tr("contradicted");
    case FindingState::dismissed:
        return QObject::tr("dismissed");
    }
    return {};
}

QString findingKindText(const Finding& finding) {
    return finding.probe ? QObject::tr("measured by probe %1").arg(idText(*finding.probe)) : QString();
}

QString gainText(const Finding& finding) {
    return finding.gain ? gainRangeOf(*finding.gain) : QString();
}

void FindingModel::setFindings(const std::vector<Finding>& findings) {
    const auto same = [](const Finding& a, const Finding& b) { return a.id == b.id; };
    updateRows(findings, same, std::equal_to<Finding>());
}

QVariant FindingModel::data(const QModelIndex& index, int role) const {
    const Finding* finding = at(index.row());
    if (finding == nullptr) {
        return {};
    }
    if (role == Qt::DisplayRole) {
        return toText(finding->subject);
    }
    if (role == Qt::ToolTipRole) {
        return toText(finding->text);
    }
    if (role == Qt::AccessibleTextRole) {
        return QStringList{toText(finding->subject), findingStateText(finding->state), findingKindText(*finding),
                           gainText(*finding), toText(finding->text)}
            .join(QStringLiteral(", "));
    }
    return {};
}

FindingFilter::FindingFilter(FindingModel* model, QObject* parent) : QSortFilterProxyModel(parent), m_model(model) {
    setSourceModel(model);
}

void FindingFilter::setWords(const QString& words) {
    m_words = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

void FindingFilter::setState(std::optional<FindingState> state) {
    m_state = state;
    invalidateFilter();
}

void FindingFilter::setMeasured(bool only) {
    m_measured = only;
    invalidateFilter();
}

const Finding* FindingFilter::at(int row) const {
    return m_model->at(mapToSource(index(row, 0)).row());
}

bool FindingFilter::filterAcceptsRow(int row, const QModelIndex&) const {
    const Finding& finding = *m_model->at(row);
    const QString text = toText(finding.subject) % QLatin1Char(' ') % toText(finding.text);
    return (!m_state || *m_state == finding.state) && (!m_measured || finding.probe) &&
           std::all_of(m_words.begin(), m_words.end(),
                       [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace gks
