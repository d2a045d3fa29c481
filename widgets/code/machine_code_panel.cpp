// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/machine_code_panel.h"

#include "widgets/code/diff_view.h"
#include "widgets/code/machine_code_model.h"
#include "widgets/code/source_editor.h"
#include "widgets/common/actions.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/row_table.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"

#include <QCheckBox>
#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {
namespace {

constexpr int litMarker = 5;
constexpr int instructionCharacters = 38; // that are to be seen of an instruction

QTableView* codeTable(MachineCodeModel* model, QWidget* parent) {
    auto* table = named(new QTableView(parent), "machineCodeTable", MachineCodePanel::tr("Machine code"));
    table->setModel(model);
    showAsRows(table);
    table->setTextElideMode(Qt::ElideRight);
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 4);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setStretchLastSection(true);
    const QFontMetrics metrics(QFontDatabase::systemFont(QFontDatabase::FixedFont)); // of the cells
    table->setColumnWidth(MachineCodeModel::lineColumn, metrics.horizontalAdvance(QStringLiteral("  00000  ")));
    table->setColumnWidth(MachineCodeModel::offsetColumn, metrics.horizontalAdvance(QStringLiteral("  000000  ")));
    table->setColumnWidth(MachineCodeModel::costColumn, metrics.horizontalAdvance(QStringLiteral("  global memory  ")));
    return table;
}

} // namespace

MachineCodePanel::MachineCodePanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_name(named(new ElidedLabel(this), "machineCodeName", tr("Kernel")))
    , m_about(named(new ElidedLabel(this), "machineCodeAbout", tr("What the code is for")))
    , m_costs(named(new QLabel(this), "machineCodeCosts", tr("Instructions by cost")))
    , m_compare(named(new QCheckBox(tr("&Difference from parent"), this), "machineCodeCompare",
                      tr("Show the difference from the parent's machine code")))
    , m_view(new QStackedWidget(this))
    , m_source(named(new SourceEditor(this), "machineCodeSource", tr("Source")))
    , m_model(new MachineCodeModel(this))
    , m_code(codeTable(m_model, this))
    , m_diff(new DiffView(this))
    , m_listings(context.bridge) {
    setObjectName(QStringLiteral("machineCodePanel"));
    m_compare->setToolTip(tr("Registers and addresses are left out: they differ in every build"));
    m_about->setProperty("quiet", true);
    m_costs->setTextFormat(Qt::RichText);
    m_costs->setWordWrap(true);
    m_costs->setContentsMargins(spacing3, 0, spacing3, spacing2);
    QFont bold = m_name->font();
    bold.setWeight(QFont::DemiBold);
    m_name->setFont(bold);
    m_diff->setObjectName(QStringLiteral("machineCodeDiff"));
    m_code->installEventFilter(this);

    auto* head = new QHBoxLayout;
    head->setContentsMargins(spacing3, spacing2, spacing3, spacing1);
    head->setSpacing(spacing4);
    head->addWidget(m_name, 1);
    head->addWidget(m_about, 2);
    head->addWidget(m_compare);
    auto* parts = new QSplitter(Qt::Horizontal, this);
    parts->setObjectName(QStringLiteral("machineCodeParts"));
    parts->addWidget(m_source);
    parts->addWidget(m_code);
    parts->setSizes({400, 600});
    m_view->addWidget(parts);
    m_view->addWidget(m_diff);
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_costs);
    column->addWidget(m_view, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);

    connect(m_compare, &QCheckBox::toggled, this, &MachineCodePanel::showView);
    connect(m_diff, &DiffView::diffChanged, this, &MachineCodePanel::settled);
    connect(m_source, &QsciScintilla::cursorPositionChanged, this, &MachineCodePanel::lightFromSource);
    connect(m_code->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &MachineCodePanel::lightFromCode);
    actions().add(this,
                  {.id = "machine-code.difference",
                   .text = tr("Machine code: &difference from the parent"),
                   .menu = tr("&Kernel"),
                   .shortcut = QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M)},
                  [this] { m_compare->toggle(); });
}

void MachineCodePanel::refresh() {
    const Population& population = *bridge().population();
    const Kernel* kernel = selection().primary() ? population.kernel(*selection().primary()) : nullptr;
    if (kernel == nullptr) {
        m_asked.reset();
        m_shown.reset();
        m_listings.cancel();
        showEmpty(tr("The machine code of a kernel"),
                  tr("Select one in the lineage: it is compiled, and its instructions stand beside its source."));
        return;
    }
    if (m_asked == kernel->id) {
        if (m_shown) {
            showCosts(); // colours follow the theme
        }
        return;
    }
    m_asked = kernel->id;
    m_shown.reset();
    showEmpty(tr("Compiling"), tr("%1 is compiled for its machine code.").arg(idText(kernel->id)));
    m_listings.ask(kernel->id, kernel->parents.empty() ? 0 : kernel->parents.front(),
                   [this, id = kernel->id](const Result<ListedPair>& listed) { showListing(id, listed); });
}

bool MachineCodePanel::isFilled() const {
    return !m_listings.isBusy() && !m_diff->isBusy();
}

void MachineCodePanel::showListing(KernelId id, const Result<ListedPair>& listed) {
    const Kernel* kernel = bridge().population()->kernel(id);
    if (m_asked != id || kernel == nullptr) {
        return;
    }
    if (!listed) {
        showEmpty(tr("Its source cannot be read"), toText(listed.error().message()));
    } else if (listed->own->code() == nullptr) {
        const ListedKernel& own = *listed->own;
        showEmpty(tr("The machine code of %1 cannot be shown").arg(idText(id)), noCodeText(own));
    } else {
        m_both = *listed;
        showCode(*kernel);
    }
    Q_EMIT settled();
}

