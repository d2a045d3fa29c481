// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes of graphs: what they say of themselves, events, symbols, children, clones, nodes that are left out, memory, and
// other parameters for a graph and for an executable one.
#include "check.h"

#include <fstream>
#include <iterator>
#include <string>

__device__ int table[4];

__global__ void addTo(int* x, int value) {
    x[threadIdx.x] += value;
}

constexpr int n = 64;

bool fails(hipError_t got, hipError_t expected = hipErrorInvalidValue) {
    (void)hipGetLastError();
    return got == expected;
}

bool all(const Device<int>& values, int value) {
    return values.read() == std::vector<int>(n, value);
}

void run(hipGraphExec_t executable) {
    HIP_CHECK(hipGraphLaunch(executable, nullptr));
    HIP_CHECK(hipDeviceSynchronize());
}

hipGraphExec_t executable(hipGraph_t graph) {
    hipGraphExec_t made = nullptr;
    HIP_CHECK(hipGraphInstantiate(&made, graph, nullptr, nullptr, 0));
    return made;
}

struct Adding {
    int* x;
    int value;
    void* arguments[2] = {&x, &value};
    hipKernelNodeParams params = {};

    Adding(int* to, int by) : x(to), value(by) {
        params.func = reinterpret_cast<void*>(addTo);
        params.gridDim = dim3(1);
        params.blockDim = dim3(n);
        params.kernelParams = arguments;
    }
};

hipGraphNodeType typeOf(hipGraphNode_t node) {
    hipGraphNodeType type = hipGraphNodeTypeCount;
    HIP_CHECK(hipGraphNodeGetType(node, &type));
    return type;
}

hipMemsetParams filling(int* to, unsigned value) {
    hipMemsetParams params = {};
    params.dst = to;
    params.elementSize = 4;
    params.width = n;
    params.height = 1;
    params.value = value;
    return params;
}

void count(void* counter) {
    ++*static_cast<int*>(counter);
}

