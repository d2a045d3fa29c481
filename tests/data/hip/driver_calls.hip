// SPDX-License-Identifier: GPL-3.0-or-later
// The driver interface's copies, contexts and questions, and what is refused by an error when it is called.
#include "check.h"

#include <cstring>
#include <string>

__global__ void nothing() {}

bool fails(hipError_t got, hipError_t expected) {
    (void)hipGetLastError();
    return got == expected;
}

// Bytes that are all different from their neighbours'.
std::vector<unsigned char> bytes(std::size_t count) {
    std::vector<unsigned char> made(count);
    for (std::size_t i = 0; i < count; ++i) {
        made[i] = static_cast<unsigned char>(i * 7 + i / 256);
    }
    return made;
}

void copies() {
    constexpr std::size_t pitch = 32, width = 12, height = 5;
    const std::vector<unsigned char> from = bytes(pitch * 8);
    std::vector<unsigned char> expected(20 * 9, 0), got(expected.size(), 0);
    for (std::size_t row = 0; row < height; ++row) {
        std::memcpy(&expected[(row + 3) * 20 + 4], &from[(row + 2) * pitch + 6], width);
    }
    Device<unsigned char> device(from), target(expected.size());
    hip_Memcpy2D asked = {};
    asked.srcXInBytes = 6;
    asked.srcY = 2;
    asked.srcMemoryType = hipMemoryTypeDevice;
    asked.srcDevice = device.get();
    asked.srcPitch = pitch;
    asked.dstXInBytes = 4;
    asked.dstY = 3;
    asked.dstMemoryType = hipMemoryTypeHost;
    asked.dstHost = got.data();
    asked.dstPitch = 20;
    asked.WidthInBytes = width;
    asked.Height = height;
    HIP_CHECK(hipMemcpyParam2D(&asked));
    const bool isRight = got == expected;
    asked.dstHost = nullptr;
    asked.dstDevice = target.get();
    asked.dstMemoryType = hipMemoryTypeDevice;
    HIP_CHECK(hipMemcpyParam2DAsync(&asked, nullptr));
    HIP_CHECK(hipDeviceSynchronize());
    expect("rows", isRight && target.read() == expected);
    asked.dstDevice = nullptr;
    asked.dstArray = reinterpret_cast<hipArray*>(target.get());
    expect("arrays", fails(hipMemcpyParam2D(&asked), hipErrorNotSupported) &&
                         fails(hipMemcpyParam2D(nullptr), hipErrorInvalidValue));

    // Slices of 6 rows to slices of 4.
    std::vector<unsigned char> volume = bytes(16 * 6 * 3), smaller(10 * 4 * 3, 0), same = smaller;
    for (std::size_t slice = 0; slice < 2; ++slice) {
        for (std::size_t row = 0; row < 3; ++row) {
            std::memcpy(&same[(slice + 1) * 40 + (row + 1) * 10 + 2], &volume[(slice + 1) * 96 + (row + 2) * 16 + 5],
                        7);
        }
    }
    Device<unsigned char> large(volume);
    HIP_MEMCPY3D cube = {};
    cube.srcXInBytes = 5;
    cube.srcY = 2;
    cube.srcZ = 1;
    cube.srcMemoryType = hipMemoryTypeDevice;
    cube.srcDevice = large.get();
    cube.srcPitch = 16;
    cube.srcHeight = 6;
    cube.dstXInBytes = 2;
    cube.dstY = 1;
    cube.dstZ = 1;
    cube.dstMemoryType = hipMemoryTypeHost;
    cube.dstHost = smaller.data();
    cube.dstPitch = 10;
    cube.dstHeight = 4;
    cube.WidthInBytes = 7;
    cube.Height = 3;
    cube.Depth = 2;
    HIP_CHECK(hipDrvMemcpy3D(&cube));
    const bool isSame = smaller == same;
    std::fill(smaller.begin(), smaller.end(), 0);
    HIP_CHECK(hipDrvMemcpy3DAsync(&cube, nullptr));
    HIP_CHECK(hipDeviceSynchronize());
    expect("slices", isSame && smaller == same);
}

