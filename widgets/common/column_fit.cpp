// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/column_fit.h"

#include "widgets/common/palette.h"

#include <QEvent>
#include <QHeaderView>
#include <QStyle>
#include <QStyleOptionHeader>
#include <QTableView>
#include <algorithm>

namespace gks {
namespace {

constexpr int comfortableCharacters = 16;
constexpr int leastCharacters = 9;
constexpr int headerSlack = 3; // of a name, at either side: a border, and what a bearing of letters takes

// Takes up to `excess` from the columns, the same share of what each can give; returns what is left of it.
int taken(std::vector<int>& widths, const std::vector<int>& floors, int excess) {
    int available = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        available += std::max(0, widths[i] - floors[i]);
    }
    int rest = std::min(excess, available);
    const int wanted = rest;
    for (std::size_t i = 0; i < widths.size() && rest > 0; ++i) {
        const int own = std::max(0, widths[i] - floors[i]);
        const int part = std::min({own, rest, (own * wanted + available - 1) / available}); // rounded up
        widths[i] -= part;
        rest -= part;
    }
    return excess - wanted;
}

// Names that do not fit end in "..."; Qt cuts those that a style sheet has painted at either end.
class ElidedHeader final : public QHeaderView {
public:
    explicit ElidedHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
        setSectionsClickable(true);
        setHighlightSections(false);
    }

protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override {
        QHeaderView::initStyleOptionForIndex(option, section);
        const int margin = headerSlack + spacing2 + style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, this);
        option->text = fontMetrics().elidedText(option->text, Qt::ElideRight, sectionSize(section) - 2 * margin);
    }
};

} // namespace

std::vector<int> fittedWidths(const std::vector<ColumnNeed>& needs, int room, int comfortable, int least) {
    std::vector<int> widths;
    std::vector<int> shortTexts;
    std::vector<int> shortNames;
    std::vector<int> leastTexts;
    int total = 0;
    for (const ColumnNeed& need : needs) {
        const int whole = std::max(need.cells, need.header);
        widths.push_back(whole);
        shortTexts.push_back(need.isText ? std::min(whole, std::max(comfortable, need.header)) : whole);
        shortNames.push_back(need.isText ? shortTexts.back() : need.cells);
        leastTexts.push_back(need.isText ? std::min(whole, least) : need.cells);
        total += whole;
    }
    int excess = total - room;
    for (const std::vector<int>* floors : {&shortTexts, &shortNames, &leastTexts}) {
        excess = excess > 0 ? taken(widths, *floors, excess) : excess;
    }
    const auto last = std::find_if(needs.rbegin(), needs.rend(), [](const ColumnNeed& need) { return need.isText; });
    if (excess < 0 && last != needs.rend()) {
        widths[static_cast<std::size_t>(needs.rend() - last) - 1] -= excess;
    }
    return widths;
}

ColumnFit::ColumnFit(QTableView* table, std::vector<int> textColumns)
    : QObject(table), m_table(table), m_textColumns(std::move(textColumns)) {
    m_later.setSingleShot(true);
    m_later.setInterval(0);
    connect(&m_later, &QTimer::timeout, this, &ColumnFit::fit);
    auto* header = new ElidedHeader(table);
    table->setHorizontalHeader(header);
    header->setMinimumSectionSize(2 * spacing3);
    table->viewport()->installEventFilter(this);
    const QAbstractItemModel* model = table->model();
    const auto later = [this] { m_later.start(); };
    connect(model, &QAbstractItemModel::dataChanged, this, later);
    connect(model, &QAbstractItemModel::rowsInserted, this, later);
    connect(model, &QAbstractItemModel::rowsRemoved, this, later);
    connect(model, &QAbstractItemModel::modelReset, this, later);
    connect(model, &QAbstractItemModel::layoutChanged, this, later);
    connect(model, &QAbstractItemModel::headerDataChanged, this, later);
    m_later.start();
}

bool ColumnFit::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) {
        fit();
    } else if (event->type() == QEvent::Show) {
        m_later.start();
    }
    return QObject::eventFilter(watched, event);
}

void ColumnFit::fit() {
    const QAbstractItemView& view = *m_table; // where its size hints are public
    std::vector<int> columns;
    std::vector<ColumnNeed> needs;
    for (int column = 0; column < m_table->model()->columnCount(); ++column) {
        if (!m_table->isColumnHidden(column)) {
            const bool isText = std::ranges::find(m_textColumns, column) != m_textColumns.end();
            columns.push_back(column);
            // The theme's padding is not in what the table takes for its content.
            needs.push_back({view.sizeHintForColumn(column) + spacing1,
                             m_table->horizontalHeader()->sectionSizeHint(column) + 2 * headerSlack, isText});
        }
    }
    const int character = m_table->fontMetrics().averageCharWidth();
    const std::vector<int> widths =
        fittedWidths(needs, m_table->viewport()->width(), comfortableCharacters * character + 2 * spacing3,
                     leastCharacters * character + 2 * spacing3);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        m_table->setColumnWidth(columns[i], widths[i]);
    }
}

} // namespace gks
