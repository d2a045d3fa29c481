// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs that streams capture and that host code puts together: what they do against the same done by the host, when
// they do it, and what is refused.
#include "check.h"

#include <algorithm>
#include <numeric>
#include <thread>

__global__ void addTo(int* x, int value, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        x[i] += value;
    }
}
__global__ void multiply(int* x, int factor, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        x[i] *= factor;
    }
}
__global__ void addAll(const int* a, const int* b, int* sum, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        sum[i] = a[i] + b[i];
    }
}

constexpr int n = 500, blocks = 8, threads = 64;

bool all(const std::vector<int>& values, int value) {
    return std::all_of(values.begin(), values.end(), [&](int one) { return one == value; });
}

// Forgets it, too.
bool fails(hipError_t got, hipError_t expected) {
    (void)hipGetLastError();
    return got == expected;
}

hipGraphExec_t executable(hipGraph_t graph) {
    hipGraphExec_t made = nullptr;
    HIP_CHECK(hipGraphInstantiate(&made, graph, nullptr, nullptr, 0));
    return made;
}

void increment(void* counter) {
    ++*static_cast<int*>(counter);
}

void whatAStreamCaptures() {
    Device<int> x(n), y(n);
    hipStream_t stream;
    HIP_CHECK(hipStreamCreate(&stream));
    hipStreamCaptureStatus status = hipStreamCaptureStatusInvalidated;
    HIP_CHECK(hipStreamIsCapturing(stream, &status));
    expect("not yet", status == hipStreamCaptureStatusNone);

    std::vector<int> result(n, -1); // pageable: is written when the graph runs
    int calls = 0;
    HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    int value = 5;
    addTo<<<blocks, threads, 0, stream>>>(x.get(), value, n);
    value = 900; // too late
    multiply<<<blocks, threads, 0, stream>>>(x.get(), 3, n);
    HIP_CHECK(hipMemcpyAsync(y.get(), x.get(), n * sizeof(int), hipMemcpyDeviceToDevice, stream));
    HIP_CHECK(hipMemsetAsync(x.get(), 0, sizeof(int), stream));
    HIP_CHECK(hipMemcpyAsync(result.data(), y.get(), n * sizeof(int), hipMemcpyDeviceToHost, stream));
    HIP_CHECK(hipLaunchHostFunc(stream, increment, &calls));
    HIP_CHECK(hipStreamIsCapturing(stream, &status));
    hipGraph_t graph = nullptr;
    HIP_CHECK(hipStreamEndCapture(stream, &graph));
    HIP_CHECK(hipDeviceSynchronize());
    expect("nothing has run", status == hipStreamCaptureStatusActive && calls == 0 && all(x.read(), 0) &&
                                  all(y.read(), 0) && all(result, -1));
    std::size_t count = 0;
    HIP_CHECK(hipGraphGetNodes(graph, nullptr, &count));
    hipGraphNode_t nodes[7] = {};
    std::size_t room = 7, roots = 0;
    HIP_CHECK(hipGraphGetNodes(graph, nodes, &room));
    HIP_CHECK(hipGraphGetRootNodes(graph, nullptr, &roots));
    expect("one behind the other", count == 6 && room == 6 && nodes[5] && !nodes[6] && roots == 1);

    hipGraphExec_t run = executable(graph);
    HIP_CHECK(hipGraphDestroy(graph));
    HIP_CHECK(hipGraphUpload(run, stream));
    std::vector<int> expected(n), first;
    for (int i = 0; i < 4; ++i) {
        HIP_CHECK(hipGraphLaunch(run, stream));
    }
    HIP_CHECK(hipStreamSynchronize(stream));
    for (int i = 0; i < 4; ++i) {
        for (int& one : expected) {
            one = (one + 5) * 3;
        }
        first = expected;
        expected[0] = 0;
    }
    expect("four times", x.read() == expected && y.read() == first && result == first && calls == 4);
    HIP_CHECK(hipGraphExecDestroy(run));
    expect("stale handles", fails(hipGraphLaunch(run, stream), hipErrorInvalidValue) &&
                                fails(hipGraphDestroy(graph), hipErrorInvalidValue));
    HIP_CHECK(hipStreamDestroy(stream));
}

