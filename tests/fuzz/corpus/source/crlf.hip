// a \
 b
#define A(x) \
 x##1
void f(int a, float* b) { for (int i = 0; i < a; ++i) { b[i] = +a + +i / *b; } }
