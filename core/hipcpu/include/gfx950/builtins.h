// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The builtins that gfx950 adds to gfx942, for clang 19, which does not know them (see core/hipcpu/architecture.h).
// Names, types and the order of operands are those of LLVM 20's BuiltinsAMDGPU.def; the label of each is the name of
// its intrinsic, or another one where LLVM 19 would take that for one of its own. Immediate operands may be any values
// here; a card's compiler wants constants. What clang 19 has under the same name for other processors, or with other
// immediates, is replaced by a macro.

#define GKS_950_AS(type, name) __attribute__((device)) type __builtin_amdgcn_##name

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

#undef GKS_950_AS
