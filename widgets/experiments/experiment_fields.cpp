// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiments/experiment_fields.h"

#include "core/campaign/limits.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/rules.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"
#include "widgets/common/words.h"
#include "widgets/experiments/gain_box.h"
#include "widgets/experiments/prediction_bar.h"

#include <QComboBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace gks {
namespace {

std::string textOf(const QPlainTextEdit* field) {
    return field->toPlainText().trimmed().toStdString();
}

Interval ordered(const Interval& range) {
    return {std::min(range.low, range.high), std::max(range.low, range.high)};
}

} // namespace

ExperimentFields::ExperimentFields(QWidget* form)
    : QObject(form)
    , m_form(form)
    , m_description(named(new QPlainTextEdit(form), "experimentDescription", tr("Description")))
    , m_rubric(named(new QPlainTextEdit(form), "experimentRubric", tr("Rubric")))
    , m_low(named(new GainBox(form), "experimentLow", tr("Predicted gain, lower bound")))
    , m_high(named(new GainBox(form), "experimentHigh", tr("Predicted gain, upper bound")))
    , m_bar(named(new PredictionBar(form), "experimentBar", tr("Predicted gain")))
    , m_innovation(named(new QSpinBox(form), "experimentInnovation", tr("Innovation, 0 to 100")))
    , m_kind(named(new QComboBox(form), "experimentKind", tr("Kind of experiment")))
    , m_kindLabel(new QLabel(tr("&Kind"), form))
    , m_writer(named(new QComboBox(form), "experimentWriter", tr("Who writes the kernel")))
    , m_writerLabel(new QLabel(tr("&Writer"), form)) {
    m_description->setPlaceholderText(tr("Idea"));
    m_rubric->setPlaceholderText(tr("Rubric: steps the Writer must follow"));
    m_description->setTabChangesFocus(true);
    m_rubric->setTabChangesFocus(true);
    m_description->setFixedHeight(4 * form->fontMetrics().height());
    m_rubric->setMinimumHeight(5 * form->fontMetrics().height());
    m_innovation->setRange(0, limits::innovation);
    m_innovation->setSuffix(tr(" of 100"));
    m_innovation->setToolTip(tr("How different the idea is from what was tried before"));
    m_innovation->setAlignment(Qt::AlignRight);
    m_kind->setToolTip(tr("To merge two kernels or to pick between them by shape, compare them first. A probe measures "
                          "one thing of the machine"));
    m_writer->setToolTip(tr("One of the campaign's writers, or whoever has brought most for the cost when it is time"));
    connectFields();
}

void ExperimentFields::addTo(QVBoxLayout* column) const {
    auto* numbers = new QGridLayout;
    numbers->setContentsMargins(0, 0, 0, 0);
    numbers->setHorizontalSpacing(spacing2);
    const auto label = [this](const QString& text, QWidget* buddy) {
        auto* made = new QLabel(text, m_form);
        made->setBuddy(buddy);
        return made;
    };
    // In a line of its own: the dock is no wider for a long word, which other languages have.
    numbers->addWidget(label(tr("Predicted &gain"), m_low), 0, 0, 1, 3);
    numbers->addWidget(m_low, 1, 1);
    numbers->addWidget(m_high, 1, 2);
    numbers->addWidget(m_bar, 2, 0, 1, 3);
    numbers->addWidget(label(tr("Inno&vation"), m_innovation), 3, 0);
    numbers->addWidget(m_innovation, 3, 1);
    m_kindLabel->setBuddy(m_kind);
    numbers->addWidget(m_kindLabel, 4, 0);
    numbers->addWidget(m_kind, 4, 1, 1, 2);
    m_writerLabel->setBuddy(m_writer);
    numbers->addWidget(m_writerLabel, 5, 0);
    numbers->addWidget(m_writer, 5, 1, 1, 2);
    column->addWidget(m_description);
    column->addWidget(m_rubric, 1);
    column->addLayout(numbers);
}

void ExperimentFields::connectFields() {
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
    connect(m_kind, &QComboBox::currentIndexChanged, this, &ExperimentFields::enableFields);
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_description, m_rubric, m_low, m_high, m_innovation, m_writer}) {
        widget->installEventFilter(this);
    }
}

void ExperimentFields::fill(const Experiment& experiment) {
    m_filling = true;
    m_experiment = experiment;
    m_description->setPlainText(QString::fromStdString(experiment.description));
    m_rubric->setPlainText(QString::fromStdString(experiment.rubric));
    const Interval predicted = experiment.predicted.value_or(Interval{1, 1});
    m_low->setValue(predicted.low);
    m_high->setValue(predicted.high);
    m_innovation->setValue(experiment.innovation);
    fillKinds();
    m_bar->setRange({experiment.predicted, experiment.measuredGain});
    m_edit = {};
    fillWriters();
    m_filling = false;
}

void ExperimentFields::passTo(const Experiment& experiment, ExperimentKind kind) {
    m_experiment = experiment;
    fillKinds();
    m_kind->setCurrentIndex(std::max(0, m_kind->findData(static_cast<int>(kind))));
}

