// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/fitting_text.h"

#include <QFontMetrics>
#include <algorithm>

namespace gks {

QString firstThatFits(const QStringList& texts, const QFontMetrics& metrics, int width) {
    const auto found =
        std::ranges::find_if(texts, [&](const QString& text) { return metrics.horizontalAdvance(text) <= width; });
    if (found != texts.end()) {
        return *found;
    }
    return texts.isEmpty() ? QString() : metrics.elidedText(texts.back(), Qt::ElideRight, width);
}

} // namespace gks