void pointers() {
    Device<int> device(100);
    int* managed = nullptr;
    HIP_CHECK(hipMallocManaged(&managed, 64));
    hipDeviceptr_t begin = nullptr;
    std::size_t size = 0;
    HIP_CHECK(hipPointerGetAttribute(&begin, HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, device.get() + 7));
    HIP_CHECK(hipPointerGetAttribute(&size, HIP_POINTER_ATTRIBUTE_RANGE_SIZE, device.get() + 7));
    bool isManaged[2] = {true, false};
    HIP_CHECK(hipPointerGetAttribute(&isManaged[0], HIP_POINTER_ATTRIBUTE_IS_MANAGED, device.get()));
    HIP_CHECK(hipPointerGetAttribute(&isManaged[1], HIP_POINTER_ATTRIBUTE_IS_MANAGED, managed));
    expect("what a pointer is of", begin == device.get() && size == 400 && !isManaged[0] && isManaged[1]);
    int local = 0, ordinal = -1;
    expect("of none",
           fails(hipPointerGetAttribute(&begin, HIP_POINTER_ATTRIBUTE_DEVICE_POINTER, &local), hipErrorInvalidValue));
    hipPointer_attribute asked[] = {HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL, HIP_POINTER_ATTRIBUTE_RANGE_SIZE};
    void* places[] = {&ordinal, &size};
    HIP_CHECK(hipDrvPointerGetAttributes(2, asked, places, managed));
    expect("several at once", ordinal == 0 && size == 64);
    HIP_CHECK(hipFree(managed));
}

void streams() {
    hipStream_t stream = nullptr;
    const std::uint32_t mask = 0xff;
    HIP_CHECK(hipExtStreamCreateWithCUMask(&stream, 1, &mask));
    std::uint32_t* place = nullptr;
    std::uint64_t* wide = nullptr;
    HIP_CHECK(hipHostMalloc(reinterpret_cast<void**>(&place), sizeof *place, 0));
    HIP_CHECK(hipHostMalloc(reinterpret_cast<void**>(&wide), sizeof *wide, 0));
    HIP_CHECK(hipStreamWriteValue32(stream, place, 0xabcd1234, 0));
    HIP_CHECK(hipStreamWriteValue64(stream, wide, 0x123456789abcdefull, 0));
    HIP_CHECK(hipStreamSynchronize(stream));
    int device = -1;
    HIP_CHECK(hipStreamGetDevice(stream, &device));
    expect("values that a stream writes", *place == 0xabcd1234 && *wide == 0x123456789abcdefull && device == 0);
    HIP_CHECK(hipStreamDestroy(stream));
    HIP_CHECK(hipHostFree(place));
    HIP_CHECK(hipHostFree(wide));
}

__global__ void raise(std::uint32_t* place, std::uint32_t value) {
    *place = value;
}

