// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/comparison_view.h"

#include "widgets/code/comparison_model.h"
#include "widgets/common/actions.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/row_table.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/common/words.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {
namespace {

constexpr int widestColumn = 260;
constexpr int narrowestColumn = 110;

// The names of the rows. Painted here: the theme's arrow of a sorted column leaves a vertical header no room for text.
class RowNames final : public QHeaderView {
public:
    explicit RowNames(QWidget* parent) : QHeaderView(Qt::Vertical, parent) {
        setObjectName(QStringLiteral("comparisonNames"));
        setAccessibleName(ComparisonView::tr("What the rows are"));
        setSectionResizeMode(QHeaderView::Fixed);
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int row) const override {
        const QVariant font = model()->headerData(row, Qt::Vertical, Qt::FontRole);
        const Palette& palette = Theme::instance().palette();
        painter->fillRect(rect, palette.panel);
        painter->setPen(palette.line);
        painter->drawLine(rect.bottomLeft(), rect.bottomRight());
        painter->setPen(font.isValid() ? palette.text : palette.quietText);
        painter->setFont(font.isValid() ? font.value<QFont>() : this->font());
        const QRect inner = rect.adjusted(spacing3, 0, -spacing2, 0);
        const QString text = model()->headerData(row, Qt::Vertical).toString();
        painter->drawText(inner, Qt::AlignLeft | Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(text, Qt::ElideRight, inner.width()));
    }
    QSize sectionSizeFromContents(int row) const override {
        QFont bold = font();
        bold.setWeight(QFont::DemiBold);
        const QString text = model()->headerData(row, Qt::Vertical).toString();
        return {QFontMetrics(bold).horizontalAdvance(text) + spacing3 + spacing4, QFontMetrics(bold).height()};
    }
};

} // namespace

ComparisonView::ComparisonView(const PanelContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_model(new ComparisonModel(this))
    , m_table(named(new QTableView(this), "comparisonTable", tr("Comparison of kernels")))
    , m_notes(named(new MessageLabel(this), "comparisonNotes", tr("What to know of the table"))) {
    setObjectName(QStringLiteral("comparisonView"));
    m_table->setModel(m_model);
    showAsRows(m_table);
    m_table->setVerticalHeader(new RowNames(m_table));
    m_table->setCornerButtonEnabled(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectItems);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTextElideMode(Qt::ElideRight);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->horizontalHeader()->setObjectName(QStringLiteral("comparisonHead"));
    m_table->horizontalHeader()->setSectionsClickable(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_notes->setProperty("quiet", true);
    m_notes->setContentsMargins(spacing3, spacing1, spacing3, spacing1);
    createActions();
    auto* tools = new QHBoxLayout;
    tools->setContentsMargins(spacing3, spacing1, spacing3, spacing1);
    tools->setSpacing(spacing2);
    tools->addStretch(1);
    for (QAction* action : {m_first, m_remove, m_clear, m_copy}) {
        tools->addWidget(toolButton(action, action->iconText()));
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(tools);
    column->addWidget(m_table, 1);
    column->addWidget(m_notes);

    connect(m_table->horizontalHeader(), &QHeaderView::sectionClicked, this,
            [this](int section) { choose(section, QApplication::keyboardModifiers().testFlag(Qt::ControlModifier)); });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        choose(index.column(), QApplication::keyboardModifiers().testFlag(Qt::ControlModifier));
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, &ComparisonView::updateActions);
    connect(context.selection, &SelectionContext::comparedChanged, this, &ComparisonView::ask);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_table->viewport()->update();
        m_table->verticalHeader()->viewport()->update();
    });
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_table->addActions({m_first, m_remove, m_clear, m_copy});
    updateActions();
}

void ComparisonView::createActions() {
    const QString menu = tr("&Kernel");
    SelectionContext* selection = m_context.selection;
    m_first = m_context.actions->add(
        m_table,
        {"compare.first",
         tr("Compare &others with it"),
         menu,
         QKeySequence(Qt::CTRL | Qt::Key_Home),
         {},
         tr("The kernel of the current column comes first, and the ratios are to it")},
        [this, selection] {
            std::vector<KernelId> kernels = {current()};
            const std::vector<KernelId> all = columns();
            kernels.insert(kernels.end(), all.begin(), all.end());
            selection->setCompared(std::move(kernels));
        },
        true);
    m_remove = m_context.actions->add(
        m_table,
        {"compare.remove",
         tr("Remo&ve"),
         menu,
         QKeySequence(Qt::Key_Delete),
         {},
         tr("Take the kernel of the current column out of the comparison")},
        [this, selection] { selection->removeCompared(current()); }, true);
    m_clear = m_context.actions->add(
        m_table,
        {"compare.clear",
         tr("C&lear"),
         menu,
         QKeySequence(Qt::CTRL | Qt::Key_Delete),
         {},
         tr("Take all kernels out of the comparison")},
        [selection] { selection->setCompared({}); }, true);
    m_copy = m_context.actions->add(
        m_table,
        {"compare.copy-csv", tr("Copy CS&V"), menu, QKeySequence(QKeySequence::Copy), Icon::copy,
         tr("Copy the table, a line for each cell, with ids and units")},
        [this] { copyCsv(); }, true);
}

