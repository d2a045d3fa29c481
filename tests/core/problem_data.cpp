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

Seed seedOf(std::uint8_t value) {
    Seed seed{};
    seed.fill(value);
    return seed;
}

ProblemPack fp8Gemm() {
    auto pack = loadProblemPack("fp8-gemm");
    return pack ? *pack : ProblemPack{};
}

// A pack of one input tensor, for the generator alone.
ProblemPack oneTensor(ElementType type, Fill fill) {
    ProblemPack pack;
    pack.name = "one";
    pack.dims = {"rows", "cols"};
    pack.tensors = {{"x", type, {"rows", "cols"}, TensorRole::input, fill}};
    return pack;
}

std::vector<double> drawn(ElementType type, Fill fill, Distribution distribution, const Shape& shape, std::uint8_t seed = 1) {
    const ProblemPack pack = oneTensor(type, fill);
    const auto count = static_cast<std::size_t>(shape[0] * shape[1]);
    std::vector<std::byte> bytes(count * sizeBytes(type));
    if (!fillTensor(pack, 0, shape, seedOf(seed), distribution, Fp8Encoding::fnuz, bytes)) {
        return {};
    }
    std::vector<double> values(count);
    decodeElements(type, Fp8Encoding::fnuz, bytes, values);
    return values;
}

struct Moments {
    double mean = 0;
    double meanSquare = 0;
    double largest = 0;
};
Moments momentsOf(const std::vector<double>& values) {
    Moments moments;
    for (const double value : values) {
        moments.mean += value / static_cast<double>(values.size());
        moments.meanSquare += value * value / static_cast<double>(values.size());
        moments.largest = std::max(moments.largest, std::abs(value));
    }
    return moments;
}

std::vector<std::byte> encoded(ElementType type, const std::vector<double>& values) {
    std::vector<std::byte> bytes(values.size() * sizeBytes(type));
    encodeElements(type, Fp8Encoding::fnuz, values, bytes);
    return bytes;
}

// All inputs of one shape and spans over them in the order of the pack.
struct Inputs {
    std::vector<std::vector<std::byte>> storage;
    std::vector<std::span<const std::byte>> spans;
};
Inputs makeInputs(const ProblemPack& pack, const Shape& shape, Distribution distribution) {
    Inputs inputs;
    inputs.storage.resize(pack.tensors.size());
    for (std::size_t i = 0; i < pack.tensors.size(); ++i) {
        if (pack.tensors[i].role == TensorRole::input) {
            inputs.storage[i].resize(static_cast<std::size_t>(*pack.elementCount(pack.tensors[i], shape)) *
                                     sizeBytes(pack.tensors[i].type));
            if (!fillTensor(pack, i, shape, seedOf(5), distribution, Fp8Encoding::fnuz, inputs.storage[i])) {
                return {};
            }
        }
    }
    inputs.spans.assign(inputs.storage.begin(), inputs.storage.end());
    return inputs;
}

} // namespace

class ProblemData : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCodeSurvivesDecodingAndEncoding_data();
    void everyCodeSurvivesDecodingAndEncoding();
    void encodingRoundsToNearestEven_data();
    void encodingRoundsToNearestEven();
    void encodingHandlesTheEdges();
    void integersSaturate();
    void sameArgumentsGiveTheSameBytes();
    void differentArgumentsGiveDifferentBytes();
    void bytesAreTheSameOnEveryMachine();
    void normalIsNormal_data();
    void normalIsNormal();
    void distributionsAreWhatTheySay();
    void zerosLeaveSomethingOfSmallTensors();
    void badBuffersAreRefused();
    void comparisonUsesBothTolerances();
    void comparisonComparesMasks();
    void comparisonFindsOneWrongElementAmongMany();
    void comparisonNeverOverlooksMissingBytes();
    void referenceAgreesWithATripleLoop_data();
    void referenceAgreesWithATripleLoop();
    void referenceRefusesWrongRequests();
};

