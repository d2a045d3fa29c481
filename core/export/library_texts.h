// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

// Templates of the library export; library_files.cpp fills them in.
namespace gks::exporttexts {

inline constexpr std::string_view buildText =
    R"gks(# @NAME@: see README.md. One compiler makes host and device code: hipcc, nvcc or kernel-scientist-hipcc.
cmake_minimum_required(VERSION 3.16)
project(@NAME@ LANGUAGES CXX)
find_program(@UPPER@_COMPILER NAMES hipcc nvcc kernel-scientist-hipcc DOC "hipcc, nvcc or kernel-scientist-hipcc")
set(@UPPER@_FLAGS "" CACHE STRING "further options, such as --offload-arch=gfx942 or -arch=sm_90a")
if(NOT @UPPER@_COMPILER)
  message(FATAL_ERROR "no compiler: say -D@UPPER@_COMPILER=/path/of/hipcc")
endif()
separate_arguments(@NAME@_flags UNIX_COMMAND "${@UPPER@_FLAGS}")
list(PREPEND @NAME@_flags @OPTIONS@-O3 -std=c++17)
get_filename_component(@NAME@_kind "${@UPPER@_COMPILER}" NAME)
if(@NAME@_kind MATCHES "nvcc")
  list(PREPEND @NAME@_flags -x cu --expt-relaxed-constexpr)
  set(@NAME@_pic -Xcompiler -fPIC)
  set(@NAME@_rpath -Xlinker -rpath -Xlinker "${CMAKE_CURRENT_BINARY_DIR}")
else()
  set(@NAME@_pic -fPIC)
  set(@NAME@_rpath "-Wl,-rpath,${CMAKE_CURRENT_BINARY_DIR}")
endif()
set(@NAME@_library "${CMAKE_CURRENT_BINARY_DIR}/lib@NAME@.so")
add_custom_command(OUTPUT "${@NAME@_library}"
  COMMAND "${@UPPER@_COMPILER}" ${@NAME@_flags} ${@NAME@_pic} -shared "${CMAKE_CURRENT_SOURCE_DIR}/@NAME@.hip" -o "${@NAME@_library}"
  DEPENDS @NAME@.hip @NAME@.h VERBATIM)
add_custom_target(@NAME@_build ALL DEPENDS "${@NAME@_library}")
# For a project that takes this folder with add_subdirectory(): link to @NAME@.
add_library(@NAME@ SHARED IMPORTED GLOBAL)
set_target_properties(@NAME@ PROPERTIES IMPORTED_LOCATION "${@NAME@_library}" INTERFACE_INCLUDE_DIRECTORIES "${CMAKE_CURRENT_SOURCE_DIR}")
add_dependencies(@NAME@ @NAME@_build)
)gks";

inline constexpr std::string_view testBuildText = R"gks(
# The program that compares; its reference is plain C++.
add_library(@NAME@_reference STATIC test/reference.cpp)
target_compile_features(@NAME@_reference PRIVATE cxx_std_20)
target_compile_options(@NAME@_reference PRIVATE -O2)
set(@NAME@_test "${CMAKE_CURRENT_BINARY_DIR}/test_@NAME@")
add_custom_command(OUTPUT "${@NAME@_test}"
  COMMAND "${@UPPER@_COMPILER}" ${@NAME@_flags} "${CMAKE_CURRENT_SOURCE_DIR}/test/test_@NAME@.hip" "-I${CMAKE_CURRENT_SOURCE_DIR}"
    -o "${@NAME@_test}" "-L${CMAKE_CURRENT_BINARY_DIR}" -l@NAME@ -l@NAME@_reference ${@NAME@_rpath}
  DEPENDS test/test_@NAME@.hip @NAME@.h "${@NAME@_library}" @NAME@_reference VERBATIM)
set_target_properties(@NAME@_reference PROPERTIES ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
add_custom_target(@NAME@_test_build ALL DEPENDS "${@NAME@_test}")
enable_testing()
add_test(NAME @NAME@ COMMAND "${@NAME@_test}")
)gks";

inline constexpr std::string_view testText =
    R"gks(// Compares the kernel of @NAME@ with its fallback and with the reference of the problem, on measured shapes and on others.
// Status 0: all outputs are right. 1: some are not. 2: a call failed.
// SPDX-License-Identifier: GPL-3.0-or-later
#if defined(__CUDACC__)
#include "cuda/hip/hip_runtime.h"
#else
#include <hip/hip_runtime.h>
#endif
#include "@NAME@.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

extern "C" void reference(const void* const* tensors, const std::int64_t* dims, int output, std::int64_t begin, std::int64_t end,
                          double* expected);
