// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/row_table.h"

#include "widgets/common/palette.h"

#include <QHeaderView>
#include <QTableView>

namespace gks {

void showAsRows(QTableView* table) {
    table->setFrameShape(QFrame::NoFrame);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + spacing2);
    table->horizontalHeader()->setHighlightSections(false);
}

} // namespace gks
