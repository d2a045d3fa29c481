// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The builtins that gfx950 adds to gfx942, for clang 19, which does not know them (see core/hipcpu/architecture.h).
// Names, types and the order of operands are those of LLVM 20's BuiltinsAMDGPU.def; the label of each is the name of
// its intrinsic, or another one where LLVM 19 would take that for one of its own. Immediate operands may be any values
// here; a card's compiler wants constants. What clang 19 has under the same name for other processors, or with other
// immediates, is replaced by a macro.

#define GKS_950 static inline __attribute__((device, always_inline))
#define GKS_950_AS(type, name) __attribute__((device)) type __builtin_amdgcn_##name
#define GKS_950_GLOBAL __attribute__((address_space(1)))
#define GKS_950_LDS __attribute__((address_space(3)))

namespace gks_950 {
#define GKS_950_VECTOR(name, type, count) typedef type name __attribute__((ext_vector_type(count)));
GKS_950_VECTOR(Int2, int, 2)
GKS_950_VECTOR(Int3, int, 3)
GKS_950_VECTOR(Int4, int, 4)
GKS_950_VECTOR(Int8, int, 8)
GKS_950_VECTOR(Int16, int, 16)
GKS_950_VECTOR(Word2, unsigned, 2)
GKS_950_VECTOR(Word6, unsigned, 6)
GKS_950_VECTOR(Short2, short, 2)
GKS_950_VECTOR(Short4, short, 4)
GKS_950_VECTOR(Float2, float, 2)
GKS_950_VECTOR(Float4, float, 4)
GKS_950_VECTOR(Float16, float, 16)
GKS_950_VECTOR(Float32, float, 32)
GKS_950_VECTOR(Half2, _Float16, 2)
GKS_950_VECTOR(Half4, _Float16, 4)
GKS_950_VECTOR(Half8, _Float16, 8)
GKS_950_VECTOR(Half16, _Float16, 16)
GKS_950_VECTOR(Half32, _Float16, 32)
GKS_950_VECTOR(Bfloat2, __bf16, 2)
GKS_950_VECTOR(Bfloat4, __bf16, 4)
GKS_950_VECTOR(Bfloat8, __bf16, 8)
GKS_950_VECTOR(Bfloat16, __bf16, 16)
GKS_950_VECTOR(Bfloat32, __bf16, 32)
#undef GKS_950_VECTOR
} // namespace gks_950

// Matrices: A, B, C, then cbsz, abid, blgp; sparse ones with the index behind C and without blgp.
#define GKS_950_MFMA(name, label, inputs, sum)                                                                         \
    GKS_950_AS(gks_950::sum, mfma_##name)(gks_950::inputs a, gks_950::inputs b, gks_950::sum c, int cbsz, int abid,    \
                                          int blgp) __asm("llvm.amdgcn.mfma." label);
GKS_950_MFMA(f32_16x16x32_f16, "f32.16x16x32.f16", Half8, Float4)
GKS_950_MFMA(f32_16x16x32_bf16, "f32.16x16x32.bf16", Bfloat8, Float4)
GKS_950_MFMA(f32_32x32x16_f16, "f32.32x32x16.f16", Half8, Float16)
GKS_950_MFMA(f32_32x32x16_bf16, "f32.32x32x16.bf16", Bfloat8, Float16)
GKS_950_MFMA(i32_16x16x64_i8, "i32.16x16x64.i8", Int4, Int4)
GKS_950_MFMA(i32_32x32x32_i8, "i32.32x32x32.i8", Int4, Int16)
#undef GKS_950_MFMA
#define GKS_950_SMFMAC(name, label, sparse, dense, sum)                                                                \
    GKS_950_AS(gks_950::sum, smfmac_##name)(gks_950::sparse a, gks_950::dense b, gks_950::sum c, int index, int cbsz,  \
                                            int abid) __asm("llvm.amdgcn.smfmac." label);
