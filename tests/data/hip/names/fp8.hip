// SPDX-License-Identifier: GPL-3.0-or-later
#include <hip/hip_fp8.h>
#include <hip/hip_runtime.h>
template<class S>
__device__ void scalar(float* f, int* n, S* s) {
    s[0] = S(1.5f);
    s[1] = S(2.0);
    s[2] = S(3);
    s[3] = S(3u);
    s[4] = S(3l);
    s[5] = S(3ul);
    s[6] = S((short)3);
    s[7] = S((unsigned short)3);
    s[10] = S(__half(1.0f));
    s[11] = S(__hip_bfloat16(1.0f));
    f[0] = s[0];
    f[1] = static_cast<float>(s[1]);
    n[0] = static_cast<int>(s[1]);
    n[1] = static_cast<bool>(s[1]);
    n[2] = static_cast<signed char>(s[1]);
    n[3] = static_cast<unsigned short>(s[1]);
    n[4] = static_cast<long long>(s[2]);
    n[5] = (char)s[1];
    f[2] = (float)(double)s[1];
    f[3] = __half2float(__half(s[1]));
    f[4] = float(__hip_bfloat16(s[1]));
    n[6] = s[1].__x;
    n[7] = S::__default_interpret;
    n[8] = S::__default_saturation;
    n[9] = S::__we;
    n[10] = S::__wm;
    s[12].__x = 7;
    if (s[1]) {
        n[11] = 1;
    }
    __half h = s[1];
    __hip_bfloat16 b = s[1];
    double d = s[1];
    int j = s[2];
    f[6] = h;
    f[7] = b;
    f[8] = d;
    n[12] = j;
    unsigned long long ll = s[1];
    n[13] = ll;
}
template<class P>
__device__ void pairs(float* f, int* n, P* p) {
    p[0] = P(make_float2(1, 2));
    p[1] = P(make_double2(1, 2));
    p[2] = P(__floats2half2_rn(1, 2));
    p[3] = P(__float22bfloat162_rn(make_float2(1, 2)));
    float2 q = p[0];
    f[0] = q.x + static_cast<float2>(p[1]).y;
    __half2 h = p[1];
    f[1] = __low2float(h);
    n[0] = p[0].__x;
    n[1] = P::__we;
    n[2] = P::__wm;
    n[3] = P::__default_interpret;
}
template<class Q>
__device__ void quads(float* f, int* n, Q* p) {
    p[0] = Q(make_float4(1, 2, 3, 4));
    p[1] = Q(make_double4(1, 2, 3, 4));
    float4 q = p[0];
    f[0] = q.x + static_cast<float4>(p[1]).y;
    n[0] = p[0].__x;
    n[1] = Q::__we;
    n[2] = Q::__wm;
    n[3] = Q::__default_interpret;
}
__global__ void k(float* f, int* n, unsigned char* u) {
    scalar(f, n, reinterpret_cast<__hip_fp8_e4m3_fnuz*>(u));
    scalar(f, n, reinterpret_cast<__hip_fp8_e5m2_fnuz*>(u));
    pairs(f, n, reinterpret_cast<__hip_fp8x2_e4m3_fnuz*>(u));
    pairs(f, n, reinterpret_cast<__hip_fp8x2_e5m2_fnuz*>(u));
    quads(f, n, reinterpret_cast<__hip_fp8x4_e4m3_fnuz*>(u));
    quads(f, n, reinterpret_cast<__hip_fp8x4_e5m2_fnuz*>(u));
    u[0] = __hip_cvt_float_to_fp8(f[0], __HIP_SATFINITE, __HIP_E4M3_FNUZ);
    u[1] = __hip_cvt_double_to_fp8(1.0, __HIP_NOSAT, __HIP_E5M2_FNUZ);
    __half_raw r = __hip_cvt_fp8_to_halfraw(u[0], __HIP_E4M3_FNUZ);
    u[2] = __hip_cvt_halfraw_to_fp8(r, __HIP_SATFINITE, __HIP_E4M3_FNUZ);
    u[3] = __hip_cvt_bfloat16raw_to_fp8(__hip_bfloat16(1.0f), __HIP_SATFINITE, __HIP_E4M3_FNUZ);
    n[0] = __hip_cvt_float2_to_fp8x2(make_float2(1, 2), __HIP_SATFINITE, __HIP_E4M3_FNUZ);
    n[1] = __hip_cvt_halfraw2_to_fp8x2(__floats2half2_rn(1, 2), __HIP_SATFINITE, __HIP_E4M3_FNUZ);
    __half2_raw r2 = __hip_cvt_fp8x2_to_halfraw2(n[0], __HIP_E4M3_FNUZ);
    n[2] = r2.data[0];
    n[3] = __hip_cvt_bfloat16raw2_to_fp8x2(__float22bfloat162_rn(make_float2(1, 2)), __HIP_SATFINITE, __HIP_E4M3_FNUZ);
    n[4] = __hip_cvt_double2_to_fp8x2(make_double2(1, 2), __HIP_SATFINITE, __HIP_E4M3_FNUZ);
}
__host__ void host(float* f, int* n, unsigned char* u) {
    __hip_fp8_e4m3 a(1.0f);
    __hip_fp8_e5m2 b(2.0f);
    f[0] = a;
    f[1] = b;
    __hip_fp8x2_e4m3 c(make_float2(1, 2));
    __hip_fp8x4_e5m2 d(make_float4(1, 2, 3, 4));
    n[0] = c.__x + d.__x;
}
