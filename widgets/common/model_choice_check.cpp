// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/model_choice_check.h"

#include "core/campaign/model_stages.h"
#include "widgets/common/terms.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QUrl>

namespace gks {

namespace {

constexpr qsizetype variableLimit = 64; // keys are longer than names

QString checkText(const char* text) {
    return QCoreApplication::translate("ModelChoiceCheck", text);
}

} // namespace

QString mistakeInModelAddress(const QString& address) {
    const QUrl url(address.trimmed());
    const bool web = url.scheme() == QLatin1String("https") || url.scheme() == QLatin1String("http");
    return url.isValid() && web && !url.host().isEmpty() ? QString()
                                                         : checkText("An address starts with https:// or http://.");
}

QString mistakeInLocalAddress(const ModelChoice& choice) {
    const auto checked = checkLocalAddress(choice);
    return checked ? QString() : toText(checked.error().message());
}

QString mistakeInModelName(const QString& name) {
    return name.trimmed().isEmpty() ? checkText("Name the model that shall answer.") : QString();
}

QString mistakeInKeyVariable(const QString& variable) {
    static const QRegularExpression pattern(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*$"));
    const QString name = variable.trimmed();
    const bool good = name.isEmpty() || (pattern.match(name).hasMatch() && name.size() <= variableLimit &&
                                         !name.startsWith(QLatin1String("sk")));
    return good ? QString() : checkText("The name of an environment variable, not the key itself.");
}

} // namespace gks
