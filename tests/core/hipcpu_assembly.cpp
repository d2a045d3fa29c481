// SPDX-License-Identifier: GPL-3.0-or-later
// Inline assembly of device IR: what becomes of it, and what is refused. What instructions compute is checked by the
// programs in tests/data/hip/assembly_*.hip.
#include "core/base/text.h"
#include "tests/core/hipcpu_device_ir.h"

using namespace gks;
using namespace gks::hipcpu;

class HipcpuAssembly : public DeviceIr {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { makeFolder(); }

    void inlineAssembly() {
        const Retargeted harmless = run(R"(
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  call void asm sideeffect "s_waitcnt vmcnt(0)\0A s_nop 1 ; comment", ""()
  %v = call i32 asm sideeffect "", "=v,0"(i32 5)
  store i32 %v, ptr addrspace(1) %p
  ret void
})");
        QVERIFY2(harmless.outcome, message(harmless));
        QVERIFY(body(harmless, "hipcpu_thread.k").find("store i32 5") != std::string::npos);
        const Retargeted waits = run(R"(
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  call void asm sideeffect "s_waitcnt lgkmcnt(0)\0A\09s_barrier ; all", ""()
  store i32 2, ptr addrspace(1) %p
  ret void
})");
        QVERIFY2(waits.outcome, message(waits));
        QVERIFY(body(waits, "hipcpu_thread.k").find("call void @hipcpu_barrier()") != std::string::npos);
        const Retargeted sum = run(R"(
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %v = call i32 asm sideeffect "v_add_u32 $0, $1, 7", "=v,v"(i32 35)
  store i32 %v, ptr addrspace(1) %p
  ret void
})");
        QVERIFY2(sum.outcome, message(sum));
        QVERIFY(body(sum, "hipcpu_thread.k").find("store i32 42") != std::string::npos);
    }

    // An immediate that is a parameter is a number like any other, or a constant once the function is inlined.
    void immediatesOfFunctions() {
        const Retargeted whole = run(R"(
define i32 @shifted(i32 %x, i32 %n) {
  %v = call i32 asm sideeffect "v_lshlrev_b32 $0, $1, $2", "=v,i,v"(i32 %n, i32 %x)
  ret i32 %v
}
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %v = call i32 @shifted(i32 5, i32 3)
  store i32 %v, ptr addrspace(1) %p
  ret void
})");
        QVERIFY2(whole.outcome, message(whole));
        QVERIFY(body(whole, "hipcpu_thread.k").find("store i32 40") != std::string::npos);
        const std::string ofControl = R"(
