// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <sys/mman.h>
#include <vector>

namespace gks {

// For large vectors that are filled right after they were resized: elements are not set to zero first, so that the
// threads that fill them are the first to touch the memory, each its part, and in large pages where there are any. One
// thread touching new memory page by page is slower than everything that is done with it afterwards.
template<class T>
class RawAllocator {
public:
    using value_type = T;
    RawAllocator() = default;
    template<class U>
    explicit RawAllocator(const RawAllocator<U>&) {}

    T* allocate(std::size_t count) {
        const std::size_t bytes = count * sizeof(T);
        if (bytes < largePageBytes) {
            return static_cast<T*>(::operator new(bytes));
        }
        void* at = ::operator new(bytes, std::align_val_t(largePageBytes));
        ::madvise(at, bytes, MADV_HUGEPAGE); // a wish
        return static_cast<T*>(at);
    }
    void deallocate(T* at, std::size_t count) {
        if (count * sizeof(T) < largePageBytes) {
            ::operator delete(at);
        } else {
            ::operator delete(at, std::align_val_t(largePageBytes));
        }
    }
    template<class U>
    void construct(U* at) {
        ::new (static_cast<void*>(at)) U; // without a value
    }
    template<class U, class... Arguments>
    void construct(U* at, Arguments&&... arguments) {
        std::construct_at(at, std::forward<Arguments>(arguments)...);
    }
    template<class U>
    bool operator==(const RawAllocator<U>&) const {
        return true;
    }

private:
    static constexpr std::size_t largePageBytes = std::size_t{2} << 20;
};

template<class T>
using RawVector = std::vector<T, RawAllocator<T>>;

} // namespace gks
