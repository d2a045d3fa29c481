// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/code_object.h"
#include "core/hipcpu/runtime/device_commands.h"
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/hipcpu/runtime/stream.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

using namespace gks::hipcpu;

namespace {

struct Modules {
    std::mutex mutex;
    std::unordered_map<const CodeObject*, std::unique_ptr<CodeObject>> loaded;

    static Modules& instance() {
        static auto* const modules = new Modules;
        return *modules;
    }
    HipModule keep(std::unique_ptr<CodeObject> module) {
        const std::lock_guard lock(mutex);
        const HipModule handle = module.get();
        loaded.emplace(handle, std::move(module));
        return handle;
    }
};

// Arguments in one piece of memory, each at a multiple of its alignment. What that is their sizes say, but for
// structures of a size that a greater alignment has too: then it is what makes them as long as the piece.
HipError unpack(const KernelEntry& kernel, void** extra, std::vector<void*>& arguments) {
    char* data = nullptr;
    std::size_t given = 0;
    constexpr std::uintptr_t pointer = 1, size = 2, end = 3;
    for (std::size_t i = 0; reinterpret_cast<std::uintptr_t>(extra[i]) != end; i += 2) {
        switch (reinterpret_cast<std::uintptr_t>(extra[i])) {
        case pointer:
            data = static_cast<char*>(extra[i + 1]);
            break;
        case size:
            given = *static_cast<std::size_t*>(extra[i + 1]);
            break;
        default:
            return hipErrorInvalidValue;
        }
    }
    for (const std::size_t greatest : {16U, 8U, 4U}) {
        std::size_t at = 0, widest = 1;
        arguments.clear();
        for (std::uint32_t i = 0; i < kernel.argumentCount; ++i) {
            const std::size_t bytes = kernel.argumentSizes[i];
            const std::size_t alignment = std::min(bytes & (~bytes + 1), greatest);
            at = alignment == 0 ? at : (at + alignment - 1) / alignment * alignment;
            widest = std::max(widest, alignment);
            arguments.push_back(data + at);
            at += bytes;
        }
        if (data != nullptr && (given == at || given == (at + widest - 1) / widest * widest)) {
            return hipSuccess;
        }
    }
    return hipErrorInvalidValue;
}

HipError launch(HipFunction function, Dim3 grid, Dim3 block, std::size_t dynamicLdsBytes, HipStream handle,
                void** arguments, void** extra, bool isCooperative = false) {
    std::vector<void*> unpacked;
    if (extra != nullptr && arguments == nullptr) {
        const auto kernel = ModuleRegistry::instance().kernel(function);
        const HipError error = kernel ? unpack(*kernel->entry, extra, unpacked) : hipErrorInvalidHandle;
        if (error != hipSuccess) {
            return error;
        }
        arguments = unpacked.data();
    }
    return isCooperative ? hipLaunchCooperativeKernel(function, grid, block, arguments,
                                                      static_cast<unsigned>(dynamicLdsBytes), handle)
                         : hipLaunchKernel(function, grid, block, arguments, dynamicLdsBytes, handle);
}

HipError load(HipModule* handle, HipError error, std::unique_ptr<CodeObject> made) {
    if (error == hipSuccess) {
        *handle = Modules::instance().keep(std::move(made));
    }
    return remember(error);
}

} // namespace

HipError hipModuleLoad(HipModule* module, const char* path) {
    if (!module || !path) {
        return remember(hipErrorInvalidValue);
    }
    std::unique_ptr<CodeObject> made;
    const HipError error = CodeObject::fromFile(path, made);
    return load(module, error, std::move(made));
}

HipError hipModuleLoadData(HipModule* module, const void* image) {
    if (!module || !image) {
        return remember(hipErrorInvalidValue);
    }
    std::unique_ptr<CodeObject> made;
    const HipError error = CodeObject::fromMemory(image, made);
    return load(module, error, std::move(made));
}

// The options are those of a compiler for the device.
HipError hipModuleLoadDataEx(HipModule* module, const void* image, unsigned, int*, void**) {
    return hipModuleLoadData(module, image);
}

HipError hipModuleUnload(HipModule module) {
    std::unique_ptr<CodeObject> gone;
    {
        Modules& modules = Modules::instance();
        const std::lock_guard lock(modules.mutex);
        if (const auto found = modules.loaded.find(module); found != modules.loaded.end()) {
            gone = std::move(found->second);
            modules.loaded.erase(found);
        }
    }
    return gone ? hipSuccess : remember(hipErrorInvalidHandle);
}

