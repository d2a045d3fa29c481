// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/machine_code_difference.h"

#include "widgets/code/diff_view.h"
#include "widgets/code/machine_code_model.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"

#include <QLabel>
#include <QVBoxLayout>

namespace gks {

MachineCodeDifference::MachineCodeDifference(EngineBridge* bridge, QWidget* parent)
    : QWidget(parent)
    , m_about(named(new QLabel(this), "compareCodeAbout", tr("What the machine code is")))
    , m_view(named(new DiffView(this), "compareCodeDiff", tr("Difference of the machine code")))
    , m_listings(bridge) {
    m_about->setTextFormat(Qt::RichText);
    m_about->setWordWrap(true);
    m_about->setContentsMargins(spacing3, spacing1, spacing3, spacing2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_about);
    column->addWidget(m_view, 1);
    column->addStretch(0);
    connect(m_view, &DiffView::diffChanged, this, &MachineCodeDifference::settled);
}

bool MachineCodeDifference::isBusy() const {
    return m_listings.isBusy() || m_view->isBusy();
}

bool MachineCodeDifference::hasDifference() const {
    return !m_view->isHidden();
}

void MachineCodeDifference::clear() {
    m_listings.cancel();
    m_pair = {0, 0};
    say({});
}

void MachineCodeDifference::setPair(KernelId left, KernelId right) {
    if (m_pair == std::pair{left, right}) {
        return;
    }
    m_pair = {left, right};
    say(tr("%1 and %2 are compiled for their machine code.").arg(idText(left), idText(right)));
    m_listings.ask(right, left, [this](const Result<ListedPair>& listed) { showListing(listed); });
}

void MachineCodeDifference::say(const QString& text) {
    m_about->setText(text.toHtmlEscaped());
    m_view->hide();
}

void MachineCodeDifference::showListing(const Result<ListedPair>& listed) {
    if (!listed) {
        say(tr("The sources cannot be read: %1").arg(toText(listed.error().message())));
    } else if (listed->own->code() == nullptr || listed->other->code() == nullptr) {
        const bool isOwn = listed->own->code() == nullptr;
        say(tr("The machine code of %1 cannot be shown. %2")
                .arg(idText(isOwn ? m_pair.second : m_pair.first), noCodeText(isOwn ? *listed->own : *listed->other)));
    } else {
        const MachineCode& code = *listed->own->code();
        m_about->setText(tr("%1, without registers and addresses, which differ in every build")
                             .arg(toText(code.architecture))
                             .toHtmlEscaped() %
                         QStringLiteral(" &nbsp; ") % costsText(code, listed->other->code()));
        m_view->show();
        m_view->setSources(listed->other->normalized, listed->own->normalized);
    }
    Q_EMIT settled();
}

} // namespace gks
