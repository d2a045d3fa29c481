// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/settings.h"

#include <QList>
#include <QStringList>
#include <memory>

class QAction;
class QWidget;

namespace gks {

// Same style, font, locale and settings on every machine, and no warning goes unnoticed. One per test class, made in
// initTestCase(); call failOnWarnings() in cleanup().
class GuiTest final {
public:
    GuiTest();
    ~GuiTest();
    GuiTest(const GuiTest&) = delete;
    GuiTest& operator=(const GuiTest&) = delete;

    // Fails the running test when Qt or we warned since the last call.
    static void failOnWarnings();
    static QStringList takeWarnings();

    // The action with this objectName; a test cannot go on without it.
    static QAction* actionIn(const QList<QAction*>& actions, const char* id);

    // Interactive widgets below `root` without an objectName or accessibleName.
    static QStringList unnamedWidgets(const QWidget* root);

private:
    TemporarySettings m_settings;
};

} // namespace gks
