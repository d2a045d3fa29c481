// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/campaign/types.h"
#include "widgets/common/theme.h"

#include <QSize>
#include <QString>
#include <QStringList>
#include <optional>

namespace gks {

// kernel-scientist [FILE.gks | ssh://HOST/PATH] [--run] [--screenshot OUT.png] [--panel NAME] [--whole] [--theme
// dark|light] [--size WxH]
// [--kernel ID] [--second ID] [--lanes SPEC]
struct CommandLine {
    bool help = false;
    bool version = false;
    QString file; // or the address of one on another machine
    bool run = false;
    bool demo = false; // the sample campaign, and the demo, running
    QString screenshot;
    QString panel;
    bool whole = false; // draw the window with the panel in front, not the panel alone
    std::optional<Theme::Choice> theme;
    std::optional<QSize> size;
    std::optional<KernelId> kernel;
    std::optional<KernelId> second;
    QString lanes; // to be kept for the file; empty: as they are
};

// Errors are usage errors of one line.
Result<CommandLine> parseCommandLine(const QStringList& arguments);
QString usageText();

} // namespace gks
