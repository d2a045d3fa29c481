// SPDX-License-Identifier: GPL-3.0-or-later
// Sources that a program compiles itself by hipRTC: what comes out is right, by names of templates too, and what is
// wrong is told as hipRTC tells it.
#include "check.h"

#include <csignal>
#include <cstring>
#include <filesystem>
#include <hip/hiprtc.h>
#include <string>
#include <thread>

namespace {

constexpr int n = 200, threads = 64, blocks = (n + threads - 1) / threads;

struct Compiled {
    hiprtcResult result;
    std::string log;
    std::vector<char> code;
};

Compiled compile(hiprtcProgram program, const std::vector<const char*>& options = {}) {
    Compiled made;
    made.result =
        hiprtcCompileProgram(program, static_cast<int>(options.size()), const_cast<const char**>(options.data()));
    std::size_t bytes = 0;
    if (hiprtcGetProgramLogSize(program, &bytes) == HIPRTC_SUCCESS) {
        made.log.resize(bytes);
        (void)hiprtcGetProgramLog(program, made.log.data());
        made.log.resize(bytes - 1);
    }
    if (hiprtcGetCodeSize(program, &bytes) == HIPRTC_SUCCESS) {
        made.code.resize(bytes);
        (void)hiprtcGetCode(program, made.code.data());
    }
    return made;
}

hiprtcProgram programOf(const char* source, const char* name = "kernels.cu") {
    hiprtcProgram program = nullptr;
    (void)hiprtcCreateProgram(&program, source, name, 0, nullptr, nullptr);
    return program;
}

Compiled compileOf(const char* source, const std::vector<const char*>& options = {}) {
    hiprtcProgram program = programOf(source);
    Compiled made = compile(program, options);
    (void)hiprtcDestroyProgram(&program);
    return made;
}

bool says(const Compiled& made, const char* text) {
    const bool found = made.log.find(text) != std::string::npos;
    if (!found) {
        std::printf("%d, and the log is: %s\n", static_cast<int>(made.result), made.log.c_str());
    }
    return found;
}

// Others may compile beside this program: its temporary folders lie in one of its own.
void useOwnFolder() {
    std::string folder = (std::filesystem::temp_directory_path() / "rtc-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr || setenv("TMPDIR", folder.c_str(), 1) != 0) {
        std::exit(2);
    }
}

bool isAnythingLeft() {
    return !std::filesystem::is_empty(std::filesystem::temp_directory_path());
}

const char* const scaled = "using __hip_internal::uint32_t;\n"
                           "using __hip_internal::uint64_t;\n"
                           "extern \"C\" __global__ void scaled(float* values, float by, int n) {\n"
                           "    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                           "    if (i < uint64_t(n)) values[i] = fmaf(values[i], by, OFFSET);\n"
                           "}\n";

// Launches scaled() of a code object; whether each value became value * by + offset.
bool isScaled(const std::vector<char>& code, float by, float offset) {
    hipModule_t module = nullptr;
    hipFunction_t function = nullptr;
    if (hipModuleLoadData(&module, code.data()) != hipSuccess ||
        hipModuleGetFunction(&function, module, "scaled") != hipSuccess) {
        return false;
    }
    std::vector<float> values(n), expected(n);
    for (int i = 0; i < n; ++i) {
        values[i] = static_cast<float>(i);
        expected[i] = static_cast<float>(i) * by + offset;
    }
    Device<float> device(values);
    float* pointer = device.get();
    int count = n;
    void* arguments[] = {&pointer, &by, &count};
    HIP_CHECK(hipModuleLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr));
    const bool isRight = device.read() == expected;
    HIP_CHECK(hipModuleUnload(module));
    return isRight;
}

