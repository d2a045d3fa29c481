// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/data.h"
#include "core/problem/element_codec.h"
#include "tests/support/problem_inputs.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace gks;
using namespace gks::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<std::byte> encoded(ElementType type, const std::vector<double>& values) {
    std::vector<std::byte> bytes(values.size() * sizeBytes(type));
    encodeElements(type, Fp8Encoding::fnuz, values, bytes);
    return bytes;
}

} // namespace

// The CPU reference, and outputs held against it.
class ProblemReference : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void comparisonUsesBothTolerances();
    void comparisonComparesMasks();
    void comparisonFindsOneWrongElementAmongMany();
    void comparisonNeverOverlooksMissingBytes();
    void referenceAgreesWithATripleLoop_data();
    void referenceAgreesWithATripleLoop();
    void referenceRefusesWrongRequests();
};

void ProblemReference::comparisonUsesBothTolerances() {
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

void ProblemReference::comparisonComparesMasks() {
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

void ProblemReference::comparisonFindsOneWrongElementAmongMany() {
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

void ProblemReference::comparisonNeverOverlooksMissingBytes() {
    const std::vector<double> expected = {1, 2, 3};
    const auto actual = encoded(ElementType::f32, {1, 2});
    QCOMPARE(compare(expected, actual, ElementType::f32, Fp8Encoding::fnuz, {}).mismatches, 1);
}

void ProblemReference::referenceAgreesWithATripleLoop_data() {
    QTest::addColumn<std::vector<qint64>>("shape");
    QTest::addColumn<int>("distribution");
    for (const Distribution distribution : {Distribution::asDeclared, Distribution::wideRange,
                                            Distribution::structuredZeros, Distribution::extremeScales}) {
        QTest::newRow(std::string(name(distribution)).c_str())
            << std::vector<qint64>{32, 192, 384} << int(distribution);
    }
}

void ProblemReference::referenceAgreesWithATripleLoop() {
    QFETCH(std::vector<qint64>, shape);
    QFETCH(int, distribution);
    const ProblemPack pack = fp8Gemm();
    const auto reference = Reference::load(pack);
    QVERIFY2(reference.has_value(), reference ? "" : reference.error().message().c_str());
    const Shape dims(shape.begin(), shape.end());
    const Inputs inputs = makeInputs(pack, dims, Distribution(distribution));
    const auto m = std::size_t(dims[0]), n = std::size_t(dims[1]), k = std::size_t(dims[2]),
               scaleColumns = (n + 127) / 128;
    const auto expected = (*reference)->expected(dims, inputs.spans, Fp8Encoding::fnuz, 4, 0, dims[0] * dims[1]);
    QVERIFY(expected.has_value());
    const auto element = [&](std::size_t tensor, std::size_t index) {
        const ElementType type = pack.tensors[tensor].type;
        return decodeElement(type, Fp8Encoding::fnuz, inputs.spans[tensor].data() + index * sizeBytes(type));
    };
    for (std::size_t row = 0; row < m; ++row) {
        for (std::size_t column = 0; column < n; ++column) {
            double sum = 0;
            double magnitude = 0;
            for (std::size_t i = 0; i < k; ++i) {
                const double term = element(0, i * m + row) * element(1, i * n + column) *
                                    element(2, i / 128 * m + row) * element(3, i / 128 * scaleColumns + column / 128);
                sum += term;
                magnitude += std::abs(term);
            }
            QVERIFY(std::abs((*expected)[row * n + column] - sum) <= 1e-6 * magnitude);
        }
    }
    const auto outputs = (*reference)->prepare(dims, inputs.spans, Fp8Encoding::fnuz);
    QVERIFY(outputs.has_value());
    const std::vector<std::int64_t> indices = {0, 191, 192, 200, 6143};
    const auto samples = (*outputs)->at(4, indices);
    QVERIFY(samples.has_value());
    for (std::size_t i = 0; i < indices.size(); ++i) {
        QVERIFY(std::abs((*samples)[i] - (*expected)[std::size_t(indices[i])]) <=
                1e-5 * std::abs((*samples)[i]) + 1e-5);
    }
}

void ProblemReference::referenceRefusesWrongRequests() {
    const ProblemPack pack = fp8Gemm();
    const auto reference = Reference::load(pack);
    QVERIFY(reference.has_value());
    const Shape shape = {64, 64, 128};
    const Inputs inputs = makeInputs(pack, shape, Distribution::asDeclared);
    QVERIFY((*reference)->expected(shape, inputs.spans, Fp8Encoding::fnuz, 4, 4090, 4096).has_value());
    QVERIFY(!(*reference)->expected(shape, inputs.spans, Fp8Encoding::fnuz, 4, 4090, 4097));
    QVERIFY(!(*reference)->expected(shape, inputs.spans, Fp8Encoding::fnuz, 0, 0, 1));
    QVERIFY(!(*reference)->expected({64, 64, 256}, inputs.spans, Fp8Encoding::fnuz, 4, 0, 1));
    QVERIFY(!(*reference)->expected({64, 64}, inputs.spans, Fp8Encoding::fnuz, 4, 0, 1));
    ProblemPack empty = pack;
    empty.referencePath = pack.folder / "notes.md";
    const auto broken = Reference::load(empty);
    QVERIFY(!broken);
    QCOMPARE(broken.error().kind, ErrorKind::usage);
}

QTEST_APPLESS_MAIN(ProblemReference)
#include "problem_reference.moc"
