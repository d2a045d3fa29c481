// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/machine_code.h"

#include "core/base/files.h"
#include "core/base/process.h"

#include <QtGlobal>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gks::test {

void mustRun(std::vector<std::string> arguments) {
    Command command;
    command.arguments = std::move(arguments);
    const auto run = runProcess(command);
    if (!run || !run->ok()) {
        qFatal("%s", run ? run->error.c_str() : run.error().message().c_str());
    }
}

std::filesystem::path deviceModuleOf(const MachineCode& code, const std::filesystem::path& folder,
                                     const std::string& name) {
    const std::filesystem::path source = folder / (name + ".cpp");
    const std::filesystem::path module = folder / (name + ".so");
    const std::string text = R"(#include "core/hipcpu/abi.h"
#include "core/hipcpu/device_services.h"
using namespace gks::hipcpu;
static long call(long number, const void* a, long b, long c) {
    register long flags asm("r10") = 0x22;
    register long fd asm("r8") = -1;
    asm volatile("syscall" : "+a"(number) : "D"(a), "S"(b), "d"(c), "r"(flags), "r"(fd) : "rcx", "r11", "memory");
    return number;
}
static void work(void** arguments, BlockContext* block);
static void thread(void**, ThreadContext*, char*) {}
alignas(4096) static char services[8192];
static const std::uint32_t sizes[] = {)" +
                             fmt::format("{}", fmt::join(code.argumentBytes, ", ")) + R"(};
static KernelEntry kernels[] = {{"k", thread, work, 1024, 0, 0, sizeof sizes / sizeof *sizes, sizes}};
static const ModuleTable table = {moduleMagic, abiVersion, 1, kernels, nullptr, 0};
extern "C" __attribute__((visibility("default"))) const DeviceModule gks_device_module;
const DeviceModule gks_device_module = {moduleMagic, abiVersion, deviceServiceCount, &table,
                                        reinterpret_cast<void**>(services)};
)" + code.tools + R"(
static void work([[maybe_unused]] void** arguments, [[maybe_unused]] BlockContext* block) {
)" + code.work + "\n}\n";
    if (!writeFileAtomically(source, text)) {
        qFatal("cannot write %s", source.c_str());
    }
    mustRun({"clang++-19", "-std=c++20", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-nostdlib", "-fno-builtin",
             "-I" GKS_SOURCE_DIR, source.string(), "-o", module.string()});
    return module;
}

} // namespace gks::test
