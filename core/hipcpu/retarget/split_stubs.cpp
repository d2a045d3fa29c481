// SPDX-License-Identifier: GPL-3.0-or-later
// The stubs are a few lines of assembly. A stub jumps and does not call: the lanes of a wave meet at the address that
// their call returns to (see abi.h). Only the module itself is exported; what no stub defines the linker refuses.
#include "core/hipcpu/retarget/split_stubs.h"

#include "core/hipcpu/abi.h"
#include "core/hipcpu/device_services.h"
#include "core/hipcpu/retarget/host_code.h"

#include <fmt/format.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace gks::hipcpu {
namespace {

constexpr int pageBytes = 4096;

Result<void> assembled(const std::string& text, const std::filesystem::path& object) {
    GKS_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine, hostMachine(0));
    llvm::LLVMContext context;
    llvm::Module module("stubs", context);
    module.setTargetTriple(machine->getTargetTriple().str());
    module.setDataLayout(machine->createDataLayout());
    module.setModuleInlineAsm(text);
    return emitObject(module, *machine, object);
}

} // namespace

Result<void> emitHostStubs(const std::string& unit, const std::filesystem::path& object) {
    std::string text = ".data\n.balign 8\n";
    for (const char* name : {"__hip_fatbin_", "__hip_gpubin_handle_"}) {
        text += fmt::format(".globl {0}{1}\n.hidden {0}{1}\n{0}{1}:\n.quad 0\n", name, unit);
    }
    return assembled(text, object);
}

Result<void> emitDeviceStubs(const std::string& unit, const std::filesystem::path& object) {
    const std::size_t tableBytes = (deviceServiceCount * sizeof(void*) + pageBytes - 1) / pageBytes * pageBytes;
    std::string text = fmt::format(
        ".section .gks.services,\"aw\",@nobits\n.balign {}\nhipcpu.services:\n.zero {}\n"
        ".section .data.rel.ro,\"aw\",@progbits\n.balign 8\n.globl {}\n{}:\n"
        ".quad {}\n.long {}\n.long {}\n.quad __hip_fatbin_{}\n.quad hipcpu.services\n.text\n",
        pageBytes, tableBytes, deviceModuleName, deviceModuleName, moduleMagic, abiVersion, deviceServiceCount, unit);
    for (std::size_t i = 0; i < deviceServiceCount; ++i) {
        text += fmt::format(".globl {0}\n.hidden {0}\n.type {0},@function\n{0}:\njmp *hipcpu.services+{1}(%rip)\n",
                            deviceServices[i], i * sizeof(void*));
    }
    return assembled(text, object);
}

} // namespace gks::hipcpu
