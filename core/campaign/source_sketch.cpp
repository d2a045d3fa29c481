// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/source_sketch.h"

#include "core/campaign/normalized_source.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace gks {
namespace {

constexpr std::size_t shingleTokens = 5;
constexpr std::uint64_t goldenRatio = 0x9e3779b97f4a7c15ULL;

static_assert(std::endian::native == std::endian::little, "sketches are stored as little-endian numbers");

bool isTokenByte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '@';
}

// FNV-1a, 64 bits: std::hash may be another one in the next build.
std::uint64_t hashOfToken(std::string_view token) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : token) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return hash;
}

std::vector<std::uint64_t> tokensOf(std::string_view normalized) {
    std::vector<std::uint64_t> tokens;
    for (std::size_t at = 0; at < normalized.size();) {
        std::size_t end = at;
        while (end < normalized.size() && isTokenByte(normalized[end])) {
            ++end;
        }
        end = std::max(end, at + 1);
        if (normalized[at] != ' ') {
            // All local names count as one: their numbers shift when one of them is added.
            tokens.push_back(
                hashOfToken(normalized[at] == '@' ? std::string_view("@") : normalized.substr(at, end - at)));
        }
        at = end;
    }
    return tokens;
}

SourceShingles shinglesOfNormalized(std::string_view normalized) {
    const std::vector<std::uint64_t> tokens = tokensOf(normalized);
    SourceShingles shingles;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (i + shingleTokens > tokens.size() && i > 0) {
            break; // a source shorter than one run is one run
        }
        std::uint64_t hash = 0;
        for (std::size_t j = i; j < std::min(tokens.size(), i + shingleTokens); ++j) {
            hash = hash * goldenRatio + tokens[j]; // the order of the tokens counts
        }
        shingles.push_back(hash);
    }
    std::sort(shingles.begin(), shingles.end());
    shingles.erase(std::unique(shingles.begin(), shingles.end()), shingles.end());
    return shingles;
}

} // namespace

SourceShingles sourceShingles(std::string_view source) {
    return shinglesOfNormalized(normalizedSource(source));
}

double resemblance(const SourceShingles& a, const SourceShingles& b) {
    std::size_t common = 0;
    for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
        if (*i == *j) {
            ++common;
            ++i;
            ++j;
        } else {
            *i < *j ? ++i : ++j;
        }
    }
    const std::size_t all = a.size() + b.size() - common;
    return all == 0 ? 1 : static_cast<double>(common) / static_cast<double>(all);
}

// The smallest hash under each of several orders.
SourceSketch sketchOf(const SourceShingles& shingles) {
    SourceSketch sketch;
    sketch.fill(std::numeric_limits<std::uint32_t>::max());
    for (std::uint64_t hash : shingles) {
        for (std::uint32_t& least : sketch) {
            hash = (hash ^ (hash >> 31)) * goldenRatio + 0xd1b54a32d192ed03ULL;
            least = std::min(least, static_cast<std::uint32_t>(hash >> 32));
        }
    }
    return sketch;
}

SourceSketch sketchOfNormalized(std::string_view normalized) {
    return sketchOf(shinglesOfNormalized(normalized));
}

std::size_t equalPlaces(const SourceSketch& a, const SourceSketch& b) {
    std::size_t equal = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        equal += a[i] == b[i] ? 1 : 0;
    }
    return equal;
}

std::string packedSketch(const SourceSketch& sketch) {
    return {reinterpret_cast<const char*>(sketch.data()), sizeof sketch};
}

std::optional<SourceSketch> unpackedSketch(std::string_view bytes) {
    SourceSketch sketch;
    if (bytes.size() != sizeof sketch) {
        return std::nullopt;
    }
    std::memcpy(sketch.data(), bytes.data(), sizeof sketch);
    return sketch;
}

} // namespace gks
