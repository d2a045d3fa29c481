template<int N, class T> __global__ void k(const T* __restrict__ a) { struct P { int m; } p; p.m = N; auto q = [&](int x) { return x + p.m; }; extern int z; q(z); "s" "t\"" 'c'; 1'000; R"d(x)d"; }
