// SPDX-License-Identifier: GPL-3.0-or-later
// A code object of a source as code generators write it: no header, no name of the host's, vectors of its own.
typedef float float4 __attribute__((ext_vector_type(4)));
typedef _Float16 half4 __attribute__((ext_vector_type(4)));
extern "C" __attribute__((device, const)) unsigned long __ockl_get_group_id(unsigned int);
extern "C" __attribute__((device, const)) unsigned long __ockl_get_local_id(unsigned int);
extern "C" __attribute__((device, const)) float __ocml_exp2_f32(float);

// Four sums of 64 halves each for a block, and two to the power of a quarter of each.
extern "C" __attribute__((global)) void __attribute__((amdgpu_flat_work_group_size(1, 16)))
sumsOfHalves(float* out, const _Float16* in) {
    __attribute__((shared, aligned(16))) float row[16];
    const int block = __ockl_get_group_id(0), i = __ockl_get_local_id(0);
    float sum = 0;
    for (int k = 0; k < 4; ++k) {
        const half4 some = *(const half4*)(in + block * 256 + i * 16 + 4 * k);
        sum += (float)some.x + (float)some.y + (float)some.z + (float)some.w;
    }
    row[i] = sum;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    if (i == 0) {
        float4 sums = {0, 0, 0, 0};
        for (int k = 0; k < 4; ++k) {
            sums += (float4){row[k], row[4 + k], row[8 + k], row[12 + k]};
        }
        *(float4*)(out + 8 * block) = sums;
        *(float4*)(out + 8 * block + 4) = (float4){__ocml_exp2_f32(sums.x / 4), sums.y, sums.z, sums.w};
    }
}
