// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device/device.h"

#include <cstring>

using namespace gks::hipcpu;
using namespace gks::hipcpu::device;

// Buffer instructions (a base and a size instead of a pointer: reads beyond it give 0, writes are dropped), copies from
// global memory straight into LDS, and atomics that clang leaves as intrinsics.

namespace {

// The four words of a buffer resource: 48 bits of base, 14 of stride, the number of records, flags.
struct BufferResource {
    Word words[4];

    ALWAYS_INLINE char* base() const {
        return reinterpret_cast<char*>((DoubleWord{words[1]} & 0xffff) << 32 | words[0]);
    }
    ALWAYS_INLINE Word stride() const { return words[1] >> 16 & 0x3fff; }
    ALWAYS_INLINE Word records() const { return words[2]; }
};

// Parts wider than a word are checked word by word, as the hardware does.
template<class T>
struct Part {
    static constexpr Word bytes = sizeof(T) < 4 ? sizeof(T) : 4;
};

ALWAYS_INLINE bool inRange(const BufferResource& buffer, DoubleWord offset, Word bytes) {
    const DoubleWord size = buffer.stride() ? DoubleWord{buffer.records()} * buffer.stride() : buffer.records();
    return offset + bytes <= size;
}

ALWAYS_INLINE void load(void* to, Word totalBytes, Word partBytes, const BufferResource& buffer, DoubleWord offset) {
    for (Word at = 0; at < totalBytes; at += partBytes) {
        char* part = static_cast<char*>(to) + at;
        if (inRange(buffer, offset + at, partBytes)) {
            __builtin_memcpy(part, buffer.base() + offset + at, partBytes);
        } else {
            __builtin_memset(part, 0, partBytes);
        }
    }
}

ALWAYS_INLINE void store(const void* from, Word totalBytes, Word partBytes, const BufferResource& buffer,
                         DoubleWord offset) {
    for (Word at = 0; at < totalBytes; at += partBytes) {
        if (inRange(buffer, offset + at, partBytes)) {
            __builtin_memcpy(buffer.base() + offset + at, static_cast<const char*>(from) + at, partBytes);
        }
    }
}

ALWAYS_INLINE DoubleWord rawOffset(Word lane, Word scalar) {
    return DoubleWord{lane} + scalar;
}
ALWAYS_INLINE DoubleWord structOffset(const BufferResource& buffer, Word index, Word lane, Word scalar) {
    return DoubleWord{index} * buffer.stride() + lane + scalar;
}

template<class T, std::size_t count>
struct Elements {
    T value[count];
};

} // namespace

// A resource made in the kernel is 128 bits; as an ordinary pointer it names a copy that lives as long as the launch.
extern "C" const void* hipcpu_buffer_resource(const std::uint32_t* words);

ALWAYS_INLINE const void* makeResource(void* base, std::int16_t stride, Word records, Word flags) {
    const auto address = reinterpret_cast<DoubleWord>(base);
    const Word words[4] = {static_cast<Word>(address),
                           (static_cast<Word>(address >> 32) & 0xffff) | (static_cast<Word>(stride) & 0x3fff) << 16,
                           records, flags};
    return hipcpu_buffer_resource(words);
}
DEVICE_FUNCTION const void* hipcpu_amdgcn_make_buffer_rsrc_p0(void* base, std::int16_t stride, Word records,
                                                              Word flags) {
    return makeResource(base, stride, records, flags);
}
DEVICE_FUNCTION const void* hipcpu_amdgcn_make_buffer_rsrc_p1(void* base, std::int16_t stride, Word records,
                                                              Word flags) {
    return makeResource(base, stride, records, flags);
}

#define BUFFER_OF_SCALAR(NAME, T)                                                                                      \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_raw_buffer_load_##NAME(T* result, const BufferResource* buffer, Word lane,    \
                                                                Word scalar, Word) {                                   \
        load(result, sizeof(T), Part<T>::bytes, *buffer, rawOffset(lane, scalar));                                     \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_raw_buffer_store_##NAME(T value, const BufferResource* buffer, Word lane,     \
                                                                 Word scalar, Word) {                                  \
        store(&value, sizeof(T), Part<T>::bytes, *buffer, rawOffset(lane, scalar));                                    \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_struct_buffer_load_##NAME(T* result, const BufferResource* buffer,            \
                                                                   Word index, Word lane, Word scalar, Word) {         \
        load(result, sizeof(T), Part<T>::bytes, *buffer, structOffset(*buffer, index, lane, scalar));                  \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_struct_buffer_store_##NAME(T value, const BufferResource* buffer, Word index, \
                                                                    Word lane, Word scalar, Word) {                    \
        store(&value, sizeof(T), Part<T>::bytes, *buffer, structOffset(*buffer, index, lane, scalar));                 \
    }                                                                                                                  \
    DEVICE_FUNCTION T hipcpu_amdgcn_raw_ptr_buffer_load_##NAME(const BufferResource* buffer, Word lane, Word scalar,   \
                                                               Word) {                                                 \
        T result;                                                                                                      \
        load(&result, sizeof(T), Part<T>::bytes, *buffer, rawOffset(lane, scalar));                                    \
        return result;                                                                                                 \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_amdgcn_raw_ptr_buffer_store_##NAME(T value, const BufferResource* buffer, Word lane,   \
                                                                   Word scalar, Word) {                                \
        store(&value, sizeof(T), Part<T>::bytes, *buffer, rawOffset(lane, scalar));                                    \
    }
