// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiments/experiment_editor.h"

#include "core/campaign/finding_use.h"
#include "core/campaign/limits.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/own_code.h"
#include "core/campaign/rules.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"
#include "widgets/experiments/prediction_bar.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace gks {
namespace {

QDoubleSpinBox* gainBox(QWidget* parent) {
    auto* box = new QDoubleSpinBox(parent);
    box->setRange(limits::predictedGain.low, limits::predictedGain.high);
    box->setDecimals(2);
    box->setSingleStep(0.05);
    box->setSuffix(QStringLiteral("x"));
    box->setToolTip(QObject::tr("Time before / time after"));
    box->setAlignment(Qt::AlignRight);
    return box;
}

std::string textOf(const QPlainTextEdit* field) {
    return field->toPlainText().trimmed().toStdString();
}

// Plain text: what a model said is in it.
QString aboutText(const Experiment& shown) {
    QString text = hasTwoParents(shown.kind) && shown.reference
                       ? QObject::tr("%1 of %2 and %3, %4")
                             .arg(toText(name(shown.kind)), idText(shown.parent), idText(*shown.reference),
                                  experimentStateText(shown.state))
                       : QObject::tr("On %1, %2, %3")
                             .arg(idText(shown.parent), toText(name(shown.kind)), experimentStateText(shown.state));
    if (!shown.limit.empty()) {
        text += QObject::tr("\nAttacks: %1, on %2").arg(toText(shown.limit), toText(shown.shapes));
    }
    if (!shown.disproof.empty()) {
        text += QObject::tr("\nDisproved by: %1").arg(toText(shown.disproof));
    }
    if (shown.avenue) {
        text += QObject::tr("\nTakes up avenue A%1").arg(*shown.avenue);
    }
    if (!shown.uses.empty()) {
        text += QObject::tr("\nRests on findings %1").arg(toText(usesText(shown)));
    }
    return text;
}

Interval ordered(const Interval& range) {
    return {std::min(range.low, range.high), std::max(range.low, range.high)};
}

} // namespace

