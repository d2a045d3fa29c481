// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <dlfcn.h>

class HipcpuRuntimeLoaded : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void exportsWhatIsResolvedByName_data();
    void exportsWhatIsResolvedByName();
    void hidesEverythingElse();
    void works();

private:
    template<class Function>
    Function* resolve(const char* name) {
        return reinterpret_cast<Function*>(dlsym(m_library, name));
    }

    void* m_library = nullptr;
};

void HipcpuRuntimeLoaded::initTestCase() {
    m_library = dlopen(GKS_HIPCPU_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    QVERIFY2(m_library, m_library ? "" : dlerror());
}

void HipcpuRuntimeLoaded::exportsWhatIsResolvedByName_data() {
    QTest::addColumn<int>("unused");
    for (const char* name : {"hipMalloc",
                             "hipFree",
                             "hipHostMalloc",
                             "hipHostFree",
                             "hipMemcpy",
                             "hipMemcpyAsync",
                             "hipMemset",
                             "hipMemsetAsync",
                             "hipStreamCreate",
                             "hipStreamCreateWithFlags",
                             "hipStreamDestroy",
                             "hipStreamSynchronize",
                             "hipStreamQuery",
                             "hipStreamWaitEvent",
                             "hipEventCreate",
                             "hipEventCreateWithFlags",
                             "hipEventDestroy",
                             "hipEventRecord",
                             "hipEventSynchronize",
                             "hipEventQuery",
                             "hipEventElapsedTime",
                             "hipDeviceSynchronize",
                             "hipGetDeviceCount",
                             "hipSetDevice",
                             "hipGetDevice",
                             "hipDeviceGetAttribute",
                             "hipGetDeviceProperties",
                             "hipGetDevicePropertiesR0600",
                             "hipGetLastError",
                             "hipPeekAtLastError",
                             "hipGetErrorString",
                             "hipGetErrorName",
                             "hipLaunchKernel",
                             "hipExtLaunchKernel",
                             "hipMemGetInfo",
                             "hipRuntimeGetVersion",
                             "hipDriverGetVersion",
                             "hipFuncSetAttribute",
                             "__hipRegisterFatBinary",
                             "__hipRegisterFunction",
                             "__hipRegisterVar",
                             "__hipRegisterManagedVar",
                             "__hipUnregisterFatBinary",
                             "__hipPushCallConfiguration",
                             "__hipPopCallConfiguration",
                             "hipcpu_barrier",
                             "hipcpu_wave_exchange",
                             "hipcpu_mfma",
                             "hipcpu_yield",
                             "hipcpu_fail",
                             "hipcpu_this_thread",
                             "hipcpu_lds_base"}) {
        QTest::newRow(name) << 0;
    }
}

void HipcpuRuntimeLoaded::exportsWhatIsResolvedByName() {
    QVERIFY(dlsym(m_library, QTest::currentDataTag()));
}

void HipcpuRuntimeLoaded::hidesEverythingElse() {
    QVERIFY(!dlsym(m_library, "gksFibreSwitch"));
    QVERIFY(!dlsym(m_library, "_ZN3gks6hipcpu13BlockExecutor7currentEv"));
}

void HipcpuRuntimeLoaded::works() {
    auto* allocate = resolve<int(void**, std::size_t)>("hipMalloc");
    auto* fill = resolve<int(void*, int, std::size_t)>("hipMemset");
    auto* copy = resolve<int(void*, const void*, std::size_t, int)>("hipMemcpy");
    auto* release = resolve<int(void*)>("hipFree");
    QVERIFY(allocate && fill && copy && release);
    void* data = nullptr;
    QByteArray host(100, 'x');
    QCOMPARE(allocate(&data, 100), 0);
    QCOMPARE(fill(data, 'y', 100), 0);
    QCOMPARE(copy(host.data(), data, 100, 2), 0);
    QCOMPARE(host, QByteArray(100, 'y'));
    QCOMPARE(release(data), 0);
}

QTEST_APPLESS_MAIN(HipcpuRuntimeLoaded)
#include "hipcpu_runtime_loaded.moc"
