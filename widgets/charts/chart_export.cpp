// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/chart_export.h"

#include <QFileDialog>
#include <QMenu>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QToolButton>
#include <QWidget>

namespace gks {

QString csvQuoted(QString text) {
    return QLatin1Char('"') + text.replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
}

bool exportChartImage(QWidget& chart, const QString& title, const QString& file) {
    if (!file.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        return chart.grab().save(file, "PNG");
    }
    QSvgGenerator generator;
    generator.setFileName(file);
    generator.setSize(chart.size());
    generator.setViewBox(chart.rect());
    generator.setTitle(title);
    QPainter painter;
    if (!painter.begin(&generator)) {
        return false;
    }
    chart.render(&painter);
    return painter.end();
}

void addChartExports(QMenu& menu, QWidget* chart, const QString& title, std::function<QString()> csv) {
    menu.addAction(QObject::tr("Export &image..."), chart, [chart, title] {
        const QString file = QFileDialog::getSaveFileName(chart, QObject::tr("Export image"), {},
                                                          QObject::tr("PNG (*.png);;SVG (*.svg)"));
        if (!file.isEmpty()) {
            exportChartImage(*chart, title, file);
        }
    });
    menu.addAction(QObject::tr("Export &CSV..."), chart, [chart, csv = std::move(csv)] {
        const QString name =
            QFileDialog::getSaveFileName(chart, QObject::tr("Export CSV"), {}, QObject::tr("CSV (*.csv)"));
        QSaveFile file(name);
        if (!name.isEmpty() && file.open(QIODevice::WriteOnly)) {
            file.write(csv().toUtf8());
            file.commit();
        }
    });
}

QToolButton* exportButton(QWidget* chart, const QString& title, std::function<QString()> csv) {
    auto* button = new QToolButton;
    button->setObjectName(chart->objectName() + QStringLiteral("Export"));
    button->setText(QObject::tr("Export"));
    button->setAccessibleName(QObject::tr("Export %1").arg(title));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    // The menu is made when it is asked for, as that of the right button is.
    QObject::connect(button, &QToolButton::clicked, chart, [button, chart, title, csv = std::move(csv)] {
        QMenu menu;
        addChartExports(menu, chart, title, csv);
        menu.exec(button->mapToGlobal(button->rect().bottomLeft()));
    });
    return button;
}

} // namespace gks
