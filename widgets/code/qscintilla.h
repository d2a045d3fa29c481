// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// QScintilla's headers use the words that QT_NO_KEYWORDS takes away; they are lent to them here and nowhere else.
#include <qobjectdefs.h>

#define signals Q_SIGNALS
#define slots Q_SLOTS
#include <Qsci/qscilexercpp.h>
#include <Qsci/qsciscintilla.h>
#include <Qsci/qscistyle.h>
#undef signals
#undef slots
