// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/lineage/outline.h"
#include "widgets/common/latest_work.h"

#include <QListView>
#include <QMouseEvent>
#include <memory>
#include <optional>
#include <unordered_set>

namespace gks {

class OutlineDelegate;
class OutlineModel;
class SelectionContext;

// The lineage as an outline. A click selects, with Ctrl it adds the second kernel, on the mark or on a cluster it
// folds; left and right fold and unfold. Rows are computed beside the window.
class OutlineView final : public QListView {
    Q_OBJECT

public:
    explicit OutlineView(SelectionContext* selection, QWidget* parent = nullptr);

    void setPopulation(const PopulationPtr& population);
    void setToggled(std::unordered_set<OutlineKey> toggled);
    const std::unordered_set<OutlineKey>& toggled() const { return m_toggled; }
    void toggle(OutlineKey key);
    void foldAll(bool folded);
    void setHits(std::unordered_set<KernelId> hits);
    int foldedOf(const std::vector<KernelId>& kernels) const; // how many of them have no row
    void showKernel(KernelId kernel);                         // unfolds what it lies in, and scrolls
    OutlineModel& rows() const { return *m_model; }
    bool isBusy() const { return m_work.isBusy(); }

Q_SIGNALS:
    void menuRequested(const QPoint& globalPosition);
    void kernelActivated(std::int64_t kernel);
    void foldsChanged();
    void settled();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override { event->accept(); } // no selection by dragging
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    struct Shown {
        std::shared_ptr<const Outline> outline;
        std::vector<OutlineRow> rows;
        std::unordered_set<OutlineKey> toggled; // of the rows: what the wanted kernel lies in is open
    };
    void compute();
    void take(const PopulationPtr& population, const Shown& shown);
    void followSelection();
    bool isFolded(const OutlineRow& row, bool folded) const { return row.below > 0 && row.folded == folded; }

    SelectionContext* m_selection;
    OutlineModel* m_model;
    OutlineDelegate* m_delegate;
    PopulationPtr m_population;
    std::shared_ptr<const Outline> m_outline; // of m_outlined
    PopulationPtr m_outlined;
    std::unordered_set<OutlineKey> m_toggled;
    std::optional<KernelId> m_wanted; // is scrolled to when its row is there
    LatestWork<Shown> m_work;
    bool m_following = false;
};

} // namespace gks
