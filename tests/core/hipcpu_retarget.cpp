// SPDX-License-Identifier: GPL-3.0-or-later
// The retargeter on small device modules written as IR: what becomes of LDS, arguments, fences, intrinsics. The device
// library is the real one; the result is looked at as final IR.
#include "core/base/text.h"
#include "core/hipcpu/retarget/fibre_turns.h"
#include "tests/core/hipcpu_device_ir.h"

#include <fmt/format.h>

namespace fs = std::filesystem;
using namespace gks;
using namespace gks::hipcpu;

class HipcpuRetarget : public DeviceIr {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { makeFolder(); }

    void staticLdsHasOneLayoutPerKernel() {
        const Retargeted r = run(R"(
@big = internal addrspace(3) global [1000 x i8] undef, align 1
@aligned = internal addrspace(3) global [4 x double] undef, align 16
define amdgpu_kernel void @both(ptr addrspace(1) %p) {
  store double 1.0, ptr addrspacecast (ptr addrspace(3) @aligned to ptr)
  %b = load i8, ptr addrspacecast (ptr addrspace(3) @big to ptr)
  call void @llvm.amdgcn.s.barrier()
  store i8 %b, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @one(ptr addrspace(1) %p) {
  call void @llvm.amdgcn.s.barrier()
  %b = load i8, ptr addrspace(3) @big
  store i8 %b, ptr addrspace(1) %p
  ret void
})");
        QVERIFY2(r.outcome, message(r));
        QCOMPARE(kernel(r, "both").staticLdsBytes, 1008U + 32U);
        QCOMPARE(kernel(r, "one").staticLdsBytes, 1000U);
        QVERIFY(!kernel(r, "one").usesDynamicLds);
    }

    void dynamicLdsBeginsBehindStaticLds() {
        const Retargeted r = run(R"(
@fixed = internal addrspace(3) global [10 x i32] undef, align 4
@dynamic = external addrspace(3) global [0 x float], align 4
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(3) @fixed
  call void @llvm.amdgcn.s.barrier()
  %v = load float, ptr addrspace(3) @dynamic
  store float %v, ptr addrspace(1) %p
  ret void
})");
        QVERIFY2(r.outcome, message(r));
        QVERIFY(kernel(r, "k").usesDynamicLds);
        QCOMPARE(kernel(r, "k").staticLdsBytes, 1024U);
        QVERIFY2(body(r, "hipcpu_thread.k").find("ptr %lds, i64 1024") != std::string::npos, r.ir.c_str());
    }

    void ldsBeyondTheLimitIsTheKernelsFault() {
        const Retargeted r = run(R"(
@a = internal addrspace(3) global [40000 x i8] undef, align 4
@b = internal addrspace(3) global [40000 x i8] undef, align 4
define amdgpu_kernel void @_Z1kPi(ptr addrspace(1) %p) {
  store i8 1, ptr addrspace(3) @a
  store i8 1, ptr addrspace(3) @b
  call void @llvm.amdgcn.s.barrier()
  ret void
})");
        QVERIFY(!r.outcome);
        QVERIFY(r.outcome.error().kind == ErrorKind::kernel);
        QCOMPARE(r.outcome.error().what, std::string("local memory (80000) exceeds limit (65536) in 'k(int*)'"));
    }

