// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/data.h"
#include "core/problem/element_codec.h"
#include "tests/support/problem_inputs.h"

#include <QTest>
#include <algorithm>
#include <cmath>

using namespace gks;
using namespace gks::test;

namespace {

// A pack of one input tensor, for the generator alone.
ProblemPack oneTensor(ElementType type, Fill fill) {
    ProblemPack pack;
    pack.name = "one";
    pack.dims = {"rows", "cols"};
    pack.tensors = {{"x", type, {"rows", "cols"}, TensorRole::input, fill}};
    return pack;
}

std::vector<double> drawn(ElementType type, Fill fill, Distribution distribution, const Shape& shape,
                          std::uint8_t seed = 1) {
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

} // namespace

class ProblemData : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sameArgumentsGiveTheSameBytes();
    void differentArgumentsGiveDifferentBytes();
    void bytesAreTheSameOnEveryMachine();
    void bytesOfOtherTypesAreTheSameOnEveryMachine();
    void drawnValuesAreMovedAndScaled();
    void normalIsNormal_data();
    void normalIsNormal();
    void distributionsAreWhatTheySay();
    void noTensorIsTooSmallForAnOutlier();
    void zerosLeaveSomethingOfSmallTensors();
    void badBuffersAreRefused();
};

void ProblemData::sameArgumentsGiveTheSameBytes() {
    for (const Distribution distribution : {Distribution::asDeclared, Distribution::wideRange,
                                            Distribution::structuredZeros, Distribution::extremeScales}) {
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
    for (const Distribution distribution : {Distribution::asDeclared, Distribution::wideRange,
                                            Distribution::structuredZeros, Distribution::extremeScales}) {
        for (const ElementType type : {ElementType::f64, ElementType::fp8E4m3}) {
            const auto values = drawn(type, Fill::normal, distribution, {70, 1000});
            hashes +=
                sha256Hex({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)}).substr(0, 8) +
                " ";
        }
    }
    QCOMPARE(QString::fromStdString(hashes),
             QStringLiteral("a839a781 a2eaa2bd 1bd20854 06037623 21701eca 491dd6e8 682eb90a 60a9c55e "));
}

// Likewise, of the other ways to draw and encode; 1001 columns end within a vector and a run.
void ProblemData::bytesOfOtherTypesAreTheSameOnEveryMachine() {
    std::string hashes;
    for (const Distribution distribution : {Distribution::asDeclared, Distribution::wideRange,
                                            Distribution::structuredZeros, Distribution::extremeScales}) {
        for (const auto& [type, fill] :
             {std::pair(ElementType::f32, Fill::uniform), std::pair(ElementType::bf16, Fill::normal),
              std::pair(ElementType::f16, Fill::uniform), std::pair(ElementType::i32, Fill::normal)}) {
            const auto values = drawn(type, fill, distribution, {71, 1001});
            hashes +=
                sha256Hex({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)}).substr(0, 8) +
                " ";
        }
    }
    QCOMPARE(QString::fromStdString(hashes),
             QStringLiteral("13cdbf31 de9ec1a5 9b2fb75b d3833733 e0b84fb3 790e9fae 40762592 6b800683 1a203378 159d63e4 "
                            "2b8215b4 8fd93f5a 426861e7 87075f3b a35f2060 d6d607f0 "));
}

// uniform on [-1, 1) is offset -1, scale 2; what has a distribution of its own keeps it.
void ProblemData::drawnValuesAreMovedAndScaled() {
    ProblemPack pack = oneTensor(ElementType::f32, Fill::uniform);
    const auto valuesOf = [&](Distribution distribution) {
        std::vector<float> values(1000);
        const auto filled = fillTensor(pack, 0, {10, 100}, seedOf(7), distribution, Fp8Encoding::ocp,
                                       std::as_writable_bytes(std::span(values)));
        return filled ? values : std::vector<float>();
    };
    const auto plain = valuesOf(Distribution::asDeclared);
    const auto wide = valuesOf(Distribution::wideRange);
    pack.tensors[0].scale = 2;
    pack.tensors[0].offset = -1;
    const auto moved = valuesOf(Distribution::asDeclared);
    QCOMPARE(moved.size(), std::size_t{1000});
    for (std::size_t i = 0; i < moved.size(); ++i) {
        QVERIFY(std::abs(moved[i] - (2 * plain[i] - 1)) < 1e-6);
    }
    QVERIFY(*std::ranges::min_element(moved) < -0.9 && *std::ranges::max_element(moved) > 0.9);
    QVERIFY(valuesOf(Distribution::wideRange) == wide);
    const auto holed = valuesOf(Distribution::structuredZeros);
    QVERIFY(std::ranges::count(holed, 0.0F) > 100);
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
    QCOMPARE(drawn(ElementType::bf16, Fill::ones, Distribution::extremeScales, {300, 400}),
             std::vector<double>(120'000, 1.0));
    QCOMPARE(momentsOf(drawn(ElementType::i32, Fill::zeros, Distribution::wideRange, {300, 400})).largest, 0.0);
    for (const ElementType type :
         {ElementType::fp8E4m3, ElementType::fp8E5m2, ElementType::f16, ElementType::bf16, ElementType::f32}) {
        const auto wide = drawn(type, Fill::normal, Distribution::wideRange, {500, 1000});
        const Moments wideMoments = momentsOf(wide);
        QVERIFY(std::all_of(wide.begin(), wide.end(), [](double value) { return std::isfinite(value); }));
        QVERIFY(std::abs(wideMoments.mean) < 0.01 && wideMoments.meanSquare < 1.4 && wideMoments.largest <= 4);
        QVERIFY(
            std::any_of(wide.begin(), wide.end(), [](double value) { return value != 0 && std::abs(value) < 0x1p-8; }));

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

// A kernel that overflows there, or looks for the maximum at every 64th element, must not depend on luck to be found.
void ProblemData::noTensorIsTooSmallForAnOutlier() {
    for (std::uint8_t seed = 1; seed <= 50; ++seed) {
        for (const Shape& shape : {Shape{1, 9}, Shape{4, 32}, Shape{64, 512}}) {
            const auto signs = drawn(ElementType::f32, Fill::normal, Distribution::extremeScales, shape, seed);
            const auto [low, high] = std::minmax_element(signs.begin(), signs.end());
            QVERIFY2(*low <= -128 && *high >= 128, std::to_string(seed).c_str());
            const auto positive = drawn(ElementType::f32, Fill::uniform, Distribution::extremeScales, shape, seed);
            QVERIFY(*std::max_element(positive.begin(), positive.end()) >= 32);
            const bool hasRun = [&] {
                for (std::size_t run = 0; run + 32 <= signs.size(); run += 32) {
                    if (std::count_if(signs.begin() + long(run), signs.begin() + long(run) + 32,
                                      [](double value) { return std::abs(value) > 16; }) > 16) {
                        return true;
                    }
                }
                return false;
            }();
            QVERIFY(hasRun || signs.size() < 1 << 14);
        }
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

QTEST_APPLESS_MAIN(ProblemData)
#include "problem_data.moc"
