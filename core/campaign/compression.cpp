// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/compression.h"

#include "core/campaign/damage.h"
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <zstd.h>

namespace gks {
namespace {

constexpr int level = 3;

static_assert(std::endian::native == std::endian::little, "samples are stored as little-endian doubles");

} // namespace

std::string compressed(std::string_view bytes, std::string_view dictionary) {
    // Its tables are a megabyte, and one verdict has a dozen texts and rows of samples.
    thread_local const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
    ZSTD_CCtx_reset(context.get(), ZSTD_reset_session_and_parameters);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
    if (!dictionary.empty()) {
        // What differs from an earlier text is mostly figures and hashes. Digits agree for a few places by chance, and
        // such a match costs more than the digits: a match has six bytes at least, and a second look finds the long
        // ones. A verdict is a seventh smaller than with the level's own choice, in 0.3 ms more.
        ZSTD_CCtx_setParameter(context.get(), ZSTD_c_strategy, ZSTD_lazy2);
        ZSTD_CCtx_setParameter(context.get(), ZSTD_c_searchLog, 4);
        ZSTD_CCtx_setParameter(context.get(), ZSTD_c_minMatch, 6);
        ZSTD_CCtx_refPrefix(context.get(), dictionary.data(), dictionary.size());
    }
    std::string result(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t size = ZSTD_compress2(context.get(), result.data(), result.size(), bytes.data(), bytes.size());
    result.resize(ZSTD_isError(size) != 0 ? 0 : size); // cannot fail with a buffer of this bound
    return result;
}

// A damaged length must not allocate the machine away.
Result<std::string> decompressed(std::string_view bytes, std::string_view where, std::string_view dictionary,
                                 std::size_t limitBytes) {
    const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > limitBytes) {
        return damaged("not a zstd frame", std::string(where));
    }
    const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
    ZSTD_DCtx_refPrefix(context.get(), dictionary.data(), dictionary.size());
    std::string result(static_cast<std::size_t>(size), '\0');
    const std::size_t got =
        ZSTD_decompressDCtx(context.get(), result.data(), result.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(got) != 0 || got != result.size()) {
        return damaged("zstd frame cut short", std::string(where));
    }
    return result;
}

std::string compressedSamples(std::span<const double> us) {
    const auto bytes = std::as_bytes(us);
    return compressed({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Result<std::vector<double>> decompressedSamples(std::string_view bytes, std::string_view where) {
    GKS_TRY_ASSIGN(const std::string raw, decompressed(bytes, where));
    std::vector<double> us(raw.size() / sizeof(double));
    if (!us.empty()) {
        std::memcpy(us.data(), raw.data(), us.size() * sizeof(double));
    }
    return us;
}

} // namespace gks