void ProblemData::everyCodeSurvivesDecodingAndEncoding_data() {
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

void ProblemData::everyCodeSurvivesDecodingAndEncoding() {
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
            QCOMPARE(std::abs(decodeElement(elementType, fp8, back.data())), largestValue(elementType, fp8)); // fp8 saturates
        } else {
            QVERIFY2(back == bytes, qPrintable(QStringLiteral("code %1 is %2").arg(code).arg(value)));
        }
    }
    QTEST(nanCount, "nans");
}

void ProblemData::encodingRoundsToNearestEven_data() { everyCodeSurvivesDecodingAndEncoding_data(); }

// Between two neighbouring codes everything goes to the nearer one, and the middle to the even code.
void ProblemData::encodingRoundsToNearestEven() {
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
    const auto decoded = [&](std::uint32_t code) { return decodeElement(elementType, fp8, reinterpret_cast<std::byte*>(&code)); };
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

void ProblemData::encodingHandlesTheEdges() {
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

void ProblemData::integersSaturate() {
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

void ProblemData::sameArgumentsGiveTheSameBytes() {
    for (const Distribution distribution : {Distribution::asDeclared, Distribution::wideRange, Distribution::structuredZeros,
                                            Distribution::extremeScales}) {
        const auto first = drawn(ElementType::f32, Fill::normal, distribution, {300, 1001});
        QVERIFY(!first.empty());
        QVERIFY(first == drawn(ElementType::f32, Fill::normal, distribution, {300, 1001}));
    }
}

void ProblemData::differentArgumentsGiveDifferentBytes() {
    const auto base = drawn(ElementType::f32, Fill::normal, Distribution::asDeclared, {16, 64}, 1);
    QVERIFY(base != drawn(ElementType::f32, Fill::normal, Distribution::asDeclared, {16, 64}, 2));
    QVERIFY(base != drawn(ElementType::f32, Fill::normal, Distribution::asDeclared, {32, 32}, 1));
    const Inputs inputs = makeInputs(fp8Gemm(), {128, 128, 128}, Distribution::asDeclared);
    QCOMPARE(inputs.storage[0].size(), inputs.storage[1].size());
    QVERIFY(inputs.storage[0] != inputs.storage[1]);
}

// Recorded once; a difference means that evidence of one machine cannot be checked on another.
void ProblemData::bytesAreTheSameOnEveryMachine() {
    std::string hashes;
    for (const Distribution distribution : {Distribution::asDeclared, Distribution::wideRange, Distribution::structuredZeros,
                                            Distribution::extremeScales}) {
        for (const ElementType type : {ElementType::f64, ElementType::fp8E4m3}) {
            const auto values = drawn(type, Fill::normal, distribution, {70, 1000});
            hashes += sha256Hex({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)}).substr(0, 8) + " ";
        }
    }
    QCOMPARE(QString::fromStdString(hashes), 
             QStringLiteral("a839a781 a2eaa2bd 1bd20854 06037623 21701eca 491dd6e8 582470e5 b7913f85 "));
}

void ProblemData::normalIsNormal_data() {
    QTest::addColumn<int>("type");
    for (const ElementType type : {ElementType::f32, ElementType::bf16, ElementType::f16, ElementType::fp8E4m3}) {
        QTest::newRow(std::string(name(type)).c_str()) << int(type);
    }
}

void ProblemData::normalIsNormal() {
    QFETCH(int, type);
    const auto values = drawn(ElementType(type), Fill::normal, Distribution::asDeclared, {1000, 1000});
    const Moments moments = momentsOf(values);
    QVERIFY(std::abs(moments.mean) < 0.005);
    QVERIFY(std::abs(moments.meanSquare - 1) < 0.01);
    const auto share = [&](double limit) {
        return double(std::count_if(values.begin(), values.end(), [&](double value) { return value < limit; })) / 1e6;
    };
    // Limits between two fp8 values, so that rounding does not move mass across them.
    QVERIFY(std::abs(share(-1.9375) - 0.026342) < 0.001);
    QVERIFY(std::abs(share(1.0625) - 0.855996) < 0.002);
    QVERIFY(std::abs(share(2.875) - 0.997980) < 0.0003);
    QVERIFY(moments.largest > 4 && moments.largest < 7);
}

void ProblemData::distributionsAreWhatTheySay() {
    const Moments uniform = momentsOf(drawn(ElementType::f32, Fill::uniform, Distribution::asDeclared, {1000, 1000}));
    QVERIFY(std::abs(uniform.mean - 0.5) < 0.005 && uniform.largest <= 1);
    QCOMPARE(drawn(ElementType::bf16, Fill::ones, Distribution::extremeScales, {300, 400}), std::vector<double>(120'000, 1.0));
    QCOMPARE(momentsOf(drawn(ElementType::i32, Fill::zeros, Distribution::wideRange, {300, 400})).largest, 0.0);
    for (const ElementType type : {ElementType::fp8E4m3, ElementType::fp8E5m2, ElementType::f16, ElementType::bf16, ElementType::f32}) {
        const auto wide = drawn(type, Fill::normal, Distribution::wideRange, {500, 1000});
        const Moments wideMoments = momentsOf(wide);
        QVERIFY(std::all_of(wide.begin(), wide.end(), [](double value) { return std::isfinite(value); }));
        QVERIFY(std::abs(wideMoments.mean) < 0.01 && wideMoments.meanSquare < 1.4 && wideMoments.largest <= 4);
        QVERIFY(std::any_of(wide.begin(), wide.end(), [](double value) { return value != 0 && std::abs(value) < 0x1p-8; }));

        const auto zeros = drawn(type, Fill::normal, Distribution::structuredZeros, {500, 1000});
        int zeroRows = 0;
        for (std::size_t row = 0; row < 500; ++row) {
            zeroRows += std::all_of(zeros.begin() + long(row) * 1000, zeros.begin() + long(row + 1) * 1000,
                                    [](double value) { return value == 0; });
        }
        QVERIFY(zeroRows > 80 && zeroRows < 180);
        const auto zeroCount = std::count(zeros.begin(), zeros.end(), 0.0);
        QVERIFY(zeroCount > 190'000 && zeroCount < 260'000);

        const Moments extreme = momentsOf(drawn(type, Fill::normal, Distribution::extremeScales, {500, 1000}));
        QVERIFY(extreme.meanSquare < 1.2 && extreme.largest > 60);
    }
}

// A scale that is zero everywhere would make outputs that check nothing.
void ProblemData::zerosLeaveSomethingOfSmallTensors() {
    for (const Shape& shape : {Shape{2, 1}, Shape{2, 2}, Shape{3, 1}, Shape{2, 32}, Shape{3, 64}, Shape{1, 5}}) {
        for (std::uint8_t seed = 0; seed < 200; ++seed) {
            const auto values = drawn(ElementType::f32, Fill::normal, Distribution::structuredZeros, shape, seed);
            QVERIFY2(std::any_of(values.begin(), values.end(), [](double value) { return value != 0; }),
                     qPrintable(QString("%1 x %2, seed %3").arg(shape[0]).arg(shape[1]).arg(seed)));
        }
    }
    const auto scales = drawn(ElementType::f32, Fill::normal, Distribution::structuredZeros, {3, 64});
    QVERIFY(std::any_of(scales.begin(), scales.end(), [](double value) { return value == 0; }));
}

void ProblemData::badBuffersAreRefused() {
    const ProblemPack pack = oneTensor(ElementType::f32, Fill::normal);
    std::vector<std::byte> bytes(16);
    QVERIFY(!fillTensor(pack, 0, {2, 3}, seedOf(1), Distribution::asDeclared, Fp8Encoding::fnuz, bytes));
    QVERIFY(!fillTensor(pack, 1, {2, 2}, seedOf(1), Distribution::asDeclared, Fp8Encoding::fnuz, bytes));
    QVERIFY(fillTensor(pack, 0, {2, 2}, seedOf(1), Distribution::asDeclared, Fp8Encoding::fnuz, bytes).has_value());
}

void ProblemData::comparisonUsesBothTolerances() {
    const Tolerance tolerance{0.5, 0.25}; // exact in binary, so that the edge is an edge
    const std::vector<double> expected = {1, 1, 1, 0, 0, -8, -8};
    const auto mismatches = [&](const std::vector<double>& got) {
        return compare(expected, encoded(ElementType::f32, got), ElementType::f32, Fp8Encoding::fnuz, tolerance).mismatches;
    };
    QCOMPARE(mismatches({1.75, 0.25, 1, 0.25, -0.25, -12.25, -3.75}), 0);
    QCOMPARE(mismatches({1.7500001, 0.25, 1, 0.25, -0.25, -12.25, -3.75}), 1);
    QCOMPARE(mismatches({1.75, 0.2499999, 1, 0.2500001, -0.25, -12.250001, -3.7499}), 4);
}

void ProblemData::comparisonComparesMasks() {
    const double nan = std::nan("");
    const std::vector<double> expected = {1, nan, infinity, -infinity, 1e300, 2};
    const auto result = [&](const std::vector<double>& got) {
        return compare(expected, encoded(ElementType::bf16, got), ElementType::bf16, Fp8Encoding::fnuz, Tolerance{}, 100);
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
    QCOMPARE(QString::fromStdString(wrong.text()),
             QStringLiteral("2 of 6 elements differ, first at 100: expected 1, got nan; largest error 0; 2 not finite where a number "
                            "was expected"));
}

void ProblemData::comparisonFindsOneWrongElementAmongMany() {
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

void ProblemData::comparisonNeverOverlooksMissingBytes() {
    const std::vector<double> expected = {1, 2, 3};
    const auto actual = encoded(ElementType::f32, {1, 2});
    QCOMPARE(compare(expected, actual, ElementType::f32, Fp8Encoding::fnuz, {}).mismatches, 1);
}

void ProblemData::referenceAgreesWithATripleLoop_data() {
    QTest::addColumn<std::vector<qint64>>("shape");
    QTest::addColumn<int>("distribution");
    for (const Distribution distribution : {Distribution::asDeclared, Distribution::wideRange, Distribution::structuredZeros,
                                            Distribution::extremeScales}) {
        QTest::newRow(std::string(name(distribution)).c_str()) << std::vector<qint64>{32, 192, 384} << int(distribution);
    }
}

void ProblemData::referenceAgreesWithATripleLoop() {
    QFETCH(std::vector<qint64>, shape);
    QFETCH(int, distribution);
    const ProblemPack pack = fp8Gemm();
    const auto reference = Reference::load(pack);
    QVERIFY2(reference.has_value(), reference ? "" : reference.error().message().c_str());
    const Shape dims(shape.begin(), shape.end());
    const Inputs inputs = makeInputs(pack, dims, Distribution(distribution));
    const auto m = std::size_t(dims[0]), n = std::size_t(dims[1]), k = std::size_t(dims[2]), scaleColumns = (n + 127) / 128;
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
                const double term = element(0, i * m + row) * element(1, i * n + column) * element(2, i / 128 * m + row) *
                                    element(3, i / 128 * scaleColumns + column / 128);
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
        QVERIFY(std::abs((*samples)[i] - (*expected)[std::size_t(indices[i])]) <= 1e-5 * std::abs((*samples)[i]) + 1e-5);
    }
}

void ProblemData::referenceRefusesWrongRequests() {
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

QTEST_APPLESS_MAIN(ProblemData)
#include "problem_data.moc"
