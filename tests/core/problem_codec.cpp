// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/data.h"
#include "core/problem/element_codec.h"

#include <QTest>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

using namespace gks;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

} // namespace

class ProblemCodec : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCodeSurvivesDecodingAndEncoding_data();
    void everyCodeSurvivesDecodingAndEncoding();
    void encodingRoundsToNearestEven_data();
    void encodingRoundsToNearestEven();
    void encodingHandlesTheEdges();
    void integersSaturate();
};

void ProblemCodec::everyCodeSurvivesDecodingAndEncoding_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("encoding");
    QTest::addColumn<int>("nans");
    QTest::newRow("e4m3 fnuz") << int(ElementType::fp8E4m3) << int(Fp8Encoding::fnuz) << 1;
    QTest::newRow("e4m3 ocp") << int(ElementType::fp8E4m3) << int(Fp8Encoding::ocp) << 2;
    QTest::newRow("e5m2 fnuz") << int(ElementType::fp8E5m2) << int(Fp8Encoding::fnuz) << 1;
    QTest::newRow("e5m2 ocp") << int(ElementType::fp8E5m2) << int(Fp8Encoding::ocp) << 6;
    QTest::newRow("bf16") << int(ElementType::bf16) << int(Fp8Encoding::fnuz) << 254;
    QTest::newRow("f16") << int(ElementType::f16) << int(Fp8Encoding::fnuz) << 2046;
}

void ProblemCodec::everyCodeSurvivesDecodingAndEncoding() {
    QFETCH(int, type);
    QFETCH(int, encoding);
    const auto elementType = ElementType(type);
    const auto fp8 = Fp8Encoding(encoding);
    const std::size_t size = sizeBytes(elementType);
    int nanCount = 0;
    for (std::uint32_t code = 0; code < (1U << (8 * size)); ++code) {
        std::array<std::byte, 4> bytes{};
        std::memcpy(bytes.data(), &code, size);
        const double value = decodeElement(elementType, fp8, bytes.data());
        std::array<std::byte, 4> back{};
        encodeElement(elementType, fp8, value, back.data());
        if (std::isnan(value)) {
            ++nanCount;
            QVERIFY(std::isnan(decodeElement(elementType, fp8, back.data())));
        } else if (std::isinf(value) && isFp8(elementType)) {
            QCOMPARE(std::abs(decodeElement(elementType, fp8, back.data())),
                     largestValue(elementType, fp8)); // fp8 saturates
        } else {
            QVERIFY2(back == bytes, qPrintable(QStringLiteral("code %1 is %2").arg(code).arg(value)));
        }
    }
    QTEST(nanCount, "nans");
}

void ProblemCodec::encodingRoundsToNearestEven_data() {
    everyCodeSurvivesDecodingAndEncoding_data();
}

// Between two neighbouring codes everything goes to the nearer one, and the middle to the even code.
void ProblemCodec::encodingRoundsToNearestEven() {
    QFETCH(int, type);
    QFETCH(int, encoding);
    const auto elementType = ElementType(type);
    const auto fp8 = Fp8Encoding(encoding);
    const std::size_t size = sizeBytes(elementType);
    const auto encodedCode = [&](double value) {
        std::uint32_t code = 0;
        encodeElement(elementType, fp8, value, reinterpret_cast<std::byte*>(&code));
        return code;
    };
    const auto decoded = [&](std::uint32_t code) {
        return decodeElement(elementType, fp8, reinterpret_cast<std::byte*>(&code));
    };
    const std::uint32_t sign = 1U << (8 * size - 1);
    for (std::uint32_t code = 0; std::isfinite(decoded(code + 1)) && code + 1 < sign; ++code) {
        const double low = decoded(code);
        const double high = decoded(code + 1);
        const double middle = (low + high) / 2;
        QCOMPARE(encodedCode(middle), code % 2 == 0 ? code : code + 1);
        QCOMPARE(encodedCode(std::nextafter(middle, 0.0)), code);
        QCOMPARE(encodedCode(std::nextafter(middle, infinity)), code + 1);
        if (code > 0) {
            QCOMPARE(encodedCode(-std::nextafter(middle, infinity)), (code + 1) | sign);
        }
    }
}

void ProblemCodec::encodingHandlesTheEdges() {
    const auto code = [](ElementType type, Fp8Encoding encoding, double value) {
        std::uint32_t bits = 0;
        encodeElement(type, encoding, value, reinterpret_cast<std::byte*>(&bits));
        return bits;
    };
    QCOMPARE(largestValue(ElementType::fp8E4m3, Fp8Encoding::fnuz), 240.0);
    QCOMPARE(largestValue(ElementType::fp8E4m3, Fp8Encoding::ocp), 448.0);
    QCOMPARE(largestValue(ElementType::fp8E5m2, Fp8Encoding::fnuz), 57344.0);
    QCOMPARE(largestValue(ElementType::fp8E5m2, Fp8Encoding::ocp), 57344.0);
    QCOMPARE(largestValue(ElementType::f16, Fp8Encoding::fnuz), 65504.0);
    QCOMPARE(code(ElementType::fp8E4m3, Fp8Encoding::fnuz, 1e9), 0x7fU);
    QCOMPARE(code(ElementType::fp8E4m3, Fp8Encoding::fnuz, -infinity), 0xffU);
    QCOMPARE(code(ElementType::fp8E4m3, Fp8Encoding::ocp, 1e9), 0x7eU);
    QCOMPARE(code(ElementType::fp8E4m3, Fp8Encoding::fnuz, -0.0), 0U);
    QCOMPARE(code(ElementType::fp8E4m3, Fp8Encoding::ocp, -0.0), 0x80U);
    QCOMPARE(code(ElementType::fp8E4m3, Fp8Encoding::fnuz, 1.0), 0x40U);
    QCOMPARE(code(ElementType::fp8E4m3, Fp8Encoding::ocp, 1.0), 0x38U);
    QCOMPARE(code(ElementType::f16, Fp8Encoding::fnuz, 65520.0), 0x7c00U);
    QCOMPARE(code(ElementType::f16, Fp8Encoding::fnuz, 65519.0), 0x7bffU);
    QCOMPARE(code(ElementType::bf16, Fp8Encoding::fnuz, 1e39), 0x7f80U);
    QCOMPARE(code(ElementType::bf16, Fp8Encoding::fnuz, 1e-300), 0U);
}

void ProblemCodec::integersSaturate() {
    const auto roundTrip = [](ElementType type, double value) {
        std::array<std::byte, 8> bytes{};
        encodeElement(type, Fp8Encoding::fnuz, value, bytes.data());
        return decodeElement(type, Fp8Encoding::fnuz, bytes.data());
    };
    QCOMPARE(roundTrip(ElementType::i8, 300), 127.0);
    QCOMPARE(roundTrip(ElementType::i8, -300), -128.0);
    QCOMPARE(roundTrip(ElementType::i8, 2.5), 2.0);
    QCOMPARE(roundTrip(ElementType::u32, -1), 0.0);
    QCOMPARE(roundTrip(ElementType::u32, 5e9), 4294967295.0);
    QCOMPARE(roundTrip(ElementType::i64, 1e30), 9223372036854775807.0);
    QCOMPARE(roundTrip(ElementType::i32, std::nan("")), 0.0);
}

QTEST_APPLESS_MAIN(ProblemCodec)
#include "problem_codec.moc"
