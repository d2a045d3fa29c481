// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiments/next_parent_card.h"

#include "core/campaign/rules.h"
#include "core/campaign/stagnation.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/message_label.h"
#include "widgets/common/palette.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace gks {

NextParentCard::NextParentCard(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_parent(new ElidedLabel(this))
    , m_why(new MessageLabel(this))
    , m_stagnation(new MessageLabel(this))
    , m_reference(new ElidedLabel(this))
    , m_useSelected(new QPushButton(tr("P&in selected"), this))
    , m_release(new QPushButton(tr("U&npin"), this)) {
    setObjectName(QStringLiteral("nextParentCard"));
    auto* heading = new QLabel(tr("Next parent"), this);
    heading->setProperty("quiet", true);
    m_parent->setObjectName(QStringLiteral("nextParent"));
    QFont bold = m_parent->font();
    bold.setWeight(QFont::DemiBold);
    m_parent->setFont(bold);
    m_why->setObjectName(QStringLiteral("nextParentWhy"));
    m_why->setProperty("quiet", true);
    m_stagnation->setObjectName(QStringLiteral("stagnation"));
    m_reference->setObjectName(QStringLiteral("nextReference"));
    m_useSelected->setObjectName(QStringLiteral("useSelectedAsParent"));
    m_useSelected->setAccessibleName(tr("Pin the selected kernel as the next parent"));
    m_release->setObjectName(QStringLiteral("releaseParent"));
    m_release->setAccessibleName(tr("Unpin the next parent"));

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(spacing2);
    buttons->addWidget(m_useSelected);
    buttons->addWidget(m_release);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing2, spacing2, spacing2, spacing2);
    layout->setSpacing(spacing1);
    layout->addWidget(heading);
    layout->addWidget(m_parent);
    layout->addWidget(m_why);
    layout->addWidget(m_stagnation);
    layout->addWidget(m_reference);
    layout->addLayout(buttons);

    connect(context.bridge, &EngineBridge::nextParentChanged, this, &Panel::scheduleRefresh);
    connect(context.bridge, &EngineBridge::stateChanged, this, &Panel::scheduleRefresh);
    connect(m_useSelected, &QPushButton::clicked, this, [this] {
        if (selection().primary()) {
            bridge().send(command::PinParent{selection().primary()});
        }
    });
    connect(m_release, &QPushButton::clicked, this, [this] { bridge().send(command::PinParent{}); });
}

void NextParentCard::refresh() {
    const Population& population = *bridge().population();
    // What was chosen and then banned is not the next one: a selection that follows says who is.
    const Kernel* chosen = bridge().nextParent().parent ? population.kernel(*bridge().nextParent().parent) : nullptr;
    const bool isGone = chosen != nullptr && chosen->banned;
    const NextParentChanged next = isGone ? NextParentChanged{} : bridge().nextParent();
    const auto named = [&](KernelId id) -> QString {
        const Kernel* kernel = population.kernel(id);
        return idText(id) +
               (kernel != nullptr ? QStringLiteral("  ") + QString::fromStdString(kernel->title) : QString());
    };
    const std::optional<KernelId> pinned = population.settings.pinnedParent;
    const std::optional<KernelId> parent = pinned ? pinned : next.parent;
    const std::optional<KernelId> reference = pinned ? population.settings.pinnedReference : next.reference;
    m_parent->setText(parent ? named(*parent) : tr("Not selected yet"));
    if (pinned) {
        m_why->setText(tr("Pinned by you"));
    } else if (!next.rationale.empty()) {
        m_why->setText(tr("Why: %1").arg(QString::fromStdString(next.rationale)));
    } else {
        m_why->setText(
            parent ? QString()
                   : tr("Selected automatically during a run. To choose it yourself, select a kernel and press P."));
    }
    m_why->setVisible(!m_why->text().isEmpty());
    const auto still = stagnation(population);
    m_stagnation->setText(still ? QString::fromStdString(still->text) : QString());
    m_stagnation->setVisible(still.has_value());
    m_reference->setText(reference ? tr("Reference kernel: %1").arg(named(*reference)) : QString());
    m_reference->setVisible(reference.has_value());
    const auto primary = selection().primary();
    const Kernel* selected = primary ? population.kernel(*primary) : nullptr;
    m_useSelected->setEnabled(!bridge().readOnly() && selected != nullptr && mayBecomeParent(*selected) &&
                              pinned != primary);
    m_useSelected->setToolTip(selected != nullptr ? tr("Pin %1 as the next parent (P)").arg(named(selected->id))
                                                  : tr("Select a kernel first"));
    m_release->setEnabled(!bridge().readOnly() && pinned.has_value());
}

} // namespace gks
