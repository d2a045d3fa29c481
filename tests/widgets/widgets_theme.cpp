// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "widgets/common/icons.h"
#include "widgets/common/theme.h"
#include "widgets/common/verdict_mark.h"

#include <QApplication>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QStackedWidget>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>

using namespace gks;

class ThemeTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void contrastOfKnownPairs() {
        QVERIFY(std::abs(contrastRatio(Qt::black, Qt::white) - 21.0) < 0.01);
        QVERIFY(std::abs(contrastRatio(Qt::white, Qt::white) - 1.0) < 0.001);
    }

    void textIsReadable_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("dark") << true;
        QTest::newRow("light") << false;
    }
    void textIsReadable() {
        QFETCH(bool, dark);
        const Palette& p = dark ? darkPalette() : lightPalette();
        const std::pair<const char*, QColor> texts[] = {
            {"text", p.text},     {"quiet", p.quietText}, {"accent", p.accent},
            {"faster", p.faster}, {"slower", p.slower},   {"wrong", p.wrong},
            {"tie", p.tie},       {"suspect", p.suspect}, {"literal", p.literal()}};
        const std::pair<const char*, QColor> grounds[] = {
            {"surface", p.surface}, {"panel", p.panel}, {"raised", p.raised}};
        for (const auto& [textName, text] : texts) {
            for (const auto& [groundName, ground] : grounds) {
                const double ratio = contrastRatio(text, ground);
                QVERIFY2(ratio >= 4.5, qPrintable(QStringLiteral("%1 on %2: %3")
                                                      .arg(QLatin1String(textName), QLatin1String(groundName))
                                                      .arg(ratio)));
            }
        }
        for (const QColor& series : p.series) {
            QVERIFY2(contrastRatio(series, p.surface) >= 3.0, qPrintable(series.name()));
        }
        // Selected rows keep their text readable.
        QVERIFY(contrastRatio(p.text, tinted(p.surface, p.accent, 0.28)) >= 4.5);
    }

    void oneColourHasOneMeaning() {
        for (const Palette* p : {&darkPalette(), &lightPalette()}) {
            const QColor roles[] = {p->accent, p->faster, p->slower, p->wrong, p->tie, p->suspect, p->text};
            for (const QColor& one : roles) {
                QCOMPARE(std::count(std::begin(roles), std::end(roles), one), 1);
            }
            QVERIFY(p->literal() != p->faster);
            for (int i = 0; i <= static_cast<int>(lastVerdictMark); ++i) {
                const auto mark = static_cast<VerdictMark>(i);
                QCOMPARE(colorOf(mark, *p) == p->faster, mark == VerdictMark::faster);
                QCOMPARE(colorOf(mark, *p) == p->accent, mark == VerdictMark::running);
            }
        }
    }

    void switchingReachesWidgetsAndIcons() {
        Theme::instance().setChoice(Theme::Choice::dark);
        QVERIFY(icon(Icon::run).pixmap(QSize(16, 0)).isNull()); // and nothing warns
        const QImage darkIcon = icon(Icon::run).pixmap(16, 16).toImage();
        QCOMPARE(QApplication::palette().color(QPalette::Window), darkPalette().panel);
        Theme::instance().setChoice(Theme::Choice::light);
        QCOMPARE(QApplication::palette().color(QPalette::Window), lightPalette().panel);
        QVERIFY(icon(Icon::run).pixmap(16, 16).toImage() != darkIcon);
        QVERIFY(!qApp->styleSheet().contains(QLatin1Char('@')));
    }

    void whatIsHiddenIsSwitchedToo() {
        Theme::instance().setChoice(Theme::Choice::dark);
        QStackedWidget pages;
        QLabel* labels[2] = {};
        for (QLabel*& label : labels) {
            label = new QLabel(QStringLiteral("text"));
            label->setProperty("quiet", true);
            pages.addWidget(label);
        }
        pages.show();
        pages.setCurrentIndex(1);
        pages.setCurrentIndex(0);
        const auto color = [&](int page) { return labels[page]->palette().color(QPalette::WindowText); };
        QCOMPARE(color(0), darkPalette().quietText);
        QCOMPARE(color(1), darkPalette().quietText);
        Theme::instance().setChoice(Theme::Choice::light);
        QCOMPARE(color(0), lightPalette().quietText); // what is in view at once
        QTRY_COMPARE(color(1), lightPalette().quietText);
        Theme::instance().setChoice(Theme::Choice::dark); // and back before the hidden one had its turn
        Theme::instance().setChoice(Theme::Choice::light);
        pages.setCurrentIndex(1);
        QTRY_COMPARE(color(1), lightPalette().quietText);
        QCOMPARE(color(0), lightPalette().quietText);
    }

    void everyIconIsDrawn() {
        for (int i = 0; i <= static_cast<int>(lastIcon); ++i) {
            const Icon which = static_cast<Icon>(i);
            QVERIFY2(QFile::exists(iconFile(which)), qPrintable(iconFile(which)));
            QVERIFY(hasInk(icon(which).pixmap(32, 32).toImage()));
            QVERIFY(icon(which).pixmap(QSize(0, 12)).isNull()); // without a word
        }
    }

    void everyVerdictHasItsOwnShape() {
        QList<QImage> shapes;
        for (int i = 0; i <= static_cast<int>(lastVerdictMark); ++i) {
            QImage image(24, 24, QImage::Format_ARGB32);
            image.fill(Qt::white);
            {
                QPainter painter(&image);
                paintMark(painter, QRectF(2, 2, 20, 20), static_cast<VerdictMark>(i), Qt::black, 0.5);
            }
            QVERIFY(!shapes.contains(image)); // told apart without colour
            shapes.append(image);
        }
    }

private:
    static bool hasInk(const QImage& image) {
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                if (qAlpha(image.pixel(x, y)) > 100) {
                    return true;
                }
            }
        }
        return false;
    }
    std::unique_ptr<GuiTest> m_gui;
};

QTEST_MAIN(ThemeTest)
#include "widgets_theme.moc"
