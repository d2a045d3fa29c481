// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/submitted_kernel.h"

#include "widgets/common/engine_bridge.h"
#include "widgets/common/palette.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"

#include <algorithm>

namespace gks {
namespace {

// Ids grow, and one sequence counts kernels and probes.
KernelId newestId(const Population& population) {
    const KernelId kernel = population.kernels.empty() ? 0 : population.kernels.back().id;
    return population.probes.empty() ? kernel : std::max(kernel, population.probes.back().id);
}

const Kernel* newestOfPerson(const SharedList<Kernel>& kernels, KernelId after) {
    for (auto kernel = kernels.rbegin(); kernel != kernels.rend() && kernel->id > after; ++kernel) {
        if (kernel->author == Author::person) {
            return &*kernel;
        }
    }
    return nullptr;
}

} // namespace

SubmittedKernel::SubmittedKernel(EngineBridge* bridge, SelectionContext* selection, QWidget* parent)
    : QLabel(parent), m_bridge(bridge), m_selection(selection) {
    setObjectName(QStringLiteral("kernelSubmitted"));
    setAccessibleName(tr("Where your kernel went"));
    setTextFormat(Qt::RichText);
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    setContentsMargins(spacing3, 0, spacing3, spacing2);
    hide();
    connect(this, &QLabel::linkActivated, this, [this] { m_selection->select(*m_kernel); });
    connect(bridge, &EngineBridge::populationChanged, this, &SubmittedKernel::look);
    connect(selection, &SelectionContext::changed, this, [this] {
        if (m_kernel && m_selection->primary() == m_kernel) {
            hide();
        }
    });
}

void SubmittedKernel::await() {
    m_newestBefore = newestId(*m_bridge->population());
    m_lookedAt = m_selection->primary();
    hide();
}

void SubmittedKernel::look() {
    if (!m_newestBefore) {
        return;
    }
    const Population& population = *m_bridge->population();
    const Kernel* found = newestOfPerson(population.kernels, *m_newestBefore);
    found = found != nullptr ? found : newestOfPerson(population.probes, *m_newestBefore);
    if (found != nullptr) {
        m_newestBefore.reset();
        show(found->id);
    }
}

void SubmittedKernel::show(KernelId kernel) {
    m_kernel = kernel;
    if (m_selection->primary() == m_lookedAt) {
        m_selection->select(kernel);
        return;
    }
    setText(tr("Your kernel is %1: %2")
                .arg(idText(kernel), QStringLiteral("<a href=\"kernel\">") % tr("show it") % QStringLiteral("</a>")));
    setVisible(true);
}

} // namespace gks
