// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiments/experiment_editor.h"

#include "core/campaign/finding_use.h"
#include "core/campaign/own_code.h"
#include "core/campaign/rules.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"
#include "widgets/common/words.h"
#include "widgets/experiments/experiment_fields.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

namespace gks {
namespace {

// Plain text: what a model said is in it.
QString aboutText(const Experiment& shown, const QString& state) {
    QString text = hasTwoParents(shown.kind) && shown.reference
                       ? QObject::tr("%1 of %2 and %3, %4")
                             .arg(word(name(shown.kind)), idText(shown.parent), idText(*shown.reference), state)
                       : QObject::tr("On %1, %2, %3").arg(idText(shown.parent), word(name(shown.kind)), state);
    if (!shown.limit.empty()) {
        text += QObject::tr("\nAttacks: %1, on %2").arg(toText(shown.limit), toText(shown.shapes));
    }
    if (!shown.disproof.empty()) {
        text += QObject::tr("\nDisproved by: %1").arg(toText(shown.disproof));
    }
    if (shown.avenue) {
        text += QObject::tr("\nTakes up approach A%1").arg(*shown.avenue);
    }
    if (!shown.uses.empty()) {
        text += QObject::tr("\nRests on findings %1").arg(toText(usesText(shown)));
    }
    return text;
}

// Scrolls downward alone: it is as wide as its form needs.
class FormArea final : public QScrollArea {
public:
    using QScrollArea::QScrollArea;
    QSize minimumSizeHint() const override {
        const int form = widget() != nullptr ? widget()->minimumSizeHint().width() : 0;
        return {form + verticalScrollBar()->sizeHint().width(), QScrollArea::minimumSizeHint().height()};
    }
};

} // namespace

ExperimentEditor::ExperimentEditor(QWidget* parent)
    : QWidget(parent)
    , m_title(named(new MessageLabel(this), "experimentTitle", tr("Which experiment")))
    , m_waits(named(new MessageLabel(this), "experimentWaits", tr("Why it waits")))
    , m_fields(new ExperimentFields(this))
    , m_needsCode(named(new MessageLabel(this), "experimentNeedsCode", tr("Who writes the code")))
    , m_writeCode(named(new QPushButton(tr("&Write the code"), this), "experimentWriteCode", tr("Write the code")))
    , m_approve(named(new QPushButton(tr("&Approve"), this), "experimentApprove", tr("Approve experiment")))
    , m_reject(named(new QPushButton(tr("Re&ject"), this), "experimentReject", tr("Reject experiment"))) {
    m_waits->setProperty("quiet", true);
    m_waits->hide();
    m_approve->setToolTip(tr("Ctrl+Enter"));
    m_needsCode->setText(
        tr("No model writes code in this campaign: write it yourself, or name a model. It waits till then."));
    m_needsCode->setMinimumHeight(2 * fontMetrics().lineSpacing()); // the layout does not know that it wraps
    m_writeCode->setToolTip(tr("Opens the parent's source in the editor; the kernel that you evaluate carries out this "
                               "experiment"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(spacing2);
    buttons->addWidget(m_approve);
    buttons->addWidget(m_writeCode);
    buttons->addWidget(m_reject);
    buttons->addStretch(1);
    // In a low window the form scrolls; what decides stays in sight.
    auto* form = new QWidget;
    auto* column = new QVBoxLayout(form);
    column->setContentsMargins(spacing2, spacing2, spacing2, spacing2);
    column->setSpacing(spacing1);
    column->addWidget(m_title);
    column->addWidget(m_waits);
    m_fields->addTo(column);
    column->addWidget(m_needsCode);
    auto* scroll = new FormArea(this);
    scroll->setObjectName(QStringLiteral("experimentForm"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(form);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, spacing2);
    layout->setSpacing(spacing1);
    layout->addWidget(scroll, 1);
    buttons->setContentsMargins(spacing2, 0, spacing2, 0);
    layout->addLayout(buttons);
    connect(m_fields, &ExperimentFields::typed, this, &ExperimentEditor::typed);
    connect(m_fields, &ExperimentFields::left, this, &ExperimentEditor::commit);
    connect(m_fields, &ExperimentFields::approveRequested, this, &ExperimentEditor::approve);
    connect(m_writeCode, &QPushButton::clicked, this, &ExperimentEditor::writeCode);
    connect(m_approve, &QPushButton::clicked, this, &ExperimentEditor::approve);
    connect(m_reject, &QPushButton::clicked, this, &ExperimentEditor::reject);
    fill();
}

void ExperimentEditor::showExperiment(const Experiment* experiment, bool writable, std::optional<KernelState> inLine) {
    const bool editable = writable && experiment != nullptr && mayBeEdited(*experiment);
    const bool same = experiment != nullptr && m_experiment && !m_isNew && m_experiment->id == experiment->id;
    if (same && m_fields->isTouched() && m_editable) { // news about what is being edited must not take the text away
        if (!editable) {
            makeOwn();
        }
        return;
    }
    if (!same && !m_isNew) {
        commit();
    }
    if (m_isNew && (experiment == nullptr || m_fields->isTouched())) {
        return;
    }
    m_isNew = false;
    m_experiment = experiment != nullptr ? std::optional(*experiment) : std::nullopt;
    m_inLine = inLine;
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

// What is half written stays: one at a time, like a kernel.
void ExperimentEditor::beginNew(KernelId parent, std::optional<KernelId> second) {
    if (m_isNew && m_fields->isTouched()) {
        m_waits->setText(tr("Add or discard this experiment first"));
        m_waits->show();
    } else {
        startNew(parent, second);
    }
    m_fields->begin();
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

void ExperimentEditor::setWriters(const std::vector<std::string>& writers) {
    m_fields->setWriters(writers);
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
    m_fields->passTo(*m_experiment, before.kind);
    showState();
    m_title->setText(
        tr("Experiment %1 can no longer be edited. Your text, as an experiment on %2").arg(begun).arg(idText(parent)));
    Q_EMIT typed();
}

void ExperimentEditor::fill() {
    setVisible(m_experiment.has_value()); // the list has the room meanwhile
    m_fields->fill(m_experiment.value_or(Experiment{}));
    showState();
}

// Title, and what may be done.
void ExperimentEditor::showState() {
    const Experiment shown = m_experiment.value_or(Experiment{});
    if (!m_experiment) {
        m_title->setText(tr("No experiment selected"));
    } else if (m_isNew) {
        m_title->setText(tr("New experiment on %1").arg(idText(shown.parent)));
    } else {
        m_title->setText(aboutText(shown, experimentStateText(shown.state, m_inLine)));
    }
    m_fields->setEditable(m_editable, m_isNew);
    m_approve->setEnabled(m_isNew || (m_mayDecide && mayBeApproved(shown)));
    m_approve->setText(m_isNew ? tr("&Add and approve") : tr("&Approve"));
    const bool needsCode = m_isNew ? m_settings.scientist == ScientistKind::tuner : needsOwnCode(shown, m_settings);
    m_needsCode->setVisible(needsCode && m_isNew); // of one that is there the line below its title says it
    m_writeCode->setVisible(needsCode && (m_isNew || m_mayDecide));
    m_reject->setEnabled(m_isNew || (m_mayDecide && mayBeRejected(shown)));
    m_reject->setText(m_isNew ? tr("&Discard") : tr("Re&ject"));
}

void ExperimentEditor::commit() {
    if (m_fields->isTouched() && m_editable && m_experiment && !m_isNew) {
        command::EditExperiment edit = m_fields->takeEdit();
        edit.experiment = m_experiment->id;
        Q_EMIT edited(edit);
        Q_EMIT typed();
    }
}

QString ExperimentEditor::unsent() const {
    if (!m_fields->isTouched() || !m_editable || !m_experiment) {
        return {};
    }
    return m_isNew ? tr("New experiment on %1").arg(idText(m_experiment->parent))
                   : tr("Edit of experiment %1").arg(m_experiment->id);
}

QJsonObject ExperimentEditor::unsentFields() const {
    QJsonObject fields = m_fields->content();
    fields.insert(QStringLiteral("experiment"), static_cast<qint64>(m_experiment->id));
    fields.insert(QStringLiteral("parent"), static_cast<qint64>(m_experiment->parent));
    fields.insert(QStringLiteral("second"), static_cast<qint64>(m_experiment->reference.value_or(0)));
    return fields;
}

bool ExperimentEditor::restore(const QJsonObject& fields) {
    const ExperimentId id = fields.value(QLatin1String("experiment")).toInteger();
    if (id == 0) {
        const KernelId second = fields.value(QLatin1String("second")).toInteger();
        startNew(fields.value(QLatin1String("parent")).toInteger(), second > 0 ? std::optional(second) : std::nullopt);
    } else if (!m_experiment || m_experiment->id != id || !m_editable) {
        return false;
    }
    m_fields->restore(fields);
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
        const command::AddExperiment add = m_fields->added();
        if (add.description.empty()) {
            m_fields->begin();
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
        about.description = m_fields->description();
        approve();
        if (m_isNew) { // nothing is described yet, or it is refused
            return;
        }
    } else {
        commit();
        about.description = m_fields->description();
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
        m_fields->takeEdit(); // not worth sending
        Q_EMIT rejectRequested(m_experiment->id);
        Q_EMIT typed();
    }
}

} // namespace gks
