// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/compile_view.h"

#include "core/target/function_at.h"
#include "widgets/code/live_numbers.h"
#include "widgets/common/actions.h"
#include "widgets/common/named.h"
#include "widgets/common/settings.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/common/words.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace gks {
namespace {

constexpr int shownDiagnostics = 4; // more are scrolled
constexpr int signPixels = 12;
constexpr qsizetype wordsOfState = 50; // characters

QString placeText(const Diagnostic& one) {
    const QString file = one.isOfKernel ? QString() : toText(one.file) % QLatin1Char(':');
    return one.column > 0 ? QStringLiteral("%1%2:%3").arg(file).arg(one.line).arg(one.column)
                          : QStringLiteral("%1%2").arg(file).arg(one.line);
}

int countOf(const std::vector<Diagnostic>& diagnostics, DiagnosticKind kind) {
    return static_cast<int>(std::count_if(diagnostics.begin(), diagnostics.end(),
                                          [kind](const Diagnostic& one) { return one.kind == kind; }));
}

// "2 errors, 1 warning"
QString countsText(const std::vector<Diagnostic>& diagnostics) {
    const int errors = countOf(diagnostics, DiagnosticKind::error);
    const int warnings = countOf(diagnostics, DiagnosticKind::warning);
    QStringList parts;
    if (errors > 0) {
        parts << (errors == 1 ? QObject::tr("1 error") : QObject::tr("%1 errors").arg(errors));
    }
    if (warnings > 0) {
        parts << (warnings == 1 ? QObject::tr("1 warning") : QObject::tr("%1 warnings").arg(warnings));
    }
    return parts.join(QStringLiteral(", "));
}

const StaticReport* reportOf(const CompiledText* text) {
    return text != nullptr && text->listing && text->listing->report ? &*text->listing->report : nullptr;
}

std::optional<DiagnosticKind> worstOf(const std::vector<Diagnostic>& diagnostics) {
    const auto worst = std::min_element(diagnostics.begin(), diagnostics.end(),
                                        [](const Diagnostic& a, const Diagnostic& b) { return a.kind < b.kind; });
    return worst == diagnostics.end() ? std::nullopt : std::optional(worst->kind);
}

} // namespace

CompileView::CompileView(QWidget* body, QsciScintilla* editor, std::function<std::string()> text, const QString& prefix,
                         QWidget* parent)
    : QWidget(parent)
    , m_editor(editor)
    , m_text(std::move(text))
    , m_marks(editor)
    , m_compile(m_text)
    , m_strip(new QWidget(this))
    , m_sign(new QLabel(m_strip))
    , m_state(named(new QLabel(m_strip), "", tr("What the compiler says")))
    , m_numbers(named(new QLabel(m_strip), "", tr("Registers, LDS and waves of each function")))
    , m_list(named(new QListWidget(this), "", tr("Diagnostics of the compiler"))) {
    m_sign->setObjectName(prefix % QStringLiteral("CompileSign"));
    m_state->setObjectName(prefix % QStringLiteral("CompileState"));
    m_numbers->setObjectName(prefix % QStringLiteral("CompileNumbers"));
    m_list->setObjectName(prefix % QStringLiteral("Diagnostics"));
    m_sign->setFixedWidth(signPixels);
    m_state->setTextFormat(Qt::PlainText);
    m_numbers->setTextFormat(Qt::RichText);
    m_numbers->setWordWrap(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // long lines end in an ellipsis
    m_list->setToolTip(tr("Enter goes to the place; F8 and Shift+F8 go on from one to the next"));
    auto* strip = new QHBoxLayout(m_strip);
    strip->setContentsMargins(spacing3, spacing1, spacing3, spacing1);
    strip->setSpacing(spacing2);
    strip->addWidget(m_sign, 0, Qt::AlignTop);
    strip->addWidget(m_state, 0, Qt::AlignTop);
    strip->addWidget(m_numbers, 1, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_strip);
    layout->addWidget(body, 1);
    layout->addWidget(m_list);
    m_strip->hide();
    m_list->hide();

    connect(&m_compile, &LiveCompile::changed, this, &CompileView::showLive);
    // Marks go with the text that they stand at. The editor may not be marked while it tells of a change.
    connect(m_editor, &QsciScintilla::textChanged, this, [this] {
        if (m_isLive && !m_editor->isReadOnly()) {
            m_compile.touch();
        } else {
            QMetaObject::invokeMethod(this, &CompileView::showMarks, Qt::QueuedConnection);
        }
    });
    connect(m_editor, &QsciScintilla::cursorPositionChanged, this, &CompileView::followCursor);
    connect(m_list, &QListWidget::itemClicked, this, [this] { goToRow(m_list->currentRow()); });
    connect(m_list, &QListWidget::itemActivated, this, [this] { goToRow(m_list->currentRow()); });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        showDiagnostics(std::exchange(m_diagnostics, {}));
        if (m_isLive) {
            showLive();
        } else {
            setStateText(m_state->text(), worstOf(m_diagnostics));
        }
    });
}