void names() {
    const char* const source = "namespace inner {\n"
                               "template<class T, int By> __global__ void added(T* values) {\n"
                               "    values[threadIdx.x] += By + factor();\n"
                               "}\n"
                               "template<class T> __constant__ T table[2] = {3, 4};\n"
                               "}\n"
                               "__global__ void plain(int* to) { *to = inner::table<int>[1]; }\n";
    const std::string full = std::string("#include \"parts/factor.h\"\n#include <other.h>\n") + source;
    const char* headers[] = {"#pragma once\n__device__ inline int factor() { return 10; }\n",
                             "#include \"parts/factor.h\"\nstatic_assert(sizeof(__half) == 2, \"\");\n"};
    const char* includeNames[] = {"parts/factor.h", "other.h"};
    hiprtcProgram program = nullptr;
    (void)hiprtcCreateProgram(&program, full.c_str(), "names.cu", 2, headers, includeNames);
    const char* lowered = nullptr;
    bool isRight = hiprtcAddNameExpression(program, "inner::added<long, 5>") == HIPRTC_SUCCESS &&
                   hiprtcAddNameExpression(program, "&inner::table<int>") == HIPRTC_SUCCESS &&
                   hiprtcAddNameExpression(program, "plain") == HIPRTC_SUCCESS;
    isRight =
        isRight && hiprtcGetLoweredName(program, "plain", &lowered) == HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    const Compiled made = compile(program);
    expect("headers and name expressions", isRight && made.result == HIPRTC_SUCCESS && says(made, ""));
    expect("none after compilation",
           hiprtcAddNameExpression(program, "plain") == HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);

    hipModule_t module = nullptr;
    HIP_CHECK(hipModuleLoadData(&module, made.code.data()));
    isRight = hiprtcGetLoweredName(program, "inner::added<long,5>", &lowered) == HIPRTC_SUCCESS;
    hipFunction_t function = nullptr;
    HIP_CHECK(hipModuleGetFunction(&function, module, lowered));
    Device<long> values(std::vector<long>(threads, 7));
    long* pointer = values.get();
    void* arguments[] = {&pointer};
    HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr));
    expect("a kernel template", isRight && values.read() == std::vector<long>(threads, 22));

    isRight = hiprtcGetLoweredName(program, "&inner::table<int>", &lowered) == HIPRTC_SUCCESS;
    hipDeviceptr_t table = nullptr;
    std::size_t bytes = 0;
    HIP_CHECK(hipModuleGetGlobal(&table, &bytes, module, lowered));
    int changed[] = {0, 41};
    HIP_CHECK(hipMemcpyHtoD(table, changed, sizeof changed));
    isRight = isRight && hiprtcGetLoweredName(program, "plain", &lowered) == HIPRTC_SUCCESS;
    HIP_CHECK(hipModuleGetFunction(&function, module, lowered));
    Device<int> to(1);
    int* pTo = to.get();
    void* one[] = {&pTo};
    HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, one, nullptr));
    expect("a variable template", isRight && bytes == sizeof changed && to.read()[0] == 41);
    expect("a name that nobody has added",
           hiprtcGetLoweredName(program, "inner::added<int, 5>", &lowered) == HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
    HIP_CHECK(hipModuleUnload(module));
    (void)hiprtcDestroyProgram(&program);

    program = programOf("__global__ void k() {}\n");
    (void)hiprtcAddNameExpression(program, "k<\"x\">");
    const Compiled wrong = compile(program);
    expect("a name that nothing has",
           wrong.result == HIPRTC_ERROR_COMPILATION && says(wrong, "name expression k<\"x\">:1:"));
    (void)hiprtcDestroyProgram(&program);
}