// Values that a stream waits for: of the host, of a kernel before, of another stream.
void waits() {
    hipStream_t one = nullptr, other = nullptr;
    HIP_CHECK(hipStreamCreateWithFlags(&one, hipStreamNonBlocking));
    HIP_CHECK(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
    std::uint32_t* place = nullptr;
    std::uint64_t* wide = nullptr;
    HIP_CHECK(hipHostMalloc(reinterpret_cast<void**>(&place), 4 * sizeof *place, 0));
    HIP_CHECK(hipHostMalloc(reinterpret_cast<void**>(&wide), sizeof *wide, 0));
    std::fill_n(place, 4, 0u);
    *wide = 0;
    const auto flag = [](std::uint32_t* at) { return reinterpret_cast<volatile std::uint32_t*>(at); };
    HIP_CHECK(hipStreamWaitValue32(one, place, 5, hipStreamWaitValueGte, 0xffffffff));
    HIP_CHECK(hipStreamWriteValue32(one, place + 1, 1, 0));
    *flag(place) = 4;
    const bool isWaiting = hipStreamQuery(one) == hipErrorNotReady && *flag(place + 1) == 0;
    *flag(place) = 6;
    HIP_CHECK(hipStreamSynchronize(one));
    expect("a stream waits for the host", isWaiting && *flag(place + 1) == 1);

    raise<<<1, 1, 0, one>>>(place, 0x1234);
    HIP_CHECK(hipStreamWaitValue32(other, place, 0x34, hipStreamWaitValueEq, 0xff));
    HIP_CHECK(hipStreamWaitValue64(other, wide, 0xf0, hipStreamWaitValueAnd, ~0ull));
    HIP_CHECK(hipStreamWriteValue32(other, place + 2, 2, 0));
    HIP_CHECK(hipStreamWaitValue64(other, wide, 0x0f, hipStreamWaitValueNor, 0xffff));
    while (hipStreamQuery(one) == hipErrorNotReady) {
        (void)hipGetLastError();
    }
    HIP_CHECK(hipStreamWriteValue64(one, wide, 0x10, 0));
    HIP_CHECK(hipStreamSynchronize(other));
    expect("for a kernel, and for another stream", *place == 0x1234 && place[2] == 2 && *wide == 0x10);

    hipStreamBatchMemOpParams batch[2] = {};
    batch[0].waitValue.operation = hipStreamMemOpWaitValue32;
    batch[0].waitValue.address = place;
    batch[0].waitValue.value = 0x1000;
    batch[0].waitValue.flags = hipStreamWaitValueAnd;
    batch[1].writeValue.operation = hipStreamMemOpWriteValue64;
    batch[1].writeValue.address = wide;
    batch[1].writeValue.value64 = 0x100000001;
    HIP_CHECK(hipStreamBatchMemOp(one, 2, batch, 0));
    HIP_CHECK(hipStreamSynchronize(one));
    expect("many at once", *wide == 0x100000001);
    expect("no such condition", fails(hipStreamWaitValue32(one, place, 1, 9, 0xffffffff), hipErrorInvalidValue) &&
                                    fails(hipStreamWaitValue32(one, nullptr, 1, 0, 1), hipErrorInvalidValue));
    HIP_CHECK(hipStreamDestroy(one));
    HIP_CHECK(hipStreamDestroy(other));
    HIP_CHECK(hipHostFree(place));
    HIP_CHECK(hipHostFree(wide));
}

void refused() {
    Device<int> device(4);
    hipIpcMemHandle_t handle = {};
    void* opened = nullptr;
    hipArray* array = nullptr;
    hipTextureObject_t texture = {};
    hipMemGenericAllocationHandle_t allocation = {};
    int value = 0;
    const hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
    expect("between processes", fails(hipIpcGetMemHandle(&handle, device.get()), hipErrorNotSupported) &&
                                    fails(hipIpcOpenMemHandle(&opened, handle, 0), hipErrorNotSupported));
    expect("textures", fails(hipMallocArray(&array, &format, 16, 16, 0), hipErrorNotSupported) &&
                           fails(hipCreateTextureObject(&texture, nullptr, nullptr, nullptr), hipErrorNotSupported));
    expect("virtual memory", fails(hipMemCreate(&allocation, 4096, nullptr, 0), hipErrorNotSupported));
    expect("peers", fails(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, 0, 1), hipErrorInvalidDevice));
    hipLaunchParams launches[1] = {};
    expect("several devices", fails(hipLaunchCooperativeKernelMultiDevice(launches, 1, 0), hipErrorNotSupported));
}

void names() {
    const char* name = nullptr;
    const char* text = nullptr;
    HIP_CHECK(hipDrvGetErrorName(hipErrorInvalidContext, &name));
    HIP_CHECK(hipDrvGetErrorString(hipErrorOperatingSystem, &text));
    expect("names of errors", std::string(name) == "hipErrorInvalidContext" && std::string(text).find("OS") == 0 &&
                                  fails(hipDrvGetErrorName(hipSuccess, nullptr), hipErrorInvalidValue));
    expect("name of a kernel",
           std::string(hipKernelNameRefByPtr(reinterpret_cast<const void*>(nothing), nullptr)) == "_Z7nothingv");
    hipUUID one = {}, zero = {};
    HIP_CHECK(hipDeviceGetUuid(&one, 0));
    expect("a device by its number alone", fails(hipDeviceGetUuid(&zero, 1), hipErrorInvalidDevice));
}

extern "C" hipError_t hipGetProcAddress(const char* name, void** function, int version, std::uint64_t flags,
                                        int* status);

void functionsByName() {
    void* found = nullptr;
    int status = 7;
    HIP_CHECK(hipGetProcAddress("hipRuntimeGetVersion", &found, 600, 0, &status));
    int version = 0, same = 0;
    HIP_CHECK(reinterpret_cast<hipError_t (*)(int*)>(found)(&version));
    HIP_CHECK(hipRuntimeGetVersion(&same));
    expect("a function by its name", status == 0 && version != 0 && version == same);
    const bool isMissing = fails(hipGetProcAddress("hipNoSuchFunction", &found, 600, 0, &status), hipErrorNotFound);
    expect("none of it", isMissing && found == nullptr && status == 1 &&
                             fails(hipGetProcAddress("malloc", &found, 600, 0, &status), hipErrorNotFound));
}

int main() {
    copies();
    pointers();
    streams();
    waits();
    refused();
    names();
    functionsByName();
    return verdict();
}