// Two streams that part and meet by events, and a graph in a graph.
void forks() {
    Device<int> a(n), b(n), sum(n);
    hipStream_t one, two;
    hipEvent_t parted, done;
    HIP_CHECK(hipStreamCreateWithFlags(&one, hipStreamNonBlocking));
    HIP_CHECK(hipStreamCreateWithFlags(&two, hipStreamNonBlocking));
    HIP_CHECK(hipEventCreate(&parted));
    HIP_CHECK(hipEventCreate(&done));
    HIP_CHECK(hipStreamBeginCapture(one, hipStreamCaptureModeThreadLocal));
    addTo<<<blocks, threads, 0, one>>>(a.get(), 1, n);
    HIP_CHECK(hipEventRecord(parted, one));
    HIP_CHECK(hipStreamWaitEvent(two, parted, 0));
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    HIP_CHECK(hipStreamIsCapturing(two, &status));
    addTo<<<blocks, threads, 0, two>>>(b.get(), 10, n);
    multiply<<<blocks, threads, 0, one>>>(a.get(), 2, n);
    HIP_CHECK(hipEventRecord(done, two));
    HIP_CHECK(hipStreamWaitEvent(one, done, 0));
    addAll<<<blocks, threads, 0, one>>>(a.get(), b.get(), sum.get(), n);
    expect("event of a capture", status == hipStreamCaptureStatusActive &&
                                     fails(hipEventSynchronize(done), hipErrorCapturedEvent) &&
                                     fails(hipEventQuery(done), hipErrorCapturedEvent));
    hipGraph_t graph = nullptr;
    expect("ends where it began", fails(hipStreamEndCapture(two, &graph), hipErrorStreamCaptureUnmatched));
    HIP_CHECK(hipStreamEndCapture(one, &graph));
    hipGraphNode_t nodes[4], before[3] = {};
    std::size_t count = 4, beforeLast = 3;
    HIP_CHECK(hipGraphGetNodes(graph, nodes, &count));
    HIP_CHECK(hipGraphNodeGetDependencies(nodes[3], before, &beforeLast));
    expect("two before the last", count == 4 && beforeLast == 2);
    hipGraphExec_t run = executable(graph);
    HIP_CHECK(hipStreamBeginCapture(two, hipStreamCaptureModeRelaxed));
    HIP_CHECK(hipGraphLaunch(run, two));
    HIP_CHECK(hipGraphLaunch(run, two));
    int* memory = nullptr;
    HIP_CHECK(hipMalloc(&memory, 4)); // a relaxed capture allows it
    HIP_CHECK(hipFree(memory));
    hipGraph_t outer = nullptr;
    HIP_CHECK(hipStreamEndCapture(two, &outer));
    hipGraphExec_t runOuter = executable(outer);
    HIP_CHECK(hipGraphLaunch(runOuter, one));
    HIP_CHECK(hipGraphLaunch(run, one));
    HIP_CHECK(hipEventRecord(done, one));
    HIP_CHECK(hipEventSynchronize(done));
    // a: 2, 6, 14; b: 10, 20, 30
    expect("graphs in a graph", all(sum.read(), 44) && all(a.read(), 14) && all(b.read(), 30));
}

