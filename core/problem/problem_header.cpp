// SPDX-License-Identifier: GPL-3.0-or-later
// The header that a candidate includes. Scientists read it inside the prompt, so it holds only the types that the pack
// uses, and it needs nothing beyond <hip/hip_runtime.h>: Debian's HIP headers have neither fp8 nor bf16. Its types
// convert as those of HIP do. Constructors are there for what an aggregate would do in C++20: make bf16_t(1.5f) one of
// the bits 1, without a word.
#include "core/base/text.h"
#include "core/problem/problem.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::string_view prologue = R"(// @TITLE@. Generated; the same text for every kernel and every target.
#pragma once
#include <hip/hip_runtime.h>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

)";

constexpr std::string_view bitsText = R"(__host__ __device__ inline float float_from_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, 4);
    return value;
}
__host__ __device__ inline uint32_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}

)";

// A normal number gets a new exponent bias; a subnormal one is its mantissa times the smallest step.
constexpr std::string_view fp8Text =
    R"(// One byte, fp8 @FORMAT@: FNUZ (bias @FNUZ_BIAS@, 0x80 is NaN, no infinity) on gfx942 and the cpu target, OCP with GKS_FP8_OCP.
struct @TYPE@ {
    unsigned char bits;
    @TYPE@() = default;
    __host__ __device__ explicit constexpr @TYPE@(unsigned char bits) : bits(bits) {}
    template<class T, class = std::enable_if_t<!std::is_integral<T>::value>> explicit @TYPE@(T) = delete; // round by yourself
    __host__ __device__ operator float() const;
};
__host__ __device__ inline float to_float(@TYPE@ x) {
#if defined(__gfx942__) && !defined(GKS_FP8_OCP)
    return __builtin_amdgcn_cvt_f32_@BUILTIN@(x.bits, 0);
#else
#ifdef GKS_FP8_OCP
    const int bias = @OCP_BIAS@;
    const bool nan = @OCP_NAN@;
#else
    const int bias = @FNUZ_BIAS@;
    const bool nan = x.bits == 0x80;
#endif
    const uint32_t magnitude = x.bits & 0x7f, sign = (x.bits & 0x80u) << 24;
    const float normal = float_from_bits((magnitude << @SHIFT@) + ((127 - bias) << 23));
    const float subnormal = float(magnitude) * float_from_bits((127 + 1 - bias - @MANTISSA@) << 23);
    const float value = magnitude < (1u << @MANTISSA@) ? subnormal : normal;
    return nan ? float_from_bits(0x7fc00000u) : float_from_bits(bits_of_float(value) | sign);
#endif
}
__host__ __device__ inline @TYPE@::operator float() const { return to_float(*this); }

)";

constexpr std::string_view bf16Text = R"(// Two bytes, the upper half of a float.
struct bf16_t {
    uint16_t bits;
    bf16_t() = default;
    __host__ __device__ explicit constexpr bf16_t(uint16_t bits) : bits(bits) {}
    // From float, double, half, HIP's own bf16: rounded to nearest.
    template<class T, class = std::enable_if_t<!std::is_integral<T>::value && std::is_convertible<T, float>::value>>
    __host__ __device__ bf16_t(T value);
    __host__ __device__ operator float() const;
};
__host__ __device__ inline float to_float(bf16_t x) { return float_from_bits(uint32_t(x.bits) << 16); }
__host__ __device__ inline bf16_t to_bf16(float value) { // to nearest, ties to even
    const uint32_t bits = bits_of_float(value);
    const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    return bf16_t{uint16_t((bits & 0x7fffffffu) > 0x7f800000u ? (bits >> 16) | 0x40u : rounded)};
}
template<class T, class> __host__ __device__ inline bf16_t::bf16_t(T value) : bits(to_bf16(float(value)).bits) {}
__host__ __device__ inline bf16_t::operator float() const { return to_float(*this); }
__host__ __device__ inline float __bfloat162float(bf16_t x) { return to_float(x); } // as HIP names it

)";

constexpr std::string_view f16Text = R"(#ifdef __CUDACC__
#include <hip/hip_fp16.h>
using f16_t = __half;
#else
using f16_t = _Float16;
#endif
__host__ __device__ inline float to_float(f16_t x) { return float(x); }
__host__ __device__ inline f16_t to_f16(float value) { return f16_t(value); }

)";

