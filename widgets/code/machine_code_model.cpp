// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/machine_code_model.h"

#include "widgets/common/palette.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/common/words.h"

#include <QFont>
#include <QFontDatabase>
#include <QStringList>
#include <algorithm>
#include <map>

namespace gks {

QColor colorOf(InstructionCost cost, const Palette& palette) {
    switch (cost) {
    case InstructionCost::arithmetic:
    case InstructionCost::scalarMemory:
        break;
    case InstructionCost::matrix:
        return palette.accent;
    case InstructionCost::globalMemory:
        return palette.slower;
    case InstructionCost::lds:
        return palette.suspect;
    case InstructionCost::scratch:
        return palette.wrong;
    case InstructionCost::wait:
    case InstructionCost::branch:
        return palette.quietText;
    case InstructionCost::barrier:
        return palette.tie;
    }
    return {};
}

QString costsText(const MachineCode& now, const MachineCode* before) {
    const Palette& palette = Theme::instance().palette();
    const auto counts = costsOf(now);
    const auto countsBefore = before != nullptr ? costsOf(*before) : counts;
    const auto countOf = [](const std::map<InstructionCost, int>& all, InstructionCost cost) {
        const auto found = all.find(cost);
        return found == all.end() ? 0 : found->second;
    };
    QStringList parts;
    for (const InstructionCost cost :
         {InstructionCost::matrix, InstructionCost::globalMemory, InstructionCost::lds, InstructionCost::scratch,
          InstructionCost::wait, InstructionCost::barrier, InstructionCost::branch, InstructionCost::scalarMemory,
          InstructionCost::arithmetic}) {
        const int from = countOf(countsBefore, cost);
        const int to = countOf(counts, cost);
        if (from == 0 && to == 0) {
            continue;
        }
        const QColor color = colorOf(cost, palette);
        const QString text = from == to ? QString::number(to) : QStringLiteral("%1 \u2192 %2").arg(from).arg(to);
        parts << QStringLiteral("<span style=\"color:%1\">%2</span>")
                     .arg((color.isValid() ? color : palette.text).name(),
                          QString(word(name(cost)) % QLatin1Char(' ') % text)
                              .replace(QLatin1Char(' '), QStringLiteral("&nbsp;"))); // no line ends within
    }
    return parts.join(QStringLiteral(" &nbsp; ")) %
           (now.isCut ? MachineCodeModel::tr(" (the first of more)").toHtmlEscaped() : QString());
}

void MachineCodeModel::setCode(std::shared_ptr<const MachineCode> code) {
    beginResetModel();
    m_code = std::move(code);
    m_rows.clear();
    m_lit = 0;
    if (m_code) {
        for (const MachineFunction& function : m_code->functions) {
            m_rows.push_back({&function, nullptr});
            for (const MachineInstruction& one : function.instructions) {
                m_rows.push_back({&function, &one});
            }
        }
    }
    endResetModel();
}

void MachineCodeModel::setLitLine(int line) {
    if (line != m_lit && !m_rows.empty()) {
        m_lit = line;
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnTotal - 1), {Qt::BackgroundRole});
    }
}

const MachineCodeModel::Row* MachineCodeModel::at(int row) const {
    return row >= 0 && static_cast<std::size_t>(row) < m_rows.size() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int MachineCodeModel::lineAt(int row) const {
    const Row* found = at(row);
    return found != nullptr && found->instruction != nullptr ? found->instruction->line : 0;
}

int MachineCodeModel::firstRowOf(int line) const {
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) {
        return row.instruction != nullptr && line > 0 && row.instruction->line == line;
    });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int MachineCodeModel::rowsOf(int line) const {
    return m_code ? static_cast<int>(instructionsOf(*m_code, line).size()) : 0;
}

QString MachineCodeModel::textOf(const std::vector<int>& rows) const {
    QString text;
    for (const int row : rows) {
        if (const Row* one = at(row)) {
            text += cell(*one, instructionColumn) + QLatin1Char('\n');
        }
    }
    return text;
}

int MachineCodeModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int MachineCodeModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnTotal;
}

QString MachineCodeModel::cell(const Row& row, int column) const {
    if (row.instruction == nullptr) {
        return column == instructionColumn ? toText(row.function->name) : QString();
    }
    const MachineInstruction& one = *row.instruction;
    switch (column) {
    case lineColumn:
        return one.line > 0 ? QString::number(one.line) : QString();
    case offsetColumn:
        return QStringLiteral("%1").arg(one.offset, 5, 16, QLatin1Char('0'));
    case costColumn:
        return one.cost == InstructionCost::arithmetic ? QString() : word(name(one.cost));
    case instructionColumn:
        return toText(one.text);
    default:
        return {};
    }
}

QVariant MachineCodeModel::data(const QModelIndex& index, int role) const {
    const Row* row = at(index.row());
    if (row == nullptr) {
        return {};
    }
    const Palette& palette = Theme::instance().palette();
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return cell(*row, index.column());
    case Qt::ToolTipRole:
        return row->instruction != nullptr && !row->instruction->place.empty()
                   ? tr("of a header: %1").arg(toText(row->instruction->place))
                   : cell(*row, index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((index.column() <= offsetColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case Qt::FontRole: {
        QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
        font.setBold(row->instruction == nullptr);
        return font;
    }
    case Qt::ForegroundRole:
        if (index.column() <= offsetColumn) {
            return palette.quietText;
        }
        if (row->instruction != nullptr) {
            const QColor color = colorOf(row->instruction->cost, palette);
            return color.isValid() ? QVariant(color) : QVariant();
        }
        break;
    case Qt::BackgroundRole:
        if (row->instruction != nullptr && m_lit > 0 && row->instruction->line == m_lit) {
            return tinted(palette.surface, palette.accent, 0.22);
        }
        break;
    default:
        break;
    }
    return {};
}

QVariant MachineCodeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnTotal) {
        return {};
    }
    if (role == Qt::DisplayRole) {
        const QStringList names = {tr("Line"), tr("Offset"), tr("Cost"), tr("Instruction")};
        return names[section];
    }
    if (role == Qt::ToolTipRole) {
        const QStringList tips = {tr("Of the source; without one the instruction is of a header"),
                                  tr("Bytes from the begin of the function, hexadecimal"),
                                  tr("Where it goes, and whether the wave waits; scratch is memory that spills go to"),
                                  tr("A branch shows where it leads")};
        return tips[section];
    }
    return {};
}

} // namespace gks