#if @HAS_MAGNITUDE@
extern "C" void magnitude(const void* const* tensors, const std::int64_t* dims, int output, std::int64_t begin, std::int64_t end,
                          double* expected);
#endif

namespace {

enum Type { fp8_e4m3, fp8_e5m2, f16, bf16, f32, f64, i8, i32, u32, i64 };
enum Fill { normal, uniform, zeros, ones };
struct Tensor {
    const char* name;
    Type type;
    Fill fill;
    double scale, offset;
    bool input;
};
const Tensor tensors[] = {
@TENSORS@};
constexpr int tensorCount = @TENSOR_COUNT@, dimCount = @DIM_COUNT@;
struct Case {
    std::int64_t dims[dimCount];
    std::int64_t elements[tensorCount];
    bool measured;
};
const Case cases[] = {
@CASES@};
const char* const dimNames[] = {@DIM_NAMES@};
constexpr double relative = @RELATIVE@, absolute = @ABSOLUTE@, ofMagnitude = @OF_MAGNITUDE@;

#if defined(__CUDACC__) || defined(GKS_FP8_OCP)
constexpr bool ocp = true;
#else
constexpr bool ocp = false;
#endif

std::size_t sizeOf(Type type) {
    return type == fp8_e4m3 || type == fp8_e5m2 || type == i8 ? 1 : type == f16 || type == bf16 ? 2 : type == f64 || type == i64 ? 8 : 4;
}

int mantissaBits(Type type) {
    return type == fp8_e4m3 ? 3 : type == fp8_e5m2 ? 2 : type == f16 ? 10 : 7;
}

int biasOf(Type type) {
    return type == fp8_e4m3 ? (ocp ? 7 : 8) : type == fp8_e5m2 ? (ocp ? 15 : 16) : type == f16 ? 15 : 127;
}

// Of the types without a C type: sign, exponent, mantissa.
double fromBits(Type type, unsigned bits) {
    const int mantissa = mantissaBits(type), width = int(sizeOf(type)) * 8;
    const unsigned sign = bits >> (width - 1), fraction = bits & ((1u << mantissa) - 1);
    const int exponent = int((bits >> mantissa) & ((1u << (width - 1 - mantissa)) - 1));
    const bool largest = exponent == (1 << (width - 1 - mantissa)) - 1;
    const bool fnuz = sizeOf(type) == 1 && !ocp;
    if (fnuz ? bits == 0x80 : type == fp8_e4m3 ? largest && fraction == 7 : largest && fraction != 0) {
        return NAN;
    }
    if (!fnuz && type != fp8_e4m3 && largest) {
        return sign != 0 ? -INFINITY : INFINITY;
    }
    const double value = exponent == 0 ? std::ldexp(double(fraction), 1 - biasOf(type) - mantissa)
                                       : std::ldexp(1.0 + std::ldexp(double(fraction), -mantissa), exponent - biasOf(type));
    return sign != 0 ? -value : value;
}

template<class T>
T readAt(const unsigned char* bytes, std::int64_t i) {
    T value;
    std::memcpy(&value, bytes + i * std::int64_t(sizeof value), sizeof value);
    return value;
}

double decoded(Type type, const unsigned char* bytes, std::int64_t i) {
    switch (type) {
    case fp8_e4m3:
    case fp8_e5m2:
        return fromBits(type, bytes[i]);
    case f16:
    case bf16:
        return fromBits(type, readAt<std::uint16_t>(bytes, i));
    case f32:
        return double(readAt<float>(bytes, i));
    case f64:
        return readAt<double>(bytes, i);
    case i8:
        return double(readAt<std::int8_t>(bytes, i));
    case i32:
        return double(readAt<std::int32_t>(bytes, i));
    case u32:
        return double(readAt<std::uint32_t>(bytes, i));
    case i64:
        return double(readAt<std::int64_t>(bytes, i));
    }
    return NAN;
}

template<class T>
void put(unsigned char* bytes, std::int64_t i, T value) {
    std::memcpy(bytes + i * std::int64_t(sizeof value), &value, sizeof value);
}

void draw(const Tensor& tensor, unsigned char* bytes, std::int64_t i, std::mt19937& random) {
    const bool constant = tensor.fill == zeros || tensor.fill == ones;
    const unsigned bits = unsigned(random());
    if (tensor.type == fp8_e4m3 || tensor.type == fp8_e5m2 || tensor.type == f16 || tensor.type == bf16) {
        const int mantissa = mantissaBits(tensor.type), width = int(sizeOf(tensor.type)) * 8;
        unsigned value = tensor.fill == zeros ? 0u : unsigned(biasOf(tensor.type)) << mantissa; // 1
        if (!constant) { // 1/8 to 2, and of either sign where the tensor has both
            value = (unsigned(biasOf(tensor.type) - int(bits % 4) + (tensor.fill == normal ? 0 : -1)) << mantissa) |
                    ((bits >> 8) & ((1u << mantissa) - 1)) | (tensor.fill == normal ? (bits >> 31) << (width - 1) : 0u);
        }
        width == 8 ? put(bytes, i, std::uint8_t(value)) : put(bytes, i, std::uint16_t(value));
        return;
    }
    double value = tensor.fill == ones ? 1 : 0;
    if (!constant) {
        value = tensor.fill == normal ? std::normal_distribution<double>()(random) : double(bits) / 4294967296.0;
        value = tensor.offset + tensor.scale * value;
    }
    const double whole = constant ? value : std::round(16 * value);
    switch (tensor.type) {
    case f32:
        return put(bytes, i, float(value));
    case f64:
        return put(bytes, i, value);
    case i8:
        return put(bytes, i, std::int8_t(whole));
    case i32:
        return put(bytes, i, std::int32_t(whole));
    case u32:
        return put(bytes, i, std::uint32_t(std::abs(whole)));
    case i64:
        return put(bytes, i, std::int64_t(whole));
    default:
        return;
    }
}

void check(int status, const char* what) {
    if (status != 0) {
        std::fprintf(stderr, "%s: status %d%s%s\n", what, status, status > 0 ? ", " : "",
                     status > 0 ? hipGetErrorString(hipError_t(status)) : "");
        std::exit(2);
    }
}

using Bytes = std::vector<unsigned char>;
constexpr std::size_t guardBytes = 256; // behind every tensor; nobody may write there
constexpr unsigned char poison = 0xff;

// Its outputs, as bytes; exits where it writes behind a tensor or changes an input.
std::vector<Bytes> outputsOf(int (*call)(void* const*, const std::int64_t*, void*, std::size_t), const Case& one, const std::vector<Bytes>& inputs,
                             const char* what) {
    std::vector<void*> device(tensorCount);
    for (int t = 0; t < tensorCount; ++t) {
        const std::size_t size = std::size_t(one.elements[t]) * sizeOf(tensors[t].type);
        check(int(hipMalloc(&device[t], size + guardBytes)), "hipMalloc");
        check(int(hipMemset(device[t], poison, size + guardBytes)), "hipMemset");
        if (tensors[t].input) {
            check(int(hipMemcpy(device[t], inputs[t].data(), size, hipMemcpyHostToDevice)), "hipMemcpy");
        }
    }
    const std::int64_t* const d = one.dims;
    const std::size_t workspaceSize = @NAME@_workspace_size(@D_LIST@);
    void* workspace = nullptr;
    if (workspaceSize > 0) {
        check(int(hipMalloc(&workspace, workspaceSize)), "hipMalloc");
        check(int(hipMemset(workspace, poison, workspaceSize)), "hipMemset");
    }
    check(call(device.data(), d, workspace, workspaceSize), what);
    check(int(hipDeviceSynchronize()), what);
    std::vector<Bytes> outputs(tensorCount);
    for (int t = 0; t < tensorCount; ++t) {
        const std::size_t size = std::size_t(one.elements[t]) * sizeOf(tensors[t].type);
        outputs[t].resize(size + guardBytes);
        check(int(hipMemcpy(outputs[t].data(), device[t], size + guardBytes, hipMemcpyDeviceToHost)), "hipMemcpy");
        const bool guarded = std::all_of(outputs[t].end() - guardBytes, outputs[t].end(), [](unsigned char c) { return c == poison; });
        outputs[t].resize(size);
        if (!guarded || (tensors[t].input && outputs[t] != inputs[t])) {
            std::printf("  %s %s %s\n", what, guarded ? "changed the input" : "wrote behind", tensors[t].name);
            std::exit(1);
        }
        check(int(hipFree(device[t])), "hipFree");
    }
    if (workspace != nullptr) {
        check(int(hipFree(workspace)), "hipFree");
    }
    return outputs;
}

int chosen(void* const* t, const std::int64_t* d, void* workspace, std::size_t size) {
    return @NAME@(@T_LIST@@D_LIST@, workspace, size, nullptr);
}
int kernel(void* const* t, const std::int64_t* d, void* workspace, std::size_t size) {
    return @NAME@_kernel(@T_LIST@@D_LIST@, workspace, size, nullptr);
}
int fallback(void* const* t, const std::int64_t* d, void* workspace, std::size_t size) {
    return @NAME@_fallback(@T_LIST@@D_LIST@, workspace, size, nullptr);
}

struct Difference {
    double absolute = 0, relative = 0;
    std::int64_t wrong = 0;
};

Difference difference(const std::vector<double>& got, const std::vector<double>& want, const std::vector<double>& magnitudes, double allowance) {
    Difference found;
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (std::isnan(want[i]) && std::isnan(got[i])) {
            continue;
        }
        const double error = got[i] == want[i] ? 0 : std::abs(got[i] - want[i]);
        const double allowed = allowance * (absolute + relative * std::abs(want[i]) + ofMagnitude * magnitudes[i]);
        found.wrong += error <= allowed ? 0 : 1; // NaN is wrong too
        found.absolute = std::isnan(error) ? INFINITY : std::max(found.absolute, error);
        found.relative = std::isnan(error) ? INFINITY : std::max(found.relative, error / std::max(std::abs(want[i]), absolute + 1e-300));
    }
    return found;
}

