// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"

#include <QTest>

using namespace gks;

class BaseQuantity : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersHaveThreeDigitsAndAUnit_data();
    void numbersHaveThreeDigitsAndAUnit();
};

void BaseQuantity::numbersHaveThreeDigitsAndAUnit_data() {
    QTest::addColumn<QString>("got");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char* name, const std::string& got, const char* wanted) {
        QTest::newRow(name) << QString::fromStdString(got) << QString::fromUtf8(wanted);
    };
    row("us", formatMicroseconds(314.49), "314 us");
    row("small us", formatMicroseconds(3.14159), "3.14 us");
    row("carry", formatMicroseconds(9.996), "10.0 us");
    row("ms", formatMicroseconds(1204), "1.20 ms");
    row("just ms", formatMicroseconds(999.6), "1.00 ms");
    row("s", formatMicroseconds(2'050'000), "2.05 s");
    row("interval", formatMicroseconds(314.5, {313.5, 315.4}), "314 us ±0.3 %");
    row("wide interval", formatMicroseconds(100, {95, 107}), "100 us ±6.0 %");
    row("ratio", formatRatio(1.3149), "1.31x");
    row("ratio interval", formatRatio(1.31, {1.288, 1.3301}), "1.31x [1.29, 1.33]");
    row("bytes", formatBytes(33792), "33 KiB");
    row("odd bytes", formatBytes(1500), "1.46 KiB");
    row("share", formatShare(0.4249), "42 %");
    row("share interval", formatShare(0.5, {0.302, 1}), "50 % [30, 100]");
    row("usd", formatUsd(0.339), "$0.34");
    row("cost", formatCost(0.339, true), "$0.34");
    row("cost-in-part", formatCost(0.339, false), "at least $0.34");
    row("cost-unknown", formatCost(0, false), "cost unknown");
    row("tokens", formatTokens(950), "950");
    row("many tokens", formatTokens(12345), "12.3k");
    row("clock", formatClock(751.9), "00:12:31");
    row("minutes", formatSeconds(125), "2 min 05 s");
    row("flop", formatFlop(999.6), "1.00 kFLOP");
    row("gflop", formatFlop(2.2549e10), "22.5 GFLOP");
    row("zero", formatSignificant(0), "0");
    row("tiny", formatSignificant(0.000123), "0.000123");
    row("nan", formatSignificant(std::numeric_limits<double>::quiet_NaN()), "nan");
}

void BaseQuantity::numbersHaveThreeDigitsAndAUnit() {
    QFETCH(QString, got);
    QFETCH(QString, wanted);
    QCOMPARE(got, wanted);
}

QTEST_APPLESS_MAIN(BaseQuantity)
#include "base_quantity.moc"
