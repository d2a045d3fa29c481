// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernels become loops over the threads of a block, and whether neighbouring threads share a vector register.
// What they compute is shown by tests/data/hip/regions.hip and the other programs.
#include "tests/core/hipcpu_device_ir.h"

#include <fmt/format.h>

using namespace gks::hipcpu;

class HipcpuRegions : public DeviceIr {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { makeFolder(); }

    void threadsBecomeLoops_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<bool>("loops");
        QTest::addColumn<bool>("vectorised");
        const auto row = [](const char* name, const char* code, bool loops, bool vectorised) {
            QTest::newRow(name) << QString(code) << loops << vectorised;
        };
        row("nothing to wait for", "store i32 %x, ptr addrspace(1) %at\nret void", true, true);
        row("between barriers", R"(
  %l = getelementptr [256 x i32], ptr addrspace(3) @tile, i32 0, i32 %x
  store i32 %x, ptr addrspace(3) %l
  call void @llvm.amdgcn.s.barrier()
  %m = xor i32 %x, 255
  %other = getelementptr [256 x i32], ptr addrspace(3) @tile, i32 0, i32 %m
  %v = load i32, ptr addrspace(3) %other
  store i32 %v, ptr addrspace(1) %at
  ret void)",
            true, true);
        row("a barrier in a loop of the block", R"(
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ %x, %entry ], [ %more, %loop ]
  call void @llvm.amdgcn.s.barrier()
  %more = add i32 %sum, %i
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  store i32 %more, ptr addrspace(1) %at
  ret void)",
            true, true);
        row("a loop of the block without one", R"(
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %f = uitofp i32 %x to float
  %more = fadd float %sum, %f
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  store float %more, ptr addrspace(1) %at
  ret void)",
            true, true);
        // As of float2, which a thread keeps between two regions.
        row("a pair behind a barrier", R"(
  %pairs = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %x
  %pair = load <2 x float>, ptr addrspace(1) %pairs, align 8
  %more = fadd <2 x float> %pair, <float 1.0, float 2.0>
  call void @llvm.amdgcn.s.barrier()
  %product = fmul <2 x float> %more, %pair
  store <2 x float> %product, ptr addrspace(1) %pairs, align 8
  ret void)",
            true, true);
        row("threads that end before the others", R"(
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %work, label %end
work:
  call void @llvm.amdgcn.s.barrier()
  store i32 %x, ptr addrspace(1) %at
  br label %end
end:
  ret void)",
            true, true);
        row("a barrier after a vote of the block", R"(
  %odd = and i32 %x, %n
  %outcome = call i32 @__ockl_wgred_or_i32(i32 %odd)
  %any = icmp ne i32 %outcome, 0
  br i1 %any, label %wait, label %end
wait:
  call void @llvm.amdgcn.s.barrier()
  store i32 %x, ptr addrspace(1) %at
  br label %end
end:
  call void @llvm.amdgcn.s.barrier()
  ret void)",
            true, true);
        row("a shuffle on one side of a branch", R"(
  %few = icmp slt i32 %x, %n
  br i1 %few, label %some, label %all
some:
  %w = call i32 @llvm.amdgcn.ds.bpermute(i32 4, i32 %x)
  br label %all
all:
  %v = phi i32 [ %x, %entry ], [ %w, %some ]
  call void @llvm.amdgcn.s.barrier()
  store i32 %v, ptr addrspace(1) %at
  ret void)",
            true, true);
        row("shuffles in a loop that threads leave one by one", R"(
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ %x, %entry ], [ %more, %loop ]
  %w = call i32 @llvm.amdgcn.ds.bpermute(i32 4, i32 %sum)
  %more = add i32 %sum, %w
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %x
  br i1 %again, label %loop, label %end
