// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// HIP's vectors in place of HIP 5's file. There a vector is assigned by a function of its own, so that a union that
// holds one cannot be copied; since HIP 6 it is copied as its bytes are, as here.
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_VECTOR_TYPES_H

#include <hip/amd_detail/host_defines.h>

#include <type_traits>
#if !defined(__HIPCC_RTC__) // which HIP 5's own file has, and the headers behind it count on
#include <array>
#include <iosfwd>
#endif

#if !defined(__HOST_DEVICE__)
#define __HOST_DEVICE__ __host__ __device__
#endif
#define __NATIVE_VECTOR__(n, T) T __attribute__((ext_vector_type(n)))
#define __HIP_USE_NATIVE_VECTOR__ 1

#define GKS_VECTOR __host__ __device__

// Three in a row are no vector of the compiler's, which would take the room of four.
template<class T>
struct __gks_three {
    T d[3];

    GKS_VECTOR T& operator[](unsigned int i) noexcept { return d[i]; }
    GKS_VECTOR constexpr T operator[](unsigned int i) const noexcept { return d[i]; }
#define GKS_VECTOR_OF_THREE(op)                                                                                        \
    GKS_VECTOR constexpr __gks_three& operator op(const __gks_three & other) noexcept {                                \
        d[0] op other.d[0];                                                                                            \
        d[1] op other.d[1];                                                                                            \
        d[2] op other.d[2];                                                                                            \
        return *this;                                                                                                  \
    }
    GKS_VECTOR_OF_THREE(+=)
    GKS_VECTOR_OF_THREE(-=)
    GKS_VECTOR_OF_THREE(*=)
    GKS_VECTOR_OF_THREE(/=)
    GKS_VECTOR_OF_THREE(%=)
    GKS_VECTOR_OF_THREE(&=)
    GKS_VECTOR_OF_THREE(|=)
    GKS_VECTOR_OF_THREE(^=)
    GKS_VECTOR_OF_THREE(<<=)
    GKS_VECTOR_OF_THREE(>>=)
#undef GKS_VECTOR_OF_THREE
    GKS_VECTOR constexpr __gks_three operator-() const noexcept { return {{-d[0], -d[1], -d[2]}}; }
    GKS_VECTOR constexpr __gks_three operator~() const noexcept { return {{T(~d[0]), T(~d[1]), T(~d[2])}}; }
};

template<class T, unsigned int n>
struct HIP_vector_base;
#define GKS_VECTOR_BASE(count, Native, fields, parameters, ...)                                                        \
    template<class T>                                                                                                  \
    struct HIP_vector_base<T, count> {                                                                                 \
        using Native_vec_ = Native;                                                                                    \
        using value_type = T;                                                                                          \
        union {                                                                                                        \
            Native_vec_ data;                                                                                          \
            struct {                                                                                                   \
                T fields;                                                                                              \
            };                                                                                                         \
        };                                                                                                             \
        HIP_vector_base() = default;                                                                                   \
        GKS_VECTOR constexpr HIP_vector_base parameters noexcept : data{__VA_ARGS__} {}                                \
    };
#define GKS_VECTOR_LIST(...) __VA_ARGS__
GKS_VECTOR_BASE(1, __NATIVE_VECTOR__(1, T), x, (T a), a)
GKS_VECTOR_BASE(2, __NATIVE_VECTOR__(2, T), GKS_VECTOR_LIST(x, y), (T a, T b), a, b)
GKS_VECTOR_BASE(3, __gks_three<T>, GKS_VECTOR_LIST(x, y, z), (T a, T b, T c), {a, b, c})
GKS_VECTOR_BASE(4, __NATIVE_VECTOR__(4, T), GKS_VECTOR_LIST(x, y, z, w), (T a, T b, T c, T d), a, b, c, d)
#undef GKS_VECTOR_LIST
#undef GKS_VECTOR_BASE

template<class T, unsigned int rank>
struct HIP_vector_type : HIP_vector_base<T, rank> {
    using HIP_vector_base<T, rank>::data;
    using typename HIP_vector_base<T, rank>::Native_vec_;