void CompileView::setRows(std::function<int(int)> rowOf, std::function<int(int)> lineOf) {
    m_marks.setRowOf(std::move(rowOf));
    m_lineOf = std::move(lineOf);
}

void CompileView::beginLive(const LiveCompile::Conditions& conditions) {
    if (!m_isLive) {
        m_isLive = true;
        showDiagnostics({});
        m_marks.setMarginShown(true);
        m_compile.reset();
    }
    m_compile.setConditions(conditions);
    m_compile.setActive(isVisible());
    showLive();
}

void CompileView::setParentSource(const QString& name, std::optional<std::string> source) {
    m_parentName = name;
    m_compile.setParentText(std::move(source));
}

void CompileView::endLive() {
    if (!m_isLive) {
        return;
    }
    m_isLive = false;
    m_compile.setActive(false);
    m_compile.reset();
    setParentSource({}, std::nullopt);
    m_numbers->clear();
    showDiagnostics({});
    m_marks.setMarginShown(false);
    m_strip->hide();
}

void CompileView::textReplaced() {
    showDiagnostics({});
    if (m_isLive) {
        m_compile.reset();
    }
}

void CompileView::showFound(const std::vector<Diagnostic>& diagnostics, Found found) {
    if (m_isLive || diagnostics == m_diagnostics) {
        return;
    }
    m_marks.setMarginShown(!diagnostics.empty());
    m_strip->setVisible(!diagnostics.empty());
    const QString counts =
        (found == Found::checkedRun ? tr("The checked run: %1") : tr("The build: %1")).arg(countsText(diagnostics));
    setStateText(found == Found::vagueBuild
                     ? tr("%1. The source has #line: its own places, which may lie elsewhere").arg(counts)
                     : counts,
                 worstOf(diagnostics));
    showDiagnostics(diagnostics);
}

void CompileView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_compile.setActive(m_isLive);
}

void CompileView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_compile.setActive(false);
}

void CompileView::showLive() {
    if (!m_isLive) {
        return;
    }
    m_strip->setVisible(true);
    if (m_compile.state() == LiveCompile::State::done && m_compile.latest() != nullptr) {
        const Result<SourceListing>& listing = m_compile.latest()->listing;
        showDiagnostics(listing ? listing->diagnostics : std::vector<Diagnostic>());
    }
    showState();
    showNumbers();
}

void CompileView::showState() {
    switch (m_compile.state()) {
    case LiveCompile::State::off:
        setStateText(Settings::instance().value(settings::compileWhileTyping)
                         ? QString()
                         : tr("Compile while typing is off (see Settings)"),
                     {});
        return;
    case LiveCompile::State::waiting:
        setStateText(tr("Waiting for a pause"), {});
        return;
    case LiveCompile::State::compiling:
        setStateText(tr("Compiling..."), {});
        return;
    case LiveCompile::State::done:
        break;
    }
    const CompiledText* latest = m_compile.latest();
    if (latest == nullptr) {
        setStateText({}, {});
    } else if (!latest->listing) {
        setStateText(tr("Not compiled: %1").arg(toText(latest->listing.error().message())), DiagnosticKind::warning);
    } else if (const SourceListing& listing = *latest->listing; !listing.report) {
        const bool hasErrors = countOf(listing.diagnostics, DiagnosticKind::error) > 0;
        setStateText(hasErrors ? countsText(listing.diagnostics) : toText(listing.failure), DiagnosticKind::error);
    } else {
        const QString counts = countsText(listing.diagnostics);
        const QString time = tr("Compiled in %1 ms").arg(latest->milliseconds);
        setStateText(counts.isEmpty() ? time : QString(time % QStringLiteral(", ") % counts),
                     worstOf(listing.diagnostics));
    }
    m_state->setToolTip(latest != nullptr && latest->listing ? toText(latest->listing->toolchain) : QString());
}