define i32 @moved(i32 %x, i32 %lanes) {
  %v = call i32 asm sideeffect "v_mov_b32_dpp $0, $1 row_bcast:$2 row_mask:0xf bank_mask:0xf", "=v,v,i"(i32 %x, i32 %lanes)
  ret i32 %v
}
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %v = call i32 @moved(i32 %id, i32 LANES)
  store i32 %v, ptr addrspace(1) %p
  ret void
})";
        const Retargeted control = run(replaceAll(ofControl, "LANES", "15"));
        QVERIFY2(control.outcome, message(control));
        const Retargeted variable = run(replaceAll(ofControl, "LANES", "%n"));
        QVERIFY(!variable.outcome);
        QVERIFY2(variable.outcome.error().what.find("k: inline assembly: ") != std::string::npos, message(variable));
    }

    // The text is anybody's: what LLVM's assembler does not take for one instruction a line goes nowhere.
    void inlineAssemblyThatIsRefused_data() {
        QTest::addColumn<QString>("statement");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const char* statement, const char* message) {
            QTest::newRow(name) << statement << message;
        };
        row("unknown name", "\"v_frobnicate_b32 $0, 1\", \"=v\"()",
            "k: inline assembly: gfx942's assembler says: invalid instruction");
        row("of another processor", "\"v_dot2acc_f32_f16 $0, v0, v1\", \"=v\"()",
            "k: inline assembly: gfx942's assembler says: ");
        row("not carried over", "\"s_getpc_b64 s[0:1]\\0Av_mov_b32 $0, 1\", \"=v\"()",
            "k: s_getpc_b64 in inline assembly is not supported on the cpu target");
        row("jump", "\"s_branch 16\", \"=v\"()", "k: s_branch in inline assembly is not supported on the cpu target");
        row("end", "\"s_endpgm\", \"=v\"()", "k: s_endpgm in inline assembly is not supported on the cpu target");
        row("register of nobody", "\"v_mov_b32 $0, v77\", \"=v\"()",
            "k: v_mov_b32 in inline assembly reads v77, which the statement has neither been handed nor written");
        row("jump to nowhere", "\"s_branch elsewhere\", \"=v\"()",
            "k: inline assembly: it jumps to elsewhere, which is no label of it");
        row("jump back to what follows", "\"s_branch 1b\\0A1: s_nop 0\", \"=v\"()", "it jumps to 1b");
        row("jump on to what was", "\"1: s_nop 0\\0As_branch 1f\", \"=v\"()", "it jumps to 1f");
        row("jump of a debugger", "\"1: s_cbranch_cdbgsys 1b\", \"=v\"()",
            "k: s_cbranch_cdbgsys in inline assembly is not supported on the cpu target");
        row("label that stands twice", "\"again: s_nop 0\\0Aagain: s_nop 0\", \"=v\"()",
            "the label again stands twice");
        row("directive behind a label", "\"1: .include \\22/etc/passwd\\22\", \"=v\"()", "is no instruction");
        row("unknown in a loop", "\"1: v_mov_b32 $0, v9\\0Av_mov_b32 v9, 1\\0As_branch 1b\", \"=v\"()",
            "k: v_mov_b32 in inline assembly reads v9, ");
        row("symbol", "\"v_mov_b32 $0, elsewhere\", \"=v\"()",
            "k: v_mov_b32 in inline assembly has the operand elsewhere, which is not supported");
        row("file", "\".include \\22/etc/passwd\\22\", \"=v\"()", "is no instruction");
        row("file behind a comment", "\"/* */ .incbin \\22/etc/passwd\\22\", \"=v\"()", "is no instruction");
        row("macro", "\".macro m\\0As_nop 0\\0A.endm\\0Am\", \"=v\"()", "is no instruction");
        row("repetition", "\".rept 1000000000\\0As_nop 0\\0A.endr\", \"=v\"()", "is no instruction");
        row("label", "\"again: s_nop 0\", \"=v\"()", "");
        row("assignment", "\"again = 5\", \"=v\"()", "is no instruction");
        row("half a comment", "\"s_nop 0 /* and\", \"=v\"()", "");
        row("operand that it does not have", "\"v_mov_b32 $0, $7\", \"=v\"()",
            "names an operand that it does not have");
        row("unknown constraint", "\"v_mov_b32 $0, 1\", \"=Q\"()", "has an output with the constraint Q");
        row("memory operand", "\"v_mov_b32 v0, $0\", \"*m\"(ptr addrspace(1) elementtype(i32) %p)",
            "has an operand in memory");
        row("too many registers", "\"s_nop 0\", \"=v,v,v\"(<256 x i32> zeroinitializer, <256 x i32> zeroinitializer)",
            "has an operand with the constraint v");
        row("byte 0", "\"s_nop 0\\00s_endpgm\", \"=v\"()", "k: ");
    }
    void inlineAssemblyThatIsRefused() {
        QFETCH(QString, statement);
        QFETCH(QString, message);
        const Retargeted result = run("define amdgpu_kernel void @k(ptr addrspace(1) %p) {\n  " +
                                      std::string(statement.contains(QLatin1String("\"*m\"")) ? "" : "%v = ") +
                                      "call " + (statement.contains(QLatin1String("\"*m\"")) ? "void" : "i32") +
                                      " asm sideeffect " + statement.toStdString() + "\n  ret void\n}");
        QCOMPARE(result.outcome.has_value(), message.isEmpty());
        if (!result.outcome) {
            const std::string& what = result.outcome.error().what;
            QVERIFY2(what.find(message.toStdString()) != std::string::npos, what.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(HipcpuAssembly)
#include "hipcpu_assembly.moc"