BUFFER_OF_SCALAR(i8, std::uint8_t)
BUFFER_OF_SCALAR(i16, std::uint16_t)
BUFFER_OF_SCALAR(i32, Word)
BUFFER_OF_SCALAR(i64, DoubleWord)
BUFFER_OF_SCALAR(f16, Half)
BUFFER_OF_SCALAR(f32, float)
BUFFER_OF_SCALAR(f64, double)

#define BUFFER_THROUGH_MEMORY(NAME, BYTES)                                                                             \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_raw_buffer_load_##NAME(void* result, const BufferResource* buffer, Word lane, \
                                                                Word scalar, Word) {                                   \
        load(result, BYTES, 4, *buffer, rawOffset(lane, scalar));                                                      \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_raw_buffer_store_##NAME(const void* value, const BufferResource* buffer,      \
                                                                 Word lane, Word scalar, Word) {                       \
        store(value, BYTES, 4, *buffer, rawOffset(lane, scalar));                                                      \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_struct_buffer_load_##NAME(void* result, const BufferResource* buffer,         \
                                                                   Word index, Word lane, Word scalar, Word) {         \
        load(result, BYTES, 4, *buffer, structOffset(*buffer, index, lane, scalar));                                   \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_struct_buffer_store_##NAME(const void* value, const BufferResource* buffer,   \
                                                                    Word index, Word lane, Word scalar, Word) {        \
        store(value, BYTES, 4, *buffer, structOffset(*buffer, index, lane, scalar));                                   \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_raw_ptr_buffer_load_##NAME(void* result, const BufferResource* buffer,        \
                                                                    Word lane, Word scalar, Word) {                    \
        load(result, BYTES, 4, *buffer, rawOffset(lane, scalar));                                                      \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_raw_ptr_buffer_store_##NAME(const void* value, const BufferResource* buffer,  \
                                                                     Word lane, Word scalar, Word) {                   \
        store(value, BYTES, 4, *buffer, rawOffset(lane, scalar));                                                      \
    }
#define BUFFER_OF_VECTOR(COUNT, NAME, T) BUFFER_THROUGH_MEMORY(v##COUNT##NAME, COUNT * sizeof(T))
BUFFER_THROUGH_MEMORY(i128, 16)
BUFFER_OF_VECTOR(2, i32, Word)
BUFFER_OF_VECTOR(3, i32, Word)
BUFFER_OF_VECTOR(4, i32, Word)
BUFFER_OF_VECTOR(2, f32, float)
BUFFER_OF_VECTOR(3, f32, float)
BUFFER_OF_VECTOR(4, f32, float)
BUFFER_OF_VECTOR(2, f16, Half)
BUFFER_OF_VECTOR(4, f16, Half)
BUFFER_OF_VECTOR(8, f16, Half)
BUFFER_OF_VECTOR(2, i16, std::uint16_t)
BUFFER_OF_VECTOR(4, i16, std::uint16_t)
BUFFER_OF_VECTOR(8, i16, std::uint16_t)
BUFFER_OF_VECTOR(2, bf16, std::uint16_t)
BUFFER_OF_VECTOR(4, bf16, std::uint16_t)
BUFFER_OF_VECTOR(8, bf16, std::uint16_t)
BUFFER_OF_VECTOR(4, i8, std::uint8_t)
BUFFER_OF_VECTOR(8, i8, std::uint8_t)
BUFFER_OF_VECTOR(16, i8, std::uint8_t)
BUFFER_OF_VECTOR(2, f64, double)
BUFFER_OF_VECTOR(2, i64, DoubleWord)

