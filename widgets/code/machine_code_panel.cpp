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
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr int litMarker = 5;
constexpr std::size_t knownListings = 24;

QTableView* codeTable(MachineCodeModel* model, QWidget* parent) {
    auto* table = named(new QTableView(parent), "machineCodeTable", MachineCodePanel::tr("Machine code"));
    table->setModel(model);
    showAsRows(table);
    table->setTextElideMode(Qt::ElideRight);
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 4);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setStretchLastSection(true);
    const QFontMetrics metrics = table->fontMetrics();
    table->setColumnWidth(MachineCodeModel::lineColumn, metrics.horizontalAdvance(QStringLiteral("  00000  ")));
    table->setColumnWidth(MachineCodeModel::offsetColumn, metrics.horizontalAdvance(QStringLiteral("  000000  ")));
    table->setColumnWidth(MachineCodeModel::costColumn, metrics.horizontalAdvance(QStringLiteral("  global memory  ")));
    return table;
}

std::map<InstructionCost, int> costsIn(const Result<SourceListing>& listing) {
    return listing && listing->code ? costsOf(*listing->code) : std::map<InstructionCost, int>();
}

int countOf(const std::map<InstructionCost, int>& counts, InstructionCost cost) {
    const auto found = counts.find(cost);
    return found == counts.end() ? 0 : found->second;
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
    , m_diff(new DiffView(this)) {
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
    head->addWidget(m_about, 1);
    head->addWidget(m_compare);
    auto* parts = new QSplitter(Qt::Horizontal, this);
    parts->setObjectName(QStringLiteral("machineCodeParts"));
    parts->addWidget(m_source);
    parts->addWidget(m_code);
    parts->setSizes({500, 500});
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
        m_work.cancel();
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
    m_work.cancel(); // the compiler of the kernel that was looked at before
    showEmpty(tr("Compiling"), tr("%1 is compiled for its machine code.").arg(idText(kernel->id)));
    std::vector<KernelId> wanted = {kernel->id};
    if (!kernel->parents.empty()) {
        wanted.push_back(kernel->parents.front());
    }
    m_answerAwaited = true;
    bridge().askSources(this, wanted, [this, id = kernel->id](const Result<std::vector<std::string>>& answer) {
        m_answerAwaited = false;
        const Kernel* asked = bridge().population()->kernel(id);
        if (m_asked != id || asked == nullptr) {
            return;
        }
        if (answer) {
            build(*asked, *answer);
        } else {
            showEmpty(tr("Its source cannot be read"), toText(answer.error().message()));
            Q_EMIT settled();
        }
    });
}

// The report of its evaluation says which of AMD's architectures the kernel is for.
void MachineCodePanel::build(const Kernel& kernel, std::vector<std::string> sources) {
    std::vector<KernelId> ids = {kernel.id};
    ids.insert(ids.end(), kernel.parents.begin(), kernel.parents.begin() + (sources.size() > 1 ? 1 : 0));
    std::vector<ListedPtr> known;
    for (const KernelId id : ids) {
        const auto found = m_known.find(id);
        known.push_back(found == m_known.end() ? nullptr : found->second);
    }
    const auto work = [ids, known, sources = std::move(sources), lister = m_lister, problem = bridge().problem(),
                       queries = bridge().queries()](const std::stop_token& stop) {
        std::vector<ListedPtr> listed;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (known[i]) {
                listed.push_back(known[i]);
                continue;
            }
            const auto verdict = newestVerdict(queries.get(), ids[i]);
            ListingRequest request;
            request.problem = problem.get();
            request.source = sources[i];
            if (verdict && verdict->staticReport && verdict->staticReport->architecture.starts_with("gfx")) {
                request.architecture = verdict->staticReport->architecture;
            }
            if (verdict) {
                request.compilerOptions = verdict->conditions.compilerOptions;
            }
            auto one = std::make_shared<Listed>();
            one->source = sources[i];
            one->listing = lister(request, stop);
            one->normalized = one->listing && one->listing->code ? normalizedListing(*one->listing->code) : "";
            listed.push_back(std::move(one));
        }
        return Both{listed[0], listed.size() > 1 ? listed[1] : nullptr};
    };
    m_work.start(work, [this, ids](const Both& both) {
        const Kernel* shown = bridge().population()->kernel(ids[0]);
        if (m_known.size() + 2 > knownListings) {
            m_known.clear();
        }
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const ListedPtr& one = i == 0 ? both.own : both.parents;
            if (one && one->listing) { // what failed here may go well another time
                m_known[ids[i]] = one;
            }
        }
        if (shown != nullptr) {
            showCode(*shown, both);
        }
        Q_EMIT settled();
    });
}

