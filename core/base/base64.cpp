// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/base64.h"

#include <algorithm>
#include <limits>
#include <openssl/evp.h>

namespace gks {
namespace {

constexpr std::string_view base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

std::string base64(std::string_view bytes) {
    std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0'); // and the zero that it writes behind
    const int size =
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                        reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(size));
    return text;
}

Result<std::string> bytesOfBase64(std::string_view text) {
    const std::size_t end = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    const std::string_view inner = text.substr(0, text.size() - end);
    if (text.size() % 4 != 0 || text.size() > std::numeric_limits<int>::max() ||
        inner.find_first_not_of(base64Digits) != std::string_view::npos) {
        return usageError("is no Base64");
    }
    std::string bytes(3 * (text.size() / 4), '\0');
    const int size =
        EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                        reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
    if (size < 0) {
        return usageError("is no Base64");
    }
    bytes.resize(bytes.size() - end); // it counts the padding
    return bytes;
}

} // namespace gks