    void ldsAddressesAreOffsets() {
        const Retargeted r = run(R"(
@pad = internal addrspace(3) global [64 x i8] undef, align 64
@target = internal addrspace(3) global [16 x i32] undef, align 64
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  store i8 1, ptr addrspace(3) @pad
  call void @llvm.amdgcn.s.barrier()
  store i32 ptrtoint (ptr addrspace(3) @target to i32), ptr addrspace(1) %p
  ret void
})");
        QVERIFY2(r.outcome, message(r));
        QVERIFY2(body(r, "hipcpu_thread.k").find("store i32 64, ptr") != std::string::npos, r.ir.c_str());
    }

    void aggregatesAreTakenFromTheArgumentStorage() {
        const Retargeted r = run(R"(
%pair = type { ptr addrspace(1), i32 }
define amdgpu_kernel void @k(ptr addrspace(4) noundef byref(%pair) align 8 %aggregate, i1 %flag) {
  %address = load ptr, ptr addrspace(4) %aggregate
  %field = getelementptr %pair, ptr addrspace(4) %aggregate, i32 0, i32 1
  %n = load i32, ptr addrspace(4) %field
  %w = select i1 %flag, i32 %n, i32 0
  store i32 %w, ptr %address
  ret void
})");
        QVERIFY2(r.outcome, message(r));
        QVERIFY(kernel(r, "k").loops);
        // Sizes 16 and 1, as the launch copies them.
        QVERIFY2(r.ir.find("[2 x i32] [i32 16, i32 1]") != std::string::npos, r.ir.c_str());
        QVERIFY2(r.ir.find("load i1") == std::string::npos, "a bool is a byte in memory");
    }

    void deviceVariablesAreListed() {
        const Retargeted r = run(R"(
@counter = protected addrspace(1) externally_initialized global i32 7, align 4
@table = protected addrspace(4) externally_initialized constant [4 x float] zeroinitializer, align 16
@unseen = internal addrspace(1) global i32 3
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %v = load float, ptr addrspace(4) @table
  store float %v, ptr addrspace(1) %p
  ret void
})");
        QVERIFY2(r.outcome, message(r));
        QVERIFY(r.ir.find("c\"counter\\00\"") != std::string::npos);
        QVERIFY(r.ir.find("c\"table\\00\"") != std::string::npos);
        QVERIFY(r.ir.find("unseen") == std::string::npos);
        QVERIFY2(body(r, "hipcpu_thread.k").find("load float, ptr @") != std::string::npos,
                 "what the host may write is not folded");
    }

    void fencesNextToABarrierGo() {
        const char* text = R"(
define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  store volatile i32 1, ptr addrspace(1) %p
  fence seq_cst
  call void @llvm.amdgcn.s.barrier()
  fence seq_cst
  store volatile i32 2, ptr addrspace(1) %q
  FENCE
  store volatile i32 3, ptr addrspace(1) %q
  ret void
})";
        const Retargeted without = run(replaceAll(text, "FENCE", ""));
        QVERIFY2(without.outcome, message(without));
        QCOMPARE(count(body(without, "hipcpu_thread.k"), "fence"), 0);
        const Retargeted with = run(replaceAll(text, "FENCE", "fence syncscope(\"agent\") seq_cst"));
        QCOMPARE(count(body(with, "hipcpu_thread.k"), "fence seq_cst"), 1);
        const Retargeted block = run(replaceAll(text, "FENCE", "fence syncscope(\"workgroup\") seq_cst"));
        QCOMPARE(count(body(block, "hipcpu_thread.k"), "fence seq_cst"), 0);
    }

    void atomicsOnLdsAreOrdinary() {
        const Retargeted r = run(R"(
@bin = internal addrspace(3) global i32 undef, align 4
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %a = atomicrmw add ptr addrspace(3) @bin, i32 1 syncscope("agent") monotonic
  call void @llvm.amdgcn.s.barrier()
  %b = atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("workgroup") monotonic
  ret void
})");
        QVERIFY2(r.outcome, message(r));
        QCOMPARE(count(body(r, "hipcpu_thread.k"), "atomicrmw"), 1);
    }

    // A CPU faults at an address that is less aligned than was promised; the device does not, except for atomics.
    void vectorsNeedTheAlignmentOfTheirElements() {
        const Retargeted r = run(R"(
@w = internal addrspace(3) global [2 x [129 x float]] undef, align 4
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
define amdgpu_kernel void @k(ptr addrspace(1) %p, <4 x float> %v) {
  store volatile <4 x float> %v, ptr addrspace(1) %p, align 16
  %wide = load volatile i128, ptr addrspace(1) %p, align 16
  %half = load volatile <8 x half>, ptr addrspace(1) %p, align 16
  %one = load volatile i64, ptr addrspace(1) %p, align 8
  store atomic volatile i64 1, ptr addrspace(1) %p syncscope("agent") monotonic, align 8
  call void @llvm.amdgcn.s.barrier()
  ret void
})");
        QVERIFY2(r.outcome, message(r));
        const std::string thread = body(r, "hipcpu_thread.k");
        QVERIFY2(thread.find("store volatile <4 x float> %") != std::string::npos, thread.c_str());
        QCOMPARE(count(thread, "align 16"), 0);
        for (const char* line : {"align 4", "load volatile i128, ptr", "load volatile <8 x half>, ptr"}) {
            QVERIFY2(thread.find(line) != std::string::npos, thread.c_str());
        }
        QCOMPARE(count(thread, "monotonic, align 8"), 1);
    }

    void everyCrossLaneCallHasASiteOfItsOwn() {
        const Retargeted r = run(R"(
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
define internal i32 @twice(i32 %v) {
  %a = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)
  ret i32 %a
}
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %odd = trunc i32 %x to i1
  br i1 %odd, label %left, label %right
left:
  %l = call i32 @twice(i32 %x)
  br label %end
right:
  %r = call i32 @twice(i32 %x)
  br label %end
end:
  %v = phi i32 [ %l, %left ], [ %r, %right ]
  store i32 %v, ptr addrspace(1) %p
  ret void
})");
        QVERIFY2(r.outcome, message(r));
        const std::string thread = body(r, "hipcpu_thread.k");
        for (const unsigned site : {siteStep, 2 * siteStep}) {
            QVERIFY2(thread.find(fmt::format("inttoptr (i64 {} to ptr)", site)) != std::string::npos, thread.c_str());
        }
    }

    void unknownIntrinsicIsNamedWithItsKernel() {
        const Retargeted r = run(R"(
declare void @llvm.amdgcn.ds.gws.init(i32, i32)
define internal void @inner() {
  call void @llvm.amdgcn.ds.gws.init(i32 1, i32 0)
  ret void
}
define amdgpu_kernel void @_Z5outerPf(ptr addrspace(1) %p) {
  call void @inner()
  ret void
})");
        QVERIFY(!r.outcome);
        QVERIFY(r.outcome.error().kind == ErrorKind::kernel);
        QCOMPARE(
            r.outcome.error().what,
            std::string(
                "error: inner: llvm.amdgcn.ds.gws.init is not supported on the cpu target (used by outer(float*))"));
    }

    // What would put untranslated code of the source's choice into a module.
    void codeThatWasNotTranslatedIsRefused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("assembly that jumps")
            << R"(
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  callbr void asm sideeffect "syscall", "!i"() to label %on [label %off]
on:
  ret void