void MachineCodePanel::showCode(const Kernel& kernel, const Both& both) {
    m_both = both;
    const Result<SourceListing>& listing = both.own->listing;
    if (!listing || !listing->code) {
        const std::string why = !listing ? listing.error().message()
                                : listing->diagnostics.empty()
                                    ? listing->failure
                                    : fmt::format("{}: {}:{}: {}", listing->failure, listing->diagnostics[0].file,
                                                  listing->diagnostics[0].line, listing->diagnostics[0].text);
        showEmpty(tr("%1 has no machine code").arg(idText(kernel.id)),
                  tr("The code is made for AMD's gfx942, whatever measures the kernel. %1").arg(toText(why)));
        return;
    }
    m_shown = kernel.id;
    m_stack->setCurrentIndex(1);
    m_name->setText(idText(kernel.id) + QStringLiteral("  ") + toText(kernel.title));
    const bool isMeasured = bridge().population()->settings.target == TargetKind::amd;
    const QString architecture = toText(listing->code->architecture);
    m_about->setText(isMeasured ? architecture
                                : tr("%1, as the static report: not what the %2 target runs")
                                      .arg(architecture, targetText(bridge().population()->settings.target)));
    m_about->setToolTip(toText(listing->toolchain));
    m_lit = 0;
    m_source->setSource(both.own->source);
    m_model->setCode(std::shared_ptr<const MachineCode>(both.own, &*listing->code));
    const bool hasParent = both.parents && both.parents->listing && both.parents->listing->code;
    m_compare->setEnabled(hasParent);
    showCosts();
    showView();
}

void MachineCodePanel::showEmpty(const QString& what, const QString& how) {
    m_stack->setCurrentIndex(0);
    m_empty->setText(what, how);
}

// "matrix 32 -> 64" in the colour of its rows.
void MachineCodePanel::showCosts() {
    const Palette& palette = Theme::instance().palette();
    const bool hasParent = m_compare->isEnabled();
    const auto now = costsIn(m_both.own->listing);
    const auto before = hasParent ? costsIn(m_both.parents->listing) : now;
    QStringList parts;
    for (const InstructionCost cost :
         {InstructionCost::matrix, InstructionCost::globalMemory, InstructionCost::lds, InstructionCost::scratch,
          InstructionCost::wait, InstructionCost::barrier, InstructionCost::branch, InstructionCost::scalarMemory,
          InstructionCost::arithmetic}) {
        const int from = countOf(before, cost);
        const int to = countOf(now, cost);
        if (from == 0 && to == 0) {
            continue;
        }
        const QColor color = colorOf(cost, palette);
        const QString counts = from == to ? QString::number(to) : QStringLiteral("%1 \u2192 %2").arg(from).arg(to);
        parts << QStringLiteral("<span style=\"color:%1\">%2 %3</span>")
                     .arg((color.isValid() ? color : palette.text).name(), toText(name(cost)), counts)
                     .replace(QStringLiteral("global memory"), QStringLiteral("global&nbsp;memory"));
    }
    const QString cut = m_both.own->listing->code->isCut ? tr(" (the first of more)") : QString();
    const Kernel* kernel = m_shown ? bridge().population()->kernel(*m_shown) : nullptr;
    const QString beside =
        hasParent && kernel != nullptr ? tr("against %1").arg(idText(kernel->parents.front())) : QString();
    m_costs->setText(parts.join(QStringLiteral(" &nbsp; ")) % cut.toHtmlEscaped() % QStringLiteral(" &nbsp; ") %
                     beside.toHtmlEscaped());
}

void MachineCodePanel::showView() {
    const bool isBuilt = m_both.own && m_both.parents; // the box may be checked before
    const bool differs = m_compare->isChecked() && m_compare->isEnabled() && isBuilt;
    if (differs) {
        m_diff->setSources(m_both.parents->normalized, m_both.own->normalized);
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
    if (m_work.isBusy()) { // nobody looks: it is compiled when somebody does again
        m_work.cancel();
        m_asked.reset();
        scheduleRefresh();
    }
}

bool MachineCodePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_code && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        copyRows();
        return true;
    }
    return Panel::eventFilter(watched, event);
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