void whatIsRefused() {
    Device<int> x(n);
    hipStream_t stream, other;
    hipEvent_t event;
    HIP_CHECK(hipStreamCreate(&stream));
    HIP_CHECK(hipStreamCreate(&other));
    HIP_CHECK(hipEventCreate(&event));
    hipGraph_t graph = nullptr;
    const auto spoiltBy = [&](const char* what, hipError_t expected, auto call) {
        HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
        addTo<<<blocks, threads, 0, stream>>>(x.get(), 1, n);
        const bool isRefused = fails(call(), expected);
        const bool isSpoilt = fails(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureInvalidated);
        expect(what, isRefused && isSpoilt && graph == nullptr);
    };
    spoiltBy("synchronised stream", hipErrorStreamCaptureUnsupported, [&] { return hipStreamSynchronize(stream); });
    spoiltBy("queried stream", hipErrorStreamCaptureUnsupported, [&] { return hipStreamQuery(stream); });
    spoiltBy("synchronised device", hipErrorStreamCaptureUnsupported, [&] { return hipDeviceSynchronize(); });
    int* memory = nullptr;
    spoiltBy("allocation", hipErrorStreamCaptureUnsupported, [&] { return hipMalloc(&memory, 64); });
    std::vector<int> host(n);
    spoiltBy("synchronous copy", hipErrorStreamCaptureUnsupported,
             [&] { return hipMemcpy(host.data(), x.get(), sizeof(int), hipMemcpyDeviceToHost); });
    spoiltBy("null stream", hipErrorStreamCaptureImplicit, [&] {
        addTo<<<blocks, threads>>>(x.get(), 1, n);
        return hipGetLastError();
    });
    HIP_CHECK(hipEventRecord(event, other));
    spoiltBy("event from outside", hipErrorStreamCaptureIsolation,
             [&] { return hipStreamWaitEvent(stream, event, 0); });
    spoiltBy("from another thread", hipErrorStreamCaptureUnsupported, [&] {
        hipError_t error = hipSuccess;
        std::thread([&] { error = hipMalloc(&memory, 64); }).join();
        return error;
    });
    HIP_CHECK(hipDeviceSynchronize());
    expect("nothing of it has run", all(x.read(), 0));

    HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
    addTo<<<blocks, threads, 0, stream>>>(x.get(), 1, n);
    expect("twice", fails(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal), hipErrorIllegalState));
    HIP_CHECK(hipEventRecord(event, stream));
    HIP_CHECK(hipStreamWaitEvent(other, event, 0));
    addTo<<<blocks, threads, 0, other>>>(x.get(), 1, n);
    expect("not joined", fails(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureUnjoined));
    expect("not begun", fails(hipStreamEndCapture(stream, &graph), hipErrorIllegalState));
    expect("the null stream",
           fails(hipStreamBeginCapture(nullptr, hipStreamCaptureModeGlobal), hipErrorStreamCaptureUnsupported));
    addTo<<<blocks, threads, 0, other>>>(x.get(), 1, n);
    HIP_CHECK(hipDeviceSynchronize());
    expect("and then as ever", all(x.read(), 1));
}

hipKernelNodeParams kernelNode(const void* function, void** arguments) {
    hipKernelNodeParams params = {};
    params.func = const_cast<void*>(function);
    params.gridDim = dim3(blocks);
    params.blockDim = dim3(threads);
    params.kernelParams = arguments;
    return params;
}

// Nodes in another order than that in which they were added.
void whatIsPutTogether() {
    Device<int> x(n), y(n);
    std::vector<int> start(n), back(n);
    std::iota(start.begin(), start.end(), 0);
    hipGraph_t graph = nullptr;
    HIP_CHECK(hipGraphCreate(&graph, 0));
    int *px = x.get(), *py = y.get(), count = n, factor = 2, value = 7, calls = 0;
    void* multiplied[] = {&px, &factor, &count};
    void* added[] = {&px, &value, &count};
    hipGraphNode_t last, mul, add, in, fill, out, host;
    hipKernelNodeParams params = kernelNode(reinterpret_cast<const void*>(&multiply), multiplied);
    HIP_CHECK(
        hipGraphAddMemcpyNode1D(&out, graph, nullptr, 0, back.data(), px, n * sizeof(int), hipMemcpyDeviceToHost));
    HIP_CHECK(hipGraphAddKernelNode(&mul, graph, nullptr, 0, &params));
    params = kernelNode(reinterpret_cast<const void*>(&addTo), added);
    HIP_CHECK(hipGraphAddKernelNode(&add, graph, nullptr, 0, &params));
    HIP_CHECK(
        hipGraphAddMemcpyNode1D(&in, graph, nullptr, 0, px, start.data(), n * sizeof(int), hipMemcpyHostToDevice));
    hipMemsetParams filled = {};
    filled.dst = py;
    filled.elementSize = 4;
    filled.value = 0x01020304;
    filled.width = 10;
    filled.height = 5;
    filled.pitch = 100 * sizeof(int);
    HIP_CHECK(hipGraphAddMemsetNode(&fill, graph, &in, 1, &filled));
    const hipHostNodeParams called = {increment, &calls};
    HIP_CHECK(hipGraphAddHostNode(&host, graph, &fill, 1, &called));
    const hipGraphNode_t ends[] = {out, host};
    HIP_CHECK(hipGraphAddEmptyNode(&last, graph, ends, 2));
    const hipGraphNode_t from[] = {in, add, mul}, to[] = {add, mul, out};
    HIP_CHECK(hipGraphAddDependencies(graph, from, to, 3));
    hipGraphExec_t run = executable(graph);
    HIP_CHECK(hipGraphLaunch(run, nullptr));
    HIP_CHECK(hipDeviceSynchronize());
    bool right = calls == 1;
    const auto rows = y.read();
    for (int i = 0; i < n; ++i) {
        right = right && back[i] == (i + 7) * 2 && rows[i] == (i % 100 < 10 ? 0x01020304 : 0);
    }
    expect("in the order of their edges", right);

    // Other arguments, for launches from then on.
    value = 100;
    HIP_CHECK(hipGraphExecKernelNodeSetParams(run, add, &params));
    factor = 3;
    hipKernelNodeParams asked = {};
    HIP_CHECK(hipGraphKernelNodeGetParams(mul, &asked));
    expect("parameters of a node", asked.func == reinterpret_cast<const void*>(&multiply) &&
                                       asked.gridDim.x == blocks && asked.blockDim.x == threads &&
                                       *static_cast<int*>(asked.kernelParams[1]) == 2);
    *static_cast<int*>(asked.kernelParams[1]) = 5;
    HIP_CHECK(hipGraphExecKernelNodeSetParams(run, mul, &asked));
    HIP_CHECK(hipGraphLaunch(run, nullptr));
    HIP_CHECK(hipDeviceSynchronize());
    right = calls == 2;
    for (int i = 0; i < n; ++i) {
        right = right && back[i] == (i + 100) * 5;
    }
    expect("other arguments", right);
    expect("another kind of node", fails(hipGraphExecKernelNodeSetParams(run, fill, &asked), hipErrorInvalidValue));

    hipGraph_t same = nullptr;
    HIP_CHECK(hipGraphClone(&same, graph));
    hipGraphNode_t different = nullptr;
    hipGraphExecUpdateResult result = hipGraphExecUpdateError;
    HIP_CHECK(hipGraphExecUpdate(run, same, &different, &result));
    HIP_CHECK(hipGraphLaunch(run, nullptr));
    HIP_CHECK(hipDeviceSynchronize());
    right = result == hipGraphExecUpdateSuccess;
    for (int i = 0; i < n; ++i) {
        right = right && back[i] == (i + 7) * 5; // the factor was changed where the node keeps it
    }
    expect("as another graph has it", right);
    HIP_CHECK(hipGraphDestroyNode(last));
    expect("of another form",
           fails(hipGraphExecUpdate(run, graph, &different, &result), hipErrorGraphExecUpdateFailure) &&
               result == hipGraphExecUpdateErrorTopologyChanged);
    HIP_CHECK(hipGraphAddDependencies(graph, &out, &in, 1));
    hipGraphExec_t none = nullptr;
    expect("in a circle", fails(hipGraphInstantiate(&none, graph, nullptr, nullptr, 0), hipErrorInvalidValue));
}