HipError hipModuleGetFunction(HipFunction* function, HipModule module, const char* name) {
    Modules& modules = Modules::instance();
    const std::lock_guard lock(modules.mutex);
    if (!function || !name || modules.loaded.count(module) == 0) {
        return remember(function && name ? hipErrorInvalidHandle : hipErrorInvalidValue);
    }
    *function = module->function(name);
    return *function ? hipSuccess : remember(hipErrorNotFound);
}

HipError hipModuleGetGlobal(void** address, std::size_t* sizeBytes, HipModule module, const char* name) {
    Modules& modules = Modules::instance();
    const std::lock_guard lock(modules.mutex);
    if (!name || modules.loaded.count(module) == 0) {
        return remember(name ? hipErrorInvalidHandle : hipErrorInvalidValue);
    }
    const VariableEntry* const variable = module->variable(name);
    if (!variable) {
        return remember(hipErrorNotFound);
    }
    if (address) {
        *address = variable->address;
    }
    if (sizeBytes) {
        *sizeBytes = variable->sizeBytes;
    }
    return hipSuccess;
}

HipError hipModuleLaunchKernel(HipFunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                               unsigned blockY, unsigned blockZ, unsigned dynamicLdsBytes, HipStream stream,
                               void** arguments, void** extra) {
    return remember(
        launch(function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, dynamicLdsBytes, stream, arguments, extra));
}

HipError hipModuleLaunchCooperativeKernel(HipFunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                                          unsigned blockX, unsigned blockY, unsigned blockZ, unsigned dynamicLdsBytes,
                                          HipStream stream, void** arguments) {
    return remember(launch(function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, dynamicLdsBytes, stream,
                           arguments, nullptr, true));
}

// The grid is given in threads; a block that is not full is none here.
HipError hipExtModuleLaunchKernel(HipFunction function, unsigned threadsX, unsigned threadsY, unsigned threadsZ,
                                  unsigned blockX, unsigned blockY, unsigned blockZ, std::size_t dynamicLdsBytes,
                                  HipStream stream, void** arguments, void** extra, HipEvent start, HipEvent stop,
                                  unsigned) {
    if (blockX == 0 || blockY == 0 || blockZ == 0) {
        return remember(hipErrorInvalidConfiguration);
    }
    if (threadsX % blockX != 0 || threadsY % blockY != 0 || threadsZ % blockZ != 0) {
        return remember(hipErrorNotSupported);
    }
    HipError error = start ? hipEventRecord(start, stream) : hipSuccess;
    if (error == hipSuccess) {
        error = launch(function, {threadsX / blockX, threadsY / blockY, threadsZ / blockZ}, {blockX, blockY, blockZ},
                       dynamicLdsBytes, stream, arguments, extra);
    }
    return error == hipSuccess && stop ? hipEventRecord(stop, stream) : remember(error);
}

HipError hipFuncGetAttribute(int* value, int attribute, HipFunction function) {
    enum Attribute { maxThreads = 0, sharedBytes = 1, lastAttribute = 9, maxDynamicShared = 8 };
    HipFunctionAttributes all;
    if (!value || attribute < 0 || attribute > lastAttribute) {
        return remember(hipErrorInvalidValue);
    }
    const HipError error = hipFuncGetAttributes(&all, function);
    if (error == hipSuccess) {
        *value = attribute == maxThreads         ? all.maxThreadsPerBlock
                 : attribute == sharedBytes      ? static_cast<int>(all.sharedSizeBytes)
                 : attribute == maxDynamicShared ? all.maxDynamicSharedSizeBytes
                                                 : 0;
    }
    return error;
}

HipError hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, HipFunction function, int blockSize,
                                                            std::size_t dynamicLdsBytes) {
    return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, blockSize, dynamicLdsBytes);
}

HipError hipModuleOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, HipFunction function,
                                                 std::size_t dynamicLdsBytes, int blockSizeLimit) {
    return hipOccupancyMaxPotentialBlockSize(gridSize, blockSize, function, dynamicLdsBytes, blockSizeLimit);
}

// Headers of HIP 5 declare it as a function of C++.
extern "C" __attribute__((visibility("default"), alias("hipExtModuleLaunchKernel"))) HipError
hipExtModuleLaunchKernelOfCpp(HipFunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, std::size_t,
                              HipStream, void**, void**, HipEvent, HipEvent,
                              unsigned) __asm__("_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_"
                                                "tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j");