off:
  ret void
})"
            << "k: jumps to labels from assembly or through a variable are not supported";
        QTest::newRow("assembly at file scope") << R"(
module asm "syscall"
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  ret void
})" << "assembly at file scope is not supported on the cpu target: \"syscall";
        QTest::newRow("jump through a variable")
            << R"(
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %a = load ptr, ptr addrspace(1) %p
  indirectbr ptr %a, [label %on]
on:
  ret void
})"
            << "k: jumps to labels from assembly or through a variable are not supported";
        QTest::newRow("an instruction of this processor") << R"(
declare void @llvm.x86.int(i8 immarg)
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  call void @llvm.x86.int(i8 128)
  ret void
})" << "llvm.x86.int is not supported on the cpu target (used by k)";
        QTest::newRow("a jump that no processor owns") << R"(
declare void @llvm.eh.sjlj.longjmp(ptr)
define amdgpu_kernel void @k(ptr %p) {
  call void @llvm.eh.sjlj.longjmp(ptr %p)
  unreachable
})" << "llvm.eh.sjlj.longjmp is not supported on the cpu target (used by k)";
        QTest::newRow("a call through a frame in memory") << R"(
declare void @llvm.coro.resume(ptr)
define amdgpu_kernel void @k(ptr %p) {
  call void @llvm.coro.resume(ptr %p)
  ret void
})" << "llvm.coro.resume is not supported on the cpu target (used by k)";
        QTest::newRow("an intrinsic that LLVM does not know") << R"(
declare float @llvm.amdgcn.mfma.f32.9x9x9f16()
define amdgpu_kernel void @k(ptr %p) {
  %f = call float @llvm.amdgcn.mfma.f32.9x9x9f16()
  store float %f, ptr %p
  ret void
})" << "llvm.amdgcn.mfma.f32.9x9x9f16 is not supported on the cpu target (used by k)";
        QTest::newRow("a service as a variable") << R"(
@hipcpu_mfma = external addrspace(1) global i32
define amdgpu_kernel void @k(ptr %p) {
  store ptr addrspacecast (ptr addrspace(1) @hipcpu_mfma to ptr), ptr %p
  ret void
})" << "hipcpu_mfma is not provided to device code by the cpu target";
        QTest::newRow("a fence of another form") << R"(
declare void @__atomic_work_item_fence()
define amdgpu_kernel void @k(ptr %p) {
  call void @__atomic_work_item_fence()
  ret void
})" << "__atomic_work_item_fence is not supported on the cpu target (used by k)";
        const char* const odd = "the symbol of a kernel holds a character that no identifier has";
        QTest::newRow("a name of two lines") << R"(
define amdgpu_kernel void @"k\0Afaster: 9x"() {
  ret void
})" << odd;
        QTest::newRow("a name that is no text") << R"(
