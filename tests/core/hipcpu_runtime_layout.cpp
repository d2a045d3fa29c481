// SPDX-License-Identifier: GPL-3.0-or-later
#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>
// Before ours: both declare the same structures under different names.
#include "core/hipcpu/runtime/device_properties.h"

#include <QTest>

#include <cstddef>

// The layout of HIP 5's device properties as the installed header has it. (HIP 6's header is not packaged; its size and
// the place of the architecture name are checked where the structure is declared.)

namespace ours = gks::hipcpu;

#define SAME_PLACE(FIELD) QCOMPARE(offsetof(ours::DeviceProperties5, FIELD), offsetof(hipDeviceProp_t, FIELD))

class HipcpuRuntimeLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void devicePropertiesMatchTheHeader();
    void architectureBitsMatchTheHeader();
};

void HipcpuRuntimeLayout::devicePropertiesMatchTheHeader() {
    QCOMPARE(sizeof(ours::DeviceProperties5), sizeof(hipDeviceProp_t));
    SAME_PLACE(totalGlobalMem);
    SAME_PLACE(sharedMemPerBlock);
    SAME_PLACE(warpSize);
    SAME_PLACE(maxThreadsPerBlock);
    SAME_PLACE(maxThreadsDim);
    SAME_PLACE(maxGridSize);
    SAME_PLACE(clockRate);
    SAME_PLACE(totalConstMem);
    SAME_PLACE(multiProcessorCount);
    SAME_PLACE(l2CacheSize);
    SAME_PLACE(arch);
    SAME_PLACE(concurrentKernels);
    SAME_PLACE(maxSharedMemoryPerMultiProcessor);
    SAME_PLACE(gcnArchName);
    SAME_PLACE(integrated);
    SAME_PLACE(memPitch);
    SAME_PLACE(isLargeBar);
    SAME_PLACE(managedMemory);
    SAME_PLACE(pageableMemoryAccessUsesHostPageTables);
}

void HipcpuRuntimeLayout::architectureBitsMatchTheHeader() {
    union {
        std::uint32_t bits;
        hipDeviceArch_t arch;
    } value{};
    value.arch.hasDoubles = 1;
    QCOMPARE(value.bits, std::uint32_t{ours::doubles});
    value.bits = 0;
    value.arch.hasWarpShuffle = 1;
    QCOMPARE(value.bits, std::uint32_t{ours::warpShuffle});
    value.bits = 0;
    value.arch.has3dGrid = 1;
    QCOMPARE(value.bits, std::uint32_t{ours::threeDimensionalGrid});
}

QTEST_APPLESS_MAIN(HipcpuRuntimeLayout)
#include "hipcpu_runtime_layout.moc"
