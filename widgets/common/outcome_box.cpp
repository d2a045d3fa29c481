// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/outcome_box.h"

#include <QMessageBox>

namespace gks {

void showOutcome(QWidget* home, const QString& objectName, bool good, const QString& title, const QString& text) {
    auto* box =
        new QMessageBox(good ? QMessageBox::Information : QMessageBox::Warning, title, text, QMessageBox::Ok, home);
    box->setObjectName(objectName);
    box->setTextFormat(Qt::PlainText);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace gks