// A part of a box of memory, by a node and by a call.
void boxes() {
    constexpr std::size_t width = 6, height = 5, depth = 4;
    std::vector<int> from(width * height * depth);
    std::iota(from.begin(), from.end(), 1);
    Device<int> to(from.size()), again(from.size());
    hipMemcpy3DParms params = {};
    params.srcPtr = make_hipPitchedPtr(from.data(), width * sizeof(int), width, height);
    params.dstPtr = make_hipPitchedPtr(to.get(), width * sizeof(int), width, height);
    params.srcPos = make_hipPos(sizeof(int), 1, 0);
    params.dstPos = make_hipPos(0, 2, 1);
    params.extent = make_hipExtent(3 * sizeof(int), 2, 3);
    params.kind = hipMemcpyHostToDevice;
    hipGraph_t graph = nullptr;
    hipGraphNode_t node = nullptr;
    HIP_CHECK(hipGraphCreate(&graph, 0));
    HIP_CHECK(hipGraphAddMemcpyNode(&node, graph, nullptr, 0, &params));
    HIP_CHECK(hipGraphLaunch(executable(graph), nullptr));
    params.dstPtr.ptr = again.get();
    HIP_CHECK(hipMemcpy3D(&params));
    std::vector<int> expected(from.size());
    for (std::size_t z = 0; z < 3; ++z) {
        for (std::size_t y = 0; y < 2; ++y) {
            for (std::size_t x = 0; x < 3; ++x) {
                expected[((z + 1) * height + y + 2) * width + x] = from[(z * height + y + 1) * width + x + 1];
            }
        }
    }
    expect("boxes", to.read() == expected && again.read() == expected);
    params.extent.width = width * sizeof(int);
    expect("too wide", fails(hipMemcpy3D(&params), hipErrorInvalidValue));
}

int main() {
    whatAStreamCaptures();
    forks();
    whatIsRefused();
    whatIsPutTogether();
    boxes();
    return verdict();
}
