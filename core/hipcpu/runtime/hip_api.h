// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What libhipcpu.so exports of the HIP host interface: what clang's HIP host objects call and what the runner resolves
// by name; hipRTC is in rtc_api.h. Textures and arrays are absent. Semantics follow AMD's documentation of each
// function.

#include "core/hipcpu/runtime/device_properties.h"
#include "core/hipcpu/runtime/hip_types.h"

namespace gks::hipcpu {
class MemoryPool;
using HipMemoryPool = MemoryPool*;
} // namespace gks::hipcpu

#pragma GCC visibility push(default)
extern "C" {

// Registration, from the constructors of HIP host objects.
void** __hipRegisterFatBinary(const void* wrapper);
void __hipUnregisterFatBinary(void** module);
void __hipRegisterFunction(void** module, const void* hostFunction, char* deviceFunction, const char* name,
                           unsigned threadLimit, void* tid, void* bid, void* blockDim, void* gridDim, int* waveSize);
void __hipRegisterVar(void** module, void* hostVariable, char* hostName, const char* name, int isExternal,
                      std::size_t sizeBytes, int isConstant, int isGlobal);
void __hipRegisterManagedVar(void* module, void** pointer, void* initialValue, const char* name, std::size_t sizeBytes,
                             unsigned alignment);

// Launch.
gks::hipcpu::HipError __hipPushCallConfiguration(gks::hipcpu::Dim3 grid, gks::hipcpu::Dim3 block,
                                                 std::size_t dynamicLdsBytes, gks::hipcpu::HipStream stream);
gks::hipcpu::HipError __hipPopCallConfiguration(gks::hipcpu::Dim3* grid, gks::hipcpu::Dim3* block,
                                                std::size_t* dynamicLdsBytes, gks::hipcpu::HipStream* stream);
gks::hipcpu::HipError hipLaunchKernel(const void* function, gks::hipcpu::Dim3 grid, gks::hipcpu::Dim3 block,
                                      void** arguments, std::size_t dynamicLdsBytes, gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipExtLaunchKernel(const void* function, gks::hipcpu::Dim3 grid, gks::hipcpu::Dim3 block,
                                         void** arguments, std::size_t dynamicLdsBytes, gks::hipcpu::HipStream stream,
                                         gks::hipcpu::HipEvent start, gks::hipcpu::HipEvent stop, int flags);
gks::hipcpu::HipError hipLaunchCooperativeKernel(const void* function, gks::hipcpu::Dim3 grid, gks::hipcpu::Dim3 block,
                                                 void** arguments, unsigned dynamicLdsBytes,
                                                 gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipLaunchHostFunc(gks::hipcpu::HipStream stream, gks::hipcpu::HipHostFunction function,
                                        void* userData);
gks::hipcpu::HipError hipFuncSetAttribute(const void* function, int attribute, int value);
gks::hipcpu::HipError hipFuncSetCacheConfig(const void* function, int config);
gks::hipcpu::HipError hipFuncGetAttributes(gks::hipcpu::HipFunctionAttributes* attributes, const void* function);
gks::hipcpu::HipError hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int blockSize,
                                                                   std::size_t dynamicLdsBytes);
gks::hipcpu::HipError hipOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, const void* function,
                                                        std::size_t dynamicLdsBytes, int blockSizeLimit);
gks::hipcpu::HipError hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                            int blockSize, std::size_t dynamicLdsBytes,
                                                                            unsigned flags);

