// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "widgets/common/row_model.h"

#include <QAbstractListModel>
#include <QSortFilterProxyModel>
#include <QString>

namespace gks {

QString findingStateText(FindingState state);    // "standing"
QString findingKindText(const Finding& finding); // "measured by probe 00012", "" for a lesson
QString gainText(const Finding& finding);        // "11.5 .. 18 % faster", "" when nothing was measured

// The lessons of a campaign by id. An update changes, adds and removes rows, and never resets.
class FindingModel final : public RowModel<QAbstractListModel, Finding> {
    Q_OBJECT

public:
    explicit FindingModel(QObject* parent = nullptr) : RowModel(parent) {}

    void setFindings(const std::vector<Finding>& findings);
    QVariant data(const QModelIndex& index, int role) const override;
};

class FindingFilter final : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit FindingFilter(FindingModel* model, QObject* parent = nullptr);

    void setWords(const QString& words);              // all of them occur
    void setState(std::optional<FindingState> state); // empty: any
    void setMeasured(bool only);                      // figures of probes alone
    const Finding* at(int row) const;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    FindingModel* m_model;
    QStringList m_words;
    std::optional<FindingState> m_state;
    bool m_measured = false;
};

} // namespace gks
