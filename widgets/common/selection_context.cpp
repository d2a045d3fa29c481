// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/selection_context.h"

#include "core/campaign/comparison_table.h"

#include <algorithm>
#include <utility>

namespace gks {

namespace {

constexpr std::size_t historyLimit = 200;

} // namespace

void SelectionContext::select(KernelId kernel) {
    go({kernel, {}});
}

void SelectionContext::setSecond(std::optional<KernelId> kernel) {
    if (kernel == m_current.primary) {
        kernel.reset();
    }
    go({m_current.primary, kernel});
}

void SelectionContext::setPair(KernelId primary, KernelId second) {
    go({primary, second == primary ? std::nullopt : std::optional(second)});
}

void SelectionContext::setExperiment(std::optional<ExperimentId> experiment) {
    if (m_experiment == experiment) {
        return;
    }
    m_experiment = experiment;
    Q_EMIT experimentChanged();
}

void SelectionContext::setShape(std::optional<int> shape) {
    if (m_shape == shape) {
        return;
    }
    m_shape = shape;
    Q_EMIT shapeChanged();
}

bool SelectionContext::isCompared(KernelId kernel) const {
    return std::ranges::find(m_compared, kernel) != m_compared.end();
}

void SelectionContext::setCompared(std::vector<KernelId> kernels) {
    std::vector<KernelId> once;
    for (const KernelId kernel : kernels) {
        if (std::ranges::find(once, kernel) == once.end() && once.size() < mostCompared) {
            once.push_back(kernel);
        }
    }
    if (once != m_compared) {
        m_compared = std::move(once);
        Q_EMIT comparedChanged();
    }
}

void SelectionContext::addCompared(KernelId kernel) {
    std::vector<KernelId> kernels = m_compared;
    kernels.push_back(kernel);
    setCompared(std::move(kernels));
}

void SelectionContext::removeCompared(KernelId kernel) {
    std::vector<KernelId> kernels = m_compared;
    std::erase(kernels, kernel);
    setCompared(std::move(kernels));
}

void SelectionContext::go(const Kernels& kernels) {
    if (kernels == m_current) {
        return;
    }
    // A new step from the middle of the history forgets what was ahead, as in a browser.
    if (!m_history.empty()) {
        m_history.resize(m_at + 1);
    }
    m_history.push_back(kernels);
    if (m_history.size() > historyLimit) {
        m_history.erase(m_history.begin());
    }
    m_at = m_history.size() - 1;
    m_current = kernels;
    Q_EMIT changed();
}

void SelectionContext::back() {
    if (canGoBack()) {
        m_current = m_history[--m_at];
        Q_EMIT changed();
    }
}

void SelectionContext::forward() {
    if (canGoForward()) {
        m_current = m_history[++m_at];
        Q_EMIT changed();
    }
}

} // namespace gks
