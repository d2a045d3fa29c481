// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/settings.h"

#include <QList>
#include <QString>
#include <QStringList>

class QCoreApplication;

namespace gks {

namespace settings {
inline const Setting<QString> language{"appearance/language", QStringLiteral("system")}; // or the id of one
} // namespace settings

struct Language {
    QString id;   // "de", as in the name of its file
    QString name; // in itself
};
// English, then those that there is a translation for.
const QList<Language>& languages();

// The id of the chosen language; for "system", and for one that is not there, the first of the system's that is.
QString languageFor(const QString& choice, const QStringList& systemLanguages);

// The window's texts and Qt's own from now on. What was made before keeps its words, so it is called before the window
// is made. Numbers stay in the form of the reports whatever the language: 1.31x, 12000.
void useLanguage(QCoreApplication& application, const QString& choice);

} // namespace gks
