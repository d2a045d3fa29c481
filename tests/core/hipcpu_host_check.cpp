// SPDX-License-Identifier: GPL-3.0-or-later
// What is refused in host code, and where the question about device memory is put, on small modules written as IR.
#include "core/hipcpu/retarget/host_check.h"

#include <QTest>
#ifndef Q_MOC_RUN // it loses its way in these
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#endif

using namespace gks;
using namespace gks::hipcpu;

class HipcpuHostCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void refusals_data() {
        QTest::addColumn<QByteArray>("ir");
        QTest::addColumn<QByteArray>("refusal");
        const auto function = [](const QByteArray& body) {
            return "define void @solve() {\n" + body + "\nret void\n}\n";
        };
        QTest::newRow("nothing") << function("") << QByteArray();
        QTest::newRow("compiler barrier") << function("call void asm sideeffect \"\", \"~{memory}\"()") << QByteArray();
        QTest::newRow("system call") << function("call void asm sideeffect \"syscall\", \"~{memory}\"()")
                                     << QByteArray("solve: inline assembly in host code is refused: \"syscall\"");
        QTest::newRow("file scope") << QByteArray("module asm \"stolen: .incbin \\22/etc/passwd\\22\"\n")
                                    << QByteArray("assembly at file scope is refused");
        QTest::newRow("symbol of the C++ library")
            << QByteArray("module asm \".globl _ZSt21ios_base_library_initv\"\n") << QByteArray();
        QTest::newRow("code as data") << QByteArray("@code = global [2 x i8] c\"\\0F\\05\", section \".text\"\n")
                                      << QByteArray("code: a section of its own is refused");
        QTest::newRow("own section") << QByteArray("@code = global i8 0, section \".mine\"\n")
                                     << QByteArray("a section of its own is refused");
        QTest::newRow("section of HIP") << QByteArray("@binary = global i8 0, section \".hipFatBinSegment\"\n")
                                        << QByteArray();
    }
    void refusals() {
        QFETCH(QByteArray, ir);
        QFETCH(QByteArray, refusal);
        const auto checked = checkHostCode(*parsed(ir));
        QCOMPARE(checked.has_value(), refusal.isEmpty());
        QVERIFY2(refusal.isEmpty() || checked.error().what.find(refusal.toStdString()) != std::string::npos,
                 checked ? "" : checked.error().what.c_str());
    }

    void questions_data() {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("questions");
        QTest::newRow("load") << QByteArray("%v = load float, ptr %p") << 1;
        QTest::newRow("twice the same") << QByteArray("%v = load float, ptr %p\nstore float %v, ptr %p") << 1;
        QTest::newRow("store behind an offset")
            << QByteArray("%q = getelementptr float, ptr %p, i64 5\nstore float 1.0, ptr %q") << 1;
        QTest::newRow("atomic") << QByteArray("%v = atomicrmw add ptr %p, i32 1 seq_cst") << 1;
        QTest::newRow("copy of two") << QByteArray("call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %r, i64 8, i1 false)")
                                     << 2;
        QTest::newRow("handed to a library") << QByteArray("call void @qsort(ptr %p)") << 1;
        QTest::newRow("handed to HIP") << QByteArray("call void @hipMemcpy(ptr %p)") << 0;
        QTest::newRow("handed to anybody") << QByteArray("call void %p(ptr %r)") << 1;
        QTest::newRow("own variable") << QByteArray("%own = alloca float\nstore float 1.0, ptr %own") << 0;
        QTest::newRow("global variable") << QByteArray("store float 1.0, ptr @global") << 0;
        QTest::newRow("fresh memory") << QByteArray("%new = call noalias ptr @malloc(i64 4)\nstore float 1.0, ptr %new")
                                      << 0;
        QTest::newRow("address out of a number")
            << QByteArray("%n = ptrtoint ptr %p to i64\n%q = inttoptr i64 %n to ptr\nstore float 1.0, ptr %q") << 1;
    }
    void questions() {
        QFETCH(QByteArray, body);
        QFETCH(int, questions);
        const auto module =
            parsed("@global = global float 0.0\ndeclare void @qsort(ptr)\ndeclare void @hipMemcpy(ptr)\n"
                   "declare noalias ptr @malloc(i64)\n"
                   "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
                   "define void @solve(ptr %p, ptr %r) {\n" +
                   body + "\nret void\n}\n");
        guardDeviceMemory(*module);
        int found = 0;
        for (const llvm::Instruction& instruction : llvm::instructions(*module->getFunction("solve"))) {
            const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            const llvm::Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
            found += callee != nullptr && callee->getName() == "__hipHostAccess" ? 1 : 0;
        }
        QCOMPARE(found, questions);
    }

private:
    std::unique_ptr<llvm::Module> parsed(const QByteArray& ir) {
        llvm::SMDiagnostic problem;
        auto module = llvm::parseAssemblyString(ir.toStdString(), problem, m_context);
        if (module == nullptr) {
            qFatal("%s", problem.getMessage().str().c_str());
        }
        return module;
    }

    llvm::LLVMContext m_context;
};

QTEST_APPLESS_MAIN(HipcpuHostCheck)
#include "hipcpu_host_check.moc"
