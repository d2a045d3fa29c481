// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/float8.h"

#include <QTest>

#include <cmath>

using namespace gks::hipcpu;

class HipcpuFloat8 : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void decodesEveryCode();
    void roundTripsEveryCode();
    void roundsToNearestEven();
    void leavesItsRange();
    void stochasticRoundingFollowsTheSeed();
};

void HipcpuFloat8::decodesEveryCode() {
    for (const auto& [format, mantissa, bias, largest] :
         {std::tuple{fp8Format, 3, 8, 240.0}, std::tuple{bf8Format, 2, 16, 57344.0}}) {
        double most = 0;
        for (int code = 0; code < 256; ++code) {
            const double value = static_cast<double>(decodeFloat8(static_cast<std::uint8_t>(code), format));
            if (code == 0x80) {
                QVERIFY(std::isnan(value));
                continue;
            }
            const int exponent = (code & 0x7f) >> mantissa;
            const double fraction = (code & ((1 << mantissa) - 1)) / std::ldexp(1.0, mantissa);
            const double magnitude =
                exponent ? std::ldexp(1 + fraction, exponent - bias) : std::ldexp(fraction, 1 - bias);
            QCOMPARE(value, code & 0x80 ? -magnitude : magnitude);
            most = std::max(most, value);
        }
        QCOMPARE(most, largest);
    }
}

void HipcpuFloat8::roundTripsEveryCode() {
    for (const Float8Format format : {fp8Format, bf8Format}) {
        for (int code = 0; code < 256; ++code) {
            QCOMPARE(int{encodeFloat8(decodeFloat8(static_cast<std::uint8_t>(code), format), format)}, code);
        }
    }
}

// The middle between two neighbours goes to the even one, and what is just beside it to the nearer one.
void HipcpuFloat8::roundsToNearestEven() {
    for (const Float8Format format : {fp8Format, bf8Format}) {
        for (int code = 0; code < 0x7f; ++code) {
            const float low = decodeFloat8(static_cast<std::uint8_t>(code), format);
            const float high = decodeFloat8(static_cast<std::uint8_t>(code + 1), format);
            const float middle = (low + high) / 2;
            for (const int sign : {1, -1}) {
                const auto s = static_cast<float>(sign);
                const int negative = sign < 0 ? 0x80 : 0;
                const auto expected = [negative](int magnitude) { return magnitude ? magnitude | negative : 0; };
                QCOMPARE(int{encodeFloat8(s * middle, format)}, expected(code % 2 ? code + 1 : code));
                QCOMPARE(int{encodeFloat8(s * std::nextafter(middle, 0.0f), format)}, expected(code));
                QCOMPARE(int{encodeFloat8(s * std::nextafter(middle, 1e9f), format)}, expected(code + 1));
            }
        }
    }
}

void HipcpuFloat8::leavesItsRange() {
    constexpr int nan = 0x80;
    QCOMPARE(int{encodeFloat8(247.9f, fp8Format)}, 0x7f); // nearer to 240 than to 256
    QCOMPARE(int{encodeFloat8(248.0f, fp8Format)}, nan);
    QCOMPARE(int{encodeFloat8(-1e30f, fp8Format)}, nan);
    QCOMPARE(int{encodeFloat8(INFINITY, bf8Format)}, nan);
    QCOMPARE(int{encodeFloat8(NAN, bf8Format)}, nan);
    QCOMPARE(int{encodeFloat8(-0.0f, fp8Format)}, 0);
    QCOMPARE(int{encodeFloat8(1e-40f, fp8Format)}, 0);
    QCOMPARE(int{encodeFloat8(-1e-9f, fp8Format)}, 0);
}

void HipcpuFloat8::stochasticRoundingFollowsTheSeed() {
    const float value = 1.0f + 0.125f * 0.25f; // a quarter of the way from 1 to the next number
    const int low = encodeFloat8(1.0f, fp8Format);
    int up = 0;
    constexpr int seeds = 4096;
    for (std::uint32_t seed = 0; seed < seeds; ++seed) {
        const int code = encodeFloat8Stochastic(value, seed << 20, fp8Format);
        QVERIFY(code == low || code == low + 1);
        up += code - low;
    }
    QCOMPARE(up, seeds / 4);
    QCOMPARE(int{encodeFloat8Stochastic(1.0f, ~0u, fp8Format)}, low); // what is exact stays
}

QTEST_APPLESS_MAIN(HipcpuFloat8)
#include "hipcpu_float8.moc"