void MachineCodePanel::showCode(const Kernel& kernel) {
    const SourceListing& listing = *m_both.own->listing;
    m_shown = kernel.id;
    m_stack->setCurrentIndex(1);
    m_name->setText(idText(kernel.id) + QStringLiteral("  ") + toText(kernel.title));
    const bool isMeasured = bridge().population()->settings.target != TargetKind::cpu;
    const QString architecture = toText(listing.code->architecture);
    m_about->setText(isPtx(*listing.code) ? tr("%1: nvdisasm would show SASS").arg(architecture)
                     : isMeasured         ? architecture
                                          : tr("%1, as the static report: not what the %2 target runs")
                                        .arg(architecture, targetText(bridge().population()->settings.target)));
    m_about->setToolTip(toText(listing.toolchain));
    m_lit = 0;
    m_source->setSource(m_both.own->source);
    m_model->setCode(std::shared_ptr<const MachineCode>(m_both.own, m_both.own->code()));
    m_compare->setEnabled(m_both.other && m_both.other->code() != nullptr);
    fitColumns();
    showCosts();
    showView();
}

void MachineCodePanel::showEmpty(const QString& what, const QString& how) {
    m_stack->setCurrentIndex(0);
    m_empty->setText(what, how);
}

void MachineCodePanel::showCosts() {
    const bool hasParent = m_compare->isEnabled();
    const Kernel* kernel = m_shown ? bridge().population()->kernel(*m_shown) : nullptr;
    const QString beside =
        hasParent && kernel != nullptr ? tr("against %1").arg(idText(kernel->parents.front())) : QString();
    m_costs->setText(costsText(*m_both.own->code(), hasParent ? m_both.other->code() : nullptr) %
                     QStringLiteral(" &nbsp; ") % beside.toHtmlEscaped());
}

void MachineCodePanel::showView() {
    const bool isBuilt = m_both.own && m_both.other; // the box may be checked before
    const bool differs = m_compare->isChecked() && m_compare->isEnabled() && isBuilt;
    if (differs) {
        m_diff->setSources(m_both.other->normalized, m_both.own->normalized);
    }
    m_view->setCurrentIndex(differs ? 1 : 0);
}

void MachineCodePanel::lightFromSource() {
    int line = 0;
    int column = 0;
    m_source->getCursorPosition(&line, &column);
    if (line + 1 == m_lit) { // the editor tells later that an instruction has moved its cursor
        return;
    }
    light(line + 1);
    if (const int row = m_model->firstRowOf(line + 1); row >= 0) {
        m_code->scrollTo(m_model->index(row, 0), QAbstractItemView::PositionAtCenter);
    }
}

void MachineCodePanel::lightFromCode() {
    const int line = m_model->lineAt(m_code->currentIndex().row());
    if (line < 1 || line > m_source->lines()) { // a source may name lines that it has not (#line)
        return;
    }
    light(line);
    m_source->setCursorPosition(line - 1, 0);
    m_source->ensureLineVisible(line - 1);
}

void MachineCodePanel::light(int line) {
    m_lit = line;
    m_model->setLitLine(line);
    m_source->markerDefine(QsciScintilla::Background, litMarker);
    m_source->setMarkerBackgroundColor(
        tinted(Theme::instance().palette().surface, Theme::instance().palette().accent, 0.22), litMarker);
    m_source->markerDeleteAll(litMarker);
    if (m_model->rowsOf(line) > 0) {
        m_source->markerAdd(line - 1, litMarker);
    }
}

void MachineCodePanel::hideEvent(QHideEvent* event) {
    Panel::hideEvent(event);
    if (m_listings.isBusy()) { // nobody looks: it is compiled when somebody does again
        m_listings.cancel();
        m_asked.reset();
        scheduleRefresh();
    }
}

bool MachineCodePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_code && event->type() == QEvent::Resize) {
        fitColumns();
    }
    if (watched == m_code && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        copyRows();
        return true;
    }
    return Panel::eventFilter(watched, event);
}

// An instruction that is cut says nothing: what its colour and its tip tell too makes room first.
void MachineCodePanel::fitColumns() {
    const QFontMetrics metrics(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    int room = m_code->width() - m_code->verticalScrollBar()->sizeHint().width() -
               metrics.horizontalAdvance(QLatin1Char('0')) * instructionCharacters -
               m_code->columnWidth(MachineCodeModel::lineColumn);
    for (const int column : {MachineCodeModel::offsetColumn, MachineCodeModel::costColumn}) {
        const bool isWide = m_code->columnWidth(column) > 0;
        room -= isWide ? m_code->columnWidth(column) : m_code->horizontalHeader()->defaultSectionSize();
        // What is no code yet has no bytes.
        const bool isEmpty = column == MachineCodeModel::offsetColumn && m_both.own && m_both.own->code() != nullptr &&
                             isPtx(*m_both.own->code());
        m_code->setColumnHidden(column, room < 0 || isEmpty);
    }
}

void MachineCodePanel::copyRows() const {
    std::vector<int> rows;
    for (const QModelIndex& index : m_code->selectionModel()->selectedRows()) {
        rows.push_back(index.row());
    }
    std::sort(rows.begin(), rows.end());
    QGuiApplication::clipboard()->setText(m_model->textOf(rows));
}

} // namespace gks
