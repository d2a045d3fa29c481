// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/form_fields.h"

#include <QStyle>
#include <QWidget>

namespace gks {

void markField(QWidget* field, const QString& mistake) {
    field->setProperty("invalid", !mistake.isEmpty());
    field->style()->unpolish(field);
    field->style()->polish(field);
    field->setAccessibleDescription(mistake);
}

} // namespace gks
