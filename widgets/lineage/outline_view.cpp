// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lineage/outline_view.h"

#include "widgets/common/selection_context.h"
#include "widgets/common/theme.h"
#include "widgets/lineage/outline_delegate.h"
#include "widgets/lineage/outline_model.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <algorithm>

namespace gks {

namespace {

// What lies around the kernel is open afterwards.
void unfoldAround(KernelId kernel, const Outline& outline, std::unordered_set<OutlineKey>& toggled) {
    for (const OutlineKey key : outline.around(kernel)) {
        if (outline.isFoldedAtFirst(key)) {
            toggled.insert(key);
        } else {
            toggled.erase(key);
        }
    }
}

} // namespace

OutlineView::OutlineView(SelectionContext* selection, QWidget* parent)
    : QListView(parent)
    , m_selection(selection)
    , m_model(new OutlineModel(this))
    , m_delegate(new OutlineDelegate(this)) {
    setObjectName(QStringLiteral("lineageOutline"));
    setAccessibleName(tr("Outline of kernels"));
    setModel(m_model);
    setItemDelegate(m_delegate);
    setUniformItemSizes(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(ScrollPerItem);
    setEditTriggers(NoEditTriggers);
    connect(selection, &SelectionContext::changed, this, &OutlineView::followSelection);
    connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

void OutlineView::setPopulation(const PopulationPtr& population) {
    if (population != m_population) {
        if (!m_population) {
            m_wanted = m_selection->primary();
        }
        m_population = population;
        compute();
    }
}

void OutlineView::setToggled(std::unordered_set<OutlineKey> toggled) {
    m_toggled = std::move(toggled);
    compute();
}

void OutlineView::toggle(OutlineKey key) {
    if (m_toggled.erase(key) == 0) {
        m_toggled.insert(key);
    }
    Q_EMIT foldsChanged();
    compute();
}

void OutlineView::foldAll(bool folded) {
    if (!m_outline) {
        return;
    }
    m_toggled.clear();
    for (const OutlineKey key : m_outline->keys()) {
        if (m_outline->isFoldedAtFirst(key) != folded) {
            m_toggled.insert(key);
        }
    }
    Q_EMIT foldsChanged();
    compute();
}

void OutlineView::compute() {
    if (!m_population) {
        return;
    }
    m_work.start(
        [population = m_population, outline = m_outlined == m_population ? m_outline : nullptr, toggled = m_toggled,
         wanted = m_wanted](const std::stop_token&) mutable {
            const auto whole =
                outline ? outline
                        : std::make_shared<const Outline>(outlineKernels(*population), population->best.value_or(0));
            if (wanted) {
                unfoldAround(*wanted, *whole, toggled);
            }
            std::vector<OutlineRow> rows = whole->rows(toggled);
            return Shown{whole, std::move(rows), std::move(toggled)};
        },
        [this, population = m_population](const Shown& shown) { take(population, shown); });
}

// What is read stays where it is: the row at the top is put back there.
void OutlineView::take(const PopulationPtr& population, const Shown& shown) {
    const QScopedValueRollback following(m_following, true);
    m_outlined = population;
    m_outline = shown.outline;
    if (m_toggled != shown.toggled) {
        m_toggled = shown.toggled;
        Q_EMIT foldsChanged();
    }
    const OutlineRow* top = m_model->at(indexAt(QPoint(1, 1)).row());
    const OutlineKey topKey = top == nullptr ? 0 : top->key;
    m_model->setRows(population, shown.rows);
    if (const int row = m_model->rowOf(topKey); row >= 0) {
        scrollTo(m_model->index(row), PositionAtTop);
    }
    const int current = m_selection->primary() ? m_model->rowOf(*m_selection->primary()) : -1;
    if (current >= 0) {
        selectionModel()->setCurrentIndex(m_model->index(current), QItemSelectionModel::ClearAndSelect);
    } else {
        clearSelection();
    }
    if (m_wanted) {
        if (const int row = m_model->rowOf(*m_wanted); row >= 0) {
            scrollTo(m_model->index(row), EnsureVisible);
        }
        m_wanted.reset();
    }
    Q_EMIT settled();
}

void OutlineView::setHits(std::unordered_set<KernelId> hits) {
    m_model->setHits(std::move(hits));
}

int OutlineView::foldedOf(const std::vector<KernelId>& kernels) const {
    return static_cast<int>(std::ranges::count_if(kernels, [this](KernelId id) { return m_model->rowOf(id) < 0; }));
}

void OutlineView::showKernel(KernelId kernel) {
    m_wanted = kernel;
    compute();
}

void OutlineView::followSelection() {
    m_delegate->setSecond(m_selection->second());
    viewport()->update();
    const auto primary = m_selection->primary();
    const OutlineRow* row = m_model->at(currentIndex().row());
    if (primary && (row == nullptr || row->key != *primary || !selectionModel()->hasSelection())) {
        showKernel(*primary);
    }
}

void OutlineView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QListView::currentChanged(current, previous);
    const OutlineRow* row = m_model->at(current.row());
    if (!m_following && row != nullptr && row->members == 0) {
        m_selection->select(row->kernel);
    }
}

void OutlineView::mousePressEvent(QMouseEvent* event) {
    const QModelIndex at = indexAt(event->position().toPoint());
    const OutlineRow* row = m_model->at(at.row());
    if (row == nullptr || event->button() != Qt::LeftButton) {
        return;
    }
    const double beside = event->position().x() - OutlineDelegate::markLeft(*row);
    if (row->below > 0 && (row->members > 0 || (beside >= -2 && beside < OutlineDelegate::foldWidth + 1))) {
        toggle(row->key);
    } else if (event->modifiers().testFlag(Qt::ControlModifier) && row->members == 0) {
        m_selection->setSecond(row->kernel);
    } else {
        selectionModel()->setCurrentIndex(at, QItemSelectionModel::ClearAndSelect);
        if (row->members == 0) {
            m_selection->select(row->kernel); // also where it was current, and only a second is dropped
        }
    }
}

void OutlineView::mouseDoubleClickEvent(QMouseEvent* event) {
    const OutlineRow* row = m_model->at(indexAt(event->position().toPoint()).row());
    if (row != nullptr && row->members == 0) {
        Q_EMIT kernelActivated(row->kernel);
    }
}

void OutlineView::keyPressEvent(QKeyEvent* event) {
    const OutlineRow* row = m_model->at(currentIndex().row());
    if (row == nullptr || event->modifiers().testFlag(Qt::AltModifier)) {
        QListView::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Right:
        if (isFolded(*row, true)) {
            toggle(row->key);
        }
        return;
    case Qt::Key_Left:
        if (isFolded(*row, false) && !row->onBestPath) {
            toggle(row->key);
        } else if (const int above = m_model->rowOf(row->parent); row->parent != 0 && above >= 0) {
            setCurrentIndex(m_model->index(above));
        }
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (row->members > 0) {
            toggle(row->key);
        } else {
            Q_EMIT kernelActivated(row->kernel);
        }
        return;
    default:
        QListView::keyPressEvent(event);
    }
}

void OutlineView::contextMenuEvent(QContextMenuEvent* event) {
    const QModelIndex at = event->reason() == QContextMenuEvent::Keyboard ? currentIndex() : indexAt(event->pos());
    const OutlineRow* row = m_model->at(at.row());
    if (row != nullptr && row->members == 0) {
        if (m_selection->primary() != row->kernel) {
            m_selection->select(row->kernel);
        }
        Q_EMIT menuRequested(event->reason() == QContextMenuEvent::Keyboard
                                 ? viewport()->mapToGlobal(visualRect(at).bottomLeft())
                                 : event->globalPos());
    }
}

} // namespace gks
