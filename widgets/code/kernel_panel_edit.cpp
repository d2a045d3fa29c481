// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/limits.h"
#include "core/campaign/rules.h"
#include "widgets/code/compile_view.h"
#include "widgets/code/kernel_panel.h"
#include "widgets/code/source_editor.h"
#include "widgets/code/submitted_kernel.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/message_label.h"
#include "widgets/common/palette.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"
#include "widgets/common/unsaved_text.h"

#include <QHBoxLayout>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>

// The kernel that a person writes, from its first text to the command.
namespace gks {

QWidget* KernelPanel::createEditBar() {
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(spacing3, 0, spacing3, spacing2);
    layout->setSpacing(spacing2);
    auto* label = new QLabel(tr("&Title"), bar);
    m_editTitle = new QLineEdit(bar);
    m_editTitle->setObjectName(QStringLiteral("kernelEditTitle"));
    m_editTitle->setAccessibleName(tr("Title of the new kernel"));
    m_editTitle->setMaxLength(limits::kernelTitleCharacters);
    label->setBuddy(m_editTitle);
    auto* submit = new QPushButton(tr("E&valuate"), bar);
    submit->setObjectName(QStringLiteral("kernelEditSubmit"));
    submit->setAccessibleName(tr("Evaluate the edited kernel"));
    submit->setToolTip(tr("Adds it to the population; it is evaluated at once, or next while the campaign runs "
                          "(Ctrl+Enter)"));
    auto* discard = new QPushButton(tr("&Discard"), bar);
    discard->setObjectName(QStringLiteral("kernelEditDiscard"));
    discard->setAccessibleName(tr("Discard the edit"));
    layout->addWidget(label);
    layout->addWidget(m_editTitle, 1);
    layout->addWidget(submit);
    layout->addWidget(discard);
    connect(submit, &QPushButton::clicked, this, &KernelPanel::submitEdit);
    connect(discard, &QPushButton::clicked, this, &KernelPanel::endEdit);
    return bar;
}

UnsavedText* KernelPanel::createUnsaved() {
    UnsavedText::Form form;
    form.what = [this] {
        return m_basis && !m_textAwaited && m_source->source() != m_basisSource
                   ? tr("New kernel, based on %1").arg(idText(*m_basis))
                   : QString();
    };
    form.content = [this] {
        return QJsonObject{{QStringLiteral("basis"), static_cast<qint64>(*m_basis)},
                           {QStringLiteral("title"), m_editTitle->text()},
                           {QStringLiteral("source"), m_source->text()}};
    };
    form.restore = [this](const QJsonObject& content) {
        const KernelId id = content.value(QLatin1String("basis")).toInteger();
        const Kernel* basis = bridge().population()->kernel(id);
        if (basis == nullptr || isEditing()) {
            return false;
        }
        startEdit(*basis);
        m_editTitle->setText(content.value(QLatin1String("title")).toString());
        replaceText(content.value(QLatin1String("source")).toString());
        return true;
    };
    form.discard = [this] { endEdit(); };
    form.kernelRefusal = [this] { return refusal(); };
    form.saveAsKernel = [this] { submitEdit(); };
    return new UnsavedText(QStringLiteral("kernel"), std::move(form), this);
}

bool KernelPanel::beginEdit() {
    const Kernel* kernel = selection().primary() ? bridge().population()->kernel(*selection().primary()) : nullptr;
    if (isEditing()) {
        showRefusal(tr("Evaluate or discard this edit first"));
        return false;
    }
    if (kernel == nullptr || bridge().readOnly()) {
        return false;
    }
    startEdit(*kernel);
    m_source->setFocus();
    return true;
}

void KernelPanel::beginEditOf(const QString& title, const QString& source) {
    const Population& population = *bridge().population();
    const auto mayBeBasis = [](const Kernel* kernel) {
        return kernel != nullptr && !kernel->probe && !mayBeDeclined(*kernel); // whose draft waits keeps it
    };
    const Kernel* basis = selection().primary() ? population.kernel(*selection().primary()) : nullptr;
    if (!mayBeBasis(basis)) {
        basis = population.baseline ? population.kernel(*population.baseline) : nullptr;
    }
    if (isEditing()) {
        showRefusal(tr("%1 was not opened: evaluate or discard this edit first").arg(title));
    } else if (mayBeBasis(basis) && !bridge().readOnly()) {
        startEdit(*basis);
        setEditTitle(title);
        replaceText(source);
        m_source->setFocus();
    }
}

void KernelPanel::setEditTitle(const QString& title) {
    if (isEditing() && !replacesDraft()) {
        m_editTitle->setText(title.left(limits::kernelTitleCharacters));
    }
}

// The text of the basis comes when it is read, unless another one is put in its place meanwhile.
void KernelPanel::startEdit(const Kernel& basis) {
    m_source->setSource({});
    m_basis = basis.id;
    m_basisSource.reset();
    m_textAwaited = true;
    m_editTitle->setText(replacesDraft() ? toText(basis.title) : tr("Edit of %1").arg(idText(basis.id)));
    m_editTitle->setReadOnly(replacesDraft()); // a draft keeps its title
    m_editBar->show();
    m_unread->hide();
    m_compile->show(); // to write in, whatever cannot be read
    m_partsBefore = m_parts->sizes();
    divideParts();
    askParentOf(basis);
    refresh();
    showFacts();
    takeBasis();
}

// The source that the edit begins with is kept: what is typed is compared with it at every key.
void KernelPanel::takeBasis() {
    if (!isEditing() || m_basisSource || !m_page || !isPageNew() || m_page->kernel != *m_basis) {
        return;
    }
    if (!m_page->source) {
        showRefusal(toText(m_page->source.error().message()));
    }
    m_basisSource = m_page->source.value_or(std::string());
    if (m_textAwaited) {
        m_source->setSource(*m_basisSource);
    }
    m_textAwaited = false;
    m_source->setReadOnly(false);
    m_unsaved->touch();
    showDiagnostics();
}

// Of the edit, by what comes from elsewhere: it waits for nothing.
void KernelPanel::replaceText(const QString& text) {
    m_textAwaited = false;
    m_source->setReadOnly(false);
    m_source->setText(text);
}

// The numbers of what is typed stand against the kernel that it comes from: a draft's own parent.
void KernelPanel::askParentOf(const Kernel& basis) {
    if (replacesDraft() && basis.parents.empty()) {
        return;
    }
    const KernelId parent = replacesDraft() ? basis.parents.front() : basis.id;
    bridge().askSources(m_compile, {parent}, [this, parent, edited = basis.id](const auto& answer) {
        if (answer && !answer->empty() && m_basis == edited) {
            m_compile->setParentSource(idText(parent), answer->front());
        }
    });
}

void KernelPanel::endEdit() {
    m_basis.reset();
    m_basisSource.reset();
    m_textAwaited = false;
    m_source->setReadOnly(true);
    m_compile->endLive();
    if (m_page) {
        showPage();
    }
    divideParts();
    if (!m_partsBefore.isEmpty()) {
        m_parts->setSizes(m_partsBefore);
    }
    m_editBar->hide();
    m_refusal->hide();
    m_unsaved->touch();
    refresh();
}

void KernelPanel::showRefusal(const QString& why) {
    m_refusal->setText(why);
    m_refusal->setVisible(!why.isEmpty());
}

bool KernelPanel::replacesDraft() const {
    const Kernel* basis = m_basis ? bridge().population()->kernel(*m_basis) : nullptr;
    return basis != nullptr && mayBeDeclined(*basis);
}

SteeringCommand KernelPanel::typed() const {
    if (replacesDraft()) {
        return command::EditCode{*m_basis, m_source->source()};
    }
    return command::AddKernel{*m_basis, m_editTitle->text().trimmed().toStdString(), m_source->source()};
}

QString KernelPanel::refusal() const {
    if (m_textAwaited) {
        return tr("The source of %1 is still being read. Try again in a moment").arg(idText(*m_basis));
    }
    const auto allowed = checkCommand(typed(), *bridge().population());
    return allowed ? QString() : toText(allowed.error().message());
}

// What the engine would refuse stays here: nothing else has the text.
void KernelPanel::submitEdit() {
    const QString why = refusal();
    showRefusal(why);
    if (why.isEmpty()) {
        m_submitted->await();
        bridge().send(typed());
        endEdit();
    }
}

} // namespace gks