ExperimentEditor::ExperimentEditor(QWidget* parent)
    : QWidget(parent)
    , m_title(named(new MessageLabel(this), "experimentTitle", tr("Which experiment")))
    , m_waits(named(new MessageLabel(this), "experimentWaits", tr("Why it waits")))
    , m_description(named(new QPlainTextEdit(this), "experimentDescription", tr("Description")))
    , m_rubric(named(new QPlainTextEdit(this), "experimentRubric", tr("Rubric")))
    , m_low(named(gainBox(this), "experimentLow", tr("Predicted gain, lower bound")))
    , m_high(named(gainBox(this), "experimentHigh", tr("Predicted gain, upper bound")))
    , m_innovation(named(new QSpinBox(this), "experimentInnovation", tr("Innovation, 0 to 100")))
    , m_kind(named(new QComboBox(this), "experimentKind", tr("Kind of experiment")))
    , m_kindLabel(new QLabel(tr("&kind"), this))
    , m_writer(named(new QComboBox(this), "experimentWriter", tr("Who writes the kernel")))
    , m_writerLabel(new QLabel(tr("&writer"), this))
    , m_needsCode(named(new MessageLabel(this), "experimentNeedsCode", tr("Who writes the code")))
    , m_writeCode(named(new QPushButton(tr("&Write the code"), this), "experimentWriteCode", tr("Write the code")))
    , m_bar(named(new PredictionBar(this), "experimentBar", tr("Predicted gain")))
    , m_approve(named(new QPushButton(tr("&Approve"), this), "experimentApprove", tr("Approve the experiment")))
    , m_reject(named(new QPushButton(tr("Re&ject"), this), "experimentReject", tr("Reject the experiment"))) {
    m_waits->setProperty("quiet", true);
    m_waits->hide();
    m_description->setPlaceholderText(tr("What is to be tried"));
    m_rubric->setPlaceholderText(tr("How: concrete instructions for the change"));
    m_description->setTabChangesFocus(true);
    m_rubric->setTabChangesFocus(true);
    m_description->setFixedHeight(4 * fontMetrics().height());
    m_innovation->setRange(0, limits::innovation);
    m_innovation->setSuffix(tr(" of 100"));
    m_innovation->setToolTip(tr("How far the idea is from what was tried so far"));
    m_innovation->setAlignment(Qt::AlignRight);
    m_approve->setToolTip(tr("Ctrl+Enter"));
    m_needsCode->setText(
        tr("No model writes code in this campaign: write it yourself, or name a model. It waits till then."));
    m_needsCode->setMinimumHeight(2 * fontMetrics().lineSpacing()); // the layout does not know that it wraps
    m_writeCode->setToolTip(tr("Opens the parent's source in the editor; the kernel that you evaluate carries out this "
                               "experiment"));
    connect(m_writeCode, &QPushButton::clicked, this, &ExperimentEditor::writeCode);

    auto* numbers = new QGridLayout;
    numbers->setContentsMargins(0, 0, 0, 0);
    numbers->setHorizontalSpacing(spacing2);
    const auto label = [this](const QString& text, QWidget* buddy) {
        auto* made = new QLabel(text, this);
        made->setBuddy(buddy);
        return made;
    };
    numbers->addWidget(label(tr("predicted &gain"), m_low), 0, 0);
    numbers->addWidget(m_low, 0, 1);
    numbers->addWidget(m_high, 0, 2);
    numbers->addWidget(m_bar, 1, 0, 1, 3);
    numbers->addWidget(label(tr("inno&vation"), m_innovation), 2, 0);
    numbers->addWidget(m_innovation, 2, 1);
    m_kindLabel->setBuddy(m_kind);
    numbers->addWidget(m_kindLabel, 3, 0);
    numbers->addWidget(m_kind, 3, 1, 1, 2);
    m_writerLabel->setBuddy(m_writer);
    m_writer->setToolTip(tr("One of the campaign's writers, or whoever has brought most for the cost when it is time"));
    numbers->addWidget(m_writerLabel, 4, 0);
    numbers->addWidget(m_writer, 4, 1, 1, 2);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(spacing2);
    buttons->addWidget(m_approve);
    buttons->addWidget(m_writeCode);
    buttons->addWidget(m_reject);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing2, spacing2, spacing2, spacing2);
    layout->setSpacing(spacing1);
    layout->addWidget(m_title);
    layout->addWidget(m_waits);
    layout->addWidget(m_description);
    layout->addWidget(m_rubric, 1);
    layout->addLayout(numbers);
    layout->addWidget(m_needsCode);
    layout->addLayout(buttons);

    const auto takeText = [this](QPlainTextEdit* field, std::optional<std::string> command::EditExperiment::* to) {
        connect(field, &QPlainTextEdit::textChanged, this, [this, field, to] {
            if (!m_filling) {
                m_edit.*to = textOf(field);
                Q_EMIT typed();
            }
        });
    };
    takeText(m_description, &command::EditExperiment::description);
    takeText(m_rubric, &command::EditExperiment::rubric);
    connect(m_innovation, &QSpinBox::valueChanged, this, [this](int innovation) {
        if (!m_filling) {
            m_edit.innovation = innovation;
            Q_EMIT typed();
        }
    });
    connect(m_writer, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_filling) {
            m_edit.writer = m_writer->currentData().toString().toStdString();
            Q_EMIT typed();
        }
    });
    connect(m_low, &QDoubleSpinBox::valueChanged, this, [this](double gain) { predictionTyped(&Interval::low, gain); });
    connect(m_high, &QDoubleSpinBox::valueChanged, this,
            [this](double gain) { predictionTyped(&Interval::high, gain); });
    connect(m_bar, &PredictionBar::rangeDragged, this, [this](double low, double high) {
        m_low->setValue(low);
        m_high->setValue(high);
    });
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_filling) {
            showState();
        }
    });
    connect(m_approve, &QPushButton::clicked, this, &ExperimentEditor::approve);
    connect(m_reject, &QPushButton::clicked, this, &ExperimentEditor::reject);
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_description, m_rubric, m_low, m_high, m_innovation, m_writer}) {
        widget->installEventFilter(this);
    }
    fill();
}

