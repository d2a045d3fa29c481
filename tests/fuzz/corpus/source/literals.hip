template<int N> void f() { auto s = "a\"//b"; char c = '\''; int n = 1'000; g(s, c, n, p.n); /* x */ }
