// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;

namespace gks {

// A table that is read row by row: no frame, no grid, one line a row. Tab leaves it.
void showAsRows(QTableView* table);

} // namespace gks
