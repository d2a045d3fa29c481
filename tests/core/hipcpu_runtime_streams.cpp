// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/hipcpu_module.h"

#include <QTest>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

using namespace gks::hipcpu;
using namespace gks::hipcpu::test;

namespace {

constexpr std::uint32_t word = sizeof(void*);

// Holds the device until the host opens it, so that "not yet done" is a fact and not a race.
struct Gate {
    std::atomic<int> open{0};
    std::atomic<int> entered{0};
};

void waitAtGate(void** arguments, ThreadContext*, char*) {
    auto* gate = argument<Gate*>(arguments, 0);
    gate->entered = 1;
    gate->entered.notify_all();
    gate->open.wait(0);
}

void append(void** arguments, ThreadContext*, char*) {
    auto* log = argument<std::vector<int>*>(arguments, 0);
    log->push_back(argument<int>(arguments, 1));
}

struct Large {
    std::uint64_t words[40];
    std::uint8_t tail;
};

void sumArguments(void** arguments, ThreadContext*, char*) {
    const auto& large = argument<Large>(arguments, 1);
    std::uint64_t sum = large.tail + static_cast<std::uint64_t>(argument<std::int8_t>(arguments, 2));
    for (const std::uint64_t value : large.words) {
        sum += value;
    }
    *argument<std::uint64_t*>(arguments, 0) = sum;
}

void addOne(void** arguments, ThreadContext* thread, char*) {
    auto* data = argument<std::uint32_t*>(arguments, 0);
    ++data[thread->block->blockIndex[0] * thread->block->blockSize[0] + thread->threadIndex[0]];
}

struct EventPair {
    HipEvent start = nullptr;
    HipEvent stop = nullptr;
    EventPair() {
        hipEventCreate(&start);
        hipEventCreate(&stop);
    }
    ~EventPair() {
        hipEventDestroy(start);
        hipEventDestroy(stop);
    }
    EventPair(const EventPair&) = delete;
    EventPair& operator=(const EventPair&) = delete;
};

std::uint32_t deviceWord = 17;

} // namespace

class HipcpuRuntimeStreams : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void launchReturnsBeforeTheKernelEnds();
    void argumentsAreCopiedAtLaunch();
    void commandsOfAStreamRunInOrder();
    void eventsHappenOnTheStream();
    void manyThreadsWaitAtOnce();
    void waitingForAnEventHoldsTheStream();
    void unrecordedEventsAreHandled();
    void nullStreamWaitsForBlockingStreams();
    void memcpyWaitsForTheNullStream();
    void asynchronousCopiesAreOrdered();
    void hostFunctionsRunInOrder();
    void symbolsAreCopied();
    void invalidLaunchesAreRefused();
    void staleHandlesAreRefused();
    void callConfigurationIsAStack();
    void manyLaunchesFromTwoThreads();
    void propertiesDescribeTheDevice();
    void lastErrorIsKeptPerThread();

private:
    LoadedModule m_module{{{"waitAtGate", waitAtGate, {word}},
                           {"append", append, {word, 4}},
                           {"sumArguments", sumArguments, {word, sizeof(Large), 1}},
                           {"addOne", addOne, {word}, nullptr, 1024, 256}},
                          {{"deviceWord", &deviceWord, sizeof deviceWord}}};
};

void HipcpuRuntimeStreams::launchReturnsBeforeTheKernelEnds() {
    Gate gate;
    QCOMPARE(launch(waitAtGate, {1, 1, 1}, {1, 1, 1}, 0, nullptr, &gate), hipSuccess);
    QCOMPARE(hipStreamQuery(nullptr), hipErrorNotReady);
    gate.open = 1;
    gate.open.notify_all();
    QCOMPARE(hipStreamSynchronize(nullptr), hipSuccess);
    QCOMPARE(hipStreamQuery(nullptr), hipSuccess);
    QCOMPARE(hipPeekAtLastError(), hipSuccess); // not ready is no error to remember
}

