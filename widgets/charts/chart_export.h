// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

class QMenu;
class QToolButton;
class QWidget;

namespace gks {

QString csvQuoted(QString text);
// As it is shown; .png or .svg by the ending.
bool exportChartImage(QWidget& chart, const QString& title, const QString& file);
// "Export image..." and "Export CSV...", which ask for a file.
void addChartExports(QMenu& menu, QWidget* chart, const QString& title, std::function<QString()> csv);
// A button with the same, named after the chart.
QToolButton* exportButton(QWidget* chart, const QString& title, std::function<QString()> csv);

} // namespace gks
