// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

namespace gks {

// What the person looks at. Panels set it and react to it; they never call each other.
class SelectionContext final : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    std::optional<KernelId> primary() const { return m_current.primary; }
    std::optional<KernelId> second() const { return m_current.second; } // compared with the primary
    std::optional<ExperimentId> experiment() const { return m_experiment; }
    std::optional<int> shape() const { return m_shape; } // index among the campaign's shapes; empty: all of them

    void select(KernelId kernel); // drops the second
    void setSecond(std::optional<KernelId> kernel);
    void setPair(KernelId primary, KernelId second);
    void setExperiment(std::optional<ExperimentId> experiment);
    void setShape(std::optional<int> shape);

    // The kernels of the comparison table, the one that the others are compared with first; at most mostCompared. They
    // stay while the person looks elsewhere.
    const std::vector<KernelId>& compared() const { return m_compared; }
    bool isCompared(KernelId kernel) const;
    void setCompared(std::vector<KernelId> kernels); // each once, and no more than there is room for
    void addCompared(KernelId kernel);
    void removeCompared(KernelId kernel);

    // The history of primary and second.
    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_history.size(); }
    void back();
    void forward();

    // Asks the window to show a page: "kernel", "compare", "conversation", ... (the ids of the panels).
    void requestPage(const QString& page) { Q_EMIT pageRequested(page); }

    // Asks the window to open another campaign.
    void requestCampaign(const QString& file) { Q_EMIT campaignRequested(file); }

    // Asks the window to export a kernel into other people's code.
    void requestExport(KernelId kernel) { Q_EMIT exportRequested(kernel); }

    // Opens the kernel page with a copy of the kernel in its editor; evaluating it makes a new kernel.
    void requestEdit(KernelId kernel) {
        Q_EMIT pageRequested(QStringLiteral("kernel"));
        Q_EMIT editRequested(kernel);
    }

Q_SIGNALS:
    void changed(); // primary or second
    void experimentChanged();
    void shapeChanged();
    void comparedChanged();
    void pageRequested(const QString& page);
    void campaignRequested(const QString& file);
    void exportRequested(std::int64_t kernel);
    void editRequested(std::int64_t kernel);

private:
    struct Kernels {
        std::optional<KernelId> primary;
        std::optional<KernelId> second;
        bool operator==(const Kernels&) const = default;
    };
    void go(const Kernels& kernels);

    Kernels m_current;
    std::optional<ExperimentId> m_experiment;
    std::optional<int> m_shape;
    std::vector<KernelId> m_compared;
    std::vector<Kernels> m_history;
    std::size_t m_at = 0;
};

} // namespace gks