// The source's only kernel is a template, which the host's side of it never names.
void templatesAlone() {
    hiprtcProgram program = programOf("template<int N> __global__ void k(int* x) { x[0] = N * 1000; }");
    const char* lowered = nullptr;
    bool isRight = hiprtcAddNameExpression(program, "k<7>") == HIPRTC_SUCCESS;
    const Compiled made = compile(program);
    isRight = isRight && made.result == HIPRTC_SUCCESS && says(made, "") &&
              hiprtcGetLoweredName(program, "k<7>", &lowered) == HIPRTC_SUCCESS;
    hipModule_t module = nullptr;
    hipFunction_t function = nullptr;
    HIP_CHECK(hipModuleLoadData(&module, made.code.data()));
    HIP_CHECK(hipModuleGetFunction(&function, module, lowered));
    Device<int> to(1);
    int* pointer = to.get();
    void* arguments[] = {&pointer};
    HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
    expect("templates alone", isRight && to.read()[0] == 7000);
    HIP_CHECK(hipModuleUnload(module));
    (void)hiprtcDestroyProgram(&program);
    const Compiled none = compileOf("__device__ int f() { return 1; }");
    HIP_CHECK(hipModuleLoadData(&module, none.code.data()));
    HIP_CHECK(hipModuleUnload(module));
}

void otherArchitecture() {
    const Compiled made = compileOf(scaled, {"--gpu-architecture=gfx950", "-DOFFSET=0.0f"});
    hipModule_t module = nullptr;
    const bool isRefused = made.result == HIPRTC_SUCCESS &&
                           hipModuleLoadData(&module, made.code.data()) == hipErrorNoBinaryForGpu &&
                           hipGetLastError() == hipErrorNoBinaryForGpu;
    hipDeviceProp_t device{};
    HIP_CHECK(hipGetDeviceProperties(&device, 0));
    expect("code for another architecture",
           isRefused && std::strncmp(device.gcnArchName, "gfx942", 6) == 0 && device.sharedMemPerBlock == 65536);
}

// Then the system keeps no child's exit status.
void childrenThatNobodyAwaits() {
    const auto before = std::signal(SIGCHLD, SIG_IGN);
    const Compiled made = compileOf(scaled, {"-DOFFSET=5.0f"});
    const Compiled wrong = compileOf("__global__ void k() { missing(); }");
    std::signal(SIGCHLD, before);
    expect("a program that ignores SIGCHLD", made.result == HIPRTC_SUCCESS && says(made, "") &&
                                                 isScaled(made.code, 2, 5) && wrong.result == HIPRTC_ERROR_COMPILATION);
}