void HipcpuRuntimeStreams::argumentsAreCopiedAtLaunch() {
    Gate gate;
    std::uint64_t sum = 0;
    Large large{};
    for (std::uint64_t i = 0; i < 40; ++i) {
        large.words[i] = i * i;
    }
    large.tail = 200;
    auto* out = &sum;
    std::int8_t small = -7;
    void* arguments[] = {&out, &large, &small};
    QCOMPARE(launch(waitAtGate, {1, 1, 1}, {1, 1, 1}, 0, nullptr, &gate), hipSuccess);
    QCOMPARE(hipLaunchKernel(LoadedModule::stub(sumArguments), {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr),
             hipSuccess);
    large = {};
    small = 0;
    out = nullptr;
    gate.open = 1;
    gate.open.notify_all();
    QCOMPARE(hipDeviceSynchronize(), hipSuccess);
    QCOMPARE(sum, std::uint64_t{39 * 40 * 79 / 6 + 200 - 7});
}

void HipcpuRuntimeStreams::commandsOfAStreamRunInOrder() {
    HipStream stream = nullptr;
    QCOMPARE(hipStreamCreate(&stream), hipSuccess);
    std::vector<int> log;
    std::vector<int> expected;
    for (int i = 0; i < 500; ++i) {
        QCOMPARE(launch(append, {1, 1, 1}, {1, 1, 1}, 0, stream, &log, i), hipSuccess);
        expected.push_back(i);
    }
    QCOMPARE(hipStreamSynchronize(stream), hipSuccess);
    QCOMPARE(log, expected);
    QCOMPARE(hipStreamDestroy(stream), hipSuccess);
}

void HipcpuRuntimeStreams::eventsHappenOnTheStream() {
    EventPair events;
    Gate gate;
    float milliseconds = -1;
    QCOMPARE(hipEventRecord(events.start, nullptr), hipSuccess);
    QCOMPARE(launch(waitAtGate, {1, 1, 1}, {1, 1, 1}, 0, nullptr, &gate), hipSuccess);
    QCOMPARE(hipEventRecord(events.stop, nullptr), hipSuccess);
    QCOMPARE(hipEventQuery(events.stop), hipErrorNotReady);
    QCOMPARE(hipEventElapsedTime(&milliseconds, events.start, events.stop), hipErrorNotReady);
    gate.entered.wait(0);
    using Clock = std::chrono::steady_clock;
    const auto entered = Clock::now();
    while (Clock::now() - entered < std::chrono::milliseconds(2)) { // the kernel lasts at least so long
    }
    gate.open = 1;
    gate.open.notify_all();
    QCOMPARE(hipEventSynchronize(events.stop), hipSuccess);
    QCOMPARE(hipEventQuery(events.stop), hipSuccess);
    QCOMPARE(hipEventElapsedTime(&milliseconds, events.start, events.stop), hipSuccess);
    QVERIFY2(milliseconds >= 1.9F, std::to_string(milliseconds).c_str());
    // The second record of an event replaces the first, which lies before the kernel.
    QCOMPARE(hipEventRecord(events.start, nullptr), hipSuccess);
    QCOMPARE(hipEventSynchronize(events.start), hipSuccess);
    QCOMPARE(hipEventElapsedTime(&milliseconds, events.stop, events.start), hipSuccess);
    QVERIFY(milliseconds >= 0);
    hipGetLastError();
}

void HipcpuRuntimeStreams::waitingForAnEventHoldsTheStream() {
    HipStream producer = nullptr;
    HipStream consumer = nullptr;
    QCOMPARE(hipStreamCreateWithFlags(&producer, hipStreamNonBlocking), hipSuccess);
    QCOMPARE(hipStreamCreateWithFlags(&consumer, hipStreamNonBlocking), hipSuccess);
    EventPair events;
    Gate gate;
    QCOMPARE(launch(waitAtGate, {1, 1, 1}, {1, 1, 1}, 0, producer, &gate), hipSuccess);
    QCOMPARE(hipEventRecord(events.stop, producer), hipSuccess);
    QCOMPARE(hipStreamQuery(consumer), hipSuccess);
    QCOMPARE(hipStreamWaitEvent(consumer, events.stop, 0), hipSuccess);
    QCOMPARE(hipStreamQuery(consumer), hipErrorNotReady);
    gate.open = 1;
    gate.open.notify_all();
    QCOMPARE(hipStreamSynchronize(consumer), hipSuccess);
    QCOMPARE(hipEventQuery(events.stop), hipSuccess);
    QCOMPARE(hipStreamDestroy(producer), hipSuccess);
    QCOMPARE(hipStreamDestroy(consumer), hipSuccess);
}

void HipcpuRuntimeStreams::unrecordedEventsAreHandled() {
    EventPair events;
    float milliseconds = 0;
    QCOMPARE(hipEventSynchronize(events.start), hipSuccess);
    QCOMPARE(hipEventQuery(events.start), hipSuccess);
    QCOMPARE(hipEventElapsedTime(&milliseconds, events.start, events.stop), hipErrorInvalidHandle);
    HipEvent untimed = nullptr;
    QCOMPARE(hipEventCreateWithFlags(&untimed, hipEventDisableTiming), hipSuccess);
    QCOMPARE(hipEventRecord(untimed, nullptr), hipSuccess);
    QCOMPARE(hipEventRecord(events.stop, nullptr), hipSuccess);
    QCOMPARE(hipDeviceSynchronize(), hipSuccess);
    QCOMPARE(hipEventElapsedTime(&milliseconds, untimed, events.stop), hipErrorInvalidHandle);
    QCOMPARE(hipEventDestroy(untimed), hipSuccess);
    hipGetLastError();
}

void HipcpuRuntimeStreams::nullStreamWaitsForBlockingStreams() {
    HipStream blocking = nullptr;
    HipStream other = nullptr;
    QCOMPARE(hipStreamCreate(&blocking), hipSuccess);
    QCOMPARE(hipStreamCreateWithFlags(&other, hipStreamNonBlocking), hipSuccess);
    Gate gate;
    QCOMPARE(launch(waitAtGate, {1, 1, 1}, {1, 1, 1}, 0, blocking, &gate), hipSuccess);
    QCOMPARE(hipStreamQuery(nullptr), hipErrorNotReady);
    QCOMPARE(hipStreamQuery(other), hipSuccess);
    gate.open = 1;
    gate.open.notify_all();
    QCOMPARE(hipStreamSynchronize(nullptr), hipSuccess);
    QCOMPARE(hipStreamQuery(blocking), hipSuccess);
    Gate second;
    QCOMPARE(launch(waitAtGate, {1, 1, 1}, {1, 1, 1}, 0, other, &second), hipSuccess);
    QCOMPARE(hipStreamQuery(nullptr), hipSuccess); // a non-blocking stream does not hold the null stream
    second.open = 1;
    second.open.notify_all();
    QCOMPARE(hipStreamSynchronize(other), hipSuccess);
    QCOMPARE(hipStreamDestroy(blocking), hipSuccess);
    QCOMPARE(hipStreamDestroy(other), hipSuccess);
}

void HipcpuRuntimeStreams::memcpyWaitsForTheNullStream() {
    constexpr std::uint32_t count = 256 * 1000;
    void* device = nullptr;
    QCOMPARE(hipMalloc(&device, count * 4), hipSuccess);
    QCOMPARE(hipMemset(device, 0, count * 4), hipSuccess);
    for (int i = 0; i < 20; ++i) {
        QCOMPARE(launch(addOne, {1000, 1, 1}, {256, 1, 1}, 0, nullptr, device), hipSuccess);
    }
    std::vector<std::uint32_t> host(count);
    QCOMPARE(hipMemcpy(host.data(), device, count * 4, hipMemcpyDeviceToHost), hipSuccess);
    QCOMPARE(host, std::vector<std::uint32_t>(count, 20));
    QCOMPARE(hipFree(device), hipSuccess);
}

void HipcpuRuntimeStreams::asynchronousCopiesAreOrdered() {
    HipStream stream = nullptr;
    QCOMPARE(hipStreamCreate(&stream), hipSuccess);
    void* pinned = nullptr;
    void* device = nullptr;
    QCOMPARE(hipHostMalloc(&pinned, 1024, 0), hipSuccess);
    QCOMPARE(hipMallocAsync(&device, 1024, stream), hipSuccess);
    auto* values = static_cast<std::uint32_t*>(pinned);
    values[255] = 41;
    Gate gate;
    QCOMPARE(launch(waitAtGate, {1, 1, 1}, {1, 1, 1}, 0, stream, &gate), hipSuccess);
    QCOMPARE(hipMemcpyAsync(device, pinned, 1024, hipMemcpyHostToDevice, stream), hipSuccess);
    QCOMPARE(launch(addOne, {1, 1, 1}, {256, 1, 1}, 0, stream, device), hipSuccess);
    QCOMPARE(hipMemcpyAsync(pinned, device, 1024, hipMemcpyDeviceToHost, stream), hipSuccess);
    QCOMPARE(hipMemsetAsync(device, 0xff, 1024, stream), hipSuccess);
    QCOMPARE(hipFreeAsync(device, stream), hipSuccess);
    QCOMPARE(values[255], 41u); // nothing has moved yet
    gate.open = 1;
    gate.open.notify_all();
    QCOMPARE(hipStreamSynchronize(stream), hipSuccess);
    QCOMPARE(values[255], 42u);
    QCOMPARE(hipHostFree(pinned), hipSuccess);
    QCOMPARE(hipStreamDestroy(stream), hipSuccess);
}

void HipcpuRuntimeStreams::hostFunctionsRunInOrder() {
    std::vector<int> log;
    const auto addSeven = [](void* data) { static_cast<std::vector<int>*>(data)->push_back(7); };
    QCOMPARE(launch(append, {1, 1, 1}, {1, 1, 1}, 0, nullptr, &log, 1), hipSuccess);
    QCOMPARE(hipLaunchHostFunc(nullptr, addSeven, &log), hipSuccess);
    QCOMPARE(launch(append, {1, 1, 1}, {1, 1, 1}, 0, nullptr, &log, 2), hipSuccess);
    QCOMPARE(hipDeviceSynchronize(), hipSuccess);
    QCOMPARE(log, (std::vector<int>{1, 7, 2}));
}

void HipcpuRuntimeStreams::symbolsAreCopied() {
    std::uint32_t value = 0;
    QCOMPARE(hipMemcpyFromSymbol(&value, &deviceWord, 4, 0, hipMemcpyDeviceToHost), hipSuccess);
    QCOMPARE(value, 17u);
    const std::uint8_t byte = 1;
    QCOMPARE(hipMemcpyToSymbol(&deviceWord, &byte, 1, 1, hipMemcpyHostToDevice), hipSuccess);
    QCOMPARE(deviceWord, 256u + 17u);
    QCOMPARE(hipMemcpyToSymbol(&deviceWord, &value, 4, 1, hipMemcpyHostToDevice), hipErrorInvalidValue);
    QCOMPARE(hipMemcpyToSymbol(&value, &value, 4, 0, hipMemcpyHostToDevice), hipErrorInvalidSymbol);
    void* address = nullptr;
    std::size_t size = 0;
    QCOMPARE(hipGetSymbolAddress(&address, &deviceWord), hipSuccess);
    QCOMPARE(hipGetSymbolSize(&size, &deviceWord), hipSuccess);
    QVERIFY(address == &deviceWord && size == 4);
    hipGetLastError();
}

void HipcpuRuntimeStreams::invalidLaunchesAreRefused() {
    void* none = nullptr;
    QCOMPARE(launch(addOne, {1, 1, 1}, {257, 1, 1}, 0, nullptr, none),
             hipErrorInvalidConfiguration); // declared for 256
    QCOMPARE(launch(append, {1, 1, 1}, {1025, 1, 1}, 0, nullptr, none, 0), hipErrorInvalidConfiguration);
    QCOMPARE(launch(append, {1, 1, 1}, {32, 33, 1}, 0, nullptr, none, 0), hipErrorInvalidConfiguration);
    QCOMPARE(launch(append, {0, 1, 1}, {1, 1, 1}, 0, nullptr, none, 0), hipErrorInvalidConfiguration);
    QCOMPARE(launch(append, {1, 1, 1}, {1, 0, 1}, 0, nullptr, none, 0), hipErrorInvalidConfiguration);
    QCOMPARE(launch(append, {1, 1, 1}, {1, 1, 1}, ldsLimitBytes(Architecture::gfx942) + 1, nullptr, none, 0),
             hipErrorInvalidValue);
    QCOMPARE(launch(addOne, {1, 1, 1}, {1, 1, 1}, ldsLimitBytes(Architecture::gfx942) - 1023, nullptr, none),
             hipErrorInvalidValue); // 1024 are static
    QCOMPARE(hipLaunchKernel(&none, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr), hipErrorInvalidDeviceFunction);
    QCOMPARE(hipLaunchCooperativeKernel(LoadedModule::stub(append), {1U << 20, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr),
             hipErrorCooperativeLaunchTooLarge);
    QCOMPARE(hipGetLastError(), hipErrorCooperativeLaunchTooLarge);
    QCOMPARE(hipGetLastError(), hipSuccess);
}

void HipcpuRuntimeStreams::staleHandlesAreRefused() {
    HipStream stream = nullptr;
    HipEvent event = nullptr;
    QCOMPARE(hipStreamCreate(&stream), hipSuccess);
    QCOMPARE(hipEventCreate(&event), hipSuccess);
    QCOMPARE(hipStreamDestroy(stream), hipSuccess);
    QCOMPARE(hipEventDestroy(event), hipSuccess);
    QCOMPARE(hipStreamSynchronize(stream), hipErrorInvalidHandle);
    QCOMPARE(hipEventRecord(event, nullptr), hipErrorInvalidHandle);
    QCOMPARE(hipEventDestroy(event), hipErrorInvalidHandle);
    int onStack = 0;
    QCOMPARE(hipFree(&onStack), hipErrorInvalidValue);
    QCOMPARE(hipMemcpy(nullptr, &onStack, 4, hipMemcpyHostToDevice), hipErrorInvalidValue);
    hipGetLastError();
}

void HipcpuRuntimeStreams::callConfigurationIsAStack() {
    Dim3 grid;
    Dim3 block;
    std::size_t lds = 0;
    HipStream stream = nullptr;
    QCOMPARE(__hipPushCallConfiguration({1, 2, 3}, {4, 5, 6}, 7, nullptr), hipSuccess);
    QCOMPARE(__hipPushCallConfiguration({9, 1, 1}, {1, 1, 1}, 0, nullptr), hipSuccess);
    QCOMPARE(__hipPopCallConfiguration(&grid, &block, &lds, &stream), hipSuccess);
    QCOMPARE(grid.x, 9u);
    QCOMPARE(__hipPopCallConfiguration(&grid, &block, &lds, &stream), hipSuccess);
    QVERIFY(grid.y == 2 && block.z == 6 && lds == 7);
    QCOMPARE(__hipPopCallConfiguration(&grid, &block, &lds, &stream), hipErrorMissingConfiguration);
    hipGetLastError();
}

// Both threads submit and both wait, and a waiting thread executes what it can.
void HipcpuRuntimeStreams::manyLaunchesFromTwoThreads() {
    constexpr int launches = 3000;
    constexpr std::uint32_t count = 8 * 64;
    const auto work = [](std::uint32_t* data, bool* right) {
        HipStream stream = nullptr;
        *right = hipStreamCreate(&stream) == hipSuccess;
        for (int i = 0; i < launches; ++i) {
            *right = launch(addOne, {8, 1, 1}, {64, 1, 1}, 0, stream, data) == hipSuccess && *right;
            if (i % 7 == 0) {
                *right = hipStreamSynchronize(stream) == hipSuccess && *right;
                *right = data[0] == static_cast<std::uint32_t>(i) + 1 &&
                         data[count - 1] == static_cast<std::uint32_t>(i) + 1 && *right;
            }
        }
        *right = hipStreamSynchronize(stream) == hipSuccess && hipStreamDestroy(stream) == hipSuccess && *right;
    };
    std::vector<std::uint32_t> one(count);
    std::vector<std::uint32_t> two(count);
    bool rightOne = false;
    bool rightTwo = false;
    std::thread other(work, one.data(), &rightOne); // the thread sanitizer cannot see how a QThread ends
    work(two.data(), &rightTwo);
    other.join();
    QVERIFY(rightOne && rightTwo);
    QCOMPARE(one, std::vector<std::uint32_t>(count, launches));
    QCOMPARE(two, std::vector<std::uint32_t>(count, launches));
}

void HipcpuRuntimeStreams::propertiesDescribeTheDevice() {
    DeviceProperties5 five;
    DeviceProperties6 six;
    QCOMPARE(hipGetDeviceProperties(&five, 0), hipSuccess);
    QCOMPARE(hipGetDevicePropertiesR0600(&six, 0), hipSuccess);
    QCOMPARE(five.warpSize, 64);
    QCOMPARE(six.warpSize, 64);
    QCOMPARE(QByteArray(five.gcnArchName), QByteArray("gfx942"));
    QCOMPARE(five.gcnArch, 942);
    QCOMPARE(QByteArray(six.gcnArchName), QByteArray("gfx942"));
    QCOMPARE(QByteArray(six.name),
             QByteArray("CPU (" + QByteArray::number(six.multiProcessorCount) + " threads) as gfx942"));
    QCOMPARE(five.sharedMemPerBlock, std::size_t{65536});
    QCOMPARE(hipGetDeviceProperties(&five, 1), hipErrorInvalidDevice);
    int blocks = 0;
    QCOMPARE(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, LoadedModule::stub(append), 256, 20000), hipSuccess);
    QCOMPARE(blocks, 3); // by LDS
    QCOMPARE(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, LoadedModule::stub(append), 256, 0), hipSuccess);
    QCOMPARE(blocks, 8); // by threads
    hipGetLastError();
}