// Memory.
gks::hipcpu::HipError hipMalloc(void** pointer, std::size_t sizeBytes);
gks::hipcpu::HipError hipExtMallocWithFlags(void** pointer, std::size_t sizeBytes, unsigned flags);
gks::hipcpu::HipError hipFree(void* pointer);
gks::hipcpu::HipError hipMallocAsync(void** pointer, std::size_t sizeBytes, gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipFreeAsync(void* pointer, gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipHostMalloc(void** pointer, std::size_t sizeBytes, unsigned flags);
gks::hipcpu::HipError hipHostFree(void* pointer);
gks::hipcpu::HipError hipMallocManaged(void** pointer, std::size_t sizeBytes, unsigned flags);
gks::hipcpu::HipError hipMallocHost(void** pointer, std::size_t sizeBytes);
gks::hipcpu::HipError hipFreeHost(void* pointer);
gks::hipcpu::HipError hipHostRegister(void* pointer, std::size_t sizeBytes, unsigned flags);
gks::hipcpu::HipError hipHostUnregister(void* pointer);
gks::hipcpu::HipError hipHostGetDevicePointer(void** devicePointer, void* hostPointer, unsigned flags);
gks::hipcpu::HipError hipHostAlloc(void** pointer, std::size_t sizeBytes, unsigned flags);
gks::hipcpu::HipError hipMemAllocHost(void** pointer, std::size_t sizeBytes);
gks::hipcpu::HipError hipHostGetFlags(unsigned* flags, void* pointer);
gks::hipcpu::HipError hipMallocPitch(void** pointer, std::size_t* pitch, std::size_t widthBytes, std::size_t height);
gks::hipcpu::HipError hipMemAllocPitch(void** pointer, std::size_t* pitch, std::size_t widthBytes, std::size_t height,
                                       unsigned elementBytes);
gks::hipcpu::HipError hipMemGetAddressRange(void** begin, std::size_t* sizeBytes, void* pointer);
gks::hipcpu::HipError hipMemPtrGetInfo(void* pointer, std::size_t* sizeBytes);
gks::hipcpu::HipError hipMalloc3D(gks::hipcpu::HipPitchedPointer* volume, gks::hipcpu::HipExtent extent);
gks::hipcpu::HipError hipMemset3D(gks::hipcpu::HipPitchedPointer volume, int value, gks::hipcpu::HipExtent extent);
gks::hipcpu::HipError hipMemset3DAsync(gks::hipcpu::HipPitchedPointer volume, int value, gks::hipcpu::HipExtent extent,
                                       gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipDeviceGetDefaultMemPool(gks::hipcpu::HipMemoryPool* pool, int device);
gks::hipcpu::HipError hipDeviceGetMemPool(gks::hipcpu::HipMemoryPool* pool, int device);
gks::hipcpu::HipError hipDeviceSetMemPool(int device, gks::hipcpu::HipMemoryPool pool);
gks::hipcpu::HipError hipMemPoolCreate(gks::hipcpu::HipMemoryPool* pool, const void* properties);
gks::hipcpu::HipError hipMemPoolDestroy(gks::hipcpu::HipMemoryPool pool);
gks::hipcpu::HipError hipMemPoolSetAttribute(gks::hipcpu::HipMemoryPool pool, int attribute, void* value);
gks::hipcpu::HipError hipMemPoolGetAttribute(gks::hipcpu::HipMemoryPool pool, int attribute, void* value);
gks::hipcpu::HipError hipMemPoolTrimTo(gks::hipcpu::HipMemoryPool pool, std::size_t sizeBytes);
gks::hipcpu::HipError hipMemPoolSetAccess(gks::hipcpu::HipMemoryPool pool, const void* places, std::size_t count);
gks::hipcpu::HipError hipMemPoolGetAccess(int* access, gks::hipcpu::HipMemoryPool pool, const void* place);
gks::hipcpu::HipError hipMallocFromPoolAsync(void** pointer, std::size_t sizeBytes, gks::hipcpu::HipMemoryPool pool,
                                             gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipMemAdvise(const void* pointer, std::size_t sizeBytes, int advice, int device);
gks::hipcpu::HipError hipMemPrefetchAsync(const void* pointer, std::size_t sizeBytes, int device,
                                          gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipMemRangeGetAttribute(void* data, std::size_t dataBytes, int attribute, const void* pointer,
                                              std::size_t sizeBytes);
gks::hipcpu::HipError hipMemRangeGetAttributes(void** data, std::size_t* dataBytes, int* attributes, std::size_t count,
                                               const void* pointer, std::size_t sizeBytes);
gks::hipcpu::HipError hipStreamAttachMemAsync(gks::hipcpu::HipStream stream, void* pointer, std::size_t sizeBytes,
                                              unsigned flags);
gks::hipcpu::HipError hipMemGetInfo(std::size_t* freeBytes, std::size_t* totalBytes);
gks::hipcpu::HipError hipPointerGetAttributes(gks::hipcpu::HipPointerAttributes* attributes, const void* pointer);
gks::hipcpu::HipError hipMemcpy(void* to, const void* from, std::size_t sizeBytes, gks::hipcpu::HipMemcpyKind kind);
gks::hipcpu::HipError hipMemcpyWithStream(void* to, const void* from, std::size_t sizeBytes,
                                          gks::hipcpu::HipMemcpyKind kind, gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipMemcpyAsync(void* to, const void* from, std::size_t sizeBytes, gks::hipcpu::HipMemcpyKind kind,
                                     gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipMemcpyHtoD(void* to, void* from, std::size_t sizeBytes);
gks::hipcpu::HipError hipMemcpyDtoH(void* to, void* from, std::size_t sizeBytes);
gks::hipcpu::HipError hipMemcpyDtoD(void* to, void* from, std::size_t sizeBytes);
gks::hipcpu::HipError hipMemcpyHtoDAsync(void* to, void* from, std::size_t sizeBytes, gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipMemcpyDtoHAsync(void* to, void* from, std::size_t sizeBytes, gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipMemcpyDtoDAsync(void* to, void* from, std::size_t sizeBytes, gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipMemcpyPeer(void* to, int toDevice, const void* from, int fromDevice, std::size_t sizeBytes);
gks::hipcpu::HipError hipMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice,
                                         std::size_t sizeBytes, gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipMemcpy2D(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                                  std::size_t widthBytes, std::size_t height, gks::hipcpu::HipMemcpyKind kind);
gks::hipcpu::HipError hipMemcpy2DAsync(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                                       std::size_t widthBytes, std::size_t height, gks::hipcpu::HipMemcpyKind kind,
                                       gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipMemcpy3D(const gks::hipcpu::HipMemcpy3DParams* asked);
gks::hipcpu::HipError hipMemcpy3DAsync(const gks::hipcpu::HipMemcpy3DParams* asked, gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipMemset(void* to, int value, std::size_t sizeBytes);
gks::hipcpu::HipError hipMemsetAsync(void* to, int value, std::size_t sizeBytes, gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipMemsetD8(void* to, unsigned char value, std::size_t count);
gks::hipcpu::HipError hipMemsetD16(void* to, unsigned short value, std::size_t count);
gks::hipcpu::HipError hipMemsetD32(void* to, int value, std::size_t count);
gks::hipcpu::HipError hipMemset2D(void* to, std::size_t pitch, int value, std::size_t widthBytes, std::size_t height);
gks::hipcpu::HipError hipMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t widthBytes,
                                       std::size_t height, gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipMemsetD8Async(void* to, unsigned char value, std::size_t count, gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipMemsetD16Async(void* to, unsigned short value, std::size_t count,
                                        gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipMemsetD32Async(void* to, int value, std::size_t count, gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipMemcpyToSymbol(const void* symbol, const void* from, std::size_t sizeBytes,
                                        std::size_t offsetBytes, gks::hipcpu::HipMemcpyKind kind);
gks::hipcpu::HipError hipMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t sizeBytes,
                                             std::size_t offsetBytes, gks::hipcpu::HipMemcpyKind kind,
                                             gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipMemcpyFromSymbol(void* to, const void* symbol, std::size_t sizeBytes, std::size_t offsetBytes,
                                          gks::hipcpu::HipMemcpyKind kind);
gks::hipcpu::HipError hipMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t sizeBytes,
                                               std::size_t offsetBytes, gks::hipcpu::HipMemcpyKind kind,
                                               gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipGetSymbolAddress(void** pointer, const void* symbol);
gks::hipcpu::HipError hipGetSymbolSize(std::size_t* sizeBytes, const void* symbol);

// Streams and events.
gks::hipcpu::HipError hipStreamCreate(gks::hipcpu::HipStream* stream);
gks::hipcpu::HipError hipStreamCreateWithFlags(gks::hipcpu::HipStream* stream, unsigned flags);
gks::hipcpu::HipError hipExtStreamCreateWithCUMask(gks::hipcpu::HipStream* stream, std::uint32_t words,
                                                   const std::uint32_t* mask);
gks::hipcpu::HipError hipExtStreamGetCUMask(gks::hipcpu::HipStream stream, std::uint32_t words, std::uint32_t* mask);
gks::hipcpu::HipError hipStreamCreateWithPriority(gks::hipcpu::HipStream* stream, unsigned flags, int priority);
gks::hipcpu::HipError hipDeviceGetStreamPriorityRange(int* least, int* greatest);
gks::hipcpu::HipError hipStreamDestroy(gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipStreamSynchronize(gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipStreamQuery(gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipStreamWaitEvent(gks::hipcpu::HipStream stream, gks::hipcpu::HipEvent event, unsigned flags);
gks::hipcpu::HipError hipStreamGetFlags(gks::hipcpu::HipStream stream, unsigned* flags);
gks::hipcpu::HipError hipStreamGetDevice(gks::hipcpu::HipStream stream, int* device);
gks::hipcpu::HipError hipStreamGetPriority(gks::hipcpu::HipStream stream, int* priority);
gks::hipcpu::HipError hipStreamAddCallback(gks::hipcpu::HipStream stream, gks::hipcpu::HipStreamCallback callback,
                                           void* userData, unsigned flags);
gks::hipcpu::HipError hipEventCreate(gks::hipcpu::HipEvent* event);
gks::hipcpu::HipError hipEventCreateWithFlags(gks::hipcpu::HipEvent* event, unsigned flags);
gks::hipcpu::HipError hipEventDestroy(gks::hipcpu::HipEvent event);
gks::hipcpu::HipError hipEventRecord(gks::hipcpu::HipEvent event, gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipEventRecordWithFlags(gks::hipcpu::HipEvent event, gks::hipcpu::HipStream stream,
                                              unsigned flags);
gks::hipcpu::HipError hipEventSynchronize(gks::hipcpu::HipEvent event);
gks::hipcpu::HipError hipEventQuery(gks::hipcpu::HipEvent event);
gks::hipcpu::HipError hipEventElapsedTime(float* milliseconds, gks::hipcpu::HipEvent start, gks::hipcpu::HipEvent stop);

// Graphs, and what streams capture.
gks::hipcpu::HipError hipStreamBeginCapture(gks::hipcpu::HipStream stream, gks::hipcpu::CaptureMode mode);
gks::hipcpu::HipError hipStreamEndCapture(gks::hipcpu::HipStream stream, gks::hipcpu::HipGraph* graph);
gks::hipcpu::HipError hipStreamIsCapturing(gks::hipcpu::HipStream stream, gks::hipcpu::CaptureStatus* status);
gks::hipcpu::HipError hipStreamGetCaptureInfo(gks::hipcpu::HipStream stream, gks::hipcpu::CaptureStatus* status,
                                              unsigned long long* number);
gks::hipcpu::HipError hipThreadExchangeStreamCaptureMode(gks::hipcpu::CaptureMode* mode);
gks::hipcpu::HipError hipGraphCreate(gks::hipcpu::HipGraph* graph, unsigned flags);
gks::hipcpu::HipError hipGraphDestroy(gks::hipcpu::HipGraph graph);
gks::hipcpu::HipError hipGraphClone(gks::hipcpu::HipGraph* clone, gks::hipcpu::HipGraph graph);
gks::hipcpu::HipError hipGraphDestroyNode(gks::hipcpu::HipGraphNode node);
gks::hipcpu::HipError hipGraphAddKernelNode(gks::hipcpu::HipGraphNode* node, gks::hipcpu::HipGraph graph,
                                            const gks::hipcpu::HipGraphNode* dependencies, std::size_t count,
                                            const gks::hipcpu::HipKernelNodeParams* asked);
gks::hipcpu::HipError hipGraphAddMemcpyNode(gks::hipcpu::HipGraphNode* node, gks::hipcpu::HipGraph graph,
                                            const gks::hipcpu::HipGraphNode* dependencies, std::size_t count,
                                            const gks::hipcpu::HipMemcpy3DParams* asked);
gks::hipcpu::HipError hipGraphAddMemcpyNode1D(gks::hipcpu::HipGraphNode* node, gks::hipcpu::HipGraph graph,
                                              const gks::hipcpu::HipGraphNode* dependencies, std::size_t count,
                                              void* to, const void* from, std::size_t sizeBytes,
                                              gks::hipcpu::HipMemcpyKind kind);
gks::hipcpu::HipError hipGraphAddMemsetNode(gks::hipcpu::HipGraphNode* node, gks::hipcpu::HipGraph graph,
                                            const gks::hipcpu::HipGraphNode* dependencies, std::size_t count,
                                            const gks::hipcpu::HipMemsetParams* asked);
gks::hipcpu::HipError hipGraphAddHostNode(gks::hipcpu::HipGraphNode* node, gks::hipcpu::HipGraph graph,
                                          const gks::hipcpu::HipGraphNode* dependencies, std::size_t count,
                                          const gks::hipcpu::HipHostNodeParams* asked);
gks::hipcpu::HipError hipGraphAddEmptyNode(gks::hipcpu::HipGraphNode* node, gks::hipcpu::HipGraph graph,
                                           const gks::hipcpu::HipGraphNode* dependencies, std::size_t count);
gks::hipcpu::HipError hipGraphAddChildGraphNode(gks::hipcpu::HipGraphNode* node, gks::hipcpu::HipGraph graph,
                                                const gks::hipcpu::HipGraphNode* dependencies, std::size_t count,
                                                gks::hipcpu::HipGraph child);
gks::hipcpu::HipError hipGraphAddDependencies(gks::hipcpu::HipGraph graph, const gks::hipcpu::HipGraphNode* from,
                                              const gks::hipcpu::HipGraphNode* to, std::size_t count);
gks::hipcpu::HipError hipGraphRemoveDependencies(gks::hipcpu::HipGraph graph, const gks::hipcpu::HipGraphNode* from,
                                                 const gks::hipcpu::HipGraphNode* to, std::size_t count);
gks::hipcpu::HipError hipGraphGetNodes(gks::hipcpu::HipGraph graph, gks::hipcpu::HipGraphNode* nodes,
                                       std::size_t* count);
gks::hipcpu::HipError hipGraphGetRootNodes(gks::hipcpu::HipGraph graph, gks::hipcpu::HipGraphNode* nodes,
                                           std::size_t* count);
gks::hipcpu::HipError hipGraphNodeGetDependencies(gks::hipcpu::HipGraphNode node,
                                                  gks::hipcpu::HipGraphNode* dependencies, std::size_t* count);
gks::hipcpu::HipError hipGraphNodeGetDependentNodes(gks::hipcpu::HipGraphNode node,
                                                    gks::hipcpu::HipGraphNode* dependents, std::size_t* count);
gks::hipcpu::HipError hipGraphKernelNodeGetParams(gks::hipcpu::HipGraphNode node,
                                                  gks::hipcpu::HipKernelNodeParams* params);
gks::hipcpu::HipError hipGraphKernelNodeSetParams(gks::hipcpu::HipGraphNode node,
                                                  const gks::hipcpu::HipKernelNodeParams* asked);
gks::hipcpu::HipError hipGraphExecKernelNodeSetParams(gks::hipcpu::HipGraphExec executable,
                                                      gks::hipcpu::HipGraphNode node,
                                                      const gks::hipcpu::HipKernelNodeParams* asked);
gks::hipcpu::HipError hipGraphExecMemcpyNodeSetParams(gks::hipcpu::HipGraphExec executable,
                                                      gks::hipcpu::HipGraphNode node,
                                                      gks::hipcpu::HipMemcpy3DParams* asked);
gks::hipcpu::HipError hipGraphExecMemcpyNodeSetParams1D(gks::hipcpu::HipGraphExec executable,
                                                        gks::hipcpu::HipGraphNode node, void* to, const void* from,
                                                        std::size_t sizeBytes, gks::hipcpu::HipMemcpyKind kind);
gks::hipcpu::HipError hipGraphExecMemsetNodeSetParams(gks::hipcpu::HipGraphExec executable,
                                                      gks::hipcpu::HipGraphNode node,
                                                      const gks::hipcpu::HipMemsetParams* asked);
gks::hipcpu::HipError hipGraphExecHostNodeSetParams(gks::hipcpu::HipGraphExec executable,
                                                    gks::hipcpu::HipGraphNode node,
                                                    const gks::hipcpu::HipHostNodeParams* asked);
gks::hipcpu::HipError hipGraphInstantiate(gks::hipcpu::HipGraphExec* executable, gks::hipcpu::HipGraph graph,
                                          gks::hipcpu::HipGraphNode* wrong, char* log, std::size_t logBytes);
gks::hipcpu::HipError hipGraphInstantiateWithFlags(gks::hipcpu::HipGraphExec* executable, gks::hipcpu::HipGraph graph,
                                                   unsigned long long flags);
gks::hipcpu::HipError hipGraphExecUpdate(gks::hipcpu::HipGraphExec executable, gks::hipcpu::HipGraph graph,
                                         gks::hipcpu::HipGraphNode* different, int* result);
gks::hipcpu::HipError hipGraphExecDestroy(gks::hipcpu::HipGraphExec executable);
gks::hipcpu::HipError hipGraphUpload(gks::hipcpu::HipGraphExec executable, gks::hipcpu::HipStream stream);
gks::hipcpu::HipError hipGraphLaunch(gks::hipcpu::HipGraphExec executable, gks::hipcpu::HipStream stream);

// Code objects that the program loads.
gks::hipcpu::HipError hipModuleLoad(gks::hipcpu::HipModule* module, const char* path);
gks::hipcpu::HipError hipModuleLoadData(gks::hipcpu::HipModule* module, const void* image);
gks::hipcpu::HipError hipModuleLoadDataEx(gks::hipcpu::HipModule* module, const void* image, unsigned count,
                                          int* options, void** values);
gks::hipcpu::HipError hipModuleUnload(gks::hipcpu::HipModule module);
gks::hipcpu::HipError hipModuleGetFunction(gks::hipcpu::HipFunction* function, gks::hipcpu::HipModule module,
                                           const char* name);
gks::hipcpu::HipError hipModuleGetGlobal(void** address, std::size_t* sizeBytes, gks::hipcpu::HipModule module,
                                         const char* name);
gks::hipcpu::HipError hipModuleLaunchKernel(gks::hipcpu::HipFunction function, unsigned gridX, unsigned gridY,
                                            unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
                                            unsigned dynamicLdsBytes, gks::hipcpu::HipStream stream, void** arguments,
                                            void** extra);
gks::hipcpu::HipError hipModuleLaunchCooperativeKernel(gks::hipcpu::HipFunction function, unsigned gridX,
                                                       unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
                                                       unsigned blockZ, unsigned dynamicLdsBytes,
                                                       gks::hipcpu::HipStream stream, void** arguments);
gks::hipcpu::HipError hipExtModuleLaunchKernel(gks::hipcpu::HipFunction function, unsigned threadsX, unsigned threadsY,
                                               unsigned threadsZ, unsigned blockX, unsigned blockY, unsigned blockZ,
                                               std::size_t dynamicLdsBytes, gks::hipcpu::HipStream stream,
                                               void** arguments, void** extra, gks::hipcpu::HipEvent start,
                                               gks::hipcpu::HipEvent stop, unsigned flags);
gks::hipcpu::HipError hipFuncGetAttribute(int* value, int attribute, gks::hipcpu::HipFunction function);
gks::hipcpu::HipError hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, gks::hipcpu::HipFunction function,
                                                                         int blockSize, std::size_t dynamicLdsBytes);
gks::hipcpu::HipError hipModuleOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize,
                                                              gks::hipcpu::HipFunction function,
                                                              std::size_t dynamicLdsBytes, int blockSizeLimit);

// Device and errors.
gks::hipcpu::HipError hipInit(unsigned flags);
gks::hipcpu::HipError hipGetDeviceCount(int* count);
gks::hipcpu::HipError hipSetDevice(int device);
gks::hipcpu::HipError hipGetDevice(int* device);
gks::hipcpu::HipError hipSetDeviceFlags(unsigned flags);
gks::hipcpu::HipError hipDeviceReset();
gks::hipcpu::HipError hipDeviceSynchronize();
gks::hipcpu::HipError hipDeviceGetAttribute(int* value, int attribute, int device);
gks::hipcpu::HipError hipDeviceGetName(char* name, int capacity, int device);
gks::hipcpu::HipError hipGetDeviceProperties(gks::hipcpu::DeviceProperties5* properties, int device);
gks::hipcpu::HipError hipGetDevicePropertiesR0600(gks::hipcpu::DeviceProperties6* properties, int device);
gks::hipcpu::HipError hipDeviceGet(int* device, int ordinal);
gks::hipcpu::HipError hipDeviceTotalMem(std::size_t* sizeBytes, int device);
gks::hipcpu::HipError hipDeviceComputeCapability(int* major, int* minor, int device);
gks::hipcpu::HipError hipDeviceGetUuid(void* uuid, int device); // of 16 bytes
gks::hipcpu::HipError hipProfilerStart();
gks::hipcpu::HipError hipProfilerStop();
gks::hipcpu::HipError hipDeviceGetPCIBusId(char* address, int capacity, int device);
gks::hipcpu::HipError hipDeviceGetByPCIBusId(int* device, const char* address);
gks::hipcpu::HipError hipDeviceCanAccessPeer(int* canAccess, int device, int peer);
gks::hipcpu::HipError hipDeviceEnablePeerAccess(int peer, unsigned flags);
gks::hipcpu::HipError hipDeviceDisablePeerAccess(int peer);
gks::hipcpu::HipError hipDeviceGetP2PAttribute(int* value, int attribute, int device, int peer);
gks::hipcpu::HipError hipDeviceGetLimit(std::size_t* value, int limit);
gks::hipcpu::HipError hipDeviceSetLimit(int limit, std::size_t value);
gks::hipcpu::HipError hipDeviceGetCacheConfig(int* config);
gks::hipcpu::HipError hipDeviceSetCacheConfig(int config);
gks::hipcpu::HipError hipDeviceGetSharedMemConfig(int* config);
gks::hipcpu::HipError hipDeviceSetSharedMemConfig(int config);
gks::hipcpu::HipError hipFuncSetSharedMemConfig(const void* function, int config);
gks::hipcpu::HipError hipGetDeviceFlags(unsigned* flags);
gks::hipcpu::HipError hipChooseDevice(int* device, const void* properties);
gks::hipcpu::HipError hipRuntimeGetVersion(int* version);
gks::hipcpu::HipError hipDriverGetVersion(int* version);

// Contexts.
gks::hipcpu::HipError hipCtxCreate(gks::hipcpu::HipContext* context, unsigned flags, int device);
gks::hipcpu::HipError hipCtxDestroy(gks::hipcpu::HipContext context);
gks::hipcpu::HipError hipCtxSetCurrent(gks::hipcpu::HipContext context);
gks::hipcpu::HipError hipCtxGetCurrent(gks::hipcpu::HipContext* context);
gks::hipcpu::HipError hipCtxPushCurrent(gks::hipcpu::HipContext context);
gks::hipcpu::HipError hipCtxPopCurrent(gks::hipcpu::HipContext* context);
gks::hipcpu::HipError hipCtxGetDevice(int* device);
gks::hipcpu::HipError hipCtxSynchronize();
gks::hipcpu::HipError hipCtxGetFlags(unsigned* flags);
gks::hipcpu::HipError hipCtxGetApiVersion(gks::hipcpu::HipContext context, int* version);
gks::hipcpu::HipError hipCtxGetCacheConfig(int* config);
gks::hipcpu::HipError hipCtxSetCacheConfig(int config);
gks::hipcpu::HipError hipCtxGetSharedMemConfig(int* config);
gks::hipcpu::HipError hipCtxSetSharedMemConfig(int config);
gks::hipcpu::HipError hipCtxEnablePeerAccess(gks::hipcpu::HipContext context, unsigned flags);
gks::hipcpu::HipError hipCtxDisablePeerAccess(gks::hipcpu::HipContext context);
gks::hipcpu::HipError hipDevicePrimaryCtxRetain(gks::hipcpu::HipContext* context, int device);
gks::hipcpu::HipError hipDevicePrimaryCtxRelease(int device);
gks::hipcpu::HipError hipDevicePrimaryCtxReset(int device);
gks::hipcpu::HipError hipDevicePrimaryCtxGetState(int device, unsigned* flags, int* isActive);
gks::hipcpu::HipError hipDevicePrimaryCtxSetFlags(int device, unsigned flags);

// Errors.
gks::hipcpu::HipError hipGetLastError();
gks::hipcpu::HipError hipPeekAtLastError();
gks::hipcpu::HipError hipExtGetLastError();
const char* hipGetErrorString(gks::hipcpu::HipError error);
const char* hipGetErrorName(gks::hipcpu::HipError error);
}
#pragma GCC visibility pop
