// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/palette.h"

#include <algorithm>
#include <cmath>

namespace gks {

const Palette& darkPalette() {
    static const Palette palette{0x15171c,
                                 0x1b1e25,
                                 0x232730,
                                 0x2e333d,
                                 0xd8dce3,
                                 0x8d95a3,
                                 0x5aa9e6,
                                 0x58b368,
                                 0xd9a13f,
                                 0xe56a73,
                                 0x8fa3bf,
                                 0xb98ae6,
                                 {QColor(0x56b4e9), QColor(0xe69f00), QColor(0x2fbf8f), QColor(0xf0e442),
                                  QColor(0xd98bb5), QColor(0xee7733), QColor(0x9a8cff), QColor(0xbbbbbb)}};
    return palette;
}

const Palette& lightPalette() {
    static const Palette palette{0xfbfbfc,
                                 0xf3f4f6,
                                 0xffffff,
                                 0xdcdfe4,
                                 0x1f242c,
                                 0x5d6673,
                                 0x1c6fb8,
                                 0x217a3c,
                                 0x976500,
                                 0xb3261e,
                                 0x5b6b82,
                                 0x7a3fb0,
                                 {QColor(0x0072b2), QColor(0xa86500), QColor(0x007a5c), QColor(0x7d6f00),
                                  QColor(0xa3407c), QColor(0xbf4600), QColor(0x5b4bc4), QColor(0x5a5a5a)}};
    return palette;
}

namespace {

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

} // namespace

double contrastRatio(const QColor& a, const QColor& b) {
    const double first = luminance(a);
    const double second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

QColor tinted(const QColor& base, const QColor& over, double opacity) {
    const auto mix = [opacity](float under, float above) {
        return static_cast<float>(double{under} * (1 - opacity) + double{above} * opacity);
    };
    return QColor::fromRgbF(mix(base.redF(), over.redF()), mix(base.greenF(), over.greenF()),
                            mix(base.blueF(), over.blueF()));
}

} // namespace gks