// The same two keep their places, whichever of them is selected.
void ComparisonView::setPair(KernelId left, KernelId right) {
    if (left != m_right || right != m_left) {
        m_left = left;
        m_right = right;
    }
    ask();
}

std::vector<KernelId> ComparisonView::columns() const {
    std::vector<KernelId> kernels = m_context.selection->compared();
    if (kernels.size() < leastCompared) {
        for (const KernelId id : {m_left, m_right}) {
            if (id != 0 && std::ranges::find(kernels, id) == kernels.end()) {
                kernels.push_back(id);
            }
        }
    }
    return kernels;
}

// What the table is made of: asked again when any of it has changed.
QString ComparisonView::questionNow(const std::vector<KernelId>& kernels) const {
    const Population& population = *m_context.bridge->population();
    QStringList parts = {QString::number(population.comparisons.size()), QString::number(population.best.value_or(0)),
                         m_context.bridge->problem() ? QStringLiteral("problem") : QString()};
    for (const KernelId id : kernels) {
        if (const Kernel* kernel = population.kernel(id)) {
            parts << QStringLiteral("%1:%2:%3").arg(id).arg(kernel->evaluations).arg(toText(name(kernel->state)));
        }
    }
    return parts.join(QLatin1Char(' '));
}

void ComparisonView::ask() {
    const std::vector<KernelId> kernels = columns();
    const QString question = questionNow(kernels);
    updateActions();
    if (question == m_asked) {
        return;
    }
    m_asked = question;
    if (kernels.empty()) {
        m_work.cancel();
        showTable({});
        return;
    }
    m_work.start(
        [kernels, population = m_context.bridge->population(), pack = m_context.bridge->problem(),
         queries = m_context.bridge->queries()](const std::stop_token& stop) {
            return comparisonTable(
                *population, kernels, kernels.front(),
                [&](KernelId id) {
                    return stop.stop_requested() || !queries
                               ? ComparedRecord()
                               : comparedRecord(queries->evaluations(id), queries->newestPlans(id));
                },
                pack.get());
        },
        [this](const ComparisonTable& table) {
            showTable(table);
            Q_EMIT settled();
        });
}

void ComparisonView::showTable(const ComparisonTable& table) {
    const QModelIndex before = m_table->currentIndex();
    m_model->setTable(table);
    QStringList notes;
    for (const std::string& note : table.notes) {
        notes << word(note);
    }
    m_notes->setText(notes.join(QLatin1Char(' ')));
    const int line = m_table->fontMetrics().height();
    for (int row = 0; row < m_model->rowCount(); ++row) {
        m_table->setRowHeight(row, (m_model->isTime(row) ? 2 : 1) * line + spacing3);
    }
    placeColumns();
    if (m_model->columnCount() > 1) {
        m_table->setColumnHidden(0, true); // the rows' heads say it
        m_table->setCurrentIndex(
            m_model->index(std::max(1, before.row()), std::clamp(before.column(), 1, m_model->columnCount() - 1)));
    }
    updateActions();
}

// As wide as times and figures ask for: a plan of many launches is cut, and whole in its tip.
void ComparisonView::placeColumns() {
    const QFontMetrics metrics = m_table->fontMetrics();
    for (int column = 1; column < m_model->columnCount(); ++column) {
        const QString head = m_model->headerData(column, Qt::Horizontal).toString();
        int widest = std::max(narrowestColumn, metrics.horizontalAdvance(head) + 2 * spacing3);
        for (int row = 0; row < m_model->rowCount(); ++row) {
            const QStringList lines = m_model->index(row, column).data().toString().split(QLatin1Char('\n'));
            for (const QString& text : m_model->isPlan(row) ? QStringList() : lines) {
                widest = std::max(widest, metrics.horizontalAdvance(text) + 2 * spacing3);
            }
        }
        m_table->setColumnWidth(column, std::min(widest, widestColumn));
    }
}

void ComparisonView::choose(int column, bool asSecond) {
    const KernelId kernel = m_model->kernelAt(column);
    if (kernel == 0) {
        return;
    }
    m_table->setCurrentIndex(m_model->index(std::max(0, m_table->currentIndex().row()), column));
    const std::vector<KernelId>& kernels = m_context.selection->compared();
    if (asSecond) {
        m_context.selection->setSecond(kernel);
    } else if (kernels.size() < leastCompared && m_left != 0) { // the columns are the pair: it stays one
        m_context.selection->setPair(kernel, kernel == m_left ? m_right : m_left);
    } else {
        m_context.selection->select(kernel);
    }
}

KernelId ComparisonView::current() const {
    return m_model->kernelAt(m_table->currentIndex().column());
}

void ComparisonView::updateActions() {
    const KernelId kernel = current();
    m_first->setEnabled(kernel != 0 && m_model->kernelAt(1) != kernel);
    m_remove->setEnabled(m_context.selection->isCompared(kernel));
    m_clear->setEnabled(!m_context.selection->compared().empty());
    m_copy->setEnabled(m_model->rowCount() > 0);
}

void ComparisonView::copyCsv() const {
    QApplication::clipboard()->setText(toText(comparisonCsv(m_model->table())));
}

} // namespace gks
