// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFormLayout>
#include <QLabel>
#include <QString>

namespace gks {

// A row of a form: the label leads the keyboard to `buddy`. `field` is a widget or a layout.
template<class Field>
QLabel* addField(QFormLayout* form, const QString& label, QWidget* buddy, Field* field) {
    auto* name = new QLabel(label);
    name->setBuddy(buddy);
    name->setMinimumWidth(name->sizeHint().width() +
                          4); // an underlined letter breaks the kerning: text wider than it says
    form->addRow(name, field);
    return name;
}

// Marks a field that is wrong, for eyes and for screen readers; an empty mistake unmarks it.
void markField(QWidget* field, const QString& mistake);

} // namespace gks