std::vector<double> values(const Tensor& tensor, const Bytes& bytes) {
    std::vector<double> all(bytes.size() / sizeOf(tensor.type));
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = decoded(tensor.type, bytes.data(), std::int64_t(i));
    }
    return all;
}

bool compared(const char* what, const char* output, const Difference& found, std::size_t elements) {
    std::printf("  %-24s %-12s largest error %.3g, relative %.3g%s\n", what, output, found.absolute, found.relative,
                found.wrong == 0 ? "" : "  WRONG");
    if (found.wrong != 0) {
        std::printf("  %lld of %zu elements differ by more than the problem allows\n", static_cast<long long>(found.wrong), elements);
    }
    return found.wrong == 0;
}

bool tried(const Case& one, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Bytes> inputs(tensorCount);
    std::vector<std::vector<float>> floats(tensorCount); // fp8 as the reference takes it
    std::vector<const void*> referenceInputs(tensorCount, nullptr);
    for (int t = 0; t < tensorCount; ++t) {
        if (!tensors[t].input) {
            continue;
        }
        inputs[t].resize(std::size_t(one.elements[t]) * sizeOf(tensors[t].type));
        for (std::int64_t i = 0; i < one.elements[t]; ++i) {
            draw(tensors[t], inputs[t].data(), i, random);
        }
        referenceInputs[t] = inputs[t].data();
        if (sizeOf(tensors[t].type) == 1 && tensors[t].type != i8) {
            for (std::int64_t i = 0; i < one.elements[t]; ++i) {
                floats[t].push_back(float(decoded(tensors[t].type, inputs[t].data(), i)));
            }
            referenceInputs[t] = floats[t].data();
        }
    }
    const std::int64_t* const d = one.dims;
    for (int i = 0; i < dimCount; ++i) {
        std::printf("%s%s=%lld", i == 0 ? "" : " ", dimNames[i], static_cast<long long>(d[i]));
    }
    std::printf(" (%s, %s)\n", one.measured ? "measured" : "not measured", @NAME@_uses_kernel(@D_LIST@) != 0 ? "kernel" : "fallback");
    const std::vector<Bytes> byChoice = outputsOf(chosen, one, inputs, "@NAME@()");
    const std::vector<Bytes> byKernel = outputsOf(kernel, one, inputs, "kernel");
    const std::vector<Bytes> byFallback = outputsOf(fallback, one, inputs, "fallback");
    bool good = true;
    for (int t = 0; t < tensorCount; ++t) {
        if (tensors[t].input) {
            continue;
        }
        const std::size_t count = std::size_t(one.elements[t]);
        std::vector<double> want(count), magnitudes(count, 0.0);
        reference(referenceInputs.data(), one.dims, t, 0, one.elements[t], want.data());
#if @HAS_MAGNITUDE@
        magnitude(referenceInputs.data(), one.dims, t, 0, one.elements[t], magnitudes.data());
#endif
        const auto kernels = values(tensors[t], byKernel[t]), fallbacks = values(tensors[t], byFallback[t]);
        good &= compared("@NAME@() : reference", tensors[t].name,
                         difference(values(tensors[t], byChoice[t]), want, magnitudes, 1), count);
        good &= compared("kernel : reference", tensors[t].name, difference(kernels, want, magnitudes, 1), count);
        good &= compared("fallback : reference", tensors[t].name, difference(fallbacks, want, magnitudes, 1), count);
        good &= compared("kernel : fallback", tensors[t].name, difference(kernels, fallbacks, magnitudes, 2), count);
    }
    return good;
}

} // namespace

int main() {
    bool good = true;
    unsigned seed = 1;
    for (const Case& one : cases) {
        good &= tried(one, seed++);
    }
    std::printf(good ? "all right on %zu shapes\n" : "WRONG; %zu shapes were tried\n", sizeof cases / sizeof cases[0]);
    return good ? 0 : 1;
}
)gks";

} // namespace gks::exporttexts