// Each thread executes what it waits for, unless another one is at it: a thread that only looks must not keep all the
// others from executing. In rounds, since a later command would hide that nobody executes an earlier one.
void HipcpuRuntimeStreams::manyThreadsWaitAtOnce() {
    constexpr int callers = 4, rounds = 5000;
    std::atomic<int> launched{0};
    std::mutex mutex;
    std::condition_variable_any all;
    int arrived = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < callers; ++i) {
        threads.emplace_back([&] {
            Large large = {};
            large.tail = 1;
            for (int launchNumber = 0; launchNumber < rounds; ++launchNumber) {
                std::uint64_t sum = 0;
                const HipError error =
                    launch(sumArguments, {1, 1, 1}, {1, 1, 1}, 0, nullptr, &sum, large, std::int8_t{2});
                launched += error == hipSuccess && hipDeviceSynchronize() == hipSuccess && sum == 3 ? 1 : 0;
                std::unique_lock lock(mutex);
                const int round = arrived++ / callers;
                all.notify_all();
                all.wait(lock, [&] { return arrived / callers > round; });
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    QCOMPARE(launched.load(), callers * rounds);
}

void HipcpuRuntimeStreams::lastErrorIsKeptPerThread() {
    QCOMPARE(hipSetDevice(3), hipErrorInvalidDevice);
    HipError elsewhere = hipErrorUnknown;
    std::thread([&elsewhere] { elsewhere = hipPeekAtLastError(); }).join();
    QCOMPARE(elsewhere, hipSuccess);
    QCOMPARE(hipPeekAtLastError(), hipErrorInvalidDevice);
    QCOMPARE(hipGetLastError(), hipErrorInvalidDevice);
    QCOMPARE(QByteArray(hipGetErrorName(hipErrorInvalidDevice)), QByteArray("hipErrorInvalidDevice"));
}

QTEST_APPLESS_MAIN(HipcpuRuntimeStreams)
#include "hipcpu_runtime_streams.moc"
