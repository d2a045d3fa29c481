// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/code_object.h"

#include "core/hipcpu/runtime/device_queue.h"
#include "core/hipcpu/runtime/fault_handler.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <sys/mman.h>
#include <unistd.h>

namespace gks::hipcpu {
namespace {

HipError refused(const std::string& why, const std::string& options = "", HipError error = hipErrorInvalidImage) {
    std::fprintf(stderr, "hipcpu: the code object is refused: %s. Build it with kernel-scientist-hipcc --genco%s\n",
                 why.c_str(), options.c_str());
    return error;
}

// Whether an object of this processor begins there; its length.
bool measure(const void* image, std::size_t& bytes) {
    Elf64_Ehdr header;
    std::memcpy(&header, image, sizeof header);
    const bool isOurs = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
                        header.e_machine == EM_X86_64 && header.e_type == ET_DYN;
    bytes = isOurs ? header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize : 0;
    return isOurs;
}

bool writeAll(int file, const std::string& bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t written = ::write(file, bytes.data() + done, bytes.size() - done);
        if (written <= 0) {
            return false;
        }
        done += static_cast<std::size_t>(written);
    }
    return true;
}

} // namespace

HipError CodeObject::fromFile(const char* path, std::unique_ptr<CodeObject>& made) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return hipErrorFileNotFound;
    }
    return load({std::istreambuf_iterator<char>(file), {}}, made);
}

HipError CodeObject::fromMemory(const void* image, std::unique_ptr<CodeObject>& made) {
    std::size_t bytes = 0;
    return measure(image, bytes) ? load({static_cast<const char*>(image), bytes}, made)
                                 : refused("it is none for the cpu target");
}

// From a file of its own, which stays open: the dynamic linker takes the same file, or one of the same name, for the
// same object.
HipError CodeObject::load(const std::string& bytes, std::unique_ptr<CodeObject>& made) {
    installFaultHandler();
    std::size_t itsLength = 0;
    if (bytes.size() < sizeof(Elf64_Ehdr) || !measure(bytes.data(), itsLength) || itsLength > bytes.size()) {
        return refused("it is none for the cpu target");
    }
    const int file = memfd_create("hip-module", MFD_CLOEXEC);
    if (file < 0 || !writeAll(file, bytes)) {
        ::close(file);
        return hipErrorOutOfMemory;
    }
    std::vector<Module*> modules;
    ModuleRegistry::listAddedBy(&modules);
    void* const object = ::dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
    ModuleRegistry::listAddedBy(nullptr);
    const std::string problem = object == nullptr ? ::dlerror() : "";
    std::erase_if(modules, [](const Module* module) { return module->table == nullptr; });
    if (object == nullptr || modules.empty()) {
        if (object != nullptr) {
            ::dlclose(object);
        }
        ::close(file);
        return refused(object == nullptr ? problem : "it has no device code for the cpu target");
    }
    std::unique_ptr<CodeObject> loaded(new CodeObject(file, object, std::move(modules)));
    ModuleRegistry& registry = ModuleRegistry::instance();
    for (const Module* module : loaded->m_modules) {
        if (const Architecture its = module->table->architecture; !registry.takes(its)) {
            const std::string device(nameOf(registry.architecture()));
            return refused("it is for " + std::string(nameOf(its)) + ", the program's device is a " + device,
                           " --offload-arch=" + device, hipErrorNoBinaryForGpu);
        }
    }
    made = std::move(loaded);
    return hipSuccess;
}

CodeObject::~CodeObject() {
    DeviceQueue& queue = DeviceQueue::instance();
    queue.waitFor(queue.last());
    ::dlclose(m_object); // and with it its modules
    ::close(m_file);
}

const void* CodeObject::function(const char* name) {
    for (Module* module : m_modules) {
        const KernelEntry* const begin = module->table->kernels;
        const KernelEntry* const end = begin + module->table->kernelCount;
        const KernelEntry* const found =
            std::find_if(begin, end, [&](const KernelEntry& one) { return std::strcmp(one.name, name) == 0; });
        if (found != end) {
            ModuleRegistry& registry = ModuleRegistry::instance();
            if (!registry.kernel(found)) {
                registry.addFunction(*module, found, name);
            }
            return found;
        }
    }
    return nullptr;
}

const VariableEntry* CodeObject::variable(const char* name) const {
    for (const Module* module : m_modules) {
        const VariableEntry* const begin = module->table->variables;
        const VariableEntry* const end = begin + module->table->variableCount;
        const VariableEntry* const found =
            std::find_if(begin, end, [&](const VariableEntry& one) { return std::strcmp(one.name, name) == 0; });
        if (found != end) {
            return found;
        }
    }
    return nullptr;
}

void* CodeObject::symbol(const char* name) const {
    return ::dlsym(m_object, name);
}

} // namespace gks::hipcpu