void CompileView::setStateText(const QString& text, std::optional<DiagnosticKind> sign) {
    const Palette& palette = Theme::instance().palette();
    m_state->setText(text);
    m_state->setWordWrap(text.size() > wordsOfState); // a sentence of the machine has the line to itself
    m_numbers->setVisible(!m_state->wordWrap());
    static_cast<QHBoxLayout*>(m_strip->layout())->setStretchFactor(m_state, m_state->wordWrap() ? 1 : 0);
    setTextColor(m_state, sign == DiagnosticKind::error ? palette.wrong : palette.text);
    m_sign->setVisible(sign.has_value());
    m_sign->setPixmap(sign ? diagnosticIcon(*sign).pixmap(signPixels) : QPixmap());
}

// Numbers stand until there are others; of an older text they are quiet.
void CompileView::showNumbers() {
    const StaticReport* now = reportOf(m_compile.compiled());
    if (now == nullptr) {
        m_numbers->clear();
        return;
    }
    const StaticReport* before = reportOf(m_compile.parents());
    const bool isDone = m_compile.state() == LiveCompile::State::done;
    const bool isNewest = isDone && reportOf(m_compile.latest()) != nullptr;
    QString html = liveNumbersHtml(*now, before, m_function);
    if (isDone && !isNewest) {
        html += QStringLiteral("<br>") % tr("of the last text that compiled").toHtmlEscaped();
    }
    const Palette& palette = Theme::instance().palette();
    setTextColor(m_numbers, isNewest ? palette.text : palette.quietText);
    m_numbers->setText(html);
    const QString architecture = toText(now->architecture);
    m_numbers->setToolTip(before == nullptr
                              ? tr("%1, as in the static report; not measured").arg(architecture)
                              : tr("%1, as in the static report; in brackets the difference from %2; not measured")
                                    .arg(architecture, m_parentName));
}

void CompileView::showDiagnostics(const std::vector<Diagnostic>& diagnostics) {
    const bool isSame = diagnostics == m_diagnostics;
    m_diagnostics = diagnostics;
    showMarks();
    if (isSame) {
        return;
    }
    m_list->clear();
    for (const Diagnostic& one : m_diagnostics) {
        const QString text =
            placeText(one) % QStringLiteral("  ") % word(name(one.kind)) % QStringLiteral(": ") % toText(one.text);
        auto* item = new QListWidgetItem(diagnosticIcon(one.kind), text, m_list);
        item->setToolTip(toText(one.text));
    }
    const int rows = std::min(shownDiagnostics, static_cast<int>(m_diagnostics.size()));
    m_list->setFixedHeight(rows * std::max(m_list->sizeHintForRow(0), m_list->fontMetrics().height()));
    m_list->setVisible(!m_diagnostics.empty());
}

void CompileView::showMarks() {
    m_marks.show(m_diagnostics);
}

void CompileView::goToRow(int row) {
    if (row >= 0 && row < static_cast<int>(m_diagnostics.size())) {
        m_marks.goTo(m_diagnostics[static_cast<std::size_t>(row)]);
    }
}

// Round and round; those of headers have no place here.
void CompileView::goToNext(int by) {
    const auto count = static_cast<int>(m_diagnostics.size());
    int row = m_list->currentRow() < 0 && by < 0 ? count : m_list->currentRow();
    for (int tried = 0; tried < count; ++tried) {
        row = (row + by + count) % count;
        if (m_marks.goTo(m_diagnostics[static_cast<std::size_t>(row)])) {
            m_list->setCurrentRow(row);
            return;
        }
    }
}

void CompileView::addActions(ActionCollection& actions, QWidget* home, const DiagnosticActions& spec) {
    actions.add(
        home,
        {.id = spec.next,
         .text = tr("Next diag&nostic of %1").arg(spec.of),
         .menu = spec.menu,
         .shortcut = QKeySequence(Qt::Key_F8)},
        [this] { goToNext(1); }, true);
    actions.add(
        home,
        {.id = spec.previous,
         .text = tr("Previous diagnostic of %1").arg(spec.of),
         .menu = spec.menu,
         .shortcut = QKeySequence(Qt::SHIFT | Qt::Key_F8)},
        [this] { goToNext(-1); }, true);
}

void CompileView::followCursor() {
    if (!m_isLive) {
        return;
    }
    int row = 0;
    int column = 0;
    m_editor->getCursorPosition(&row, &column);
    const int line = m_lineOf ? m_lineOf(row) : row + 1;
    std::string function = line > 0 ? globalFunctionAt(m_text(), line) : std::string();
    if (function != m_function) {
        m_function = std::move(function);
        showNumbers();
    }
}

} // namespace gks
