// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

namespace gks {

// Our own icons: 16 px grid, one stroke width, in the colour of the text of the current theme, also after it was
// switched.
enum class Icon {
    run,
    pause,
    step,
    stop,
    cancel,
    tree,
    table,
    search,
    fit,
    collapse,
    expand,
    pin,
    reference,
    ban,
    again,
    edit,
    compare,
    copy,
    conversation,
    evidence,
    back,
    forward,
    plus,
    open,
    settings,
    close,
    undock,
    warning,
    check,
    theme,
    help,
};
inline constexpr Icon lastIcon = Icon::help;

QIcon icon(Icon which);
QString iconFile(Icon which); // ":/icons/run.svg"

} // namespace gks