// Loads into LDS: the LDS address is the first lane's, each lane writes behind those below it.
namespace {
ALWAYS_INLINE char* ldsTarget(char* lds, Word bytes, Word offset, void* site) {
    const DoubleWord* deposited = nullptr;
    const DoubleWord active = hipcpu_wave_exchange(reinterpret_cast<DoubleWord>(lds), &deposited, site);
    char* first = reinterpret_cast<char*>(deposited[__builtin_ctzll(active)]);
    return first + offset + hipcpu_this_thread()->lane * bytes;
}
} // namespace

LANE_FUNCTION void hipcpu_amdgcn_global_load_lds(const char* from, char* lds, Word bytes, Word offset, Word) {
    __builtin_memcpy(ldsTarget(lds, bytes, offset, __builtin_return_address(0)), from + offset, bytes);
}
LANE_FUNCTION void hipcpu_v_amdgcn_raw_buffer_load_lds(const BufferResource* buffer, char* lds, Word bytes, Word lane,
                                                       Word scalar, Word offset, Word) {
    char* to = ldsTarget(lds, bytes, offset, __builtin_return_address(0));
    load(to, bytes, bytes, *buffer, rawOffset(lane, scalar) + offset);
}
LANE_FUNCTION void hipcpu_amdgcn_raw_ptr_buffer_load_lds(const BufferResource* buffer, char* lds, Word bytes, Word lane,
                                                         Word scalar, Word offset, Word) {
    char* to = ldsTarget(lds, bytes, offset, __builtin_return_address(0));
    load(to, bytes, bytes, *buffer, rawOffset(lane, scalar) + offset);
}

// Of gfx950, which has 12 and 16 bytes as well; what lies outside a buffer is 0 word by word.
LANE_FUNCTION void hipcpu_amdgcn_wide_global_load_lds(const char* from, char* lds, Word bytes, Word offset, Word) {
    __builtin_memcpy(ldsTarget(lds, bytes, offset, __builtin_return_address(0)), from + offset, bytes);
}
LANE_FUNCTION void hipcpu_amdgcn_wide_raw_ptr_buffer_load_lds(const BufferResource* buffer, char* lds, Word bytes,
                                                              Word lane, Word scalar, Word offset, Word) {
    char* to = ldsTarget(lds, bytes, offset, __builtin_return_address(0));
    load(to, bytes, bytes < 4 ? bytes : 4, *buffer, rawOffset(lane, scalar) + offset);
}

namespace {

template<class T, class Update>
ALWAYS_INLINE T atomicUpdate(T* address, Update update) {
    T before;
    __atomic_load(address, &before, __ATOMIC_RELAXED);
    T after = update(before);
    while (!__atomic_compare_exchange(address, &before, &after, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
        after = update(before);
    }
    return before;
}

using HalfPair = Elements<Half, 2>;

ALWAYS_INLINE void addHalves(HalfPair* result, Word* address, const HalfPair* value) {
    const Word before = atomicUpdate(address, [value](Word bits) {
        HalfPair sum = bitsAs<HalfPair>(bits);
        sum.value[0] += value->value[0];
        sum.value[1] += value->value[1];
        return bitsAs<Word>(sum);
    });
    *result = bitsAs<HalfPair>(before);
}

ALWAYS_INLINE std::uint16_t addBfloat(std::uint16_t a, std::uint16_t b) {
    const float sum = bitsAs<float>(Word{a} << 16) + bitsAs<float>(Word{b} << 16);
    const Word bits = bitsAs<Word>(sum);
    return static_cast<std::uint16_t>(sum != sum ? bits >> 16 | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

ALWAYS_INLINE void addBfloats(Word* result, Word* address, const Word* value) {
    *result = atomicUpdate(address, [value](Word bits) {
        const Word low = addBfloat(static_cast<std::uint16_t>(bits), static_cast<std::uint16_t>(*value));
        const Word high = addBfloat(static_cast<std::uint16_t>(bits >> 16), static_cast<std::uint16_t>(*value >> 16));
        return low | high << 16;
    });
}

} // namespace

// The suffix names the address space that the pointer had: 0 flat, 1 global, 3 LDS.
#define FLOAT_ATOMICS(KIND, SPACE, TYPE, T)                                                                            \
    DEVICE_FUNCTION T hipcpu_amdgcn_##KIND##_atomic_fadd_##TYPE##_##SPACE##_##TYPE(T* address, T value) {              \
        return atomicUpdate(address, [value](T before) { return before + value; });                                    \
    }                                                                                                                  \
    DEVICE_FUNCTION T hipcpu_amdgcn_##KIND##_atomic_fmin_##TYPE##_##SPACE##_##TYPE(T* address, T value) {              \
        return atomicUpdate(address, [value](T before) { return value < before ? value : before; });                   \
    }                                                                                                                  \
    DEVICE_FUNCTION T hipcpu_amdgcn_##KIND##_atomic_fmax_##TYPE##_##SPACE##_##TYPE(T* address, T value) {              \
        return atomicUpdate(address, [value](T before) { return value > before ? value : before; });                   \
    }
