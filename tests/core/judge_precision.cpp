// SPDX-License-Identifier: GPL-3.0-or-later
// A pack says how narrow products may be; what is narrower is found in the instructions.
#include "core/base/json.h"
#include "core/judge/evaluator/build/precision.h"
#include "core/target/multiply_type.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace gks;

class JudgePrecision : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void instructionsNameTheirFactors_data() {
        QTest::addColumn<QString>("mnemonic");
        QTest::addColumn<QString>("type");
        const auto row = [](const char* mnemonic, const char* type) { QTest::newRow(mnemonic) << mnemonic << type; };
        row("v_mul_f32_e32", "f32");
        row("v_fmac_f32_e32", "f32");
        row("v_pk_fma_f32", "f32");
        row("v_pk_mul_f16", "f16");
        row("v_fma_f16", "f16");
        row("v_fma_mix_f32", "f32");
        row("v_fma_mixlo_f16", "f32");
        row("v_div_fmas_f64", "f64");
        row("v_dot2_f32_f16", "f16");
        row("v_dot2c_f32_bf16", "bf16");
        row("v_mfma_f32_32x32x8_bf16_1k", "bf16");
        row("v_mfma_f32_16x16x16_f16", "f16");
        row("v_mfma_f32_16x16x4_f32", "f32");
        row("v_mfma_f32_32x32x4_xf32", "xf32");
        row("v_mfma_f64_16x16x4_f64", "f64");
        row("v_mfma_f32_32x32x16_fp8_fp8", "fp8");
        row("v_mfma_f32_32x32x16_fp8_bf8", "bf8");
        row("v_smfmac_f32_16x16x64_bf8_fp8", "bf8");
        row("v_mfma_i32_32x32x16_i8", "");
        row("v_mul_lo_u32", "");
        row("v_mad_u64_u32", "");
        row("v_add_f32_e32", "");
        row("v_cvt_f32_f16_e32", "");
        row("s_mul_i32", "");
        row("ds_read_b128", "");
    }
    void instructionsNameTheirFactors() {
        QFETCH(QString, mnemonic);
        QFETCH(QString, type);
        const std::string text = mnemonic.toStdString();
        const auto found = multiplyType(text);
        QCOMPARE(QString::fromStdString(std::string(found.value_or(""))), type);
    }

    void narrowerThanAllowedIsAFinding_data() {
        QTest::addColumn<QString>("problem");
        QTest::addColumn<QString>("type");
        QTest::addColumn<bool>("found");
        const auto row = [](const char* problem, const char* type, bool found) {
            QTest::addRow("%s %s", problem, type) << problem << type << found;
        };
        row("row-softmax", "f32", false);
        row("row-softmax", "xf32", true);
        row("row-softmax", "f16", true);
        row("row-softmax", "bf16", true);
        row("sum-reduction", "bf16", true);
        row("rms-norm", "bf16", false);
        row("rms-norm", "fp8", true);
        row("attention-forward", "f16", false);
        row("attention-forward", "fp8", true);
        row("fp8-gemm", "fp8", false);
        row("fp8-gemm", "bf16", false);
        row("fp8-gemm", "bf8", true);
    }
    void narrowerThanAllowedIsAFinding() {
        QFETCH(QString, problem);
        QFETCH(QString, type);
        QFETCH(bool, found);
        const ProblemPack pack = loadProblemPack(problem.toStdString()).value();
        KernelResources kernel;
        kernel.name = "solve_it";
        kernel.multiplies = {{"f64", 1}, {type.toStdString(), 12}};
        const auto findings = precisionFindings({"gfx942", {kernel}, 0}, pack);
        QCOMPARE(findings.size(), found ? std::size_t{1} : std::size_t{0});
        if (found) {
            const std::string wanted = "solve_it multiplies in " + type.toStdString() + " (12 instructions)";
            QVERIFY2(findings.front().starts_with(wanted), findings.front().c_str());
        }
    }

    void aPackMayDeclareIt() {
        ProblemPack pack = loadProblemPack("row-softmax").value();
        pack.declaredMultiply = ElementType::bf16;
        KernelResources kernel;
        kernel.multiplies = {{"bf16", 1}};
        QVERIFY(precisionFindings({"gfx942", {kernel}, 0}, pack).empty());
    }

    void countsGoWithTheReport() {
        StaticReport report{"gfx942", {KernelResources()}, 0};
        report.kernels[0].name = "k";
        report.kernels[0].multiplies = {{"bf16", 3}};
        const auto read = staticReportFromJson(*parseJson(toJson(report).dump(), "test"));
        QVERIFY(read && *read == report);
    }
};

QTEST_APPLESS_MAIN(JudgePrecision)
#include "judge_precision.moc"
