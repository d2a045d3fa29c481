// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/model_choice_check.h"

#include "core/campaign/model_stages.h"
#include "widgets/common/terms.h"

#include <QCoreApplication>
#include <QUrl>

namespace gks {

namespace {

struct ModelChoiceCheck {
    Q_DECLARE_TR_FUNCTIONS(ModelChoiceCheck)
};

} // namespace

QString mistakeInModelAddress(const QString& address) {
    const QUrl url(address.trimmed());
    const bool web = url.scheme() == QLatin1String("https") || url.scheme() == QLatin1String("http");
    if (!url.isValid() || !web || url.host().isEmpty()) {
        return ModelChoiceCheck::tr("The base URL must start with https:// or http://.");
    }
    const auto checked = checkServerAddress(address.trimmed().toStdString());
    return checked ? QString() : toText(checked.error().message());
}

QString mistakeInLocalAddress(const ModelChoice& choice) {
    const auto checked = checkLocalAddress(choice);
    return checked ? QString() : toText(checked.error().message());
}

QString mistakeInModelName(const QString& name) {
    if (name.trimmed().isEmpty()) {
        return ModelChoiceCheck::tr("Enter a model name.");
    }
    const auto checked = checkModelName(name.trimmed().toStdString());
    return checked ? QString() : toText(checked.error().message());
}

QString mistakeInKeyVariable(const QString& variable) {
    return checkKeyVariable(variable.trimmed().toStdString())
               ? QString()
               : ModelChoiceCheck::tr("Enter the name of an environment variable, not the key itself.");
}

} // namespace gks