void whatNodesSay() {
    Device<int> x(n), y(n);
    hipGraph_t graph = nullptr;
    HIP_CHECK(hipGraphCreate(&graph, 0));
    hipGraphNode_t fill, add, copy, host, empty;
    hipMemsetParams fillParams = filling(x.get(), 3);
    Adding adding(x.get(), 4);
    int calls = 0;
    hipHostNodeParams hostParams = {count, &calls};
    HIP_CHECK(hipGraphAddMemsetNode(&fill, graph, nullptr, 0, &fillParams));
    HIP_CHECK(hipGraphAddKernelNode(&add, graph, &fill, 1, &adding.params));
    HIP_CHECK(hipGraphAddMemcpyNode1D(&copy, graph, &add, 1, y.get(), x.get(), n * sizeof(int), hipMemcpyDefault));
    HIP_CHECK(hipGraphAddHostNode(&host, graph, &copy, 1, &hostParams));
    HIP_CHECK(hipGraphAddEmptyNode(&empty, graph, &add, 1));
    expect("kinds", typeOf(fill) == hipGraphNodeTypeMemset && typeOf(add) == hipGraphNodeTypeKernel &&
                        typeOf(copy) == hipGraphNodeTypeMemcpy && typeOf(host) == hipGraphNodeTypeHost &&
                        typeOf(empty) == hipGraphNodeTypeEmpty);
    std::size_t edges = 0;
    HIP_CHECK(hipGraphGetEdges(graph, nullptr, nullptr, &edges));
    hipGraphNode_t from[5] = {}, to[5] = {};
    std::size_t room = 5;
    HIP_CHECK(hipGraphGetEdges(graph, from, to, &room));
    bool isRight = edges == 4 && room == 4 && from[4] == nullptr && to[4] == nullptr;
    const hipGraphNode_t expected[][2] = {{fill, add}, {add, copy}, {copy, host}, {add, empty}};
    for (const auto& edge : expected) {
        bool isThere = false;
        for (int i = 0; i < 4; ++i) {
            isThere = isThere || (from[i] == edge[0] && to[i] == edge[1]);
        }
        isRight = isRight && isThere;
    }
    room = 1;
    HIP_CHECK(hipGraphGetEdges(graph, from, to, &room));
    expect("edges", isRight && room == 1 && fails(hipGraphGetEdges(graph, from, nullptr, &room)));

    hipMemsetParams gotFill = {};
    hipHostNodeParams gotHost = {};
    hipMemcpy3DParms gotCopy = {};
    HIP_CHECK(hipGraphMemsetNodeGetParams(fill, &gotFill));
    HIP_CHECK(hipGraphHostNodeGetParams(host, &gotHost));
    HIP_CHECK(hipGraphMemcpyNodeGetParams(copy, &gotCopy));
    expect("what they were asked for", gotFill.dst == x.get() && gotFill.value == 3 && gotFill.width == n &&
                                           gotFill.elementSize == 4 && gotHost.fn == count &&
                                           gotHost.userData == &calls && gotCopy.srcPtr.ptr == x.get() &&
                                           gotCopy.dstPtr.ptr == y.get() && gotCopy.extent.width == n * sizeof(int) &&
                                           gotCopy.extent.height == 1 && gotCopy.extent.depth == 1);
    expect("of another kind", fails(hipGraphMemsetNodeGetParams(copy, &gotFill)) &&
                                  fails(hipGraphHostNodeGetParams(fill, &gotHost)) &&
                                  fails(hipGraphMemsetNodeSetParams(host, &fillParams)));

    hipGraphExec_t first = executable(graph);
    run(first);
    expect("as they stand", all(y, 7) && calls == 1);
    // Others for the graph are none for what has been made of it.
    Device<int> z(n);
    gotCopy.dstPtr.ptr = z.get();
    fillParams.value = 10;
    int others = 0;
    gotHost.userData = &others;
    HIP_CHECK(hipGraphMemcpyNodeSetParams(copy, &gotCopy));
    HIP_CHECK(hipGraphMemsetNodeSetParams(fill, &fillParams));
    HIP_CHECK(hipGraphHostNodeSetParams(host, &gotHost));
    run(first);
    expect("later ones do not count", all(z, 0) && all(y, 7) && calls == 2 && others == 0);
    hipGraphExec_t second = executable(graph);
    run(second);
    expect("and then they do", all(z, 14) && calls == 2 && others == 1);
    HIP_CHECK(hipGraphMemcpyNodeSetParams1D(copy, y.get(), x.get(), sizeof(int), hipMemcpyDeviceToDevice));
    HIP_CHECK(hipGraphMemcpyNodeGetParams(copy, &gotCopy));
    expect("one row", gotCopy.dstPtr.ptr == y.get() && gotCopy.extent.width == sizeof(int));

    // A node that is left out.
    HIP_CHECK(hipGraphNodeSetEnabled(second, add, 0));
    unsigned isOn = 7;
    HIP_CHECK(hipGraphNodeGetEnabled(second, add, &isOn));
    run(second);
    expect("left out", isOn == 0 && all(z, 10) && others == 2);
    HIP_CHECK(hipGraphNodeSetEnabled(second, add, 1));
    run(second);
    expect("and taken again", all(z, 14));

    hipGraph_t clone = nullptr;
    HIP_CHECK(hipGraphClone(&clone, graph));
    hipGraphNode_t cloned = nullptr;
    HIP_CHECK(hipGraphNodeFindInClone(&cloned, add, clone));
    hipKernelNodeParams params = {};
    HIP_CHECK(hipGraphKernelNodeGetParams(cloned, &params));
    expect("a clone's node",
           cloned != add && params.func == adding.params.func && fails(hipGraphNodeFindInClone(&cloned, add, graph)));

    const char* const path = std::tmpnam(nullptr);
    HIP_CHECK(hipGraphDebugDotPrint(graph, path, 0));
    std::ifstream file(path);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    std::remove(path);
    expect("as text", text.find("digraph") == 0 && text.find("[label=\"_Z5addToPii\"]") != std::string::npos &&
                          text.find("\"node_0\" -> \"node_1\";") != std::string::npos &&
                          fails(hipGraphDebugDotPrint(graph, "/nowhere/graph.dot", 0), hipErrorOperatingSystem));
    for (hipGraph_t one : {graph, clone}) {
        HIP_CHECK(hipGraphDestroy(one));
    }
    expect("of a graph that is gone", fails(hipGraphMemsetNodeGetParams(fill, &gotFill)));
}

void children() {
    Device<int> x(n);
    hipGraph_t inner = nullptr, outer = nullptr, copy = nullptr;
    HIP_CHECK(hipGraphCreate(&inner, 0));
    HIP_CHECK(hipGraphCreate(&outer, 0));
    Adding one(x.get(), 1), ten(x.get(), 10), hundred(x.get(), 100);
    hipGraphNode_t node, child, inside;
    HIP_CHECK(hipGraphAddKernelNode(&node, inner, nullptr, 0, &one.params));
    HIP_CHECK(hipGraphAddChildGraphNode(&child, outer, nullptr, 0, inner));
    HIP_CHECK(hipGraphChildGraphNodeGetGraph(child, &copy));
    std::size_t room = 1;
    HIP_CHECK(hipGraphGetNodes(copy, &inside, &room));
    expect("a graph of its own",
           copy != inner && room == 1 && inside != node && typeOf(child) == hipGraphNodeTypeGraph);
    HIP_CHECK(hipGraphKernelNodeSetParams(inside, &ten.params)); // of the child alone
    hipGraphExec_t made = executable(outer);
    run(made);
    expect("what is inside", all(x, 10));
    HIP_CHECK(hipGraphKernelNodeSetParams(node, &hundred.params));
    HIP_CHECK(hipGraphExecChildGraphNodeSetParams(made, child, inner));
    run(made);
    expect("another child", all(x, 110));
    HIP_CHECK(hipGraphDestroy(inner));
    HIP_CHECK(hipGraphDestroy(outer));
    expect("gone with its parent", fails(hipGraphGetNodes(copy, nullptr, &room)));
}

