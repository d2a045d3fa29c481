// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/palette.h"
#include "widgets/common/restyle.h"

#include <QObject>

class QApplication;
class QColor;
class QLabel;

namespace gks {

// The look of the whole program. Painting code asks for palette() each time it paints and repaints on changed().
class Theme final : public QObject {
    Q_OBJECT

public:
    enum class Choice { system, dark, light };

    static Theme& instance();

    // Fusion with our palette and style sheet; called once, before the first widget.
    void install(QApplication& application);
    void setChoice(Choice choice);
    Choice choice() const { return m_choice; }
    bool isDark() const { return m_dark; }
    const Palette& palette() const { return m_dark ? darkPalette() : lightPalette(); }

    static Choice choiceFromName(const QString& name); // "dark", "light", anything else follows the system
    static QString name(Choice choice);

Q_SIGNALS:
    void changed();

private:
    Theme() = default;
    void apply();

    Restyle m_restyle;
    QApplication* m_application = nullptr;
    Choice m_choice = Choice::system;
    bool m_systemIsDark = false;
    bool m_dark = false;
};

// A colour of its own for a label. A palette would not do: the program's style sheet takes it back whenever the label
// is polished anew, for example under another parent.
void setTextColor(QLabel* label, const QColor& color);

} // namespace gks
