// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/target/diagnostics.h"
#include "core/target/function_at.h"
#include "core/target/machine_code.h"
#include "core/target/nvidia_code.h"
#include "core/target/occupancy_step.h"
#include "core/target/ptxas_report.h"

#include <QTest>

using namespace gks;

class TargetMachineCode : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void instructionsHaveTheLineThatTheyAreOf();
    void costsAreCounted();
    void registersAndTargetsAreLeftOut();
    void hostileTextIsBounded();
    void diagnosticsHaveTheirPlaces();
    void diagnosticsAreBounded();
    void quotedSourceIsNoDiagnostic();
    void diagnosticsOfNvcc();
    void onlyTheCompilersOwnLinesAreDiagnostics();
    void nvccsOwnLinesAreDiagnostics();
    void theFirstErrorWithAPlaceSaysWhy();
    void sourcesThatNameTheirOwnLines();
    void theFunctionOfALine();
    void theNextStepOfOccupancy();
    void codeOfNvidiaDevices();
    void ptxWhereNothingReadsSass();

private:
    static MachineCode recorded() {
        const auto text = readFile(GKS_SOURCE_DIR "/tests/data/machine_code.txt");
        const auto code = text ? readMachineCode(*text, "gfx942") : tl::unexpected(text.error());
        return code ? *code : MachineCode{};
    }
};

void TargetMachineCode::instructionsHaveTheLineThatTheyAreOf() {
    const MachineCode code = recorded();
    QCOMPARE(code.functions.size(), std::size_t{1});
    QCOMPARE(code.functions[0].name, std::string("scale(float*, float const*, int)"));
    const auto& all = code.functions[0].instructions;
    QCOMPARE(all.size(), std::size_t{11}); // the padding is none, an s_nop within is one
    QCOMPARE(all[0].line, 0);
    QCOMPARE(all[0].place, std::string("amd_hip_runtime.h:268"));
    QCOMPARE(all[2].line, 7);
    QVERIFY(all[2].place.empty());
    QCOMPARE(all[2].offset, std::uint64_t{12});
    QCOMPARE(all[3].line, 8);
    QCOMPARE(all[3].text, std::string("s_cbranch_execz <+0x44>"));
    QCOMPARE(instructionsOf(code, 8).size(), std::size_t{3});
    QVERIFY(instructionsOf(code, 0).empty());
    QVERIFY(listingText(code).find("     7  0x0000c  v_add_u32_e32 v0, s2, v0\n") != std::string::npos);
}

void TargetMachineCode::costsAreCounted() {
    const std::map<InstructionCost, int> expected = {
        {InstructionCost::arithmetic, 3}, {InstructionCost::matrix, 1},  {InstructionCost::globalMemory, 1},
        {InstructionCost::lds, 1},        {InstructionCost::scratch, 1}, {InstructionCost::scalarMemory, 1},
        {InstructionCost::wait, 1},       {InstructionCost::barrier, 1}, {InstructionCost::branch, 1}};
    QVERIFY(costsOf(recorded()) == expected);
}

void TargetMachineCode::registersAndTargetsAreLeftOut() {
    QCOMPARE(normalizedInstruction("v_add_f32_e32 v1, v22, -v3"), std::string("v_add_f32_e32 v, v, -v"));
    QCOMPARE(normalizedInstruction("ds_read_b128 v[4:7], v8 offset:16"), std::string("ds_read_b128 v[4], v offset:16"));
    QCOMPARE(normalizedInstruction("v_mfma_f32_32x32x16_fp8_fp8 a[0:15], v[0:1], v[2:3], a[0:15]"),
             std::string("v_mfma_f32_32x32x16_fp8_fp8 a[16], v[2], v[2], a[16]"));
    QCOMPARE(normalizedInstruction("s_cbranch_execz <+0x44>"), std::string("s_cbranch_execz"));
    QCOMPARE(normalizedInstruction("s_waitcnt vmcnt(1)"), std::string("s_waitcnt vmcnt(1)"));
    QCOMPARE(normalizedInstruction("s_mov_b32 s2, 0x3fb8aa3b"), std::string("s_mov_b32 s, 0x3fb8aa3b"));
    QCOMPARE(normalizedInstruction("v_x v[9:1], v[1, vcc, v"), std::string("v_x v[9:1], v[1, vcc, v"));
}

