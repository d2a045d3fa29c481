// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/near_duplicate_line.h"

#include "widgets/common/engine_bridge.h"
#include "widgets/common/near_duplicates.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"

namespace gks {

NearDuplicateLine::NearDuplicateLine(EngineBridge* bridge, QWidget* parent) : QLabel(parent), m_bridge(bridge) {
    setProperty("quiet", true);
    setTextFormat(Qt::RichText);
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    setContentsMargins(spacing3, 0, spacing3, spacing2);
    hide();
    connect(&bridge->nearDuplicates(), &NearDuplicates::changed, this, [this] {
        ask();
        if (isFilled()) {
            Q_EMIT filled();
        }
    });
}

std::optional<NearDuplicate> NearDuplicateLine::near() const {
    return m_kernel ? m_bridge->nearDuplicates().of(*m_kernel) : std::nullopt;
}

bool NearDuplicateLine::isFilled() const {
    return !m_work.isBusy() && m_bridge->nearDuplicates().isComplete();
}

void NearDuplicateLine::setKernel(std::optional<KernelId> kernel) {
    m_kernel = kernel;
    ask();
}

void NearDuplicateLine::ask() {
    const Population& population = *m_bridge->population();
    const auto found = near();
    const Kernel* own = found ? population.kernel(*m_kernel) : nullptr;
    const Kernel* earlier = found ? population.kernel(found->kernel) : nullptr;
    if (own == nullptr || earlier == nullptr) {
        m_work.cancel();
        m_asked = {};
        say({});
        return;
    }
    const Question question = {own->id, earlier->id, found->similarity, own->sourceSha256 + earlier->sourceSha256};
    if (question == m_asked) {
        return;
    }
    if (question.kernel != m_asked.kernel) {
        say({}); // what stands there is about another kernel
    }
    m_asked = question;
    m_work.start([own = *own, earlier = *earlier,
                  duplicate = *found](const std::stop_token&) { return differenceText(own, earlier, duplicate); },
                 [this](const std::string& text) {
                     say(toText(text));
                     Q_EMIT filled();
                 });
}

void NearDuplicateLine::say(const QString& text) {
    setText(text.isEmpty() ? QString()
                           : QString(text.toHtmlEscaped() % QStringLiteral(": <a href=\"compare\">") % tr("Compare") %
                                     QStringLiteral("</a>")));
    setVisible(!text.isEmpty());
}

} // namespace gks
