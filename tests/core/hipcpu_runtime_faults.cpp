// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/process.h"
#include "tests/core/hipcpu_module.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QTest>

#include <cstdio>
#include <cstring>

using namespace gks::hipcpu;
using namespace gks::hipcpu::test;

// What ends a process. The test starts itself with the name of a fault and reads what it leaves behind.

namespace {

constexpr std::uint32_t word = sizeof(void*);

void writePastTheEnd(void** arguments, ThreadContext* thread, char*) {
    auto* data = argument<std::int32_t*>(arguments, 0);
    const std::uint32_t i = thread->block->blockIndex[0] * thread->block->blockSize[0] + thread->threadIndex[0];
    data[i] = 1;
}

void readPastTheEnd(void** arguments, ThreadContext*, char*) {
    auto* data = argument<volatile char*>(arguments, 0);
    data[0] = static_cast<char>(data[45000] + data[45001]);
}

void writeBeforeTheStart(void** arguments, ThreadContext*, char*) {
    argument<volatile char*>(arguments, 0)[-5000] = 1;
}

void writePastLds(void**, ThreadContext* thread, char* lds) {
    static_cast<volatile char*>(lds)[2048 + thread->threadIndex[1]] = 1;
}

std::uint64_t recurse(std::uint64_t depth) {
    volatile char local[1024];
    std::memset(const_cast<char*>(local), static_cast<int>(depth), sizeof local);
    return depth == 0 ? 0 : recurse(depth - 1) + static_cast<std::uint64_t>(local[depth % sizeof local]);
}

void recurseDeeply(void** arguments, ThreadContext*, char*) {
    hipcpu_barrier();
    *argument<std::uint64_t*>(arguments, 0) = recurse(argument<std::uint64_t>(arguments, 1));
}

// The division must reach the processor, also where a sanitizer would speak first.
__attribute__((no_sanitize("undefined"))) void divideByZero(void** arguments, ThreadContext*, char*) {
    volatile int* data = argument<int*>(arguments, 0);
    *data = 100 / *data;
}

void trap(void**, ThreadContext*, char*) {
    __builtin_trap();
}

void fail(void**, ThreadContext*, char*) {
    hipcpu_fail("Assertion `i < n' failed");
}

constexpr MatrixInstruction fp8{
    32, 32, 16, 1, MatrixType::fp8, MatrixType::fp8, MatrixType::f32, 0, "mfma.f32.32x32x16.fp8.fp8"};

void matrixInBranch(void**, ThreadContext* thread, char*) {
    alignas(64) float c[16] = {};
    const std::uint64_t operand = 0;
    if (thread->lane < 40) {
        hipcpu_mfma(&fp8, &operand, &operand, c, nullptr, 0, 0, 0);
    } else {
        hipcpu_barrier();
    }
}

int runFault(const std::string& name) {
    const LoadedModule module{{{"writePastTheEnd", writePastTheEnd, {word}},
                               {"readPastTheEnd", readPastTheEnd, {word}},
                               {"writeBeforeTheStart", writeBeforeTheStart, {word}},
                               {"writePastLds", writePastLds, {}},
                               {"recurseDeeply", recurseDeeply, {word, 8}},
                               {"divideByZero", divideByZero, {word}},
                               {"trap", trap, {}},
                               {"fail", fail, {}},
                               {"matrixInBranch", matrixInBranch, {}}}};
    void* data = nullptr;
    hipMalloc(&data, 40000);
    hipMemset(data, 0, 40000);
    if (name == "past-end") {
        launch(writePastTheEnd, {40, 1, 1}, {256, 1, 1}, 0, nullptr, data);
    } else if (name == "read") {
        launch(readPastTheEnd, {1, 1, 1}, {1, 1, 1}, 0, nullptr, data);
    } else if (name == "before-start") {
        launch(writeBeforeTheStart, {1, 1, 1}, {1, 1, 1}, 0, nullptr, data);
    } else if (name == "past-lds") {
        launch(writePastLds, {1, 2, 1}, {1, 8, 1}, 2000, nullptr);
    } else if (name == "stack") {
        launch(recurseDeeply, {1, 1, 1}, {2, 1, 1}, 0, nullptr, data, std::uint64_t{1000});
    } else if (name == "divide") {
        launch(divideByZero, {1, 1, 1}, {1, 1, 1}, 0, nullptr, data);
    } else if (name == "trap") {
        launch(trap, {1, 1, 1}, {1, 1, 1}, 0, nullptr);
    } else if (name == "fail") {
        launch(fail, {1, 1, 1}, {3, 1, 1}, 0, nullptr);
    } else if (name == "matrix") {
        launch(matrixInBranch, {1, 1, 1}, {64, 1, 1}, 0, nullptr);
    } else if (name == "host") {
        *static_cast<volatile char*>(data) = 1;
        static_cast<volatile char*>(data)[40000 + 300] = 1;
    } else if (name == "barrier-outside") {
        hipcpu_barrier();
    }
    hipDeviceSynchronize();
    return 0;
}

} // namespace

class HipcpuRuntimeFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void endsTheProcess_data();
    void endsTheProcess();
    void shortReadsPastTheEndAreHarmlessAndNamed();
    void foreignObjectsAreRefused();
};

void HipcpuRuntimeFaults::endsTheProcess_data() {
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("pattern");
    const auto row = [](const char* name, int status, const char* pattern) {
        QTest::newRow(name) << status << QString::fromLatin1(pattern);
    };
    // Block 39 of 40 begins at element 9984; the last whole 256 bytes of the buffer end 192 bytes behind element 10000.
    row("past-end", 139,
        "memory access fault at 0x[0-9a-f]+, [0-9]+ bytes past the end of a 40000-byte hipMalloc buffer; "
        "kernel writePastTheEnd block \\(39,0,0\\) thread \\([0-9]+,0,0\\)");
    row("before-start", 139,
        "[0-9]+ bytes before the start of a 40000-byte hipMalloc buffer; kernel writeBeforeTheStart");
    row("past-lds", 139,
        "48 bytes past the end of the block's 2000 bytes of LDS; kernel writePastLds block \\(0,[01],0\\) "
        "thread \\(0,0,0\\)");
    row("stack", 139,
        "private memory is over 131072 bytes .*kernel recurseDeeply block \\(0,0,0\\) thread \\([01],0,0\\)");
    row("divide", 139, "integer division fault at 0x[0-9a-f]+; kernel divideByZero");
    row("trap", 139, "illegal instruction .*; kernel trap");
    row("fail", 134, "Assertion `i < n' failed; kernel fail block \\(0,0,0\\) thread \\(0,0,0\\)");
    row("matrix", 134, "matrix instruction was executed with 40 of 64 lanes active; kernel matrixInBranch");
    row("host", 139, "bytes past the end of a 40000-byte hipMalloc buffer; in host code");
    row("barrier-outside", 134, "device code was called outside a kernel");
}

void HipcpuRuntimeFaults::endsTheProcess() {
    QFETCH(int, status);
    QFETCH(QString, pattern);
    const gks::Command command{
        {QCoreApplication::applicationFilePath().toStdString(), "--fault", QTest::currentDataTag()}};
    const auto result = gks::runProcess(command);
    QVERIFY2(result.has_value(), result ? "" : result.error().message().c_str());
    const QString text = QString::fromStdString(result->error);
    QVERIFY2(result->exit.status.has_value(), result->exit.text().c_str());
    QCOMPARE(*result->exit.status, status);
    QVERIFY2(QRegularExpression(QStringLiteral("^hipcpu: .*%1").arg(pattern)).match(text).hasMatch(), qPrintable(text));
    QCOMPARE(text.count(QLatin1Char('\n')), 1);
}

void HipcpuRuntimeFaults::shortReadsPastTheEndAreHarmlessAndNamed() {
    for (const char* checks : {"0", "1"}) {
        gks::Command command{{QCoreApplication::applicationFilePath().toStdString(), "--fault", "read"}};
        command.environment.emplace().emplace_back("HIPCPU_CHECK_READS", checks);
        const auto result = gks::runProcess(command);
        QVERIFY2(result.has_value() && result->ok(), result ? result->error.c_str() : "");
        const std::string named =
            "hipcpu: read 5000 bytes past the end of a 40000-byte hipMalloc buffer; kernel readPastTheEnd "
            "block (0,0,0) thread (0,0,0); the kernel goes on with zeros\n";
        QCOMPARE(result->error, *checks == '1' ? named : std::string());
    }
}

void HipcpuRuntimeFaults::foreignObjectsAreRefused() {
    ModuleTable table{};
    FatBinaryWrapper wrapper;
    wrapper.binary = &table;
    void** module = __hipRegisterFatBinary(&wrapper); // says why on stderr
    QVERIFY(module);
    __hipRegisterFunction(module, &table, nullptr, "kernel", 0, nullptr, nullptr, nullptr, nullptr, nullptr);
    QCOMPARE(hipLaunchKernel(&table, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr), hipErrorInvalidDeviceFunction);
    __hipUnregisterFatBinary(module);
}

int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "--fault") == 0) {
        return runFault(argv[2]);
    }
    QCoreApplication application(argc, argv);
    HipcpuRuntimeFaults test;
    return QTest::qExec(&test, argc, argv);
}
#include "hipcpu_runtime_faults.moc"
