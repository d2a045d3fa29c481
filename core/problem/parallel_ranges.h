// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace gks {

// Calls work(begin, end) for pieces of [0, count), on all cores when there is more than one piece; returns when all are
// done. `work` must not throw. Which thread gets which piece is left open, so results must not depend on it.
template<class Work>
void forRanges(std::int64_t count, std::int64_t pieceSize, const Work& work) {
    const std::int64_t pieces = (count + pieceSize - 1) / pieceSize;
    std::atomic<std::int64_t> next = 0;
    const auto drain = [&] {
        for (std::int64_t piece = next++; piece < pieces; piece = next++) {
            work(piece * pieceSize, std::min(count, (piece + 1) * pieceSize));
        }
    };
    const std::int64_t cores = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::jthread> threads;
    for (std::int64_t i = 1; i < std::min(cores, pieces); ++i) {
        threads.emplace_back(drain);
    }
    drain();
}

} // namespace gks
