// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/model_form.h"

#include "core/base/quantity.h"
#include "core/campaign/limits.h"
#include "core/scientist/stage_provider.h"
#include "widgets/common/form_fields.h"
#include "widgets/common/keyring.h"
#include "widgets/common/message_label.h"
#include "widgets/common/model_address.h"
#include "widgets/common/model_choice_check.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"
#include "widgets/common/words.h"

#include <QCheckBox>
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
#include <QStyle>
#include <algorithm>
#include <initializer_list>

namespace gks {

namespace {

// Without zeros behind the point.
class LimitBox final : public QDoubleSpinBox {
public:
    using QDoubleSpinBox::QDoubleSpinBox;
    QString textFromValue(double value) const override { return locale().toString(value, 'g', 6); }
};

struct LimitTexts {
    const char* name; // of the object
    QString prefix;
    QString accessible;
    QString tip;
};

// In the order of callLimitFacts.
std::array<LimitTexts, callLimitFacts.size()> limitTexts() {
    return {{
        {"modelConnectLimit", ModelForm::tr("connect "), ModelForm::tr("Limit for connecting"),
         ModelForm::tr("Longest wait for a connection to the server")},
        {"modelSilenceLimit", ModelForm::tr("silence "), ModelForm::tr("Limit for silence"),
         ModelForm::tr("Longest silence of a server that has the request: a model that thinks may send nothing for "
                       "minutes")},
        {"modelTotalLimit", ModelForm::tr("total "), ModelForm::tr("Limit for the whole call"),
         ModelForm::tr("Longest time from sending a request to the end of its reply")},
        {"modelRetryLimit", ModelForm::tr("for "), ModelForm::tr("How long a refused request is tried again"),
         ModelForm::tr("How long a request is tried again that the server did not accept: it is not there, busy or "
                       "overloaded")},
    }};
}

} // namespace

ModelForm::ModelForm(QWidget* parent)
    : QWidget(parent)
    , m_form(new QFormLayout(this))
    , m_provider(named(new QComboBox, "modelProvider", tr("Provider")))
    , m_place(new ModelAddress)
    , m_address(m_place->line())
    , m_model(named(new QLineEdit, "modelName", tr("Model name")))
    , m_keyVariable(named(new QLineEdit, "modelKeyVariable", tr("Environment variable with the API key")))
    , m_key(named(new QPushButton(tr("Set &key...")), "modelKey", tr("Store the API key in the keyring")))
    , m_keyState(new MessageLabel)
    , m_temperature(named(new QDoubleSpinBox, "modelTemperature", tr("Temperature")))
    , m_effort(named(new QComboBox, "modelEffort", tr("Reasoning effort")))
    , m_outputTokens(named(new QSpinBox, "modelOutputTokens", tr("Maximum output tokens")))
    , m_limits{}
    , m_resend(named(new QCheckBox(tr("Resend after &silence")), "modelResend", tr("Resend after silence")))
    , m_mistake(named(new MessageLabel, "modelMistake", tr("Input errors")))
    , m_test(named(new QPushButton(tr("&Test")), "modelTest", tr("Test the connection")))
    , m_testResult(named(new MessageLabel, "modelTestResult", tr("Test result"))) {
    for (const ProviderFacts& provider : knownProviders()) {
        m_provider->addItem(word(provider.title), toText(provider.name));
    }
    m_provider->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_provider->setMinimumContentsLength(20);
    m_keyVariable->setToolTip(tr("Environment variable that holds the API key; its keyring entry has the same name"));
    m_keyState->setObjectName(QStringLiteral("modelKeyState"));
    m_keyState->setProperty("quiet", true);
    m_temperature->setRange(0, limits::temperature);
    m_temperature->setSingleStep(0.1);
    m_temperature->setDecimals(2);
    m_effort->addItem(tr("Provider default"), QString());
    for (const ReasoningEffort& effort : reasoningEfforts) {
        m_effort->addItem(word(effort.name), toText(effort.name));
    }
    m_outputTokens->setRange(limits::leastOutputTokens, limits::mostOutputTokens);
    m_outputTokens->setSingleStep(1024);
    m_outputTokens->setSuffix(tr(" tokens"));
    m_outputTokens->setGroupSeparatorShown(true);
    m_outputTokens->setToolTip(tr("Thinking is not counted: it gets room of its own, see models.toml"));
    const auto texts = limitTexts();
    for (std::size_t i = 0; i < m_limits.size(); ++i) {
        const CallLimitFact& fact = callLimitFacts[i];
        auto* box = named(new LimitBox, texts[i].name, texts[i].accessible);
        box->setDecimals(4);
        box->setRange(fact.leastSeconds / fact.unitSeconds, fact.mostSeconds / fact.unitSeconds);
        box->setPrefix(texts[i].prefix);
        box->setSuffix(QLatin1Char(' ') % toText(fact.unit));
        box->setToolTip(texts[i].tip);
        m_limits[i] = box;
        connect(box, &QDoubleSpinBox::valueChanged, this, &ModelForm::edited);
    }
    m_resend->setToolTip(tr("Sends a request again that was accepted and got no whole reply; it may be billed twice"));
    connect(m_resend, &QCheckBox::toggled, this, &ModelForm::edited);
    build();
    connect(m_provider, &QComboBox::currentIndexChanged, this, &ModelForm::providerChosen);
    for (QLineEdit* field : {m_address, m_model, m_keyVariable}) {
        connect(field, &QLineEdit::textChanged, this, &ModelForm::edited);
    }
    connect(m_keyVariable, &QLineEdit::textChanged, this, &ModelForm::showKey);
    connect(m_keyVariable, &QLineEdit::editingFinished, this,
            [this] { Keyring::instance().load(m_keyVariable->text().trimmed()); });
    connect(m_test, &QPushButton::clicked, this, &ModelForm::test);
    connect(this, &ModelForm::edited, this, [this] {
        showMistakes({});
        m_trial.cancel(); // what was tried is another one
        showTest({}, "quiet");
    });
    connect(m_temperature, &QDoubleSpinBox::valueChanged, this, &ModelForm::edited);
    connect(m_effort, &QComboBox::currentIndexChanged, this, &ModelForm::edited);
    connect(m_outputTokens, &QSpinBox::valueChanged, this, &ModelForm::edited);
    connect(m_key, &QPushButton::clicked, this, &ModelForm::askKey);
    connect(&Keyring::instance(), &Keyring::changed, this, &ModelForm::showKey);
    ModelChoice usual;
    if (const ProviderFacts* facts = providerFacts(usual.provider)) {
        usual.baseUrl = facts->baseUrl;
        usual.keyVariable = facts->keyVariable;
    }
    setChoice(usual);
}

void ModelForm::build() {
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setSpacing(spacing2);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    auto* keyRow = new QHBoxLayout;
    keyRow->setSpacing(spacing2);
    keyRow->addWidget(m_keyVariable, 1);
    keyRow->addWidget(m_key);
    m_mistake->setProperty("error", true);
    m_test->setToolTip(tr("Send one small request to check base URL, API key and model name"));
    auto* testRow = new QHBoxLayout;
    testRow->setSpacing(spacing2);
    testRow->addWidget(m_test);
    testRow->addWidget(m_testResult, 1);
    addField(m_form, tr("&Provider"), m_provider, m_provider);
    addField(m_form, tr("&Model"), m_model, m_model);
    m_placeLabel = addField(m_form, m_place->label(), m_address, m_place);
    addField(m_form, tr("API key &variable"), m_keyVariable, keyRow);
    m_form->addRow(QString(), m_keyState);
    m_form->addRow(QString(), m_mistake);
    m_form->setRowVisible(m_mistake, false);
    addField(m_form, tr("&Temperature"), m_temperature, m_temperature);
    addField(m_form, tr("&Reasoning effort"), m_effort, m_effort);
    addField(m_form, tr("Ma&x output tokens"), m_outputTokens, m_outputTokens);
    auto* limitRow = new QHBoxLayout;
    auto* refusedRow = new QHBoxLayout;
    for (QHBoxLayout* row : {limitRow, refusedRow}) {
        row->setSpacing(spacing2);
    }
    for (std::size_t i = 0; i < m_limits.size(); ++i) {
        (i + 1 < m_limits.size() ? limitRow : refusedRow)->addWidget(m_limits[i], 1);
    }
    refusedRow->addWidget(m_resend, 1);
    addField(m_form, tr("L&imits"), m_limits.front(), limitRow);
    addField(m_form, tr("Tr&y again"), m_limits.back(), refusedRow);
    m_limitRows = {limitRow, refusedRow};
    m_form->addRow(tr("Connection"), testRow);
}

void ModelForm::setBrief() {
    for (QWidget* field : std::initializer_list<QWidget*>{m_temperature, m_effort, m_outputTokens}) {
        m_form->setRowVisible(field, false);
    }
    for (QLayout* row : m_limitRows) {
        m_form->setRowVisible(row, false);
    }
}

void ModelForm::setChoice(const ModelChoice& choice) {
    const QSignalBlocker quiet(this);
    m_filling = true;
    const int provider = m_provider->findData(toText(choice.provider));
    if (provider < 0) {
        m_provider->addItem(toText(choice.provider), toText(choice.provider)); // of a newer version: kept as it is
    }
    m_provider->setCurrentIndex(provider < 0 ? m_provider->count() - 1 : provider);
    m_place->fill(kind(), toText(choice.baseUrl));
    m_model->setText(toText(choice.model));
    m_keyVariable->setText(toText(choice.keyVariable));
    m_temperature->setValue(choice.temperature);
    m_effort->setCurrentIndex(std::max(0, m_effort->findData(toText(choice.reasoningEffort))));
    m_outputTokens->setValue(choice.maxOutputTokens);
    for (std::size_t i = 0; i < m_limits.size(); ++i) {
        m_limits[i]->setValue(choice.limits.*callLimitFacts[i].value / callLimitFacts[i].unitSeconds);
    }
    m_resend->setChecked(choice.limits.resendAfterSilence);
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
    for (std::size_t i = 0; i < m_limits.size(); ++i) {
        choice.limits.*callLimitFacts[i].value = m_limits[i]->value() * callLimitFacts[i].unitSeconds;
    }
    choice.limits.resendAfterSilence = m_resend->isChecked();
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
    if (chosen != nullptr) {
        m_place->change(chosen->kind, toText(chosen->baseUrl), isDefault(m_address->text(), &ProviderFacts::baseUrl));
    }
    if (chosen != nullptr && isDefault(m_keyVariable->text(), &ProviderFacts::keyVariable)) {
        m_keyVariable->setText(toText(chosen->keyVariable));
    }
    showFields();
    Q_EMIT edited();
}

ProviderKind ModelForm::kind() const {
    const ProviderFacts* facts = providerFacts(m_provider->currentData().toString().toStdString());
    return facts != nullptr ? facts->kind : ProviderKind::http;
}

void ModelForm::showFields() {
    const bool http = kind() == ProviderKind::http;
    const bool command = kind() == ProviderKind::command;
    m_model->setPlaceholderText(http ? tr("Model name") : tr("Optional"));
    m_placeLabel->setText(m_place->label());
    for (QWidget* field : std::initializer_list<QWidget*>{m_temperature, m_effort, m_outputTokens}) {
        field->setEnabled(http);
    }
    m_keyVariable->setEnabled(http || command);
    for (std::size_t i = 0; i < m_limits.size(); ++i) {
        m_limits[i]->setEnabled(http || (command && callLimitFacts[i].value == &CallLimits::totalSeconds));
    }
    m_resend->setEnabled(http);
    m_key->setEnabled(m_keyVariable->isEnabled() && Keyring::instance().isAvailable());
    m_test->setEnabled(http || command || kind() == ProviderKind::folder);
    showKey();
}

void ModelForm::showKey() {
    const QString name = m_keyVariable->text().trimmed();
    const Keyring& keyring = Keyring::instance();
    const bool inEnvironment = !qEnvironmentVariableIsEmpty(qPrintable(name));
    QString state;
    if (!m_keyVariable->isEnabled()) {
        state = tr("No API key needed");
    } else if (name.isEmpty() && kind() == ProviderKind::command) {
        state = tr("The command gets no key from the environment");
    } else if (name.isEmpty()) {
        state = tr("No API key (fine for a local server)");
    } else if (const QString mistake = mistakeInKeyVariable(name); !mistake.isEmpty()) {
        state = mistake;
    } else if (inEnvironment || keyring.holds(name)) {
        state = inEnvironment ? tr("\u2713 Found in the environment") : tr("\u2713 Found in the keyring");
    } else {
        state = !keyring.isAvailable() ? tr("\u2717 Not set in the environment")
                : keyring.error(name).isEmpty()
                    ? tr("\u2717 Not in the environment or the keyring. Use Set key... to store it.")
                    : tr("\u2717 Not set in the environment; the keyring is unavailable: %1").arg(keyring.error(name));
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
    dialog.setWindowTitle(tr("API key for %1").arg(name));
    dialog.setLabelText(tr("The key is stored only in the desktop keyring. Leave it empty to remove the stored key."));
    dialog.setTextEchoMode(QLineEdit::Password);
    if (dialog.exec() == QDialog::Accepted) {
        Keyring::instance().store(name, dialog.textValue().trimmed());
    }
}

ModelForm::Mistakes ModelForm::mistakesIn(const ModelChoice& choice) {
    const ProviderFacts* facts = providerFacts(choice.provider);
    switch (facts != nullptr ? facts->kind : ProviderKind::http) {
    case ProviderKind::person:
        return {};
    case ProviderKind::recording:
        return {{}, choice.baseUrl.empty() ? tr("Enter the recording file.") : QString(), {}};
    case ProviderKind::command:
        return {{}, mistakeInLocalAddress(choice), mistakeInKeyVariable(toText(choice.keyVariable))};
    case ProviderKind::folder:
        return {{}, mistakeInLocalAddress(choice), {}};
    case ProviderKind::http:
        break;
    }
    return {mistakeInModelName(toText(choice.model)), mistakeInModelAddress(toText(choice.baseUrl)),
            mistakeInKeyVariable(toText(choice.keyVariable))};
}

QString ModelForm::mistakeIn(const ModelChoice& choice) {
    const Mistakes mistakes = mistakesIn(choice);
    return !mistakes.model.isEmpty()     ? mistakes.model
           : !mistakes.address.isEmpty() ? mistakes.address
                                         : mistakes.keyVariable;
}

void ModelForm::showMistakes(const Mistakes& mistakes) {
    markField(m_model, mistakes.model);
    markField(m_address, mistakes.address);
    markField(m_keyVariable, mistakes.keyVariable);
    QStringList all{mistakes.model, mistakes.address, mistakes.keyVariable};
    all.removeAll(QString());
    m_mistake->setText(all.join(QLatin1Char('\n')));
    m_form->setRowVisible(m_mistake, !all.isEmpty());
}

bool ModelForm::check() {
    showMistakes(mistakesIn(choice()));
    for (QLineEdit* field : {m_model, m_address, m_keyVariable}) {
        if (field->property("invalid").toBool()) {
            field->setFocus();
            return false;
        }
    }
    return true;
}

void ModelForm::showTest(const QString& text, const char* kind) {
    for (const char* each : {"quiet", "error"}) {
        m_testResult->setProperty(each, qstrcmp(each, kind) == 0);
    }
    m_testResult->style()->unpolish(m_testResult);
    m_testResult->style()->polish(m_testResult);
    m_testResult->setText(text);
    m_test->setText(m_trial.isBusy() ? tr("&Cancel") : tr("&Test"));
    m_test->setAccessibleName(m_trial.isBusy() ? tr("Cancel the test") : tr("Test the connection"));
}

void ModelForm::test() {
    if (m_trial.isBusy()) {
        m_trial.cancel();
        showTest(tr("Cancelled"), "quiet");
        return;
    }
    if (!check()) {
        return;
    }
    m_trial.start(
        [choice = choice(), mayTry = m_mayTry](const std::stop_token& stop) {
            ScientistSinks sinks;
            sinks.findKey = keyInKeyring;
            sinks.mayAsk = mayTry;
            return tryModel(choice, sinks, stop);
        },
        [this](const Result<ChatReply>& reply) {
            if (!reply) {
                showTest(tr("\u2717 %1").arg(toText(reply.error().message())), "error");
                return;
            }
            showTest(tr("\u2713 Reply after %1").arg(toText(formatSeconds(reply->seconds))), "none");
        });
    showTest(kind() == ProviderKind::folder ? tr("Waiting for a reply in the folder...") : tr("Testing..."), "quiet");
}

} // namespace gks
