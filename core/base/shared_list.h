// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <compare>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace gks {

// A list whose copies share what they have in common: a copy costs a pointer for each chunk, and a change the copy of
// one chunk. To read it is to read a vector. What changes it says so, so that nobody who only reads copies a chunk;
// a copy that another thread holds is never changed by that.
template<class T>
class SharedList {
public:
    class const_iterator { // NOLINT: the standard's names
    public:
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using reference = const T&;
        using pointer = const T*;
        using iterator_category = std::random_access_iterator_tag;

        const_iterator() = default;
        const_iterator(const SharedList* list, std::size_t place) : m_list(list), m_place(place) {}

        reference operator*() const { return (*m_list)[m_place]; }
        pointer operator->() const { return &**this; }
        reference operator[](difference_type by) const { return *(*this + by); }
        const_iterator& operator+=(difference_type by) {
            m_place += static_cast<std::size_t>(by); // wraps as it should where `by` is negative
            return *this;
        }
        const_iterator& operator-=(difference_type by) { return *this += -by; }
        const_iterator& operator++() { return *this += 1; }
        const_iterator& operator--() { return *this += -1; }
        const_iterator operator++(int) { return std::exchange(*this, *this + 1); }
        const_iterator operator--(int) { return std::exchange(*this, *this - 1); }
        friend const_iterator operator+(const_iterator at, difference_type by) { return at += by; }
        friend const_iterator operator+(difference_type by, const_iterator at) { return at += by; }
        friend const_iterator operator-(const_iterator at, difference_type by) { return at -= by; }
        friend difference_type operator-(const const_iterator& a, const const_iterator& b) {
            return static_cast<difference_type>(a.m_place) - static_cast<difference_type>(b.m_place);
        }
        bool operator==(const const_iterator& other) const { return m_place == other.m_place; }
        std::strong_ordering operator<=>(const const_iterator& other) const { return m_place <=> other.m_place; }

    private:
        const SharedList* m_list = nullptr;
        std::size_t m_place = 0;
    };
    using value_type = T;
    using iterator = const_iterator;

    SharedList() = default;
    SharedList(std::initializer_list<T> items) : SharedList(items.begin(), items.end()) {}
    SharedList(std::vector<T> items) // NOLINT: the same items
        : SharedList(std::move_iterator(items.begin()), std::move_iterator(items.end())) {}
    template<class Iterator>
    SharedList(Iterator first, Iterator last) {
        for (; first != last; ++first) {
            push_back(*first);
        }
    }

    std::size_t size() const {
        return m_chunks.empty() ? 0 : (m_chunks.size() - 1) * chunkSize + m_chunks.back()->size();
    }
    bool empty() const { return m_chunks.empty(); }
    const T& operator[](std::size_t place) const { return (*m_chunks[place / chunkSize])[place % chunkSize]; }
    const T& front() const { return (*this)[0]; }
    const T& back() const { return m_chunks.back()->back(); }
    const_iterator begin() const { return {this, 0}; }
    const_iterator end() const { return {this, size()}; }
    std::reverse_iterator<const_iterator> rbegin() const { return std::reverse_iterator(end()); }
    std::reverse_iterator<const_iterator> rend() const { return std::reverse_iterator(begin()); }

    void push_back(T item) { // NOLINT: the standard's name
        if (m_chunks.empty() || m_chunks.back()->size() == chunkSize) {
            m_chunks.push_back(std::make_shared<Chunk>());
        }
        own(m_chunks.back()).push_back(std::move(item));
    }
    void insert(std::size_t place, T item) { // costs what stands behind it
        push_back(std::move(item));
        for (std::size_t at = size() - 1; at > place; --at) {
            std::swap(edit(at), edit(at - 1));
        }
    }
    T& edit(std::size_t place) { return own(m_chunks[place / chunkSize])[place % chunkSize]; }
    T& editFront() { return edit(0); }
    T& editBack() { return edit(size() - 1); }
    template<class Change>
    void editEach(const Change& change) {
        for (std::size_t place = 0; place < size(); ++place) {
            change(edit(place));
        }
    }
    void clear() { *this = {}; }
    void resize(std::size_t size) {
        SharedList resized(begin(), begin() + static_cast<std::ptrdiff_t>(std::min(size, this->size())));
        while (resized.size() < size) {
            resized.push_back(T());
        }
        *this = std::move(resized);
    }

    bool operator==(const SharedList& other) const {
        return size() == other.size() && std::equal(begin(), end(), other.begin());
    }

private:
    using Chunk = std::vector<T>;
    static constexpr std::size_t chunkSize = 128;

    // Of a chunk that others have too, a copy.
    static Chunk& own(std::shared_ptr<Chunk>& chunk) {
        if (chunk.use_count() > 1) {
            chunk = std::make_shared<Chunk>(*chunk);
        } else { // whoever had it too has read it before this changes it
            std::atomic_thread_fence(std::memory_order_acquire);
        }
        return *chunk;
    }

    std::vector<std::shared_ptr<Chunk>> m_chunks; // all but the last are full, none is empty
};

} // namespace gks