void events() {
    Device<int> x(n);
    hipEvent_t start, stop, other, got;
    for (hipEvent_t* event : {&start, &stop, &other}) {
        HIP_CHECK(hipEventCreate(event));
    }
    hipGraph_t graph = nullptr;
    HIP_CHECK(hipGraphCreate(&graph, 0));
    hipGraphNode_t nodes[4];
    Adding adding(x.get(), 2);
    HIP_CHECK(hipGraphAddEventWaitNode(&nodes[0], graph, nullptr, 0, other));
    HIP_CHECK(hipGraphAddEventRecordNode(&nodes[1], graph, &nodes[0], 1, start));
    HIP_CHECK(hipGraphAddKernelNode(&nodes[2], graph, &nodes[1], 1, &adding.params));
    HIP_CHECK(hipGraphAddEventRecordNode(&nodes[3], graph, &nodes[2], 1, start));
    HIP_CHECK(hipGraphEventRecordNodeSetEvent(nodes[3], stop));
    HIP_CHECK(hipGraphEventRecordNodeGetEvent(nodes[3], &got));
    float ms = -1;
    const bool isNotYet = fails(hipEventElapsedTime(&ms, start, stop), hipErrorInvalidHandle);
    expect("events as nodes", got == stop && isNotYet && typeOf(nodes[0]) == hipGraphNodeTypeWaitEvent &&
                                  typeOf(nodes[1]) == hipGraphNodeTypeEventRecord);
    hipGraphExec_t made = executable(graph);
    HIP_CHECK(hipGraphLaunch(made, nullptr));
    HIP_CHECK(hipEventSynchronize(stop));
    HIP_CHECK(hipEventElapsedTime(&ms, start, stop));
    expect("recorded by the launch", ms >= 0 && all(x, 2));
    HIP_CHECK(hipGraphExecEventRecordNodeSetEvent(made, nodes[3], other));
    run(made);
    HIP_CHECK(hipEventElapsedTime(&ms, stop, other));
    expect("another event", ms > 0 && fails(hipGraphEventWaitNodeSetEvent(nodes[1], other)));
    HIP_CHECK(hipGraphDestroy(graph));
}

void symbols() {
    int from[4] = {1, 2, 3, 4}, to[2] = {}, more[4] = {5, 6, 7, 8};
    hipGraph_t graph = nullptr;
    HIP_CHECK(hipGraphCreate(&graph, 0));
    hipGraphNode_t in, out;
    HIP_CHECK(hipGraphAddMemcpyNodeToSymbol(&in, graph, nullptr, 0, HIP_SYMBOL(table), from, sizeof from, 0,
                                            hipMemcpyHostToDevice));
    HIP_CHECK(hipGraphAddMemcpyNodeFromSymbol(&out, graph, &in, 1, to, HIP_SYMBOL(table), sizeof to, 2 * sizeof(int),
                                              hipMemcpyDeviceToHost));
    hipGraphExec_t made = executable(graph);
    run(made);
    expect("variables by their symbols", to[0] == 3 && to[1] == 4);
    HIP_CHECK(hipGraphExecMemcpyNodeSetParamsToSymbol(made, in, HIP_SYMBOL(table), more, sizeof more, 0,
                                                      hipMemcpyHostToDevice));
    HIP_CHECK(hipGraphExecMemcpyNodeSetParamsFromSymbol(made, out, to, HIP_SYMBOL(table), sizeof to, sizeof(int),
                                                        hipMemcpyDeviceToHost));
    run(made);
    expect("others", to[0] == 6 && to[1] == 7);
    expect("more than it has", fails(hipGraphMemcpyNodeSetParamsToSymbol(in, HIP_SYMBOL(table), from, sizeof from, 4,
                                                                         hipMemcpyHostToDevice)));
    HIP_CHECK(hipGraphDestroy(graph));
}