constexpr std::string_view epilogue =
    R"(// Implement this. Called from the host: launch kernels on `stream` and return without waiting for them.
// The pointers are device memory, 256-byte aligned. Outputs hold garbage at first. Inputs must stay as they are.
extern "C" hipError_t solve(const Problem& problem, void* workspace, hipStream_t stream);

// Optional: bytes of device workspace that solve() needs for this shape (the pointers are null here). Without it workspace is null.
extern "C" size_t workspace_bytes(const Problem& shape);
)";

std::string fp8Section(ElementType type) {
    const bool e4m3 = type == ElementType::fp8E4m3;
    std::string text(fp8Text);
    const std::pair<std::string_view, std::string_view> parts[] = {
        {"@TYPE@", e4m3 ? "fp8_t" : "bf8_t"},
        {"@FORMAT@", e4m3 ? "e4m3" : "e5m2"},
        {"@BUILTIN@", e4m3 ? "fp8" : "bf8"},
        {"@FNUZ_BIAS@", e4m3 ? "8" : "16"},
        {"@OCP_BIAS@", e4m3 ? "7" : "15"},
        {"@OCP_NAN@", e4m3 ? "(x.bits & 0x7f) == 0x7f" : "(x.bits & 0x7f) > 0x7c"},
        {"@SHIFT@", e4m3 ? "20" : "21"},
        {"@MANTISSA@", e4m3 ? "3" : "2"},
    };
    for (const auto& [from, to] : parts) {
        text = replaceAll(std::move(text), from, to);
    }
    if (!e4m3) { // OCP e5m2 alone has an infinity, 0x7c
        text = replaceAll(
            std::move(text), "    const float value = magnitude <",
            "#ifdef GKS_FP8_OCP\n    if (magnitude == 0x7c) {\n        return float_from_bits(0x7f800000u | sign);\n"
            "    }\n#endif\n    const float value = magnitude <");
    }
    return text;
}

std::string problemStruct(const ProblemPack& pack) {
    std::string text = "struct Problem {\n";
    for (const TensorSpec& tensor : pack.tensors) {
        const std::string member = fmt::format("{}{}* {};", tensor.role == TensorRole::input ? "const " : "",
                                               cppType(tensor.type), tensor.name);
        text += fmt::format("    {:<28} // [{}]\n", member,
                            join(tensor.extents, "][")); // as in C: the last extent varies fastest
    }
    return text + fmt::format("    int {};\n}};\n\n", join(pack.dims, ", "));
}

} // namespace

std::string_view cppType(ElementType type) {
    switch (type) {
    case ElementType::fp8E4m3:
        return "fp8_t";
    case ElementType::fp8E5m2:
        return "bf8_t";
    case ElementType::f16:
        return "f16_t";
    case ElementType::bf16:
        return "bf16_t";
    case ElementType::f32:
        return "float";
    case ElementType::f64:
        return "double";
    case ElementType::i8:
        return "int8_t";
    case ElementType::i32:
        return "int32_t";
    case ElementType::u32:
        return "uint32_t";
    case ElementType::i64:
        return "int64_t";
    }
    return "float";
}

std::string generateProblemHeader(const ProblemPack& pack) {
    const auto uses = [&](ElementType type) {
        return std::any_of(pack.tensors.begin(), pack.tensors.end(),
                           [&](const TensorSpec& tensor) { return tensor.type == type; });
    };
    const std::string title = replaceAll(replaceAll(pack.title, "\n", " "), "\\", "/");
    std::string header = replaceAll(std::string(prologue), "@TITLE@", title);
    if (uses(ElementType::fp8E4m3) || uses(ElementType::fp8E5m2) || uses(ElementType::bf16)) {
        header += bitsText;
    }
    for (const ElementType type : {ElementType::fp8E4m3, ElementType::fp8E5m2}) {
        header += uses(type) ? fp8Section(type) : "";
    }
    header += uses(ElementType::bf16) ? bf16Text : "";
    header += uses(ElementType::f16) ? f16Text : "";
    return header + problemStruct(pack) + std::string(epilogue);
}

} // namespace gks