void optionsOfHipRtc() {
    const Compiled made = compileOf("extern \"C\" __global__ void k() {\n#ifdef GONE\n#error\n#endif\n"
                                    "static_assert(V == 5, \"\");\n}",
                                    {"--define-macro=V=5", "--define-macro=GONE", "--undefine-macro=GONE",
                                     "--include-directory=/usr/include", "--gpu-max-threads-per-block=128", "-v"});
    hipModule_t module = nullptr;
    hipFunction_t function = nullptr;
    int most = 0;
    const bool isMade = made.result == HIPRTC_SUCCESS && says(made, "total ");
    if (isMade) {
        HIP_CHECK(hipModuleLoadData(&module, made.code.data()));
        HIP_CHECK(hipModuleGetFunction(&function, module, "k"));
        HIP_CHECK(hipFuncGetAttribute(&most, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
        HIP_CHECK(hipModuleUnload(module));
    }
    expect("options in their long form", isMade && most == 128);
}

void errors() {
    const Compiled wrong = compileOf("__global__ void k(int* p) {\n    *p = missing;\n}\n");
    expect("an error has file and line", wrong.result == HIPRTC_ERROR_COMPILATION && wrong.code.empty() &&
                                             says(wrong, "kernels.cu:2:10: error: use of undeclared identifier"));
    const Compiled warned = compileOf("__global__ void k(int* p) {\n    int unused;\n}\n", {"-Wall"});
    expect("a warning, too",
           warned.result == HIPRTC_SUCCESS && says(warned, "kernels.cu:2:9: warning: unused variable"));
    const Compiled refused = compileOf("__global__ void k() {\n    asm volatile(\"s_setreg_imm32_b32 1, 2\");\n}\n");
    expect("what the target lacks",
           refused.result == HIPRTC_ERROR_COMPILATION && says(refused, "kernels.cu:2: s_setreg_imm32_b32"));
    for (const char* option : {"--no-such-option", "-o", "-lm", "file.cu", "--gpu-architecture=gfx90a",
                               "--offload-arch=sm_70", "-I", "--lowered-names", "-fsyntax-only"}) {
        const Compiled other = compileOf("__global__ void k() {}\n", {option});
        expect(option, other.result == HIPRTC_ERROR_INVALID_OPTION && says(other, option[0] == '-' ? "-" : option));
    }
    const char* text = "";
    const char* outside = "../outside.h";
    hiprtcProgram program = nullptr;
    expect("a header outside",
           hiprtcCreateProgram(&program, "", "x", 1, &text, &outside) == HIPRTC_ERROR_INVALID_INPUT);
    program = programOf("");
    std::size_t bytes = 0;
    hiprtcProgram gone = program;
    expect("no code yet", hiprtcGetCodeSize(program, &bytes) == HIPRTC_ERROR_INVALID_PROGRAM);
    const bool isDestroyed = hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS && program == nullptr;
    expect("a program that is gone", isDestroyed && hiprtcDestroyProgram(&gone) == HIPRTC_ERROR_INVALID_PROGRAM &&
                                         hiprtcCompileProgram(gone, 0, nullptr) == HIPRTC_ERROR_INVALID_PROGRAM);
    int major = 0, minor = -1;
    expect("version and names",
           hiprtcVersion(&major, &minor) == HIPRTC_SUCCESS && major >= 5 && minor >= 0 &&
               std::string(hiprtcGetErrorString(HIPRTC_ERROR_COMPILATION)) == "HIPRTC_ERROR_COMPILATION");
}

} // namespace

int main() {
    useOwnFolder();
    const Compiled first = compileOf(scaled, {"--gpu-architecture=gfx942", "-DOFFSET=2.0f", "-O3", "-std=c++20",
                                              "-ffast-math", "-include", "hip/hip_bf16.h"});
    expect("compiled and launched", first.result == HIPRTC_SUCCESS && says(first, "") && isScaled(first.code, 3, 2));
    const Compiled twice = compileOf("#include <hip/hip_cooperative_groups.h>\n#include <hip/hip_fp8.h>\n"
                                     "#if !defined(FLAG) || defined(GONE) || SUM(1, 2) != 3\n#error\n#endif\n#if "
                                     "!defined(__HIPCC_RTC__) || __cplusplus < 201703L\n#error\n#endif\n"
                                     "extern \"C\" __global__ void scaled(float* v, float by, int n) {\n"
                                     "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                     "    if (i < n) v[i] = __shfl(v[i], threadIdx.x) * by;\n}\n",
                                     {"--offload-arch=gfx942:sramecc+:xnack-", "-I", "/usr/include", "--std=c++17",
                                      "-D", "FLAG", "-DSUM(a,b)=a+b", "-DGONE", "-UGONE"});
    expect("what is there without an include",
           twice.result == HIPRTC_SUCCESS && says(twice, "") && isScaled(twice.code, 2, 0));
    names();
    templatesAlone();
    otherArchitecture();
    childrenThatNobodyAwaits();
    optionsOfHipRtc();
    errors();
    // Each thread has a source and options of its own.
    std::vector<std::thread> callers;
    std::vector<char> areRight(4, 0);
    for (int i = 0; i < 4; ++i) {
        callers.emplace_back([i, &areRight] {
            const std::string offset = "-DOFFSET=" + std::to_string(i) + ".0f";
            const Compiled made = compileOf(scaled, {offset.c_str()});
            areRight[i] = made.result == HIPRTC_SUCCESS && isScaled(made.code, 2, static_cast<float>(i));
        });
    }
    for (std::thread& caller : callers) {
        caller.join();
    }
    expect("many threads", areRight == std::vector<char>(4, 1));
    expect("nothing is left behind", !isAnythingLeft());
    std::filesystem::remove_all(std::filesystem::temp_directory_path());
    return verdict();
}
