// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/problem_page.h"

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "widgets/common/column_fit.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/palette.h"
#include "widgets/common/rich_text.h"
#include "widgets/common/row_table.h"
#include "widgets/common/terms.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

namespace gks {

namespace {

QString setText(ShapeSet set) {
    switch (set) {
    case ShapeSet::test:
        return QCoreApplication::translate("ProblemPage", "test");
    case ShapeSet::benchmark:
        return QCoreApplication::translate("ProblemPage", "benchmark");
    case ShapeSet::quick:
        return QCoreApplication::translate("ProblemPage", "quick");
    case ShapeSet::heldOut:
        return QCoreApplication::translate("ProblemPage", "held-out");
    case ShapeSet::cpu:
        return QCoreApplication::translate("ProblemPage", "cpu");
    }
    return {};
}

QString megabytes(const Result<double>& bytes) {
    return bytes ? toText(formatBytes(static_cast<std::uint64_t>(*bytes))) : QString();
}

QString operations(const Result<double>& flops) {
    return flops ? toText(formatFlop(*flops)) : QString();
}

} // namespace

ProblemPage::ProblemPage(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_notes(new RichTextView)
    , m_shapes(new QTableWidget)
    , m_header(new QPlainTextEdit)
    , m_content(new QWidget)
    , m_empty(new EmptyState) {
    setObjectName(QStringLiteral("problemPage"));
    m_notes->setObjectName(QStringLiteral("problemNotes"));
    m_notes->setAccessibleName(tr("Problem notes"));
    m_notes->document()->setDocumentMargin(spacing4);
    m_notes->document()->setIndentWidth(20);
    m_shapes->setObjectName(QStringLiteral("problemShapes"));
    m_shapes->setAccessibleName(tr("Problem shapes"));
    m_shapes->setColumnCount(4);
    m_shapes->setHorizontalHeaderLabels({tr("Set"), tr("Shape"), tr("FLOP"), tr("Bytes")});
    m_shapes->setEditTriggers(QAbstractItemView::NoEditTriggers);
    showAsRows(m_shapes);
    new ColumnFit(m_shapes, {0}); // a shape and its work are numbers
    m_shapes->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (const int column : {2, 3}) {
        m_shapes->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
    m_header->setObjectName(QStringLiteral("problemHeader"));
    m_header->setAccessibleName(tr("Generated header problem.h"));
    m_header->setReadOnly(true);
    m_header->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_header->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_header->setProperty("flat", true);
    m_empty->setText(tr("Problem pack not found"), tr("The problem pack of this campaign cannot be loaded. Restore its "
                                                      "folder, or set GKS_RESOURCES to the resources folder."));

    auto* left = new QSplitter(Qt::Vertical);
    left->addWidget(m_notes);
    left->addWidget(m_shapes);
    left->setStretchFactor(0, 3);
    left->setStretchFactor(1, 2);
    auto* split = new QSplitter(Qt::Horizontal);
    split->addWidget(left);
    split->addWidget(m_header);
    split->setSizes({720, 280});
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 1);
    auto* inner = new QVBoxLayout(m_content);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->addWidget(split);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_content);
    column->addWidget(m_empty);
    m_empty->hide();
}

void ProblemPage::refresh() {
    const auto& pack = bridge().problem();
    m_content->setVisible(pack != nullptr);
    m_empty->setVisible(pack == nullptr);
    if (pack && m_shown != pack.get()) {
        m_shown = pack.get();
        showPack(*pack);
    }
}

// Its commands in the place of tensors, shapes and header, which it has not.
void ProblemPage::showHarness(const ProblemPack& pack) {
    const Harness& harness = *pack.harness;
    QString notes =
        calmMarkdown(pack.notes) % QStringLiteral("\n\n---\n\n") %
        tr("**Judged by the user's harness.** Its commands draw the inputs, hold what is right and have the "
           "clock; what keeps our own verdicts honest is not there. The kernel is one file, `%1`.")
            .arg(toText(harness.source)) %
        tr("\n\n| Command | Words |\n|---|---|\n");
    const std::pair<QString, const std::vector<std::string>*> commands[] = {
        {tr("build"), &harness.build}, {tr("verify"), &harness.verify}, {tr("measure"), &harness.measure}};
    for (const auto& [called, words] : commands) {
        const QString said = words->empty() ? tr("none") : toText(join(*words, " "));
        notes += QStringLiteral("| %1 | `%2` |\n")
                     .arg(called, QString(said).replace(QLatin1Char('|'), QLatin1String("\\|")));
    }
    m_notes->setProse(notes % QLatin1Char('\n') %
                      tr("Folder of the pack: `%1`. Each command may take %2 s.")
                          .arg(toText(harness.folder.string()), toText(formatSignificant(harness.seconds))));
}

void ProblemPage::showPack(const ProblemPack& pack) {
    m_header->setVisible(!pack.harness);
    m_shapes->setVisible(!pack.harness);
    if (pack.harness) {
        showHarness(pack);
        return;
    }
    QString notes = calmMarkdown(pack.notes) % QStringLiteral("\n\n---\n\n") %
                    tr("Tolerance for every element: |output - expected| <= **%1** + **%2** · |expected|.")
                        .arg(toText(formatSignificant(pack.tolerance.absolute, 1)),
                             toText(formatSignificant(pack.tolerance.relative, 1))) %
                    tr("\n\n| Tensor | Type | Role |\n|---|---|---|\n");
    for (const TensorSpec& tensor : pack.tensors) {
        QStringList extents;
        for (const std::string& extent : tensor.extents) {
            extents.append(toText(extent));
        }
        notes += QStringLiteral("| `%1` | %2 [%3] | %4 |\n")
                     .arg(toText(tensor.name), toText(name(tensor.type)), extents.join(QStringLiteral(", ")),
                          tensor.role == TensorRole::input ? tr("input") : tr("output"));
    }
    m_notes->setProse(notes);
    m_header->setPlainText(toText(generateProblemHeader(pack)));
    m_shapes->setRowCount(0);
    for (const auto& [set, shapes] : pack.shapes) {
        for (const Shape& shape : shapes) {
            const int row = m_shapes->rowCount();
            m_shapes->insertRow(row);
            const QString cells[] = {setText(set), toText(pack.shapeLabel(shape)), operations(pack.flops(shape)),
                                     megabytes(pack.bytes(shape))};
            for (int column = 0; column < 4; ++column) {
                auto* item = new QTableWidgetItem(cells[column]);
                if (column >= 2) {
                    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
                }
                m_shapes->setItem(row, column, item);
            }
        }
    }
}

} // namespace gks