void TargetMachineCode::hostileTextIsBounded() {
    QVERIFY(!readMachineCode("", "gfx942"));
    QVERIFY(!readMachineCode("\tv_nop\n", "gfx942")); // of no function
    std::string text = "<a\x1b[2J>:\n; /x/kernel.hip:99999999999\n\ts_endpgm\n; /x/kernel.hip:-3\n\t" +
                       std::string(100'000, 'v') + "\n";
    auto code = readMachineCode(text, "gfx942");
    QVERIFY(code);
    QCOMPARE(code->functions[0].name.find('\x1b'), std::string::npos);
    QCOMPARE(code->functions[0].instructions[0].line, 0);
    QVERIFY(code->functions[0].instructions[1].text.size() < 300);
    QVERIFY(!code->isCut);
    text = "<a>:\n";
    for (int i = 0; i < 100'001; ++i) {
        text += "\tv_nop_e32\n";
    }
    code = readMachineCode(text, "gfx942");
    QVERIFY(code && code->isCut);
    QCOMPARE(code->instructionTotal(), std::size_t{100'000});
    text.clear();
    for (int i = 0; i < 257; ++i) {
        text += "<f" + std::to_string(i) + ">:\n\ts_endpgm\n";
    }
    code = readMachineCode(text, "gfx942");
    QVERIFY(code && code->isCut);
    QCOMPARE(code->instructionTotal(), std::size_t{256}); // the last one's are not the one's before it
}

void TargetMachineCode::diagnosticsHaveTheirPlaces() {
    const auto all = readDiagnostics("In file included from kernel.hip:1:\n"
                                     "./problem.h:3:1: warning: odd [-Wodd]\n"
                                     "kernel.hip:12:5: error: use of undeclared identifier 'x: note: y'\n"
                                     "   12 |     x = 1;\n"
                                     "      |     ^\n"
                                     "kernel.hip:10:7: note: declared here\n"
                                     "kernel.hip:12:5: error: use of undeclared identifier 'x: note: y'\n"
                                     "/a b/kernel.hip:7: fatal error: end\n"
                                     "error: no input\n"
                                     "1 error generated when compiling for gfx942.\n");
    QCOMPARE(all.size(), std::size_t{4});
    QVERIFY(all[0] == (Diagnostic{"problem.h", 3, 1, DiagnosticKind::warning, "odd [-Wodd]", false}));
    QVERIFY(all[1] == (Diagnostic{"kernel.hip", 12, 5, DiagnosticKind::error,
                                  "use of undeclared identifier 'x: note: y'", true}));
    QCOMPARE(all[2].kind, DiagnosticKind::note);
    QCOMPARE(all[3].line, 7);
    QCOMPARE(all[3].column, 0);
}

void TargetMachineCode::diagnosticsAreBounded() {
    std::string log;
    for (int i = 1; i <= 1000; ++i) {
        log += "kernel.hip:" + std::to_string(i) + ":1: error: " + std::string(5000, 'e') + "\x1b\n";
    }
    const auto all = readDiagnostics(log);
    QCOMPARE(all.size(), std::size_t{200});
    QVERIFY(all[0].text.size() < 500);
    for (const char* bad :
         {"kernel.hip:0:1: error: x", "kernel.hip:99999999999:1: error: x", "kernel.hip:1:99999999999: error: x",
          "kernel.hip::: error: x", "kernel.hip:-4: error: x", ": error: x"}) {
        QVERIFY2(readDiagnostics(bad).empty(), bad);
    }
    const auto far = readDiagnostics("kernel.hip:10000000:5: error: x");
    QCOMPARE(far.size(), std::size_t{1});
    QCOMPARE(far[0].line, 10000000);
    QCOMPARE(far[0].column, 5);
    QVERIFY(far[0].isOfKernel);
}

void TargetMachineCode::quotedSourceIsNoDiagnostic() {
    const auto all = readDiagnostics("kernel.hip:5:9: error: use of undeclared identifier 'more'\n"
                                     "    5 | int y = more; // /kernel.hip:1:1: error: fake\n"
                                     "      |         ^\n");
    QCOMPARE(all.size(), std::size_t{1});
    QCOMPARE(all[0].line, 5);
}

void TargetMachineCode::diagnosticsOfNvcc() {
    const auto all = readDiagnostics("kernel.hip(12): error: identifier \"nothing\" is undefined\n"
                                     "kernel.hip(3): warning #177-D: variable \"a\" was declared but never used\n"
                                     "kernel.hip(x): error: no place\n");
    QCOMPARE(all.size(), std::size_t{2});
    QVERIFY(all[0] ==
            (Diagnostic{"kernel.hip", 12, 0, DiagnosticKind::error, "identifier \"nothing\" is undefined", true}));
    QCOMPARE(all[1].kind, DiagnosticKind::warning);
    QCOMPARE(all[1].line, 3);
}

void TargetMachineCode::onlyTheCompilersOwnLinesAreDiagnostics() {
    const std::string words = ownWords("In file included from /tmp/gks-a1/kernel.hip:1:\n"
                                       "/tmp/gks-a1/kernel.hip:1:9: warning: hello\n"
                                       "kernel.hip:7:1: error: forged\n"
                                       "/tmp/gks-b2/kernel.hip:7:1: error: forged\n"
                                       "\t/kernel.hip(7): error: forged [-W#pragma-messages]\n"
                                       "    1 | #pragma message \"hello // /kernel.hip:7:1: error: quoted\"\n"
                                       "      |         ^\n"
                                       "/tmp/gks-a1/kernel.hip:4:21: error: true\n"
                                       "1 error generated.",
                                       "/tmp/gks-a1");
    QCOMPARE(words, std::string("In file included from kernel.hip:1:\n"
                                "kernel.hip:1:9: warning: hello\n"
                                " kernel.hip:7:1: error: forged\n"
                                " /tmp/gks-b2/kernel.hip:7:1: error: forged\n"
                                " \t/kernel.hip(7): error: forged [-W#pragma-messages]\n"
                                "    1 | #pragma message \"hello // /kernel.hip:7:1: error: quoted\"\n"
                                "      |         ^\n"
                                "kernel.hip:4:21: error: true\n"
                                "1 error generated."));
    const auto all = readDiagnostics(words);
    QCOMPARE(all.size(), std::size_t{2});
    QCOMPARE(all[0].line, 1);
    QCOMPARE(all[1].line, 4);
    QCOMPARE(firstErrorLine(words), std::string_view("kernel.hip:4:21: error: true"));
}

// As nvcc 13.0 prints it, word for word but for the folder: cudafe++ writes a text with its line breaks.
void TargetMachineCode::nvccsOwnLinesAreDiagnostics() {
    const std::string words =
        ownWords("/tmp/gks-a1/kernel.hip:2:2: warning: #warning plain words [-Wcpp]\n"
                 "/tmp/gks-a1/kernel.hip(4): warning #1444-D: function \"f\" was declared deprecated (\"old\n"
                 "ptxas info    : Compiling entry function 'zz' for 'sm_90a'\n"
                 "ptxas info    : Used 1 registers, used 0 barriers\n"
                 "kernel.hip(3): error: forged\")\n"
                 "  __attribute__((global)) void k(float* a) { a[0] = f(a[1]); }\n"
                 "                                                    ^\n"
                 "\n"
                 "other.hip(77): error: identifier \"undefined_name\" is undefined\n"
                 "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
                 "\n"
                 "ptxas info    : 0 bytes gmem\n"
                 "ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90a'\n"
                 "ptxas info    : Function properties for _Z1kPf\n"
                 "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                 "ptxas info    : Used 8 registers, used 0 barriers\n",
                 "/tmp/gks-a1");
    const auto all = readDiagnostics(words);
    QCOMPARE(all.size(), std::size_t{2});
    QCOMPARE(all[0].text, std::string("#warning plain words [-Wcpp]"));
    QVERIFY(all[1].line == 4 && all[1].kind == DiagnosticKind::warning && all[1].isOfKernel);
    const auto kernels = readPtxasReport(words);
    QCOMPARE(kernels.size(), std::size_t{1});
    QCOMPARE(kernels[0].symbol, std::string("_Z1kPf"));
    QCOMPARE(kernels[0].registers, 8);
}

void TargetMachineCode::theFirstErrorWithAPlaceSaysWhy() {
    QCOMPARE(firstErrorLine("warned\nld.lld: error: no f\nkernel.hip:3:1: error: x\n"),
             std::string_view("kernel.hip:3:1: error: x"));
    QCOMPARE(firstErrorLine("warned\nld.lld: error: no f\n"), std::string_view("ld.lld: error: no f"));
    QCOMPARE(firstErrorLine("\n  killed\n"), std::string_view("killed"));
}

void TargetMachineCode::sourcesThatNameTheirOwnLines() {
    QVERIFY(namesItsOwnLines("int a;\n  #  line 7 \"x\"\n"));
    QVERIFY(namesItsOwnLines("# 7 \"x\"\n"));
    QVERIFY(!namesItsOwnLines("#include <x>\n#\n// #line 7\n"));
}

void TargetMachineCode::theFunctionOfALine() {
    const std::string source = "int a;\n"                                               // 1
                               "template<int N>\n"                                      // 2
                               "__global__ void __launch_bounds__(256) first(int* p,\n" // 3
                               "                                            int n) {\n" // 4
                               "    if (n) { *p = N; }\n"                               // 5
                               "}\n"                                                    // 6
                               "int between();\n"                                       // 7
                               "__global__ void second();\n"                            // 8
                               "int after() { return 1; }\n"                            // 9
                               "__global__ void third(float x) {";                      // 10
    const std::vector<std::string> expected = {"", "", "first", "first", "first", "first", "", "second", "", "third"};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        QCOMPARE(globalFunctionAt(source, static_cast<int>(i) + 1), expected[i]);
    }
    QCOMPARE(globalFunctionAt(source, 4000), std::string());
    QCOMPARE(globalFunctionAt("__global__", 1), std::string());
    QCOMPARE(bareFunctionName("void (anonymous namespace)::first<64>(int*, int)"), std::string("first"));
    QCOMPARE(bareFunctionName("ns::gemm(Problem)"), std::string("gemm"));
    QCOMPARE(bareFunctionName(""), std::string());
}

void TargetMachineCode::theNextStepOfOccupancy() {
    const auto kernel = [](int vgprs, int agprs, int ldsBytes) {
        KernelResources one;
        one.vgprs = vgprs;
        one.agprs = agprs;
        one.ldsBytes = ldsBytes;
        one.maxWorkgroupSize = 256;
        one.occupancyWavesPerSimd = occupancyWavesPerSimd("gfx942", vgprs, agprs, ldsBytes, 256);
        return one;
    };
    // 512 registers in granules of 8: five waves of 96 to 102, six of 80 to 85.
    QVERIFY(nextOccupancyStep("gfx942", kernel(96, 0, 0)) == (OccupancyStep{6, 80, 0}));
    QCOMPARE(occupancyText("gfx942", kernel(96, 0, 0)), std::string("VGPR 96: 5 waves; 80 would give 6"));
    QVERIFY(!nextOccupancyStep("gfx942", kernel(40, 0, 0)));
    QCOMPARE(occupancyText("gfx942", kernel(40, 0, 0)), std::string("VGPR 40: 8 waves"));
    const auto step = nextOccupancyStep("gfx942", kernel(32, 0, 40000));
    QVERIFY(step && step->ldsBytes > 0);
    QCOMPARE(occupancyWavesPerSimd("gfx942", 32, 0, step->ldsBytes, 256), step->waves);
    QVERIFY(occupancyWavesPerSimd("gfx942", 32, 0, step->ldsBytes + 1, 256) < step->waves);
    QVERIFY(!nextOccupancyStep("unknown", kernel(96, 0, 0)));
    KernelResources unknown = kernel(96, 0, 0);
    unknown.occupancyWavesPerSimd = 0;
    QVERIFY(occupancyText("unknown", unknown).empty());
}

// As nvdisasm 13.0 prints two kernels that nvcc made for sm_90a.
void TargetMachineCode::codeOfNvidiaDevices() {
    const auto text = readFile(GKS_SOURCE_DIR "/tests/data/sass.txt");
    QVERIFY(text);
    const auto code = readSass(*text, "sm_90a");
    QVERIFY(code);
    QCOMPARE(code->functions.size(), std::size_t{2});
    QCOMPARE(code->functions[0].name, std::string("void add<7>(float*)"));
    const MachineFunction& scale = code->functions[1];
    QCOMPARE(scale.instructions.back().text, std::string("EXIT")); // what pads it is none of it
    QCOMPARE(scale.instructions.back().line, 9);
    QCOMPARE(scale.instructions[1].text, std::string("S2R R5, SR_CTAID.X"));
    QCOMPARE(scale.instructions[1].line, 3);
    QCOMPARE(scale.instructions[1].offset, std::uint64_t{0x10});
    const auto costs = costsOf(MachineCode{"sm_90a", {scale}});
    QCOMPARE(costs.at(InstructionCost::globalMemory), 2);
    QCOMPARE(costs.at(InstructionCost::lds), 2);
    QCOMPARE(costs.at(InstructionCost::barrier), 1);
    QCOMPARE(costs.at(InstructionCost::branch), 2);
    QVERIFY(!costs.contains(InstructionCost::matrix)); // HFMA2.MMA makes a zero
    QCOMPARE(costOfSass("@P0 HGMMA.64x128x16.F32 R24, gdesc[UR4], R24"), InstructionCost::matrix);
    QCOMPARE(costOfSass("WARPGROUP.DEPBAR.LE gsb0, 0x0"), InstructionCost::wait);
    QCOMPARE(normalizedNvidiaInstruction("@!P0 LDG.E R0, desc[UR6][R2.64]"),
             std::string("@!P LDG.E R, desc[UR][R.64]"));
    QVERIFY(normalizedListing(*code).find("    STS [R], R\n") != std::string::npos);
    const auto loop = readSass(".text.f:\n.L_x_1:\n        /*0000*/  NOP ;\n        /*0010*/  @P0 BRA `(.L_x_1) ;\n"
                               "        /*0020*/  EXIT ;\n",
                               "sm_90a");
    QVERIFY(loop);
    QCOMPARE(loop->functions[0].instructions[1].text, std::string("@P0 BRA <+0x0>"));
    QVERIFY(!readSass("", "sm_90a"));
    QVERIFY(!readSass("        /*0000*/  EXIT ;\n", "sm_90a")); // of no function
}

void TargetMachineCode::ptxWhereNothingReadsSass() {
    const auto code = readPtx(".visible .entry _Z5scalePfPKfi(\n\t.param .u64 _Z5scalePfPKfi_param_0\n)\n{\n"
                              "\t.reg .f32 \t%f<7>;\n\t.loc\t1 4 5\n\t@%p1 bra \t$L__BB0_2;\n"
                              "\tld.global.f32 \t%f6, [%rd5];\n$L__BB0_2:\n\t.loc\t2 268 1\n"
                              "\tbar.sync \t0;\n{ .reg .pred p; mma.sync.aligned.m16n8k16.row.col {%r1},\n{%r2}; }\n}\n"
                              "\t.file\t1 \"/tmp/kernel.hip\"\n\t.file\t2 \"/usr/include/hip.h\"\n",
                              "PTX for sm_90a");
    QVERIFY(code);
    QCOMPARE(code->functions[0].name, std::string("scale(float*, float const*, int)"));
    const auto& all = code->functions[0].instructions;
    QCOMPARE(all.size(), std::size_t{4});
    QCOMPARE(all[1].text, std::string("ld.global.f32 %f6, [%rd5]"));
    QCOMPARE(all[1].line, 4);
    QCOMPARE(all[1].cost, InstructionCost::globalMemory);
    QCOMPARE(all[2].place, std::string("hip.h:268"));
    QCOMPARE(all[3].cost, InstructionCost::matrix);
    QCOMPARE(normalizedNvidiaInstruction("add.s64 %rd5, %rd3, 4"), std::string("add.s64 %rd, %rd, 4"));
}

QTEST_APPLESS_MAIN(TargetMachineCode)
#include "target_machine_code.moc"
