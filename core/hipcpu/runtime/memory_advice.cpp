// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/memory_advice.h"

namespace gks::hipcpu {

MemoryAdvice& MemoryAdvice::instance() {
    static MemoryAdvice advice;
    return advice;
}

void MemoryAdvice::split(const char* at) {
    auto piece = m_pieces.lower_bound(at);
    if (piece == m_pieces.begin() || (--piece)->second.end <= at) {
        return;
    }
    m_pieces.emplace(at, piece->second);
    piece->second.end = at;
}

void MemoryAdvice::change(const void* begin, std::size_t sizeBytes, const std::function<void(Facts&)>& how) {
    const std::scoped_lock lock(m_mutex);
    const char* at = static_cast<const char*>(begin);
    const char* const end = at + sizeBytes;
    split(at);
    split(end);
    while (at < end) {
        auto piece = m_pieces.lower_bound(at);
        if (piece == m_pieces.end() || piece->first != at) {
            const char* const next = piece == m_pieces.end() || piece->first > end ? end : piece->first;
            piece = m_pieces.emplace(at, Piece{next, {}}).first;
        }
        how(piece->second.facts);
        at = piece->second.end;
    }
}

void MemoryAdvice::forget(const void* begin, std::size_t sizeBytes) {
    const std::scoped_lock lock(m_mutex);
    const char* const at = static_cast<const char*>(begin);
    m_pieces.erase(m_pieces.lower_bound(at), m_pieces.lower_bound(at + sizeBytes));
}

std::vector<MemoryAdvice::Facts> MemoryAdvice::of(const void* begin, std::size_t sizeBytes) const {
    const std::scoped_lock lock(m_mutex);
    std::vector<Facts> facts;
    const char* at = static_cast<const char*>(begin);
    const char* const end = at + sizeBytes;
    while (at < end || facts.empty()) {
        auto piece = m_pieces.upper_bound(at);
        const char* const next = piece == m_pieces.end() || piece->first > end ? end : piece->first;
        if (piece != m_pieces.begin() && std::prev(piece)->second.end > at) {
            --piece;
            facts.push_back(piece->second.facts);
            at = piece->second.end;
        } else {
            facts.emplace_back();
            at = next;
        }
    }
    return facts;
}

} // namespace gks::hipcpu
