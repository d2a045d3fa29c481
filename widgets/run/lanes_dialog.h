// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;

namespace gks {

// Where the kernels of a campaign are evaluated, in the words of --lanes. Kept in the person's own settings, never in
// the campaign file; used when the campaign is opened the next time.
class LanesDialog final : public QDialog {
    Q_OBJECT

public:
    LanesDialog(const QString& file, QWidget* parent);

    void accept() override;

private:
    void addFolder();

    QString m_file;
    QLineEdit* m_lanes;
    QLabel* m_error;
};

} // namespace gks
