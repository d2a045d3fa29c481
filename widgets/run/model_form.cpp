// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/model_form.h"

#include "core/llm/chat.h"
#include "widgets/common/keyring.h"
#include "widgets/common/model_choice_check.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>
#include <initializer_list>

namespace gks {

namespace {

constexpr int outputTokenLimit = 1'000'000;

bool isAskedOverHttp(std::string_view provider) {
    return provider != "manual" && provider != "replay";
}

} // namespace

ModelForm::ModelForm(QWidget* parent)
    : QWidget(parent)
    , m_provider(named(new QComboBox, "modelProvider", tr("Provider")))
    , m_address(named(new QLineEdit, "modelAddress", tr("Address of the service")))
    , m_model(named(new QLineEdit, "modelName", tr("Name of the model")))
    , m_keyVariable(named(new QLineEdit, "modelKeyVariable", tr("Environment variable with the key")))
    , m_key(named(new QPushButton(tr("&Key...")), "modelKey", tr("Put the key into the keyring")))
    , m_keyState(new QLabel)
    , m_temperature(named(new QDoubleSpinBox, "modelTemperature", tr("Temperature")))
    , m_effort(named(new QComboBox, "modelEffort", tr("Reasoning effort")))
    , m_outputTokens(named(new QSpinBox, "modelOutputTokens", tr("Longest answer in tokens"))) {
    for (const ProviderFacts& provider : knownProviders()) {
        m_provider->addItem(toText(provider.title), toText(provider.name));
    }
    m_provider->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_provider->setMinimumContentsLength(20);
    m_keyVariable->setToolTip(tr("Name of the environment variable that holds the key, and of its entry in the keyring"));
    m_keyState->setObjectName(QStringLiteral("modelKeyState"));
    m_keyState->setProperty("quiet", true);
    m_keyState->setWordWrap(true);
    m_temperature->setRange(0, 2);
    m_temperature->setSingleStep(0.1);
    m_temperature->setDecimals(2);
    for (const char* effort : {"", "low", "medium", "high"}) {
        m_effort->addItem(*effort == '\0' ? tr("as the service has it") : QString::fromLatin1(effort),
                          QString::fromLatin1(effort));
    }
    m_outputTokens->setRange(256, outputTokenLimit);
    m_outputTokens->setSingleStep(1024);
    m_outputTokens->setSuffix(tr(" tokens"));
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(spacing2);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    auto* keyRow = new QHBoxLayout;
    keyRow->setSpacing(spacing2);
    keyRow->addWidget(m_keyVariable, 1);
    keyRow->addWidget(m_key);
    const auto add = [&](const QString& label, QWidget* buddy, auto* field) {
        auto* name = new QLabel(label);
        name->setBuddy(buddy);
        form->addRow(name, field);
    };
    add(tr("&Provider"), m_provider, m_provider);
    add(tr("&Model"), m_model, m_model);
    add(tr("&Address"), m_address, m_address);
    add(tr("Key &variable"), m_keyVariable, keyRow);
    form->addRow(QString(), m_keyState);
    add(tr("&Temperature"), m_temperature, m_temperature);
    add(tr("&Reasoning"), m_effort, m_effort);
    add(tr("&Longest answer"), m_outputTokens, m_outputTokens);
    connect(m_provider, &QComboBox::currentIndexChanged, this, &ModelForm::providerChosen);
    for (QLineEdit* field : {m_address, m_model, m_keyVariable}) {
        connect(field, &QLineEdit::textChanged, this, &ModelForm::edited);
    }
    connect(m_keyVariable, &QLineEdit::textChanged, this, &ModelForm::showKey);
    connect(m_temperature, &QDoubleSpinBox::valueChanged, this, &ModelForm::edited);
    connect(m_effort, &QComboBox::currentIndexChanged, this, &ModelForm::edited);
    connect(m_outputTokens, &QSpinBox::valueChanged, this, &ModelForm::edited);
    connect(m_key, &QPushButton::clicked, this, &ModelForm::askKey);
    connect(&Keyring::instance(), &Keyring::changed, this, &ModelForm::showKey);
    setChoice({});
}

void ModelForm::setChoice(const ModelChoice& choice) {
    const QSignalBlocker quiet(this);
    m_filling = true;
    const int provider = m_provider->findData(toText(choice.provider));
    if (provider < 0) {
        m_provider->addItem(toText(choice.provider), toText(choice.provider)); // of a newer version: kept as it is
    }
    m_provider->setCurrentIndex(provider < 0 ? m_provider->count() - 1 : provider);
    m_address->setText(toText(choice.baseUrl));
    m_model->setText(toText(choice.model));
    m_keyVariable->setText(toText(choice.keyVariable));
    m_temperature->setValue(choice.temperature);
    m_effort->setCurrentIndex(std::max(0, m_effort->findData(toText(choice.reasoningEffort))));
    m_outputTokens->setValue(choice.maxOutputTokens);
    m_filling = false;
    Keyring::instance().load(m_keyVariable->text().trimmed());
    showFields();
    showKey();
}

ModelChoice ModelForm::choice() const {
    ModelChoice choice;
    choice.provider = m_provider->currentData().toString().toStdString();
    choice.baseUrl = m_address->text().trimmed().toStdString();
    choice.model = m_model->text().trimmed().toStdString();
    choice.keyVariable = m_keyVariable->text().trimmed().toStdString();
    choice.temperature = m_temperature->value();
    choice.maxOutputTokens = m_outputTokens->value();
    choice.reasoningEffort = m_effort->currentData().toString().toStdString();
    return choice;
}

// Another service has another address and another key; what the person typed for it stays when it is nobody's default.
void ModelForm::providerChosen() {
    if (m_filling) {
        return;
    }
    const ProviderFacts* chosen = providerFacts(m_provider->currentData().toString().toStdString());
    const auto isDefault = [](const QString& text, std::string_view ProviderFacts::* field) {
        const auto known = knownProviders();
        return text.isEmpty() || std::any_of(known.begin(), known.end(), [&](const ProviderFacts& provider) {
                   return toText(provider.*field) == text;
               });
    };
    if (chosen != nullptr && isDefault(m_address->text(), &ProviderFacts::baseUrl)) {
        m_address->setText(toText(chosen->baseUrl));
    }
    if (chosen != nullptr && isDefault(m_keyVariable->text(), &ProviderFacts::keyVariable)) {
        m_keyVariable->setText(toText(chosen->keyVariable));
    }
    showFields();
    Q_EMIT edited();
}

void ModelForm::showFields() {
    const std::string provider = m_provider->currentData().toString().toStdString();
    const bool http = isAskedOverHttp(provider);
    m_model->setPlaceholderText(provider == "manual" ? tr("for the record, may stay empty") : tr("name of the model"));
    m_address->setPlaceholderText(provider == "replay" ? tr("file of the recording") : tr("https://..."));
    m_address->setEnabled(provider != "manual");
    for (QWidget* field : std::initializer_list<QWidget*>{m_keyVariable, m_temperature, m_effort, m_outputTokens}) {
        field->setEnabled(http);
    }
    m_key->setEnabled(http && Keyring::instance().isAvailable());
}

void ModelForm::showKey() {
    const QString name = m_keyVariable->text().trimmed();
    const Keyring& keyring = Keyring::instance();
    QString state;
    if (name.isEmpty() || !mistakeInKeyVariable(name).isEmpty()) {
        state = name.isEmpty() ? tr("no key: enough for a server of your own") : mistakeInKeyVariable(name);
    } else if (!qEnvironmentVariableIsEmpty(qPrintable(name))) {
        state = tr("set in the environment");
    } else if (keyring.holds(name)) {
        state = tr("in the keyring");
    } else {
        state = !keyring.isAvailable()         ? tr("not set in the environment")
                : keyring.error(name).isEmpty() ? tr("neither in the environment nor in the keyring")
                                                : tr("the keyring cannot be used: %1").arg(keyring.error(name));
    }
    m_keyState->setText(state);
}

void ModelForm::askKey() {
    const QString name = m_keyVariable->text().trimmed();
    if (name.isEmpty() || !mistakeInKeyVariable(name).isEmpty()) {
        m_keyVariable->setFocus();
        return;
    }
    QInputDialog dialog(this);
    dialog.setObjectName(QStringLiteral("modelKeyDialog"));
    dialog.setWindowTitle(tr("Key for %1").arg(name));
    dialog.setLabelText(tr("The key goes into the desktop's keyring and nowhere else. An empty one removes it."));
    dialog.setTextEchoMode(QLineEdit::Password);
    if (dialog.exec() == QDialog::Accepted) {
        Keyring::instance().store(name, dialog.textValue().trimmed());
    }
}

QString ModelForm::mistakeIn(const ModelChoice& choice) {
    if (choice.provider == "manual") {
        return {};
    }
    if (choice.provider == "replay") {
        return choice.baseUrl.empty() ? tr("Name the file of the recording.") : QString();
    }
    for (const QString& mistake :
         {mistakeInModelName(toText(choice.model)), mistakeInModelAddress(toText(choice.baseUrl)),
          mistakeInKeyVariable(toText(choice.keyVariable))}) {
        if (!mistake.isEmpty()) {
            return mistake;
        }
    }
    return {};
}

} // namespace gks