void captures() {
    Device<int> x(n);
    hipStream_t stream;
    HIP_CHECK(hipStreamCreate(&stream));
    HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    HIP_CHECK(hipMemsetAsync(x.get(), 1, n * sizeof(int), stream));
    addTo<<<1, n, 0, stream>>>(x.get(), 1);
    hipStreamCaptureStatus status;
    unsigned long long number = 0;
    hipGraph_t under = nullptr, graph = nullptr;
    const hipGraphNode_t* behind = nullptr;
    std::size_t waits = 0;
    HIP_CHECK(hipStreamGetCaptureInfo_v2(stream, &status, &number, &under, &behind, &waits));
    expect("a capture under way",
           status == hipStreamCaptureStatusActive && number != 0 && under && waits == 1 && behind[0] != nullptr);
    HIP_CHECK(hipStreamEndCapture(stream, &graph));
    hipGraphNode_t nodes[2];
    std::size_t room = 2;
    HIP_CHECK(hipGraphGetNodes(graph, nodes, &room));
    hipMemsetParams params = {};
    HIP_CHECK(hipGraphMemsetNodeGetParams(nodes[0], &params));
    expect("what was captured",
           params.dst == x.get() && params.value == 1 && params.elementSize == 1 && params.width == n * sizeof(int));
    HIP_CHECK(hipGraphDestroy(graph));
    HIP_CHECK(hipStreamDestroy(stream));
}

// Memory that a graph allocates: at the same place in each launch, until the graph is gone or the program frees it.
std::uint64_t usedByGraphs() {
    std::uint64_t used = 0;
    HIP_CHECK(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &used));
    return used;
}
void memory() {
    Device<int> out(n);
    hipGraph_t graph = nullptr;
    HIP_CHECK(hipGraphCreate(&graph, 0));
    hipMemAllocNodeParams asked = {};
    asked.poolProps.allocType = hipMemAllocationTypePinned;
    asked.poolProps.location = {hipMemLocationTypeDevice, 0};
    hipGraphNode_t got, filled, added, copied, freed;
    expect("memory of no size is refused", fails(hipGraphAddMemAllocNode(&got, graph, nullptr, 0, &asked)));
    asked.bytesize = n * sizeof(int);
    HIP_CHECK(hipGraphAddMemAllocNode(&got, graph, nullptr, 0, &asked));
    hipMemsetParams fill = {};
    fill.dst = asked.dptr;
    fill.elementSize = 4;
    fill.width = n;
    fill.height = 1;
    fill.value = 7;
    HIP_CHECK(hipGraphAddMemsetNode(&filled, graph, &got, 1, &fill));
    int* x = static_cast<int*>(asked.dptr);
    int five = 5;
    void* arguments[] = {&x, &five};
    hipKernelNodeParams kernel = {};
    kernel.func = reinterpret_cast<void*>(addTo);
    kernel.gridDim = 1;
    kernel.blockDim = n;
    kernel.kernelParams = arguments;
    HIP_CHECK(hipGraphAddKernelNode(&added, graph, &filled, 1, &kernel));
    HIP_CHECK(
        hipGraphAddMemcpyNode1D(&copied, graph, &added, 1, out.get(), x, n * sizeof(int), hipMemcpyDeviceToDevice));
    expect("only what a graph has allocated is freed by one",
           fails(hipGraphAddMemFreeNode(&freed, graph, &copied, 1, out.get())));
    HIP_CHECK(hipGraphAddMemFreeNode(&freed, graph, &copied, 1, x));
    hipMemAllocNodeParams told = {};
    void* toldFreed = nullptr;
    hipGraphNodeType type;
    HIP_CHECK(hipGraphMemAllocNodeGetParams(got, &told));
    HIP_CHECK(hipGraphMemFreeNodeGetParams(freed, &toldFreed));
    HIP_CHECK(hipGraphNodeGetType(freed, &type));
    expect("what a node of memory was asked for",
           told.dptr == x && told.bytesize == n * sizeof(int) && toldFreed == x && type == hipGraphNodeTypeMemFree);
    const hipGraphExec_t made = executable(graph);
    HIP_CHECK(hipGraphDestroy(graph));
    run(made);
    run(made);
    expect("a graph's own memory", all(out, 12) && usedByGraphs() == n * sizeof(int));
    HIP_CHECK(hipGraphExecDestroy(made));
    expect("is gone with it", usedByGraphs() == 0);

    HIP_CHECK(hipGraphCreate(&graph, 0));
    HIP_CHECK(hipGraphAddMemAllocNode(&got, graph, nullptr, 0, &asked));
    const hipGraphExec_t keeps = executable(graph);
    HIP_CHECK(hipGraphLaunch(keeps, nullptr));
    HIP_CHECK(hipMemcpy(asked.dptr, out.get(), n * sizeof(int), hipMemcpyDeviceToDevice));
    HIP_CHECK(hipFree(asked.dptr));
    expect("the program may free it", usedByGraphs() == 0 && fails(hipFree(asked.dptr)));
    HIP_CHECK(hipGraphExecDestroy(keeps));
    HIP_CHECK(hipGraphDestroy(graph));
}

int main() {
    memory();
    whatNodesSay();
    children();
    events();
    symbols();
    captures();
    return verdict();
}
