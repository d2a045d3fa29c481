// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/target/target.h"
#include "widgets/common/latest_work.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;

namespace gks {

// Where the kernels of a campaign are evaluated, in the words of --lanes. Kept in the person's own settings, never in
// the campaign file; used when the campaign is opened the next time.
class LanesDialog final : public QDialog {
    Q_OBJECT

public:
    // `target`: of the campaign, for lanes that name none.
    LanesDialog(const QString& file, TargetKind target, QWidget* parent);

    void accept() override;

private:
    void addFolder();
    void check(); // comes to each, and says what is there
    bool isRight();

    QString m_file;
    TargetKind m_target;
    QLineEdit* m_lanes;
    QLabel* m_error;
    QLabel* m_found;
    QPushButton* m_check;
    LatestWork<QString> m_checking;
};

} // namespace gks
