// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/series_roles.h"

#include "widgets/common/words.h"

#include <QObject>
#include <QStringList>
#include <algorithm>

namespace gks {
namespace {

constexpr std::size_t libraryColors = 2;

QString roleText(SeriesRole role) {
    switch (role) {
    case SeriesRole::selected:
        return QObject::tr("selected");
    case SeriesRole::comparedWith:
        return QObject::tr("compared with");
    case SeriesRole::parent:
        return QObject::tr("parent");
    case SeriesRole::best:
        return QObject::tr("best");
    case SeriesRole::baseline:
        return QObject::tr("baseline");
    case SeriesRole::library:
        break;
    }
    return QObject::tr("library");
}

} // namespace

int colorOf(const std::vector<SeriesRole>& roles) {
    const auto is = [&](SeriesRole role) { return std::ranges::find(roles, role) != roles.end(); };
    return is(SeriesRole::selected)   ? selectedColor
           : is(SeriesRole::baseline) ? baselineColor
           : is(SeriesRole::best)     ? bestColor
           : is(SeriesRole::library)  ? libraryColor
                                      : otherColor;
}

int colorOfLibrary(std::size_t number) {
    return libraryColor + static_cast<int>(number % libraryColors);
}

QColor seriesColor(int index, const Palette& palette) {
    return index < 0 ? palette.quietText : palette.series[static_cast<std::size_t>(index) % palette.series.size()];
}

QString rolesText(const std::vector<SeriesRole>& roles) {
    QStringList words;
    for (const SeriesRole role : roles) {
        words << roleText(role);
    }
    return capitalized(words.join(QObject::tr(" and ")));
}

} // namespace gks