void ExperimentEditor::showExperiment(const Experiment* experiment, bool writable) {
    const bool editable = writable && experiment != nullptr && mayBeEdited(*experiment);
    const bool same = experiment != nullptr && m_experiment && !m_isNew && m_experiment->id == experiment->id;
    if (same && isDirty() && m_editable) { // news about what is being edited must not take the text away
        if (!editable) {
            makeOwn();
        }
        return;
    }
    if (!same && !m_isNew) {
        commit();
    }
    if (m_isNew && (experiment == nullptr || isDirty())) {
        return;
    }
    m_isNew = false;
    m_experiment = experiment != nullptr ? std::optional(*experiment) : std::nullopt;
    m_editable = editable;
    m_mayDecide = writable && experiment != nullptr;
    fill();
}

void ExperimentEditor::setWaits(const QString& why) {
    if (!m_isNew) { // why that was not added stays there
        m_waits->setText(why);
        m_waits->setVisible(!why.isEmpty());
    }
}

void ExperimentEditor::beginNew(KernelId parent, std::optional<KernelId> second) {
    startNew(parent, second);
    m_description->setFocus();
}

void ExperimentEditor::startNew(KernelId parent, std::optional<KernelId> second) {
    commit();
    m_experiment = Experiment{};
    m_experiment->parent = parent;
    m_experiment->reference = second != parent ? second : std::nullopt;
    m_experiment->author = Author::person;
    m_experiment->predicted = Interval{1, 1.1};
    m_isNew = true;
    m_editable = true;
    m_waits->hide();
    fill();
}

void ExperimentEditor::fillKinds() {
    m_kind->clear();
    for (const ExperimentKind kind : {ExperimentKind::change, ExperimentKind::rewrite, ExperimentKind::merge,
                                      ExperimentKind::dispatch, ExperimentKind::probe}) {
        const bool joins = hasTwoParents(kind);
        if (!joins || (m_experiment && m_experiment->reference)) {
            const QString text = toText(name(kind));
            m_kind->addItem(joins ? tr("%1 with %2").arg(text, idText(*m_experiment->reference)) : text,
                            static_cast<int>(kind));
        }
    }
    m_kind->setToolTip(tr("To merge two kernels or to pick between them by shape, compare them first. A probe measures "
                          "one thing of the machine"));
}

void ExperimentEditor::setWriters(const std::vector<std::string>& writers) {
    if (writers != m_writers) {
        m_writers = writers;
        fillWriters();
        showState();
    }
}

// A name that is gone from the settings stays to be seen as long as it is the experiment's.
void ExperimentEditor::fillWriters() {
    const bool wasFilling = std::exchange(m_filling, true);
    const QString chosen = toText(m_edit.writer.value_or(m_experiment ? m_experiment->writer : std::string()));
    m_writer->clear();
    m_writer->addItem(tr("whoever's turn it is"), QString());
    m_writer->addItem(tr("the stage's own model"), toText(std::string(ownWriter)));
    for (const std::string& writer : m_writers) {
        m_writer->addItem(toText(writer), toText(writer));
    }
    if (m_writer->findData(chosen) < 0) {
        m_writer->addItem(tr("%1, who is gone").arg(chosen), chosen);
    }
    m_writer->setCurrentIndex(m_writer->findData(chosen));
    m_filling = wasFilling;
}

// What is half typed about an experiment that a model writes by now stays, as an experiment of the person's own.
void ExperimentEditor::makeOwn() {
    const Experiment before = *m_experiment;
    const ExperimentId begun = before.id;
    const KernelId parent = before.parent;
    m_experiment = Experiment{};
    m_experiment->parent = parent;
    m_experiment->reference = before.reference; // a merge is of both
    m_experiment->author = Author::person;
    m_isNew = true;
    m_waits->hide();
    m_filling = true;
    fillKinds();
    m_kind->setCurrentIndex(std::max(0, m_kind->findData(static_cast<int>(before.kind))));
    m_filling = false;
    showState();
    m_title->setText(
        tr("Experiment %1 can no longer be edited. Your text, as an experiment on %2").arg(begun).arg(idText(parent)));
    Q_EMIT typed();
}