define amdgpu_kernel void @"k\FF"() {
  ret void
})" << odd;
    }

    // A kernel that defines what the guard of calls ends in, under every name that this could have.
    void namesOfKernelsAreNobodyElses() {
        const Retargeted r = run(R"(
@hipcpu.indirect = internal addrspace(1) global i32 3
define internal void @hipcpu_fail(ptr %x) section ".data.code" {
  ret void
}
define internal void @"\01hipcpu_barrier"() {
  ret void
}
define internal i32 @hipcpu_amdgcn_workitem_id_x() naked {
  ret i32 7
}
define amdgpu_kernel void @hipcpu_mfma(ptr addrspace(1) %p) section ".data.code" {
  %f = load ptr, ptr addrspace(1) %p
  call void @hipcpu_fail(ptr null)
  call void @"\01hipcpu_barrier"()
  %own = call i32 @hipcpu_amdgcn_workitem_id_x()
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %v = load i32, ptr addrspace(1) @hipcpu.indirect
  %sum = add i32 %own, %v
  call void @llvm.amdgcn.s.barrier()
  %w = call i32 %f(i32 %x, i32 %sum)
  store i32 %w, ptr addrspace(1) %p
  ret void
})");
        QVERIFY2(r.outcome, message(r));
        QVERIFY2(r.ir.find("\ndeclare void @hipcpu_fail(ptr") != std::string::npos, r.ir.c_str());
        QVERIFY(r.ir.find("\ndeclare void @hipcpu_barrier()") != std::string::npos);
        QVERIFY2(r.ir.find("section") == std::string::npos, r.ir.c_str());
        const std::string thread = body(r, "hipcpu_thread.hipcpu_mfma");
        const std::size_t end = thread.find("call void @hipcpu_fail(");
        QVERIFY2(end != std::string::npos, thread.c_str()); // the only function that it could lead to does not exist
        QVERIFY2(thread.find("call void @hipcpu_barrier()") < end, thread.c_str());
    }
    void codeThatWasNotTranslatedIsRefused() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const Retargeted r = run(text.toStdString());
        QVERIFY(!r.outcome);
        QVERIFY(r.outcome.error().kind == ErrorKind::kernel);
        QVERIFY2(r.outcome.error().what.find(message.toStdString()) != std::string::npos,
                 r.outcome.error().what.c_str());
    }

    void anIndirectCallIsAskedForFirst() {
        const Retargeted r = run(R"(
define internal i32 @one(i32 %x) {
  ret i32 1
}
define internal i32 @two(i32 %x) {
  ret i32 2
}
@both = internal addrspace(4) constant [2 x ptr] [ptr @one, ptr @two]
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %i = load i32, ptr addrspace(1) %p
  %at = getelementptr ptr, ptr addrspace(4) @both, i32 %i
  %f = load ptr, ptr addrspace(4) %at
  %v = call i32 %f(i32 %x)
  store i32 %v, ptr addrspace(1) %p
  ret void
})");
        QVERIFY2(r.outcome, message(r));
        const std::string thread = body(r, "hipcpu_thread.k");
        const std::size_t call = thread.find("call i32 %f.i(");
        QVERIFY2(call != std::string::npos, thread.c_str());
        for (const char* question : {"icmp eq ptr %f.i, @device.one", "icmp eq ptr %f.i, @device.two"}) {
            QVERIFY2(thread.find(question) < call, thread.c_str());
        }
    }

    // Nothing is left for which x86 has only functions of a compiler's library.
    void bfloatIsComputedInFloat() {
        const Retargeted r = run(R"(
define amdgpu_kernel void @k(ptr addrspace(1) %p, double %d, i32 %i) {
  %a = load <2 x bfloat>, ptr addrspace(1) %p
  %b = fmul <2 x bfloat> %a, %a
  %c = fptrunc double %d to bfloat
  %e = sitofp i32 %i to bfloat
  %f = fadd bfloat %c, %e
  %g = insertelement <2 x bfloat> %b, bfloat %f, i32 0
  store <2 x bfloat> %g, ptr addrspace(1) %p
  ret void
})");
        QVERIFY2(r.outcome, message(r));
        const std::string code = body(r, "hipcpu_thread.k");
        for (const char* left : {"fmul <2 x bfloat>", "fadd bfloat", "sitofp i32 %i to bfloat"}) {
            QVERIFY2(code.find(left) == std::string::npos, code.c_str());
        }
        QVERIFY2(code.find("fptrunc") == code.rfind("fptrunc"), code.c_str()); // of the double to a float
        QVERIFY2(code.find("fmul <2 x float>") != std::string::npos, code.c_str());
    }

    void brokenBitcodeIsNotTheKernelsFault() {
        const fs::path path = m_folder->path() / "broken.bc";
        QVERIFY(writeFileAtomically(path, "BC\xc0\xde rubbish").has_value());
        RetargetOptions options;
        options.deviceLibrary = fs::path(GKS_BINARY_DIR) / "lib/kernel-scientist/hipcpu_device.bc";
        const auto outcome = retarget(path, m_folder->path(), "out", options);
        QVERIFY(!outcome);
        QVERIFY(outcome.error().kind == ErrorKind::infrastructure);
    }
};

QTEST_APPLESS_MAIN(HipcpuRetarget)
#include "hipcpu_retarget.moc"