GKS_950_SMFMAC(f32_16x16x64_f16, "f32.16x16x64.f16", Half8, Half16, Float4)
GKS_950_SMFMAC(f32_32x32x32_f16, "f32.32x32x32.f16", Half8, Half16, Float16)
GKS_950_SMFMAC(f32_16x16x64_bf16, "f32.16x16x64.bf16", Bfloat8, Bfloat16, Float4)
GKS_950_SMFMAC(f32_32x32x32_bf16, "f32.32x32x32.bf16", Bfloat8, Bfloat16, Float16)
GKS_950_SMFMAC(i32_16x16x128_i8, "i32.16x16x128.i8", Int4, Int8, Int4)
GKS_950_SMFMAC(i32_32x32x64_i8, "i32.32x32x64.i8", Int4, Int8, Int16)
GKS_950_SMFMAC(f32_16x16x128_bf8_bf8, "f32.16x16x128.bf8.bf8", Int4, Int8, Float4)
GKS_950_SMFMAC(f32_16x16x128_bf8_fp8, "f32.16x16x128.bf8.fp8", Int4, Int8, Float4)
GKS_950_SMFMAC(f32_16x16x128_fp8_bf8, "f32.16x16x128.fp8.bf8", Int4, Int8, Float4)
GKS_950_SMFMAC(f32_16x16x128_fp8_fp8, "f32.16x16x128.fp8.fp8", Int4, Int8, Float4)
GKS_950_SMFMAC(f32_32x32x64_bf8_bf8, "f32.32x32x64.bf8.bf8", Int4, Int8, Float16)
GKS_950_SMFMAC(f32_32x32x64_bf8_fp8, "f32.32x32x64.bf8.fp8", Int4, Int8, Float16)
GKS_950_SMFMAC(f32_32x32x64_fp8_bf8, "f32.32x32x64.fp8.bf8", Int4, Int8, Float16)
GKS_950_SMFMAC(f32_32x32x64_fp8_fp8, "f32.32x32x64.fp8.fp8", Int4, Int8, Float16)
#undef GKS_950_SMFMAC
// The formats of A and B (0 e4m3, 1 e5m2, 2 e2m3, 3 e3m2, 4 e2m1), and for each a byte of the scales and the scales.
#define GKS_950_MIXED(shape, sum)                                                                                      \
    GKS_950_AS(gks_950::sum, mfma_scale_f32_##shape##_f8f6f4)(                                                         \
        gks_950::Int8 a, gks_950::Int8 b, gks_950::sum c, int formatOfA, int formatOfB, int byteOfA, int scaleOfA,     \
        int byteOfB, int scaleOfB) __asm("llvm.amdgcn.mfma.scale.f32." #shape ".f8f6f4");
GKS_950_MIXED(16x16x128, Float4)
GKS_950_MIXED(32x32x64, Float16)
#undef GKS_950_MIXED

// Lanes: the two operands after the swap. A lane whose partner is not active keeps its own, or with the last operand 0.
GKS_950_AS(gks_950::Word2, permlane16_swap)(unsigned old, unsigned source, bool fetchInactive,
                                            bool boundControl) __asm("llvm.amdgcn.swap.permlane16");
GKS_950_AS(gks_950::Word2, permlane32_swap)(unsigned old, unsigned source, bool fetchInactive,
                                            bool boundControl) __asm("llvm.amdgcn.swap.permlane32");

// Transposed reads of LDS.
#define GKS_950_READ(name, label, vector)                                                                              \
    GKS_950_AS(gks_950::vector, ds_read_##name)(GKS_950_LDS gks_950::vector * from) __asm("llvm.amdgcn.ds."            \
                                                                                          "read." label);
GKS_950_READ(tr4_b64_v2i32, "tr4.b64.v2i32", Int2)
GKS_950_READ(tr6_b96_v3i32, "tr6.b96.v3i32", Int3)
GKS_950_READ(tr8_b64_v2i32, "tr8.b64.v2i32", Int2)
GKS_950_READ(tr16_b64_v4i16, "tr16.b64.v4i16", Short4)
GKS_950_READ(tr16_b64_v4f16, "tr16.b64.v4f16", Half4)
GKS_950_READ(tr16_b64_v4bf16, "tr16.b64.v4bf16", Bfloat4)
#undef GKS_950_READ

// From global memory straight to LDS, 12 and 16 bytes too.
namespace gks_950 {
__attribute__((device)) void globalLoadLds(GKS_950_GLOBAL void* from, GKS_950_LDS void* to, unsigned bytes, int offset,
                                           unsigned cache) __asm("llvm.amdgcn.wide.global.load.lds");
__attribute__((device)) void bufferLoadLds(__amdgpu_buffer_rsrc_t buffer, GKS_950_LDS void* to, unsigned bytes,
                                           int lane, int scalar, int offset,
                                           int cache) __asm("llvm.amdgcn.wide.raw.ptr.buffer.load.lds");
} // namespace gks_950
#define __builtin_amdgcn_global_load_lds gks_950::globalLoadLds
#define __builtin_amdgcn_load_to_lds gks_950::globalLoadLds
#define __builtin_amdgcn_raw_ptr_buffer_load_lds gks_950::bufferLoadLds

// Bits and numbers.
GKS_950_AS(unsigned, prng_b32)(unsigned seed) __asm("llvm.amdgcn.prng.b32");
GKS_950_AS(int, bitop3_b32)(int a, int b, int c, unsigned table) __asm("llvm.amdgcn.bitop3.i32");
GKS_950_AS(short, bitop3_b16)(short a, short b, short c, unsigned table) __asm("llvm.amdgcn.bitop3.i16");
GKS_950_AS(unsigned short, ashr_pk_i8_i32)(unsigned a, unsigned b, unsigned shift) __asm("llvm.amdgcn.ashr.pk.i8.i32");
GKS_950_AS(unsigned short, ashr_pk_u8_i32)(unsigned a, unsigned b, unsigned shift) __asm("llvm.amdgcn.ashr.pk.u8.i32");
GKS_950_AS(float, fdot2c_f32_bf16)(gks_950::Bfloat2 a, gks_950::Bfloat2 b, float c,
                                   bool clamp) __asm("llvm.amdgcn.fdot2c.f32.bf16");
namespace gks_950 {
__attribute__((device)) float dotOfTwo(Bfloat2 a, Bfloat2 b, float c,
                                       bool clamp) __asm("llvm.amdgcn.fdot2.f32.bf16.gfx950");
GKS_950 float dotOfTwo(Short2 a, Short2 b, float c, bool clamp) { // as LLVM 20 has it
    return dotOfTwo(__builtin_bit_cast(Bfloat2, a), __builtin_bit_cast(Bfloat2, b), c, clamp);
}
} // namespace gks_950
#define __builtin_amdgcn_fdot2_f32_bf16 gks_950::dotOfTwo
GKS_950_AS(gks_950::Bfloat2, cvt_sr_bf16_f32)(gks_950::Bfloat2 old, float value, unsigned seed,
                                              bool high) __asm("llvm.amdgcn.cvt.sr.bf16.f32");
GKS_950_AS(gks_950::Half2, cvt_sr_f16_f32)(gks_950::Half2 old, float value, unsigned seed,
                                           bool high) __asm("llvm.amdgcn.cvt.sr.f16.f32");

// Conversions with a scale, which is the exponent of a float. `index` is a byte, `high` a half of a register.
#define GKS_950_CONVERSION(type, name, label, ...)                                                                     \
    GKS_950_AS(type, cvt_scalef32_##name)(__VA_ARGS__) __asm("llvm.amdgcn.cvt.scalef32." label);
#define GKS_950_OF_8_BITS(name)                                                                                        \
    GKS_950_CONVERSION(gks_950::Half2, f16_##name, "f16." #name, gks_950::Half2 old, int source, float scale,          \
                       int index, bool high)                                                                           \
    GKS_950_CONVERSION(float, f32_##name, "f32." #name, int source, float scale, int index)                            \
    GKS_950_CONVERSION(gks_950::Short2, pk_##name##_f32, "pk." #name ".f32", gks_950::Short2 old, float a, float b,    \
                       float scale, bool high)                                                                         \
    GKS_950_CONVERSION(gks_950::Short2, pk_##name##_f16, "pk." #name ".f16", gks_950::Short2 old, gks_950::Half2 pair, \
                       float scale, bool high)                                                                         \
    GKS_950_CONVERSION(gks_950::Short2, pk_##name##_bf16, "pk." #name ".bf16", gks_950::Short2 old,                    \
                       gks_950::Bfloat2 pair, float scale, bool high)                                                  \
    GKS_950_CONVERSION(gks_950::Float2, pk_f32_##name, "pk.f32." #name, unsigned source, float scale, bool high)       \
    GKS_950_CONVERSION(gks_950::Half2, pk_f16_##name, "pk.f16." #name, unsigned source, float scale, bool high)        \
    GKS_950_CONVERSION(gks_950::Bfloat2, pk_bf16_##name, "pk.bf16." #name, unsigned source, float scale, bool high)    \
    GKS_950_CONVERSION(int, sr_##name##_f32, "sr." #name ".f32", int old, float value, unsigned seed, float scale,     \
                       int index)                                                                                      \
    GKS_950_CONVERSION(int, sr_##name##_f16, "sr." #name ".f16", int old, _Float16 value, unsigned seed, float scale,  \
                       int index)                                                                                      \
    namespace gks_950 {                                                                                                \
    __attribute__((device)) int sr_##name##_bf16(int old, unsigned short value, unsigned seed, float scale,            \
                                                 int index) __asm("llvm.amdgcn.cvt.scalef32.sr." #name ".bf16");       \
    }                                                                                                                  \
    GKS_950 int __builtin_amdgcn_cvt_scalef32_sr_##name##_bf16(int old, __bf16 value, unsigned seed, float scale,      \
                                                               int index) {                                            \
        return gks_950::sr_##name##_bf16(old, __builtin_bit_cast(unsigned short, value), seed, scale, index);          \
    }
GKS_950_OF_8_BITS(fp8)
GKS_950_OF_8_BITS(bf8)
#undef GKS_950_OF_8_BITS
#define GKS_950_OF_6_BITS(name)                                                                                        \
    GKS_950_CONVERSION(gks_950::Word6, pk32_##name##_f16, "pk32." #name ".f16", gks_950::Half32 values, float scale)   \
    GKS_950_CONVERSION(gks_950::Word6, pk32_##name##_bf16, "pk32." #name ".bf16", gks_950::Bfloat32 values,            \
                       float scale)                                                                                    \
    GKS_950_CONVERSION(gks_950::Word6, 2xpk16_##name##_f32, "2xpk16." #name ".f32", gks_950::Float16 even,             \
                       gks_950::Float16 odd, float scale)                                                              \
    GKS_950_CONVERSION(gks_950::Float32, pk32_f32_##name, "pk32.f32." #name, gks_950::Word6 packed, float scale)       \
    GKS_950_CONVERSION(gks_950::Half32, pk32_f16_##name, "pk32.f16." #name, gks_950::Word6 packed, float scale)        \
    GKS_950_CONVERSION(gks_950::Bfloat32, pk32_bf16_##name, "pk32.bf16." #name, gks_950::Word6 packed, float scale)    \
    GKS_950_CONVERSION(gks_950::Word6, sr_pk32_##name##_f32, "sr.pk32." #name ".f32", gks_950::Float32 values,         \
                       unsigned seed, float scale)                                                                     \
    GKS_950_CONVERSION(gks_950::Word6, sr_pk32_##name##_f16, "sr.pk32." #name ".f16", gks_950::Half32 values,          \
                       unsigned seed, float scale)                                                                     \
    GKS_950_CONVERSION(gks_950::Word6, sr_pk32_##name##_bf16, "sr.pk32." #name ".bf16", gks_950::Bfloat32 values,      \
                       unsigned seed, float scale)
GKS_950_OF_6_BITS(fp6)
GKS_950_OF_6_BITS(bf6)
#undef GKS_950_OF_6_BITS
GKS_950_CONVERSION(gks_950::Float2, pk_f32_fp4, "pk.f32.fp4", unsigned source, float scale, int index)
GKS_950_CONVERSION(gks_950::Half2, pk_f16_fp4, "pk.f16.fp4", unsigned source, float scale, int index)
GKS_950_CONVERSION(gks_950::Bfloat2, pk_bf16_fp4, "pk.bf16.fp4", unsigned source, float scale, int index)
GKS_950_CONVERSION(unsigned, pk_fp4_f32, "pk.fp4.f32", unsigned old, float a, float b, float scale, int index)
GKS_950_CONVERSION(unsigned, pk_fp4_f16, "pk.fp4.f16", unsigned old, gks_950::Half2 pair, float scale, int index)
GKS_950_CONVERSION(unsigned, pk_fp4_bf16, "pk.fp4.bf16", unsigned old, gks_950::Bfloat2 pair, float scale, int index)
GKS_950_CONVERSION(unsigned, sr_pk_fp4_f32, "sr.pk.fp4.f32", unsigned old, gks_950::Float2 pair, unsigned seed,
                   float scale, int index)
GKS_950_CONVERSION(unsigned, sr_pk_fp4_f16, "sr.pk.fp4.f16", unsigned old, gks_950::Half2 pair, unsigned seed,
                   float scale, int index)
GKS_950_CONVERSION(unsigned, sr_pk_fp4_bf16, "sr.pk.fp4.bf16", unsigned old, gks_950::Bfloat2 pair, unsigned seed,
                   float scale, int index)
#undef GKS_950_CONVERSION
#undef GKS_950_AS