void ExperimentFields::fillKinds() {
    m_kind->clear();
    for (const ExperimentKind kind : {ExperimentKind::change, ExperimentKind::rewrite, ExperimentKind::merge,
                                      ExperimentKind::dispatch, ExperimentKind::probe}) {
        const bool joins = hasTwoParents(kind);
        if (!joins || m_experiment.reference) {
            const QString text = word(name(kind));
            m_kind->addItem(joins ? tr("%1 with %2").arg(text, idText(*m_experiment.reference)) : text,
                            static_cast<int>(kind));
        }
    }
}

void ExperimentFields::setWriters(const std::vector<std::string>& writers) {
    if (writers != m_writers) {
        m_writers = writers;
        fillWriters();
        enableFields();
    }
}

// A name that is gone from the settings stays to be seen as long as it is the experiment's.
void ExperimentFields::fillWriters() {
    const bool wasFilling = std::exchange(m_filling, true);
    const QString chosen = toText(m_edit.writer.value_or(m_experiment.writer));
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

void ExperimentFields::setEditable(bool editable, bool isNew) {
    m_editable = editable;
    m_isNew = isNew;
    enableFields();
}

void ExperimentFields::enableFields() {
    m_description->setReadOnly(!m_editable);
    m_rubric->setReadOnly(!m_editable);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_innovation, m_writer}) {
        widget->setEnabled(m_editable);
    }
    for (QWidget* widget : std::initializer_list<QWidget*>{m_low, m_high, m_bar}) {
        widget->setEnabled(m_editable && !isProbe()); // of which no gain is predicted
    }
    const bool isChoice = !m_writers.empty() || !m_experiment.writer.empty();
    m_writer->setVisible(isChoice);
    m_writerLabel->setVisible(isChoice);
    m_kind->setVisible(m_isNew);
    m_kindLabel->setVisible(m_isNew);
}

void ExperimentFields::begin() {
    m_description->setFocus();
}

bool ExperimentFields::isProbe() const {
    return m_isNew ? m_kind->currentData().toInt() == static_cast<int>(ExperimentKind::probe)
                   : m_experiment.kind == ExperimentKind::probe;
}

std::string ExperimentFields::description() const {
    return textOf(m_description);
}

command::EditExperiment ExperimentFields::takeEdit() {
    command::EditExperiment edit = std::exchange(m_edit, {});
    if (edit.predicted) {
        edit.predicted = ordered(*edit.predicted);
    }
    return edit;
}

command::AddExperiment ExperimentFields::added() const {
    const auto kind = static_cast<ExperimentKind>(m_kind->currentData().toInt());
    return {.parent = m_experiment.parent,
            .reference = hasTwoParents(kind) ? m_experiment.reference : std::nullopt,
            .kind = kind,
            .description = textOf(m_description),
            .rubric = textOf(m_rubric),
            .predicted = isProbe() ? std::nullopt : std::optional(ordered({m_low->value(), m_high->value()})),
            .innovation = m_innovation->value(),
            .writer = m_writer->currentData().toString().toStdString()};
}

// The other bound stays what it is: its box shows it rounded and within the box's range.
void ExperimentFields::predictionTyped(double Interval::* bound, double gain) {
    if (!m_filling) {
        Interval range = m_edit.predicted.value_or(m_experiment.predicted.value_or(Interval{1, 1}));
        range.*bound = gain;
        m_edit.predicted = range;
        Q_EMIT typed();
        m_bar->setRange({Interval{m_low->value(), m_high->value()}, std::nullopt});
    }
}

QJsonObject ExperimentFields::content() const {
    return {{QStringLiteral("kind"), m_kind->currentIndex()},
            {QStringLiteral("description"), m_description->toPlainText()},
            {QStringLiteral("rubric"), m_rubric->toPlainText()},
            {QStringLiteral("low"), m_low->value()},
            {QStringLiteral("high"), m_high->value()},
            {QStringLiteral("innovation"), m_innovation->value()},
            {QStringLiteral("writer"), m_writer->currentData().toString()}};
}

void ExperimentFields::restore(const QJsonObject& content) {
    if (m_isNew) {
        m_kind->setCurrentIndex(std::clamp(content.value(QLatin1String("kind")).toInt(), 0, m_kind->count() - 1));
    }
    m_description->setPlainText(content.value(QLatin1String("description")).toString());
    m_rubric->setPlainText(content.value(QLatin1String("rubric")).toString());
    m_low->setValue(content.value(QLatin1String("low")).toDouble());
    m_high->setValue(content.value(QLatin1String("high")).toDouble());
    m_innovation->setValue(content.value(QLatin1String("innovation")).toInt());
    if (const int writer = m_writer->findData(content.value(QLatin1String("writer")).toString()); writer >= 0) {
        m_writer->setCurrentIndex(writer);
    }
}

bool ExperimentFields::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusOut) {
        Q_EMIT left();
    } else if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) &&
            (key->modifiers() & Qt::ControlModifier) != 0) {
            Q_EMIT approveRequested();
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

} // namespace gks