void ExperimentEditor::fill() {
    m_filling = true;
    const Experiment shown = m_experiment.value_or(Experiment{});
    setVisible(m_experiment.has_value()); // the list has the room meanwhile
    m_description->setPlainText(QString::fromStdString(shown.description));
    m_rubric->setPlainText(QString::fromStdString(shown.rubric));
    const Interval predicted = shown.predicted.value_or(Interval{1, 1});
    m_low->setValue(predicted.low);
    m_high->setValue(predicted.high);
    m_innovation->setValue(shown.innovation);
    fillKinds();
    m_bar->setRange({shown.predicted, shown.measuredGain});
    m_edit = {};
    fillWriters();
    m_filling = false;
    showState();
}

// Title, and what may be done.
void ExperimentEditor::showState() {
    const Experiment shown = m_experiment.value_or(Experiment{});
    if (!m_experiment) {
        m_title->setText(tr("No experiment chosen"));
    } else if (m_isNew) {
        m_title->setText(tr("Your experiment on %1").arg(idText(shown.parent)));
    } else {
        m_title->setText(aboutText(shown));
    }
    m_description->setReadOnly(!m_editable);
    m_rubric->setReadOnly(!m_editable);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_innovation, m_writer}) {
        widget->setEnabled(m_editable);
    }
    for (QWidget* widget : std::initializer_list<QWidget*>{m_low, m_high, m_bar}) {
        widget->setEnabled(m_editable && !isProbe()); // of which no gain is predicted
    }
    const bool isChoice = !m_writers.empty() || !shown.writer.empty();
    m_writer->setVisible(isChoice);
    m_writerLabel->setVisible(isChoice);
    m_kind->setVisible(m_isNew);
    m_kindLabel->setVisible(m_isNew);
    m_approve->setEnabled(m_isNew || (m_mayDecide && mayBeApproved(shown)));
    m_approve->setText(m_isNew ? tr("&Add and approve") : tr("&Approve"));
    const bool needsCode = m_isNew ? m_settings.scientist == ScientistKind::tuner : needsOwnCode(shown, m_settings);
    m_needsCode->setVisible(needsCode && m_isNew); // of one that is there the line below its title says it
    m_writeCode->setVisible(needsCode && (m_isNew || m_mayDecide));
    m_reject->setEnabled(m_isNew || (m_mayDecide && mayBeRejected(shown)));
    m_reject->setText(m_isNew ? tr("&Discard") : tr("Re&ject"));
}

bool ExperimentEditor::isProbe() const {
    return m_isNew ? m_kind->currentData().toInt() == static_cast<int>(ExperimentKind::probe)
                   : m_experiment && m_experiment->kind == ExperimentKind::probe;
}

command::AddExperiment ExperimentEditor::added() const {
    const auto kind = static_cast<ExperimentKind>(m_kind->currentData().toInt());
    return {.parent = m_experiment->parent,
            .reference = hasTwoParents(kind) ? m_experiment->reference : std::nullopt,
            .kind = kind,
            .description = textOf(m_description),
            .rubric = textOf(m_rubric),
            .predicted = isProbe() ? std::nullopt : std::optional(ordered({m_low->value(), m_high->value()})),
            .innovation = m_innovation->value(),
            .writer = m_writer->currentData().toString().toStdString()};
}

// The other bound stays what it is: its box shows it rounded and within the box's range.
void ExperimentEditor::predictionTyped(double Interval::* bound, double gain) {
    if (!m_filling && m_experiment) {
        Interval range = m_edit.predicted.value_or(m_experiment->predicted.value_or(Interval{1, 1}));
        range.*bound = gain;
        m_edit.predicted = range;
        Q_EMIT typed();
        m_bar->setRange({Interval{m_low->value(), m_high->value()}, std::nullopt});
    }
}

void ExperimentEditor::commit() {
    if (isDirty() && m_editable && m_experiment && !m_isNew) {
        command::EditExperiment edit = std::exchange(m_edit, {});
        edit.experiment = m_experiment->id;
        if (edit.predicted) {
            edit.predicted = ordered(*edit.predicted);
        }
        Q_EMIT edited(edit);
        Q_EMIT typed();
    }
}

