// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device_module.h"

#include "core/hipcpu/device_image.h"
#include "core/hipcpu/device_services.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Every service under a name of its own here, whatever the C++ headers make of sin().
#define GKS_DECLARE(NAME) extern "C" void gksService_##NAME() __asm__(#NAME);
#define GKS_DECLARE_BOTH(NAME)                                                                                         \
    GKS_DECLARE(NAME)                                                                                                  \
    extern "C" void gksService_##NAME##_float() __asm__(#NAME "f");
GKS_RUNTIME_SERVICES(GKS_DECLARE)
GKS_MEMORY_SERVICES(GKS_DECLARE)
GKS_MATH_SERVICES_OF_BOTH(GKS_DECLARE_BOTH)
GKS_DECLARE(logl)
GKS_CHECK_SERVICES(GKS_DECLARE)
GKS_BLOCK_SERVICES(GKS_DECLARE)
GKS_BLOCK_CHECK_SERVICES(GKS_DECLARE)

namespace gks::hipcpu {
namespace {

constexpr std::size_t pageBytes = 4096;

using Service = void (*)();
// In the order of deviceServices.
constexpr Service services[] = {
#define GKS_ADDRESS(NAME) &gksService_##NAME,
#define GKS_ADDRESSES(NAME) &gksService_##NAME, &gksService_##NAME##_float,
    GKS_RUNTIME_SERVICES(GKS_ADDRESS) GKS_MEMORY_SERVICES(GKS_ADDRESS) GKS_MATH_SERVICES_OF_BOTH(GKS_ADDRESSES)
        GKS_ADDRESS(logl) GKS_CHECK_SERVICES(GKS_ADDRESS) GKS_BLOCK_SERVICES(GKS_ADDRESS)
            GKS_BLOCK_CHECK_SERVICES(GKS_ADDRESS)};
static_assert(sizeof services / sizeof services[0] == deviceServiceCount);

constexpr std::size_t servicesBytes = (sizeof services + pageBytes - 1) / pageBytes * pageBytes;

bool provideServices(const DeviceModule& module) {
    std::memcpy(module.services, services, sizeof services);
    return ::mprotect(module.services, servicesBytes, PROT_READ) == 0;
}

// What of the module that `module` lies in stays writable: its segments without what the loader has closed since.
struct WritableSearch {
    const DeviceModule* module;
    std::vector<std::span<char>> found = {};

    void add(std::uintptr_t begin, std::uintptr_t end) {
        const auto closed = reinterpret_cast<std::uintptr_t>(module->services);
        const auto keep = [&](std::uintptr_t from, std::uintptr_t to) {
            if (from < to) {
                found.emplace_back(reinterpret_cast<char*>(from), to - from);
            }
        };
        keep(begin, std::min(end, closed));
        keep(std::max(begin, closed + servicesBytes), end);
    }

    static int look(dl_phdr_info* info, std::size_t, void* search) {
        auto& self = *static_cast<WritableSearch*>(search);
        const auto segments = std::span(info->dlpi_phdr, info->dlpi_phnum);
        const auto place = reinterpret_cast<std::uintptr_t>(self.module);
        const auto holds = [&](const auto& segment) {
            return segment.p_type == PT_LOAD && place - info->dlpi_addr - segment.p_vaddr < segment.p_memsz;
        };
        if (std::ranges::none_of(segments, holds)) {
            return 0;
        }
        std::uintptr_t relocatedEnd = 0; // written while it was loaded, and closed then
        for (const auto& segment : segments) {
            if (segment.p_type == PT_GNU_RELRO) {
                relocatedEnd =
                    (info->dlpi_addr + segment.p_vaddr + segment.p_memsz + pageBytes - 1) / pageBytes * pageBytes;
            }
        }
        for (const auto& segment : segments) {
            const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
            if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0) {
                self.add(std::max(begin, relocatedEnd), begin + segment.p_memsz);
            }
        }
        return 1;
    }
};

// Empty, or what is wrong with the file.
std::string faultOf(const char* path) {
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    struct stat facts = {};
    if (file < 0 || ::fstat(file, &facts) != 0) {
        ::close(file);
        return "cannot be read";
    }
    const auto bytes = static_cast<std::size_t>(facts.st_size);
    void* const image = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    ::close(file);
    if (image == MAP_FAILED) {
        return "cannot be read";
    }
    const char* const fault = DeviceImage({static_cast<const char*>(image), bytes}).fault();
    ::munmap(image, bytes);
    return fault != nullptr ? fault : "";
}

} // namespace

std::unique_ptr<LoadedDeviceModule> LoadedDeviceModule::load(const char* path, std::string& error) {
    if (const std::string fault = faultOf(path); !fault.empty()) {
        error = "the device module " + fault;
        return nullptr;
    }
    void* const handle = ::dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == nullptr) {
        const char* const text = ::dlerror();
        error = text != nullptr ? text : "cannot be loaded";
        return nullptr;
    }
    const auto* const module = static_cast<const DeviceModule*>(::dlsym(handle, deviceModuleName));
    if (module == nullptr || module->magic != moduleMagic) {
        error = "not a device module of the cpu target";
        return nullptr;
    }
    if (module->version != abiVersion || module->serviceCount != deviceServiceCount) {
        error = "a device module of another version; build it again";
        return nullptr;
    }
    if (!provideServices(*module)) {
        error = "the table of services cannot be closed for writing";
        return nullptr;
    }
    WritableSearch search{module};
    ::dl_iterate_phdr(WritableSearch::look, &search);
    auto loaded = std::unique_ptr<LoadedDeviceModule>(new LoadedDeviceModule(*module->table, std::move(search.found)));
    loaded->keepVariables();
    return loaded;
}

void LoadedDeviceModule::keepVariables() {
    m_kept.resize(m_writable.size());
    for (std::size_t i = 0; i < m_kept.size(); ++i) {
        m_kept[i].assign(m_writable[i].begin(), m_writable[i].end());
    }
}

void LoadedDeviceModule::restoreVariables() const {
    for (std::size_t i = 0; i < m_kept.size(); ++i) {
        std::ranges::copy(m_kept[i], m_writable[i].begin());
    }
}

LoadedDeviceModule::LoadedDeviceModule(const ModuleTable& table, std::vector<Range> writable)
    : m_writable(std::move(writable)) {
    std::for_each(table.kernels, table.kernels + table.kernelCount, [&](const KernelEntry& kernel) {
        RunnableKernel& runnable = m_kernels[kernel.name];
        runnable.entry = &kernel;
        runnable.isChecked = table.sites != nullptr;
    });
    std::for_each(table.variables, table.variables + table.variableCount,
                  [this](const VariableEntry& variable) { m_variables[variable.name] = &variable; });
}

RunnableKernel* LoadedDeviceModule::kernel(const std::string& name) {
    const auto found = m_kernels.find(name);
    return found == m_kernels.end() ? nullptr : &found->second;
}

const VariableEntry* LoadedDeviceModule::variable(const std::string& name) const {
    const auto found = m_variables.find(name);
    return found == m_variables.end() ? nullptr : found->second;
}

const VariableEntry* LoadedDeviceModule::variableAt(std::uintptr_t address) const {
    const auto found = std::ranges::find_if(m_variables, [address](const auto& one) {
        return address - reinterpret_cast<std::uintptr_t>(one.second->address) < one.second->sizeBytes;
    });
    return found == m_variables.end() ? nullptr : found->second;
}

} // namespace gks::hipcpu