    HIP_vector_type() = default;
    // The same number in each place.
    template<class U, typename std::enable_if<std::is_convertible<U, T>::value && rank == 1>::type* = nullptr>
    GKS_VECTOR explicit constexpr HIP_vector_type(U all) noexcept : HIP_vector_base<T, rank>(static_cast<T>(all)) {}
    template<class U, typename std::enable_if<std::is_convertible<U, T>::value && rank == 2>::type* = nullptr>
    GKS_VECTOR explicit constexpr HIP_vector_type(U all) noexcept
        : HIP_vector_base<T, rank>(static_cast<T>(all), static_cast<T>(all)) {}
    template<class U, typename std::enable_if<std::is_convertible<U, T>::value && rank == 3>::type* = nullptr>
    GKS_VECTOR explicit constexpr HIP_vector_type(U all) noexcept
        : HIP_vector_base<T, rank>(static_cast<T>(all), static_cast<T>(all), static_cast<T>(all)) {}
    template<class U, typename std::enable_if<std::is_convertible<U, T>::value && rank == 4>::type* = nullptr>
    GKS_VECTOR explicit constexpr HIP_vector_type(U all) noexcept
        : HIP_vector_base<T, rank>(static_cast<T>(all), static_cast<T>(all), static_cast<T>(all), static_cast<T>(all)) {
    }
    template<class... Us, typename std::enable_if<(rank > 1) && sizeof...(Us) == rank>::type* = nullptr>
    GKS_VECTOR constexpr HIP_vector_type(Us... each) noexcept : HIP_vector_base<T, rank>(static_cast<T>(each)...) {}

#define GKS_VECTOR_ASSIGNMENT(op, holds)                                                                               \
    template<class U = T, typename std::enable_if<holds>::type* = nullptr>                                             \
    GKS_VECTOR constexpr HIP_vector_type& operator op##=(const HIP_vector_type & other) noexcept {                     \
        data op## = other.data;                                                                                        \
        return *this;                                                                                                  \
    }                                                                                                                  \
    template<class U, typename std::enable_if<std::is_convertible<U, T>::value>::type* = nullptr>                      \
    GKS_VECTOR constexpr HIP_vector_type& operator op##=(U all) noexcept {                                             \
        return *this op## = HIP_vector_type(all);                                                                      \
    }
    GKS_VECTOR_ASSIGNMENT(+, true || sizeof(U))
    GKS_VECTOR_ASSIGNMENT(-, true || sizeof(U))
    GKS_VECTOR_ASSIGNMENT(*, true || sizeof(U))
    GKS_VECTOR_ASSIGNMENT(/, true || sizeof(U))
    GKS_VECTOR_ASSIGNMENT(%, std::is_integral<U>::value)
    GKS_VECTOR_ASSIGNMENT(&, std::is_integral<U>::value)
    GKS_VECTOR_ASSIGNMENT(|, std::is_integral<U>::value)
    GKS_VECTOR_ASSIGNMENT(^, std::is_integral<U>::value)
    GKS_VECTOR_ASSIGNMENT(<<, std::is_integral<U>::value)
    GKS_VECTOR_ASSIGNMENT(>>, std::is_integral<U>::value)
#undef GKS_VECTOR_ASSIGNMENT

    GKS_VECTOR HIP_vector_type& operator++() noexcept { return *this += HIP_vector_type(1); }
    GKS_VECTOR HIP_vector_type& operator--() noexcept { return *this -= HIP_vector_type(1); }
    GKS_VECTOR HIP_vector_type operator++(int) noexcept {
        const HIP_vector_type before(*this);
        ++*this;
        return before;
    }
    GKS_VECTOR HIP_vector_type operator--(int) noexcept {
        const HIP_vector_type before(*this);
        --*this;
        return before;
    }
    template<class U = T, typename std::enable_if<std::is_signed<U>::value>::type* = nullptr>
    GKS_VECTOR HIP_vector_type operator-() const noexcept {
        HIP_vector_type result(*this);
        result.data = -result.data;
        return result;
    }
    template<class U = T, typename std::enable_if<std::is_integral<U>::value>::type* = nullptr>
    GKS_VECTOR HIP_vector_type operator~() const noexcept {
        HIP_vector_type result(*this);
        result.data = ~result.data;
        return result;
    }

    // Friends, for what turns into a vector as well.
    friend GKS_VECTOR inline constexpr HIP_vector_type operator*(HIP_vector_type a, const HIP_vector_type& b) noexcept {
        return a *= b;
    }
    friend GKS_VECTOR inline constexpr HIP_vector_type operator/(HIP_vector_type a, const HIP_vector_type& b) noexcept {
        return a /= b;
    }
};

#define GKS_VECTOR_BY_NUMBER(op, ...)                                                                                  \
    template<class T, unsigned int n, class U __VA_ARGS__>                                                             \
    GKS_VECTOR inline constexpr HIP_vector_type<T, n> operator op(const HIP_vector_type<T, n>& a, U b) noexcept {      \
        return HIP_vector_type<T, n>(a) op## = HIP_vector_type<T, n>(b);                                               \
    }                                                                                                                  \
    template<class T, unsigned int n, class U __VA_ARGS__>                                                             \
    GKS_VECTOR inline constexpr HIP_vector_type<T, n> operator op(U a, const HIP_vector_type<T, n>& b) noexcept {      \
        return HIP_vector_type<T, n>(a) op## = b;                                                                      \
    }
