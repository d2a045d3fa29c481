// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lineage/kernel_search.h"

#include "widgets/common/engine_bridge.h"
#include "widgets/common/selection_context.h"
#include "widgets/lineage/lineage_model.h"

#include <QHBoxLayout>
#include <QLabel>
#include <algorithm>
#include <iterator>

namespace gks {

namespace {

constexpr int typingMs = 150;

std::vector<KernelId> kernelsWithWords(const Population& population, const QString& words,
                                       const std::stop_token& stop) {
    std::vector<KernelId> found;
    for (const Kernel& kernel : population.kernels) {
        if (stop.stop_requested() || found.size() >= static_cast<std::size_t>(KernelSearch::hitLimit)) {
            break;
        }
        if (matchesSearch(kernel, words)) {
            found.push_back(kernel.id);
        }
    }
    return found;
}

} // namespace

KernelSearch::KernelSearch(const PanelContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_count(new QLabel) {
    m_count->setObjectName(QStringLiteral("lineageFound"));
    m_count->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 4, 2);
    row->addWidget(m_count, 1);
    m_typing.setSingleShot(true);
    m_typing.setInterval(typingMs);
    connect(&m_typing, &QTimer::timeout, this, &KernelSearch::ask);
    hide();
}

void KernelSearch::setWords(const QString& words) {
    m_words = words.trimmed();
    m_work.cancel();
    if (isOn()) {
        m_typing.start();
        return;
    }
    m_typing.stop();
    m_asked = false;
    m_hits.clear();
    hide();
    Q_EMIT hitsChanged();
}

void KernelSearch::ask() {
    m_hits.clear();
    m_asked = true;
    m_context.bridge->askKernelSearch(this, m_words, hitLimit,
                                      [this, words = m_words](const Result<std::vector<KernelId>>& found) {
                                          if (words == m_words) {
                                              m_asked = false;
                                              add(found ? *found : std::vector<KernelId>{});
                                          }
                                      });
    m_work.start([population = m_context.bridge->population(),
                  words = m_words](const std::stop_token& stop) { return kernelsWithWords(*population, words, stop); },
                 [this](const std::vector<KernelId>& found) { add(found); });
    show();
}

void KernelSearch::add(const std::vector<KernelId>& found) {
    std::vector<KernelId> known;
    std::ranges::copy_if(found, std::back_inserter(known), [this](KernelId id) {
        const Kernel* kernel = m_context.bridge->population()->kernel(id);
        return kernel != nullptr && !kernel->probe;
    });
    std::ranges::sort(known);
    std::vector<KernelId> all;
    std::ranges::set_union(m_hits, known, std::back_inserter(all));
    m_hits = std::move(all);
    Q_EMIT hitsChanged();
}

void KernelSearch::say(int folded) {
    const int count = static_cast<int>(m_hits.size());
    const QString kernels = count == 0   ? tr("No kernel found")
                            : count == 1 ? tr("1 kernel")
                                         : tr("%1 kernels").arg(count);
    m_count->setText(folded == 0 ? kernels : tr("%1, %2 of them folded").arg(kernels).arg(folded));
}

void KernelSearch::walk(int direction) {
    if (m_hits.empty()) {
        return;
    }
    const KernelId from = m_context.selection->primary().value_or(0);
    if (direction > 0) {
        const auto next = std::ranges::upper_bound(m_hits, from);
        m_context.selection->select(next == m_hits.end() ? m_hits.front() : *next);
    } else {
        const auto here = std::ranges::lower_bound(m_hits, from);
        m_context.selection->select(here == m_hits.begin() ? m_hits.back() : *std::prev(here));
    }
}

} // namespace gks
