// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/data.h"
#include "core/problem/element_codec.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace gks;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<std::byte> encoded(ElementType type, const std::vector<double>& values) {
    std::vector<std::byte> bytes(values.size() * sizeBytes(type));
    encodeElements(type, Fp8Encoding::fnuz, values, bytes);
    return bytes;
}

} // namespace

// Outputs held against what was expected.
class ProblemComparison : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void comparisonUsesBothTolerances();
    void comparisonFollowsMagnitudes();
    void comparisonComparesMasks();
    void comparisonFindsOneWrongElementAmongMany();
    void comparisonNeverOverlooksMissingBytes();
};

void ProblemComparison::comparisonUsesBothTolerances() {
    const Tolerance tolerance{0.5, 0.25}; // exact in binary, so that the edge is an edge
    const std::vector<double> expected = {1, 1, 1, 0, 0, -8, -8};
    const auto mismatches = [&](const std::vector<double>& got) {
        return compare(expected, encoded(ElementType::f32, got), ElementType::f32, Fp8Encoding::fnuz, tolerance)
            .mismatches;
    };
    QCOMPARE(mismatches({1.75, 0.25, 1, 0.25, -0.25, -12.25, -3.75}), 0);
    QCOMPARE(mismatches({1.7500001, 0.25, 1, 0.25, -0.25, -12.25, -3.75}), 1);
    QCOMPARE(mismatches({1.75, 0.2499999, 1, 0.2500001, -0.25, -12.250001, -3.7499}), 4);
}

// Terms of 4096 that cancel out to 1: an error of 2^-12 of them is allowed, however small the sum.
void ProblemComparison::comparisonFollowsMagnitudes() {
    const Tolerance tolerance{0, 0.25, 1.0 / 4096};
    const std::vector<double> expected = {1, 1, 1, 1};
    const std::vector<double> magnitudes = {4096, 4096, 0, 8192};
    const auto mismatches = [&](const std::vector<double>& got, std::span<const double> of) {
        return compare(expected, encoded(ElementType::f32, got), ElementType::f32, Fp8Encoding::fnuz, tolerance, 0, of)
            .mismatches;
    };
    QCOMPARE(mismatches({2.25, -0.25, 1.25, 3.25}, magnitudes), 0);
    QCOMPARE(mismatches({2.2500002, -0.2500001, 1.2500001, 3.2500002}, magnitudes), 4);
    QCOMPARE(mismatches({2.25, 1, 1, 1}, {}), 1); // nothing is allowed for magnitudes that are not there
    // Blocks and pieces keep to their own.
    std::vector<double> many(600'001, 1.0);
    std::vector<double> of(many.size(), 0.0);
    std::vector<double> got = many;
    for (const std::size_t at : {std::size_t{2047}, std::size_t{2048}, std::size_t{262'144}, std::size_t{600'000}}) {
        of[at] = 4096;
        got[at] = 2.25;
    }
    const auto all = encoded(ElementType::f32, got);
    QVERIFY(compare(many, all, ElementType::f32, Fp8Encoding::fnuz, tolerance, 0, of).ok());
    of[262'144] = 0;
    QCOMPARE(compare(many, all, ElementType::f32, Fp8Encoding::fnuz, tolerance, 0, of).firstIndex, 262'144);
}

void ProblemComparison::comparisonComparesMasks() {
    const double nan = std::nan("");
    const std::vector<double> expected = {1, nan, infinity, -infinity, 1e300, 2};
    const auto result = [&](const std::vector<double>& got) {
        return compare(expected, encoded(ElementType::bf16, got), ElementType::bf16, Fp8Encoding::fnuz, Tolerance{},
                       100);
    };
    QVERIFY(result({1, nan, infinity, -infinity, infinity, 2}).ok());
    QVERIFY(!result({1, 0, infinity, -infinity, infinity, 2}).ok());
    QVERIFY(!result({1, nan, -infinity, -infinity, infinity, 2}).ok());
    QVERIFY(!result({1, nan, 3e38, -infinity, infinity, 2}).ok());
    const Comparison wrong = result({nan, nan, infinity, -infinity, infinity, infinity});
    QCOMPARE(wrong.mismatches, 2);
    QCOMPARE(wrong.nonFinite, 2);
    QCOMPARE(wrong.firstIndex, 100);
    QCOMPARE(wrong.firstExpected, 1.0);
    QVERIFY(std::isnan(wrong.firstGot));
    QCOMPARE(
        QString::fromStdString(wrong.text()),
        QStringLiteral(
            "2 of 6 elements differ, first at 100: expected 1, got nan; largest error 0; 2 not finite where a number "
            "was expected"));
}

void ProblemComparison::comparisonFindsOneWrongElementAmongMany() {
    std::vector<double> expected(3'000'001, 0.5);
    std::vector<std::byte> actual = encoded(ElementType::bf16, expected);
    QVERIFY(compare(expected, actual, ElementType::bf16, Fp8Encoding::fnuz, {}).ok());
    for (const std::size_t wrong : {std::size_t{2'999'999}, std::size_t{1'234'567}}) {
        encodeElement(ElementType::bf16, Fp8Encoding::fnuz, -0.5, actual.data() + wrong * 2);
    }
    const Comparison result = compare(expected, actual, ElementType::bf16, Fp8Encoding::fnuz, {});
    QCOMPARE(result.checked, 3'000'001);
    QCOMPARE(result.mismatches, 2);
    QCOMPARE(result.firstIndex, 1'234'567);
    QCOMPARE(result.maxAbsoluteError, 1.0);
    QCOMPARE(result.maxRelativeError, 2.0);
}

void ProblemComparison::comparisonNeverOverlooksMissingBytes() {
    const std::vector<double> expected = {1, 2, 3};
    const auto actual = encoded(ElementType::f32, {1, 2});
    QCOMPARE(compare(expected, actual, ElementType::f32, Fp8Encoding::fnuz, {}).mismatches, 1);
}

QTEST_APPLESS_MAIN(ProblemComparison)
#include "problem_comparison.moc"
