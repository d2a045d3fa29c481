// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"

#include "core/base/text.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <openssl/evp.h>
#include <stdexcept>
#include <sys/random.h>

namespace gks {

std::string sha256Hex(std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) {
        std::abort(); // cannot fail for SHA-256 short of a broken library
    }
    return hexText(std::span(digest).first(length));
}

Seed randomSeed() {
    Seed seed{};
    std::size_t done = 0;
    while (done < seed.size()) {
        const ssize_t got = getrandom(seed.data() + done, seed.size() - done, 0);
        if (got > 0) {
            done += static_cast<std::size_t>(got);
        } else if (errno != EINTR) {
            std::abort(); // without randomness no verdict can be trusted
        }
    }
    return seed;
}

SeededStream::SeededStream(const Seed& seed, std::uint64_t stream) : m_cipher(EVP_CIPHER_CTX_new()) {
    // OpenSSL's 16-byte ChaCha20 iv: 8 bytes of block counter, little endian, then 8 bytes of nonce.
    std::array<unsigned char, 16> iv{};
    std::memcpy(iv.data() + 8, &stream, sizeof stream);
    if (m_cipher == nullptr || EVP_EncryptInit_ex(static_cast<EVP_CIPHER_CTX*>(m_cipher), EVP_chacha20(), nullptr,
                                                  seed.data(), iv.data()) != 1) {
        std::abort();
    }
}

SeededStream::~SeededStream() {
    EVP_CIPHER_CTX_free(static_cast<EVP_CIPHER_CTX*>(m_cipher));
}

void SeededStream::fill(std::span<std::byte> bytes) {
    constexpr std::size_t chunkBytes = std::size_t{1} << 20;
    std::fill(bytes.begin(), bytes.end(), std::byte{0});
    while (!bytes.empty()) {
        const std::size_t size = std::min(bytes.size(), chunkBytes);
        auto* at = reinterpret_cast<unsigned char*>(bytes.data());
        int written = 0;
        if (EVP_EncryptUpdate(static_cast<EVP_CIPHER_CTX*>(m_cipher), at, &written, at, static_cast<int>(size)) != 1) {
            std::abort();
        }
        bytes = bytes.subspan(size);
    }
}

} // namespace gks
