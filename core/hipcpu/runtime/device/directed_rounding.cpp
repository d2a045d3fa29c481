// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device/device.h"

#include <cmath>
#include <limits>

using namespace gks::hipcpu::device;

// __ocml_{add,sub,mul,div,fma,sqrt}_{rte,rtn,rtp,rtz}. The processor's rounding mode stays as it is: the operation
// rounds to nearest, the sign of its error (known exactly from error-free transformations) says whether the next number
// is meant.

namespace {

enum class Direction { nearest, down, up, zero };

template<class T>
ALWAYS_INLINE T directed(T nearest, T error, Direction direction) {
    if (direction == Direction::nearest || error == T(0) || !std::isfinite(nearest)) {
        return nearest;
    }
    constexpr T infinity = std::numeric_limits<T>::infinity();
    const bool down = direction == Direction::down || (direction == Direction::zero && nearest > T(0));
    if (down) {
        return error < T(0) ? std::nextafter(nearest, -infinity) : nearest;
    }
    return error > T(0) ? std::nextafter(nearest, infinity) : nearest;
}

// a + b - sum, exactly (Knuth).
template<class T>
ALWAYS_INLINE T sumError(T a, T b, T sum) {
    const T bPart = sum - a;
    return (a - (sum - bPart)) + (b - bPart);
}

template<class T>
ALWAYS_INLINE T add(T a, T b, Direction direction) {
    const T sum = a + b;
    return directed(sum, sumError(a, b, sum), direction);
}
template<class T>
ALWAYS_INLINE T multiply(T a, T b, Direction direction) {
    const T product = a * b;
    return directed(product, std::fma(a, b, -product), direction);
}
template<class T>
ALWAYS_INLINE T divide(T a, T b, Direction direction) {
    const T quotient = a / b;
    const T rest = std::fma(-quotient, b, a);
    return directed(quotient, b < T(0) ? -rest : rest, direction);
}
template<class T>
ALWAYS_INLINE T squareRoot(T a, Direction direction) {
    const T root = std::sqrt(a);
    return directed(root, std::fma(-root, root, a), direction);
}
template<class T>
ALWAYS_INLINE T multiplyAdd(T a, T b, T c, Direction direction) {
    const T result = std::fma(a, b, c);
    const T product = a * b;
    const T productError = std::fma(a, b, -product);
    const T sum = product + c;
    return directed(result, (sum - result) + (sumError(product, c, sum) + productError), direction);
}

} // namespace

#define DIRECTED(SUFFIX, DIRECTION, T, TYPE)                                                                           \
    DEVICE_FUNCTION T __ocml_add_##SUFFIX##_##TYPE(T a, T b) {                                                         \
        return add(a, b, Direction::DIRECTION);                                                                        \
    }                                                                                                                  \
    DEVICE_FUNCTION T __ocml_sub_##SUFFIX##_##TYPE(T a, T b) {                                                         \
        return add(a, -b, Direction::DIRECTION);                                                                       \
    }                                                                                                                  \
    DEVICE_FUNCTION T __ocml_mul_##SUFFIX##_##TYPE(T a, T b) {                                                         \
        return multiply(a, b, Direction::DIRECTION);                                                                   \
    }                                                                                                                  \
    DEVICE_FUNCTION T __ocml_div_##SUFFIX##_##TYPE(T a, T b) {                                                         \
        return divide(a, b, Direction::DIRECTION);                                                                     \
    }                                                                                                                  \
    DEVICE_FUNCTION T __ocml_sqrt_##SUFFIX##_##TYPE(T a) {                                                             \
        return squareRoot(a, Direction::DIRECTION);                                                                    \
    }                                                                                                                  \
    DEVICE_FUNCTION T __ocml_fma_##SUFFIX##_##TYPE(T a, T b, T c) {                                                    \
        return multiplyAdd(a, b, c, Direction::DIRECTION);                                                             \
    }
#define DIRECTIONS(T, TYPE)                                                                                            \
    DIRECTED(rte, nearest, T, TYPE)                                                                                    \
    DIRECTED(rtn, down, T, TYPE)                                                                                       \
    DIRECTED(rtp, up, T, TYPE)                                                                                         \
    DIRECTED(rtz, zero, T, TYPE)
DIRECTIONS(float, f32)
DIRECTIONS(double, f64)
