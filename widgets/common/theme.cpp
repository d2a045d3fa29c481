// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/theme.h"

#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QPalette>
#include <QStyleFactory>

// A static library's resources are registered only when somebody asks for them; the macro wants to stand outside of any
// namespace.
static void registerResources() {
    Q_INIT_RESOURCE(workbench);
}

namespace gks {

namespace {

QPalette widgetPalette(const Palette& colors) {
    QPalette palette;
    palette.setColor(QPalette::Window, colors.panel);
    palette.setColor(QPalette::WindowText, colors.text);
    palette.setColor(QPalette::Base, colors.surface);
    palette.setColor(QPalette::AlternateBase, tinted(colors.surface, colors.panel, 0.6));
    palette.setColor(QPalette::Text, colors.text);
    palette.setColor(QPalette::PlaceholderText, colors.quietText);
    palette.setColor(QPalette::Button, colors.raised);
    palette.setColor(QPalette::ButtonText, colors.text);
    palette.setColor(QPalette::BrightText, colors.wrong);
    palette.setColor(QPalette::ToolTipBase, colors.raised);
    palette.setColor(QPalette::ToolTipText, colors.text);
    palette.setColor(QPalette::Highlight, tinted(colors.surface, colors.accent, 0.28));
    palette.setColor(QPalette::HighlightedText, colors.text);
    palette.setColor(QPalette::Link, colors.accent);
    palette.setColor(QPalette::LinkVisited, colors.suspect);
    palette.setColor(QPalette::Light, colors.line);
    palette.setColor(QPalette::Midlight, colors.line);
    palette.setColor(QPalette::Mid, colors.line);
    palette.setColor(QPalette::Dark, colors.line);
    palette.setColor(QPalette::Shadow, colors.surface);
    const QColor disabled = tinted(colors.panel, colors.quietText, 0.6);
    palette.setColor(QPalette::Disabled, QPalette::WindowText, disabled);
    palette.setColor(QPalette::Disabled, QPalette::Text, disabled);
    palette.setColor(QPalette::Disabled, QPalette::ButtonText, disabled);
    return palette;
}

// The style sheet names colours as @panel; Qt style sheets have no variables of their own.
QString styleSheet(const Palette& colors, bool dark) {
    QFile file(QStringLiteral(":/themes/workbench.qss"));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    QString sheet = QString::fromUtf8(file.readAll());
    const std::pair<QLatin1String, QString> names[] = {
        {QLatin1String("@surface"), colors.surface.name()},
        {QLatin1String("@panel"), colors.panel.name()},
        {QLatin1String("@raised"), colors.raised.name()},
        {QLatin1String("@hover"), tinted(colors.raised, colors.text, 0.08).name()},
        {QLatin1String("@line"), colors.line.name()},
        {QLatin1String("@text"), colors.text.name()},
        {QLatin1String("@quiet"), colors.quietText.name()},
        {QLatin1String("@disabled"), tinted(colors.panel, colors.quietText, 0.6).name()},
        {QLatin1String("@accent"), colors.accent.name()},
        {QLatin1String("@selected"), tinted(colors.surface, colors.accent, 0.28).name()},
        {QLatin1String("@wrong"), colors.wrong.name()},
        {QLatin1String("@theme"), dark ? QStringLiteral("dark") : QStringLiteral("light")},
    };
    for (const auto& [name, value] : names) {
        sheet.replace(name, value);
    }
    return sheet;
}

} // namespace

Theme& Theme::instance() {
    static Theme theme;
    static const bool registered = (registerResources(), true);
    Q_UNUSED(registered)
    return theme;
}

void Theme::install(QApplication& application) {
    m_systemIsDark = application.palette().color(QPalette::Window).lightnessF() < 0.5F;
    m_application = &application;
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    apply();
}

void Theme::setChoice(Choice choice) {
    m_choice = choice;
    apply();
}

void Theme::apply() {
    m_dark = m_choice == Choice::system ? m_systemIsDark : m_choice == Choice::dark;
    if (m_application == nullptr) {
        return;
    }
    m_restyle.apply(*m_application, widgetPalette(palette()), styleSheet(palette(), m_dark));
    Q_EMIT changed();
}

void setTextColor(QLabel* label, const QColor& color) {
    const QString sheet = QStringLiteral("color: %1;").arg(color.name());
    if (label->styleSheet() != sheet) {
        label->setStyleSheet(sheet);
    }
}

Theme::Choice Theme::choiceFromName(const QString& name) {
    if (name == QLatin1String("dark")) {
        return Choice::dark;
    }
    return name == QLatin1String("light") ? Choice::light : Choice::system;
}

QString Theme::name(Choice choice) {
    switch (choice) {
    case Choice::dark:
        return QStringLiteral("dark");
    case Choice::light:
        return QStringLiteral("light");
    case Choice::system:
        break;
    }
    return QStringLiteral("system");
}

} // namespace gks
