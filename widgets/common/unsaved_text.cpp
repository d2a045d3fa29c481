// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/unsaved_text.h"

#include "widgets/common/palette.h"

#include <QLabel>
#include <QStringList>
#include <utility>

namespace gks {

UnsavedText::UnsavedText(const QString& key, Form form, QWidget* parent)
    : QObject(parent), m_key(key), m_form(std::move(form)), m_notice(new QLabel(parent)) {
    m_notice->setObjectName(key + QStringLiteral("UnsavedNotice"));
    m_notice->setProperty("quiet", true);
    m_notice->setContentsMargins(spacing3, spacing1, spacing3, spacing1);
    m_notice->hide();
}

void UnsavedText::showNotice() {
    QStringList waiting;
    for (const Text& text : m_waiting) {
        waiting.append(text.what);
    }
    m_notice->setText(m_restored ? tr("Unsaved text from last time was restored")
                                 : tr("Unsaved text from last time: %1").arg(waiting.join(QStringLiteral(", "))));
    m_notice->setVisible(wasRestored());
}

void UnsavedText::touch() {
    m_restored = m_restored && !m_form.what().isEmpty();
    showNotice();
    Q_EMIT changed();
}

void UnsavedText::retry() {
    if (!m_waiting.empty()) {
        const std::vector<Text> waiting = std::exchange(m_waiting, {});
        for (const Text& text : waiting) {
            restore(text);
        }
    }
}

void UnsavedText::restore(const Text& text) {
    if (m_form.what().isEmpty() && m_form.restore(text.content)) {
        m_restored = true;
    } else {
        m_waiting.push_back(text);
    }
    showNotice();
}

std::vector<UnsavedText::Text> UnsavedText::texts() const {
    std::vector<Text> all = m_waiting;
    if (const QString what = m_form.what(); !what.isEmpty()) {
        all.push_back({m_key, what, m_form.content()});
    }
    return all;
}

void UnsavedText::leave() {
    if (m_form.leave) {
        m_form.leave();
    }
}

void UnsavedText::discard() {
    m_waiting.clear();
    if (!m_form.what().isEmpty()) {
        m_form.discard();
    }
    touch();
}

bool UnsavedText::isKernel() const {
    return m_form.kernelRefusal && !m_form.what().isEmpty() && m_form.kernelRefusal().isEmpty();
}

void UnsavedText::saveAsKernel() {
    if (isKernel()) {
        m_form.saveAsKernel();
        touch();
    }
}

} // namespace gks