FLOAT_ATOMICS(global, p1, f32, float)
FLOAT_ATOMICS(global, p1, f64, double)
FLOAT_ATOMICS(flat, p0, f32, float)
FLOAT_ATOMICS(flat, p0, f64, double)
#define PAIR_ATOMICS(KIND, SPACE)                                                                                      \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_##KIND##_atomic_fadd_v2f16_##SPACE##_v2f16(HalfPair* result, Word* address,   \
                                                                                    const HalfPair* value) {           \
        addHalves(result, address, value);                                                                             \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_##KIND##_atomic_fadd_v2bf16_##SPACE(Word* result, Word* address,              \
                                                                             const Word* value) {                      \
        addBfloats(result, address, value);                                                                            \
    }
PAIR_ATOMICS(global, p1)
PAIR_ATOMICS(flat, p0)
DEVICE_FUNCTION void __ockl_atomic_add_noret_f32(float* address, float value) {
    atomicUpdate(address, [value](float before) { return before + value; });
}

// Atomics through a buffer resource: outside its range nothing happens, and 0 comes back.
#define BUFFER_ATOMIC(OPERATION, TYPE, T, AFTER)                                                                       \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_raw_buffer_atomic_##OPERATION##_##TYPE(                                       \
        T* result, T value, const BufferResource* buffer, Word lane, Word scalar, Word) {                              \
        const DoubleWord offset = rawOffset(lane, scalar);                                                             \
        *result = inRange(*buffer, offset, sizeof(T)) ? atomicUpdate(reinterpret_cast<T*>(buffer->base() + offset),    \
                                                                     [value](T before) { return AFTER; })              \
                                                      : T{};                                                           \
    }
BUFFER_ATOMIC(fadd, f32, float, before + value)
BUFFER_ATOMIC(fadd, f64, double, before + value)
BUFFER_ATOMIC(fmin, f64, double, value < before ? value : before)
BUFFER_ATOMIC(fmax, f64, double, value > before ? value : before)
#define BUFFER_ATOMICS_OF_INTEGERS(TYPE, U, S)                                                                         \
    BUFFER_ATOMIC(swap, TYPE, U, (static_cast<void>(before), value))                                                   \
    BUFFER_ATOMIC(add, TYPE, U, before + value)                                                                        \
    BUFFER_ATOMIC(sub, TYPE, U, before - value)                                                                        \
    BUFFER_ATOMIC(and, TYPE, U, before& value)                                                                         \
    BUFFER_ATOMIC(or, TYPE, U, before | value)                                                                         \
    BUFFER_ATOMIC(xor, TYPE, U, before ^ value)                                                                        \
    BUFFER_ATOMIC(umin, TYPE, U, value < before ? value : before)                                                      \
    BUFFER_ATOMIC(umax, TYPE, U, value > before ? value : before)                                                      \
    BUFFER_ATOMIC(smin, TYPE, U, static_cast<S>(value) < static_cast<S>(before) ? value : before)                      \
    BUFFER_ATOMIC(smax, TYPE, U, static_cast<S>(value) > static_cast<S>(before) ? value : before)
BUFFER_ATOMICS_OF_INTEGERS(i32, Word, std::int32_t)
BUFFER_ATOMICS_OF_INTEGERS(i64, DoubleWord, std::int64_t)
DEVICE_FUNCTION void hipcpu_v_amdgcn_raw_buffer_atomic_fadd_v2f16(HalfPair* result, const HalfPair* value,
                                                                  const BufferResource* buffer, Word lane, Word scalar,
                                                                  Word) {
    const DoubleWord offset = rawOffset(lane, scalar);
    if (inRange(*buffer, offset, sizeof(Word))) {
        addHalves(result, reinterpret_cast<Word*>(buffer->base() + offset), value);
    } else {
        *result = {};
    }
}

// HIP 5 headers name these with the pointer mangling of their time. Order and scope are always the strongest here.
DEVICE_FUNCTION Word hipcpu_amdgcn_atomic_inc_i32_p0i32(Word* address, Word limit, Word, Word, bool) {
    return atomicUpdate(address, [limit](Word before) { return before >= limit ? 0 : before + 1; });
}
DEVICE_FUNCTION Word hipcpu_amdgcn_atomic_dec_i32_p0i32(Word* address, Word limit, Word, Word, bool) {
    return atomicUpdate(address, [limit](Word before) { return before == 0 || before > limit ? limit : before - 1; });
}
