// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <algorithm>
#include <clocale>
#include <memory>

// As in theme.cpp: a static library's resources are registered when somebody asks for them.
static void registerTranslations() {
    Q_INIT_RESOURCE(translations);
}

namespace gks {

namespace {

const QString sourceLanguage = QStringLiteral("en");

bool isThere(const QString& id) {
    return std::any_of(languages().begin(), languages().end(), [&](const Language& one) { return one.id == id; });
}

void use(QCoreApplication& application, const QString& file, const QString& folder) {
    auto translator = std::make_unique<QTranslator>();
    if (translator->load(file, folder)) {
        translator->setParent(&application);
        QCoreApplication::installTranslator(translator.release());
    }
}

} // namespace

const QList<Language>& languages() {
    static const QList<Language> all = {{sourceLanguage, QStringLiteral("English")},
                                        {QStringLiteral("de"), QStringLiteral("Deutsch")}};
    return all;
}

QString languageFor(const QString& choice, const QStringList& systemLanguages) {
    if (isThere(choice)) {
        return choice;
    }
    for (const QString& one : systemLanguages) {
        const QString id = one.section(QLatin1Char('-'), 0, 0).section(QLatin1Char('_'), 0, 0).toLower();
        if (isThere(id)) {
            return id;
        }
    }
    return sourceLanguage;
}

void useLanguage(QCoreApplication& application, const QString& choice) {
    QLocale::setDefault(QLocale::c());
    std::setlocale(LC_NUMERIC, "C"); // Qt has taken the system's
    const QString id = languageFor(choice, QLocale::system().uiLanguages());
    if (id == sourceLanguage) {
        return;
    }
    // Qt's own come from the system's packages: without them its dialogs are English. Ours are asked first.
    const QString folder = QLibraryInfo::path(QLibraryInfo::TranslationsPath);
    use(application, QStringLiteral("qtbase_") % id, folder);
    use(application, QStringLiteral("qscintilla_") % id, folder);
    registerTranslations();
    use(application, QStringLiteral("kernel-scientist_") % id, QStringLiteral(":/translations"));
}

} // namespace gks
