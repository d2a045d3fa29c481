#define A(x) \
  (x)
// c
__global__ void k(const float* a, float* b, int n) {
  for (int i = 0; i < n; ++i) { b[i] = A(a[i]) + R"x(/*)x" [0]; }
}
