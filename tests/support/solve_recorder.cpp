// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/solve_recorder.h"

#include "core/base/files.h"

#include <cstring>
#include <dlfcn.h>
#include <map>
#include <nlohmann/json.hpp>

using namespace gks;
using namespace gks::hipcpu;

namespace {

struct Configuration {
    Dim3 grid;
    Dim3 block;
    std::size_t ldsBytes = 0;
};

struct Recording {
    Replay* into = nullptr;
    std::string error;
    std::map<const void*, std::string> kernels;
    std::map<std::string, std::vector<std::size_t>> argumentBytes;
    Configuration next;
};
Recording recording;

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void** __hipRegisterFatBinary(const void*) {
    return nullptr;
}
void __hipUnregisterFatBinary(void**) {}
void __hipRegisterFunction(void**, const void* function, char*, const char* name, unsigned, void*, void*, void*, void*,
                           int*) {
    recording.kernels[function] = name;
}
void __hipRegisterVar(void**, void*, char*, const char*, int, std::size_t, int, int) {}
int __hipPushCallConfiguration(Dim3 grid, Dim3 block, std::size_t ldsBytes, void*) {
    recording.next = {grid, block, ldsBytes};
    return 0;
}
int __hipPopCallConfiguration(Dim3* grid, Dim3* block, std::size_t* ldsBytes, void** stream) {
    *grid = recording.next.grid;
    *block = recording.next.block;
    *ldsBytes = recording.next.ldsBytes;
    *stream = nullptr;
    return 0;
}
int hipLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t ldsBytes, void*) {
    const std::string& name = recording.kernels[function];
    std::vector<Replay::Bytes> values;
    for (const std::size_t bytes : recording.argumentBytes[name]) {
        const auto* const value = static_cast<const std::uint8_t*>(arguments[values.size()]);
        values.emplace_back(value, value + bytes);
    }
    recording.error += recording.into->launch(name, grid, block, ldsBytes, values);
    return 0;
}
int hipMemsetAsync(void* to, int value, std::size_t bytes, void*) {
    recording.into->fill(reinterpret_cast<std::uintptr_t>(to), static_cast<std::uint32_t>(value), 1, bytes);
    return 0;
}
int hipGetLastError() {
    return 0;
}

} // extern "C"
#pragma GCC visibility pop

namespace gks::test {

std::string recordSolve(const std::filesystem::path& hostModule, const std::filesystem::path& facts,
                        const std::vector<std::byte>& problem, void* workspace, Replay& into) {
    recording.into = &into;
    recording.error.clear();
    const auto text = readFile(facts);
    if (!text) {
        return text.error().message();
    }
    const auto known = nlohmann::json::parse(*text);
    for (const auto& kernel : known.at("kernels")) {
        recording.argumentBytes[kernel.at("symbol").get<std::string>()] =
            kernel.at("argument_bytes").get<std::vector<std::size_t>>();
    }
    void* const module = ::dlopen(hostModule.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) {
        return ::dlerror();
    }
    using Solve = int (*)(const void* problem, void* workspace, void* stream);
    const auto solve = reinterpret_cast<Solve>(::dlsym(module, "solve"));
    const int status = solve != nullptr ? solve(problem.data(), workspace, nullptr) : -1;
    return status == 0 ? recording.error : "solve() returned " + std::to_string(status);
}

} // namespace gks::test