#define GKS_VECTOR_OPERATOR(op, ...)                                                                                   \
    template<class T, unsigned int n __VA_ARGS__>                                                                      \
    GKS_VECTOR inline constexpr HIP_vector_type<T, n> operator op(const HIP_vector_type<T, n>& a,                      \
                                                                  const HIP_vector_type<T, n>& b) noexcept {           \
        return HIP_vector_type<T, n>(a) op## = b;                                                                      \
    }                                                                                                                  \
    GKS_VECTOR_BY_NUMBER(op, __VA_ARGS__)
#define GKS_VECTOR_ANY
#define GKS_VECTOR_INTEGRAL , typename std::enable_if<std::is_integral<T>::value>::type* = nullptr
GKS_VECTOR_OPERATOR(+, GKS_VECTOR_ANY)
GKS_VECTOR_OPERATOR(-, GKS_VECTOR_ANY)
GKS_VECTOR_BY_NUMBER(*, GKS_VECTOR_ANY)
GKS_VECTOR_BY_NUMBER(/, GKS_VECTOR_ANY)
GKS_VECTOR_OPERATOR(%, GKS_VECTOR_INTEGRAL)
GKS_VECTOR_OPERATOR(&, GKS_VECTOR_INTEGRAL)
GKS_VECTOR_OPERATOR(|, GKS_VECTOR_INTEGRAL)
GKS_VECTOR_OPERATOR(^, GKS_VECTOR_INTEGRAL)
GKS_VECTOR_OPERATOR(<<, GKS_VECTOR_INTEGRAL)
GKS_VECTOR_OPERATOR(>>, GKS_VECTOR_INTEGRAL)
#undef GKS_VECTOR_INTEGRAL
#undef GKS_VECTOR_ANY
#undef GKS_VECTOR_OPERATOR
#undef GKS_VECTOR_BY_NUMBER

template<class T, unsigned int n>
GKS_VECTOR inline constexpr bool operator==(const HIP_vector_type<T, n>& a, const HIP_vector_type<T, n>& b) noexcept {
    for (unsigned int i = 0; i < n; ++i) {
        if (a.data[i] != b.data[i]) {
            return false;
        }
    }
    return true;
}
template<class T, unsigned int n>
GKS_VECTOR inline constexpr bool operator!=(const HIP_vector_type<T, n>& a, const HIP_vector_type<T, n>& b) noexcept {
    return !(a == b);
}
#define GKS_VECTOR_COMPARISON(op)                                                                                      \
    template<class T, unsigned int n, class U>                                                                         \
    GKS_VECTOR inline constexpr bool operator op(const HIP_vector_type<T, n>& a, U b) noexcept {                       \
        return a op HIP_vector_type<T, n>(b);                                                                          \
    }                                                                                                                  \
    template<class T, unsigned int n, class U>                                                                         \
    GKS_VECTOR inline constexpr bool operator op(U a, const HIP_vector_type<T, n>& b) noexcept {                       \
        return HIP_vector_type<T, n>(a) op b;                                                                          \
    }
GKS_VECTOR_COMPARISON(==)
GKS_VECTOR_COMPARISON(!=)
#undef GKS_VECTOR_COMPARISON

#define GKS_VECTOR_TYPES(Number, name)                                                                                 \
    using name##1 = HIP_vector_type<Number, 1>;                                                                        \
    using name##2 = HIP_vector_type<Number, 2>;                                                                        \
    using name##3 = HIP_vector_type<Number, 3>;                                                                        \
    using name##4 = HIP_vector_type<Number, 4>;                                                                        \
    static inline GKS_VECTOR name##1 make_##name##1(Number x) {                                                        \
        return name##1(x);                                                                                             \
    }                                                                                                                  \
    static inline GKS_VECTOR name##2 make_##name##2(Number x, Number y) {                                              \
        return name##2(x, y);                                                                                          \
    }                                                                                                                  \
    static inline GKS_VECTOR name##3 make_##name##3(Number x, Number y, Number z) {                                    \
        return name##3(x, y, z);                                                                                       \
    }                                                                                                                  \
    static inline GKS_VECTOR name##4 make_##name##4(Number x, Number y, Number z, Number w) {                          \
        return name##4(x, y, z, w);                                                                                    \
    }
GKS_VECTOR_TYPES(unsigned char, uchar)
GKS_VECTOR_TYPES(char, char)
GKS_VECTOR_TYPES(unsigned short, ushort)
GKS_VECTOR_TYPES(short, short)
GKS_VECTOR_TYPES(unsigned int, uint)
GKS_VECTOR_TYPES(int, int)
GKS_VECTOR_TYPES(unsigned long, ulong)
GKS_VECTOR_TYPES(long, long)
GKS_VECTOR_TYPES(unsigned long long, ulonglong)
GKS_VECTOR_TYPES(long long, longlong)
GKS_VECTOR_TYPES(float, float)
GKS_VECTOR_TYPES(double, double)
#undef GKS_VECTOR_TYPES
#undef GKS_VECTOR