QString ExperimentEditor::unsent() const {
    if (!isDirty() || !m_editable || !m_experiment) {
        return {};
    }
    return m_isNew ? tr("New experiment on %1").arg(idText(m_experiment->parent))
                   : tr("Edit of experiment %1").arg(m_experiment->id);
}

QJsonObject ExperimentEditor::unsentFields() const {
    return {{QStringLiteral("experiment"), static_cast<qint64>(m_experiment->id)},
            {QStringLiteral("parent"), static_cast<qint64>(m_experiment->parent)},
            {QStringLiteral("second"), static_cast<qint64>(m_experiment->reference.value_or(0))},
            {QStringLiteral("kind"), m_kind->currentIndex()},
            {QStringLiteral("description"), m_description->toPlainText()},
            {QStringLiteral("rubric"), m_rubric->toPlainText()},
            {QStringLiteral("low"), m_low->value()},
            {QStringLiteral("high"), m_high->value()},
            {QStringLiteral("innovation"), m_innovation->value()},
            {QStringLiteral("writer"), m_writer->currentData().toString()}};
}

bool ExperimentEditor::restore(const QJsonObject& fields) {
    const ExperimentId id = fields.value(QLatin1String("experiment")).toInteger();
    if (id == 0) {
        const KernelId second = fields.value(QLatin1String("second")).toInteger();
        startNew(fields.value(QLatin1String("parent")).toInteger(), second > 0 ? std::optional(second) : std::nullopt);
        m_kind->setCurrentIndex(std::clamp(fields.value(QLatin1String("kind")).toInt(), 0, m_kind->count() - 1));
    } else if (!m_experiment || m_experiment->id != id || !m_editable) {
        return false;
    }
    m_description->setPlainText(fields.value(QLatin1String("description")).toString());
    m_rubric->setPlainText(fields.value(QLatin1String("rubric")).toString());
    m_low->setValue(fields.value(QLatin1String("low")).toDouble());
    m_high->setValue(fields.value(QLatin1String("high")).toDouble());
    m_innovation->setValue(fields.value(QLatin1String("innovation")).toInt());
    if (const int writer = m_writer->findData(fields.value(QLatin1String("writer")).toString()); writer >= 0) {
        m_writer->setCurrentIndex(writer);
    }
    return true;
}

void ExperimentEditor::drop() {
    if (m_isNew) {
        close();
    } else {
        fill();
    }
    Q_EMIT typed();
}

void ExperimentEditor::close() {
    m_isNew = false;
    m_experiment.reset();
    m_editable = false;
    fill();
}

void ExperimentEditor::approve() {
    if (!m_approve->isEnabled()) {
        return;
    }
    if (m_isNew) {
        const command::AddExperiment add = added();
        if (add.description.empty()) {
            m_description->setFocus();
            return;
        }
        if (const auto allowed = m_check ? m_check(add) : Result<void>(); !allowed) {
            m_waits->setText(tr("Not added: %1").arg(toText(allowed.error().message())));
            m_waits->show();
            return;
        }
        close();
        Q_EMIT created(add);
        Q_EMIT typed();
        return;
    }
    commit();
    Q_EMIT approveRequested(m_experiment->id);
}

// A new one is added first: it says what the kernel was for, and what was predicted.
void ExperimentEditor::writeCode() {
    Experiment about = *m_experiment;
    if (m_isNew) {
        about.description = added().description;
        approve();
        if (m_isNew) { // nothing is described yet, or it is refused
            return;
        }
    } else {
        commit();
        about.description = textOf(m_description);
    }
    Q_EMIT codeRequested(about.parent, toText(ownCodeTitle(about)));
}

void ExperimentEditor::setSettings(const CampaignSettings& settings) {
    if (settings.scientist != m_settings.scientist) {
        m_settings.scientist = settings.scientist;
        showState();
    }
}

void ExperimentEditor::reject() {
    if (m_isNew) {
        drop();
    } else if (m_experiment) {
        m_edit = {};
        Q_EMIT rejectRequested(m_experiment->id);
        Q_EMIT typed();
    }
}

bool ExperimentEditor::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusOut) {
        commit();
    } else if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) &&
            (key->modifiers() & Qt::ControlModifier) != 0) {
            approve();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace gks