end:
  call void @llvm.amdgcn.s.barrier()
  store i32 %more, ptr addrspace(1) %at
  ret void)",
            true, true);
        // The other waves of the block have to go on meanwhile.
        row("a wave that spins until another one has written", R"(
  br label %loop
loop:
  %flag = load atomic i32, ptr addrspace(1) %p syncscope("agent") monotonic, align 4
  %w = call i32 @llvm.amdgcn.ds.bpermute(i32 4, i32 %flag)
  %again = icmp slt i32 %w, %n
  br i1 %again, label %loop, label %end
end:
  call void @llvm.amdgcn.s.barrier()
  store i32 %w, ptr addrspace(1) %at
  ret void)",
            false, false);
        row("a shuffle and a barrier on one side of a branch", R"(
  %few = icmp slt i32 %x, %n
  br i1 %few, label %some, label %all
some:
  %w = call i32 @llvm.amdgcn.ds.bpermute(i32 4, i32 %x)
  call void @llvm.amdgcn.s.barrier()
  br label %all
all:
  %v = phi i32 [ %x, %entry ], [ %w, %some ]
  call void @llvm.amdgcn.s.barrier()
  store i32 %v, ptr addrspace(1) %at
  ret void)",
            false, false);
        // Only some of the threads come to the barrier: what happens then is decided while it runs.
        row("barriers on both sides", R"(
  %odd = trunc i32 %x to i1
  br i1 %odd, label %left, label %right
left:
  call void @llvm.amdgcn.s.barrier()
  store i32 1, ptr addrspace(1) %at
  br label %end
right:
  call void @llvm.amdgcn.s.barrier()
  store i32 2, ptr addrspace(1) %at
  br label %end
end:
  ret void)",
            false, false);
        row("a loop that threads leave one by one", R"(
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.amdgcn.s.barrier()
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %x
  br i1 %again, label %loop, label %end
end:
  call void @llvm.amdgcn.s.barrier()
  store i32 %i, ptr addrspace(1) %at
  ret void)",
            false, false);
    }

    void threadsBecomeLoops() {
        QFETCH(QString, code);
        QFETCH(bool, loops);
        QFETCH(bool, vectorised);
        const Retargeted r = run((R"(
@tile = internal addrspace(3) global [256 x i32] undef, align 4
declare i32 @__ockl_wgred_or_i32(i32)
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
)" + code.toStdString() + "\n}")
                                     .c_str());
        QVERIFY2(r.outcome, message(r));
        QCOMPARE(kernel(r, "k").loops, loops);
        if (loops) {
            QVERIFY2(isVectorised(r) == vectorised, r.ir.c_str());
        }
    }

    // A block of 16 threads in a row: what is computed from an index is taken apart, so that neighbours stay
    // neighbours.
    void rowsOfATileStayNeighbours() {
        const Retargeted r = run(R"(
@tile = internal addrspace(3) global [16 x [16 x float]] undef, align 4
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %column = srem i32 %x, 16
  %row = sdiv i32 %x, 16
  %l = getelementptr [16 x [16 x float]], ptr addrspace(3) @tile, i32 0, i32 %row, i32 %column
  %f = sitofp i32 %x to float
  store float %f, ptr addrspace(3) %l
  call void @llvm.amdgcn.s.barrier()
  %v = load float, ptr addrspace(3) %l
  %at = getelementptr float, ptr addrspace(1) %p, i32 %x
  store float %v, ptr addrspace(1) %at
  ret void
})");
        QVERIFY2(r.outcome, message(r));
        QVERIFY2(isVectorised(r), r.ir.c_str());
        QVERIFY2(r.ir.find("call <16 x float> @llvm.masked") == std::string::npos, "neither gathered nor scattered");
    }

    // Eight values for each row of 16 threads: a strip reads one of them, whichever way its index is written.
    void aStripReadsWhatItSharesOnce() {
        for (const char* index :
             {"%row = lshr i32 %x, 4\n%i = shl i32 %row, 3", "%h = lshr i32 %x, 1\n%i = and i32 %h, 504"}) {
            const Retargeted r = run(fmt::format(R"(
@tile = internal addrspace(3) global [512 x float] undef, align 4
define amdgpu_kernel void @k(ptr addrspace(1) %p) {{
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  {}
  %l = getelementptr [512 x float], ptr addrspace(3) @tile, i32 0, i32 %i
  call void @llvm.amdgcn.s.barrier()
  %next = getelementptr float, ptr addrspace(3) %l, i32 1
  %at = getelementptr float, ptr addrspace(1) %p, i32 %x
  %own = load float, ptr addrspace(1) %at
  %v = load float, ptr addrspace(3) %l
  %w = load float, ptr addrspace(3) %next
  %product = fmul float %own, %v
  %sum = fadd float %product, %w
  store float %sum, ptr addrspace(1) %at
  ret void
}})",
                                                 index));
            QVERIFY2(r.outcome, message(r));
            QVERIFY2(isVectorised(r), r.ir.c_str());
            const std::string strips = body(r, "hipcpu_block.k.strips");
            QVERIFY2(strips.find("masked.gather") == std::string::npos, strips.c_str());
            QVERIFY2(strips.find("extractelement") == std::string::npos, strips.c_str());
            QVERIFY2(r.ir.find("optnone") == std::string::npos, "what is finished is left alone only so long");
        }
    }

    // The way into a loop and its turn lead to the same code, which is there once, and what the loop carries stays
    // where it is. Short code may be there twice.
    void theBodyOfALoopIsThereOnce() {
        for (const auto& [length, times] : {std::pair(80, 1), std::pair(4, 2)}) {
            std::string chain;
            for (int i = 0; i < length; ++i) {
                chain += fmt::format("  %c{} = fadd float %c{}, {}.0\n", i + 1, i, i);
            }
            const Retargeted r = run(fmt::format(R"(
@tile = internal addrspace(3) global [256 x float] undef, align 4
declare float @llvm.sqrt.f32(float)
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) {{
entry:
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr float, ptr addrspace(1) %p, i32 %x
  %l = getelementptr [256 x float], ptr addrspace(3) @tile, i32 0, i32 %x
  %m = xor i32 %x, 255
  %other = getelementptr [256 x float], ptr addrspace(3) @tile, i32 0, i32 %m
  %f = uitofp i32 %x to float
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ %f, %entry ], [ %more, %loop ]
  %c0 = call float @llvm.sqrt.f32(float %sum)
{}  store float %c{}, ptr addrspace(3) %l
  call void @llvm.amdgcn.s.barrier()
  %v = load float, ptr addrspace(3) %other
  %more = fadd float %sum, %v
  call void @llvm.amdgcn.s.barrier()
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  store float %more, ptr addrspace(1) %at
  ret void
}})",
                                                 chain, length));
            QVERIFY2(r.outcome, message(r));
            const std::string strips = body(r, "hipcpu_block.k.strips");
            QCOMPARE(count(strips, "@llvm.sqrt."), times);
            QCOMPARE(count(strips, "alloca float"), 1);
        }
    }

    // A tile in registers: its loops are unrolled although they tell of two reads each time, so that it becomes values.
    // Then each address is told once.
    void whatLoopsTellKeepsNoneTogether() {
        const Retargeted r = run(R"(
@tile = internal addrspace(3) global [2 x [1024 x float]] undef, align 4
declare void @llvm.memset.p5.i64(ptr addrspace(5), i8, i64, i1)
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
entry:
  %sum = alloca [4 x [4 x float]], align 4, addrspace(5)
  call void @llvm.memset.p5.i64(ptr addrspace(5) align 4 %sum, i8 0, i64 64, i1 false)
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %first = shl i32 %x, 2
  br label %rows
rows:
  %i = phi i32 [ 0, %entry ], [ %nextI, %row.end ]
  %isI = icmp slt i32 %i, 4
  br i1 %isI, label %columns, label %write
columns:
  %j = phi i32 [ 0, %rows ], [ %nextJ, %column ]
  %isJ = icmp slt i32 %j, 4
  br i1 %isJ, label %column, label %row.end
column:
  %ai = add i32 %first, %i
  %a.at = getelementptr [2 x [1024 x float]], ptr addrspace(3) @tile, i32 0, i32 0, i32 %ai
  %a = load float, ptr addrspace(3) %a.at
  %bj = add i32 %first, %j
  %b.at = getelementptr [2 x [1024 x float]], ptr addrspace(3) @tile, i32 0, i32 1, i32 %bj
  %b = load float, ptr addrspace(3) %b.at
  %product = fmul float %a, %b
  %s.at = getelementptr [4 x [4 x float]], ptr addrspace(5) %sum, i32 0, i32 %i, i32 %j
  %s = load float, ptr addrspace(5) %s.at
  %new = fadd float %s, %product
  store float %new, ptr addrspace(5) %s.at
  %nextJ = add nsw i32 %j, 1
  br label %columns
row.end:
  %nextI = add nsw i32 %i, 1
  br label %rows
write:
  %last.at = getelementptr [4 x [4 x float]], ptr addrspace(5) %sum, i32 0, i32 3, i32 3
  %last = load float, ptr addrspace(5) %last.at
  %at = getelementptr float, ptr addrspace(1) %p, i32 %x
  store float %last, ptr addrspace(1) %at
  ret void
})",
                                 true);
        QVERIFY2(r.outcome, message(r));
        QCOMPARE(count(body(r, "hipcpu_block.k.strips"), "@hipcpu_reads_of_block("), 8);
    }

    // By what they read, and in rows that are shorter than a strip.
    void whatSomeThreadsTouchIsToldInRows() {
        const Retargeted r = run(R"(
define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr float, ptr addrspace(1) %p, i32 %x
  %v = load float, ptr addrspace(1) %from
  %is = fcmp ogt float %v, 0.0
  br i1 %is, label %write, label %end
write:
  %to = getelementptr float, ptr addrspace(1) %q, i32 %x
  store float %v, ptr addrspace(1) %to
  br label %end
end:
  ret void
})",
                                 true);
        QVERIFY2(r.outcome, message(r));
        for (const char* form : {"strips", "rows"}) {
            const std::string code = body(r, std::string("hipcpu_block.k.") + form);
            QCOMPARE(count(code, "@hipcpu_reads_of_block("), 1);
            QCOMPARE(count(code, "@hipcpu_some_of_block("), 1);
            QCOMPARE(count(code, "@hipcpu_are_inside_of_block("), 1);
        }
    }
    // In a loop that all threads go through together.
    void addressesThatAreCountedOnAreToldInRows() {
        for (const auto& [step, isAlike] : {std::pair("%n", true), std::pair("%square", false)}) {
            const Retargeted r = run(fmt::format(R"(
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) {{
entry:
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %square = mul i32 %x, %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %nextI, %loop ]
  %c = phi i32 [ %x, %entry ], [ %nextC, %loop ]
  %at = getelementptr float, ptr addrspace(1) %p, i32 %c
  %v = load float, ptr addrspace(1) %at
  %more = fadd float %v, 1.0
  store float %more, ptr addrspace(1) %at
  %nextC = add i32 %c, {}
  %nextI = add i32 %i, 1
  %again = icmp slt i32 %nextI, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}})",
                                                 step),
                                     true);
            QVERIFY2(r.outcome, message(r));
            QCOMPARE(count(body(r, "hipcpu_block.k.strips"), "@hipcpu_writes_of_block("),
                     isAlike ? 2 : 1); // the first turn
        }
    }

    // Where it is known to lie inside, nobody looks at it.
    void placesInPrivateArraysAreToldWhereTheyAreUncertain() {
        for (const auto& [index, isTold] : {std::pair("%n", true), std::pair("%inside", false)}) {
            const Retargeted r = run(std::string(R"(
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %own = alloca [8 x i32], align 4, addrspace(5)
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %inside = and i32 %x, 7
  %to = getelementptr [8 x i32], ptr addrspace(5) %own, i32 0, i32 %inside
  store i32 %x, ptr addrspace(5) %to
  %from = getelementptr [8 x i32], ptr addrspace(5) %own, i32 0, i32 )") +
                                         index + R"(
  %v = load i32, ptr addrspace(5) %from
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
  store i32 %v, ptr addrspace(1) %at
  ret void
})",
                                     true);
            QVERIFY2(r.outcome, message(r));
            QCOMPARE(body(r, "hipcpu_block.k.strips").find("@hipcpu_private_of(") != std::string::npos, isTold);
        }
    }

private:
    // Neighbouring threads store together. The block's function may have taken the others in.
    static bool isVectorised(const Retargeted& r) {
        const std::string strips = body(r, "hipcpu_block.k.strips");
        const std::string code = strips.empty() ? body(r, "hipcpu_block.k") : strips;
        return code.find("store <16 x ") != std::string::npos || code.find("masked.store.v16") != std::string::npos;
    }
};

QTEST_APPLESS_MAIN(HipcpuRegions)
#include "hipcpu_regions.moc"
