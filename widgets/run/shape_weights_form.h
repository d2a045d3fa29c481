// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QWidget>
#include <vector>

class QDoubleSpinBox;

namespace gks {

// How much each shape counts where kernels are ranked. Its rows are the shapes on which kernels were compared; before
// the first comparison it says that there are none.
class ShapeWeightsForm final : public QWidget {
    Q_OBJECT

public:
    explicit ShapeWeightsForm(const Population& population, QWidget* parent = nullptr);

    ShapeWeights weights() const; // of all rows, as they are stored: 1 is left out
    QString mistake() const;      // every weight is 0; empty: none

private:
    struct Row {
        ShapeExtents shape;
        QDoubleSpinBox* weight;
    };
    const ShapeWeights m_before;
    std::vector<Row> m_rows;
};

} // namespace gks
