// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gks {

// SHA-256 in lower-case hex: identity of sources, builds and evidence.
std::string sha256Hex(std::string_view bytes);

// A seed that a kernel cannot guess: from the operating system's random source.
using Seed = std::array<std::uint8_t, 32>;
Seed randomSeed();

// A keystream (ChaCha20, RFC 8439) as a random generator: the same seed and stream give the same bytes everywhere, and
// nobody without the seed can predict them.
class SeededStream {
public:
    SeededStream(const Seed& seed, std::uint64_t stream);
    ~SeededStream();
    SeededStream(const SeededStream&) = delete;
    SeededStream& operator=(const SeededStream&) = delete;

    void fill(std::span<std::byte> bytes);

private:
    void* m_cipher;
};

} // namespace gks
