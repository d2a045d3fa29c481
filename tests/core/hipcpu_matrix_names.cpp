// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/matrix_instruction.h"

#include <QTest>

using namespace gks::hipcpu;

Q_DECLARE_METATYPE(gks::hipcpu::MatrixType)

namespace {

struct Row {
    const char* name;
    int m, n, k, blocks;
    unsigned accumulatorElements; // per lane
    MatrixType a, b, accumulator;
    bool sparse;
};

using enum MatrixType;

// Every matrix instruction of gfx942, and behind them what gfx950 adds, by the name of its intrinsic.
constexpr Row rows[] = {
    {"mfma.f32.16x16x8.xf32", 16, 16, 8, 1, 4, xf32, xf32, f32, false},
    {"mfma.f32.32x32x4.xf32", 32, 32, 4, 1, 16, xf32, xf32, f32, false},
    {"mfma.f32.32x32x1f32", 32, 32, 1, 2, 32, f32, f32, f32, false},
    {"mfma.f32.16x16x1f32", 16, 16, 1, 4, 16, f32, f32, f32, false},
    {"mfma.f32.4x4x1f32", 4, 4, 1, 16, 4, f32, f32, f32, false},
    {"mfma.f32.32x32x2f32", 32, 32, 2, 1, 16, f32, f32, f32, false},
    {"mfma.f32.16x16x4f32", 16, 16, 4, 1, 4, f32, f32, f32, false},
    {"mfma.f32.32x32x4f16", 32, 32, 4, 2, 32, f16, f16, f32, false},
    {"mfma.f32.16x16x4f16", 16, 16, 4, 4, 16, f16, f16, f32, false},
    {"mfma.f32.4x4x4f16", 4, 4, 4, 16, 4, f16, f16, f32, false},
    {"mfma.f32.32x32x8f16", 32, 32, 8, 1, 16, f16, f16, f32, false},
    {"mfma.f32.16x16x16f16", 16, 16, 16, 1, 4, f16, f16, f32, false},
    {"mfma.i32.32x32x4i8", 32, 32, 4, 2, 32, i8, i8, i8, false},
    {"mfma.i32.16x16x4i8", 16, 16, 4, 4, 16, i8, i8, i8, false},
    {"mfma.i32.4x4x4i8", 4, 4, 4, 16, 4, i8, i8, i8, false},
    {"mfma.i32.32x32x16.i8", 32, 32, 16, 1, 16, i8, i8, i8, false},
    {"mfma.i32.16x16x32.i8", 16, 16, 32, 1, 4, i8, i8, i8, false},
    {"mfma.f32.32x32x4bf16.1k", 32, 32, 4, 2, 32, bf16, bf16, f32, false},
    {"mfma.f32.16x16x4bf16.1k", 16, 16, 4, 4, 16, bf16, bf16, f32, false},
    {"mfma.f32.4x4x4bf16.1k", 4, 4, 4, 16, 4, bf16, bf16, f32, false},
    {"mfma.f32.32x32x8bf16.1k", 32, 32, 8, 1, 16, bf16, bf16, f32, false},
    {"mfma.f32.16x16x16bf16.1k", 16, 16, 16, 1, 4, bf16, bf16, f32, false},
    {"smfmac.f32.16x16x32.f16", 16, 16, 32, 1, 4, f16, f16, f32, true},
    {"smfmac.f32.32x32x16.f16", 32, 32, 16, 1, 16, f16, f16, f32, true},
    {"smfmac.f32.16x16x32.bf16", 16, 16, 32, 1, 4, bf16, bf16, f32, true},
    {"smfmac.f32.32x32x16.bf16", 32, 32, 16, 1, 16, bf16, bf16, f32, true},
    {"smfmac.i32.16x16x64.i8", 16, 16, 64, 1, 4, i8, i8, i8, true},
    {"smfmac.i32.32x32x32.i8", 32, 32, 32, 1, 16, i8, i8, i8, true},
    {"mfma.f64.16x16x4f64", 16, 16, 4, 1, 4, f64, f64, f64, false},
    {"mfma.f64.4x4x4f64", 4, 4, 4, 4, 1, f64, f64, f64, false},
    {"mfma.f32.16x16x32.bf8.bf8", 16, 16, 32, 1, 4, bf8, bf8, f32, false},
    {"mfma.f32.16x16x32.bf8.fp8", 16, 16, 32, 1, 4, bf8, fp8, f32, false},
    {"mfma.f32.16x16x32.fp8.bf8", 16, 16, 32, 1, 4, fp8, bf8, f32, false},
    {"mfma.f32.16x16x32.fp8.fp8", 16, 16, 32, 1, 4, fp8, fp8, f32, false},
    {"mfma.f32.32x32x16.bf8.bf8", 32, 32, 16, 1, 16, bf8, bf8, f32, false},
    {"mfma.f32.32x32x16.bf8.fp8", 32, 32, 16, 1, 16, bf8, fp8, f32, false},
    {"mfma.f32.32x32x16.fp8.bf8", 32, 32, 16, 1, 16, fp8, bf8, f32, false},
    {"mfma.f32.32x32x16.fp8.fp8", 32, 32, 16, 1, 16, fp8, fp8, f32, false},
    {"smfmac.f32.16x16x64.bf8.bf8", 16, 16, 64, 1, 4, bf8, bf8, f32, true},
    {"smfmac.f32.16x16x64.bf8.fp8", 16, 16, 64, 1, 4, bf8, fp8, f32, true},
    {"smfmac.f32.16x16x64.fp8.bf8", 16, 16, 64, 1, 4, fp8, bf8, f32, true},
    {"smfmac.f32.16x16x64.fp8.fp8", 16, 16, 64, 1, 4, fp8, fp8, f32, true},
    {"smfmac.f32.32x32x32.bf8.bf8", 32, 32, 32, 1, 16, bf8, bf8, f32, true},
    {"smfmac.f32.32x32x32.bf8.fp8", 32, 32, 32, 1, 16, bf8, fp8, f32, true},
    {"smfmac.f32.32x32x32.fp8.bf8", 32, 32, 32, 1, 16, fp8, bf8, f32, true},
    {"smfmac.f32.32x32x32.fp8.fp8", 32, 32, 32, 1, 16, fp8, fp8, f32, true},
    {"mfma.f32.16x16x32.f16", 16, 16, 32, 1, 4, f16, f16, f32, false},
    {"mfma.f32.16x16x32.bf16", 16, 16, 32, 1, 4, bf16, bf16, f32, false},
    {"mfma.f32.32x32x16.f16", 32, 32, 16, 1, 16, f16, f16, f32, false},
    {"mfma.f32.32x32x16.bf16", 32, 32, 16, 1, 16, bf16, bf16, f32, false},
    {"mfma.i32.16x16x64.i8", 16, 16, 64, 1, 4, i8, i8, i8, false},
    {"mfma.i32.32x32x32.i8", 32, 32, 32, 1, 16, i8, i8, i8, false},
    {"smfmac.f32.16x16x64.f16", 16, 16, 64, 1, 4, f16, f16, f32, true},
    {"smfmac.f32.32x32x32.f16", 32, 32, 32, 1, 16, f16, f16, f32, true},
    {"smfmac.f32.16x16x64.bf16", 16, 16, 64, 1, 4, bf16, bf16, f32, true},
    {"smfmac.f32.32x32x32.bf16", 32, 32, 32, 1, 16, bf16, bf16, f32, true},
    {"smfmac.i32.16x16x128.i8", 16, 16, 128, 1, 4, i8, i8, i8, true},
    {"smfmac.i32.32x32x64.i8", 32, 32, 64, 1, 16, i8, i8, i8, true},
    {"smfmac.f32.16x16x128.bf8.bf8", 16, 16, 128, 1, 4, bf8, bf8, f32, true},
    {"smfmac.f32.16x16x128.bf8.fp8", 16, 16, 128, 1, 4, bf8, fp8, f32, true},
    {"smfmac.f32.16x16x128.fp8.bf8", 16, 16, 128, 1, 4, fp8, bf8, f32, true},
    {"smfmac.f32.16x16x128.fp8.fp8", 16, 16, 128, 1, 4, fp8, fp8, f32, true},
    {"smfmac.f32.32x32x64.bf8.bf8", 32, 32, 64, 1, 16, bf8, bf8, f32, true},
    {"smfmac.f32.32x32x64.bf8.fp8", 32, 32, 64, 1, 16, bf8, fp8, f32, true},
    {"smfmac.f32.32x32x64.fp8.bf8", 32, 32, 64, 1, 16, fp8, bf8, f32, true},
    {"smfmac.f32.32x32x64.fp8.fp8", 32, 32, 64, 1, 16, fp8, fp8, f32, true},
};
constexpr std::size_t ofGfx942 = 46;

} // namespace

class HipcpuMatrixNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyInstruction() {
        QCOMPARE(std::size(rows), ofGfx942 + 20);
        for (const Row& row : rows) {
            const auto what = decodeMatrixName(row.name);
            QVERIFY2(what.has_value(), row.name);
            const std::string text = row.name;
            QVERIFY2(what->m == row.m && what->n == row.n && what->k == row.k, row.name);
            QVERIFY2(what->a == row.a && what->b == row.b && what->accumulator == row.accumulator, row.name);
            QVERIFY2((what->sparse == 1) == row.sparse, row.name);
            QCOMPARE(int{matrixBlocks(*what, row.accumulatorElements)}, row.blocks);
            QCOMPARE(int{what->mixed}, 0);
            QVERIFY2(isMatrixOfGfx950(row.name) == (&row >= rows + ofGfx942), row.name);
        }
    }

    // Their formats are operands.
    void mixedOnes() {
        for (const auto& [name, m, k] : {std::tuple("mfma.scale.f32.16x16x128.f8f6f4", 16, 128),
                                         std::tuple("mfma_scale_f32_32x32x64_f8f6f4", 32, 64)}) {
            const auto what = decodeMatrixName(name);
            QVERIFY2(what.has_value(), name);
            QVERIFY(what->m == m && what->n == m && what->k == k && what->accumulator == f32 && what->mixed == 1);
            QVERIFY(isMatrixOfGfx950(name));
        }
        QVERIFY(!isMatrixOfGfx950("mfma.f32.32x32x64.f16"));
        QVERIFY(!decodeMatrixName("mfma.f32.16x16x128.f8f6f4")); // there is no intrinsic of it
    }

    void underscoresServeToo() {
        const auto what = decodeMatrixName("mfma_f32_32x32x16_fp8_bf8");
        QVERIFY(what.has_value());
        QCOMPARE(int{what->k}, 16);
        QVERIFY(what->a == fp8 && what->b == bf8);
    }

    void brokenNamesAreRefused() {
        for (const char* name :
             {"", "mfma", "mfma.f32", "mfma.f32.16x16", "mfma.f32.16x16x", "mfma.f32.0x16x4f32", "mfma.f32.16x16x4q7",
              "wmma.f32.16x16x16.f16", "mfma.q7.16x16x4f32", "mfma.f32.16x16x32.fp8.q7", "mfma.f32.99999x1x1f32"}) {
            QVERIFY2(!decodeMatrixName(name).has_value(), name);
        }
    }
};

QTEST_APPLESS_MAIN(HipcpuMatrixNames)
#include "hipcpu_matrix_names.moc"
