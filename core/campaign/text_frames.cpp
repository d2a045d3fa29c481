// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/text_frames.h"

#include "core/base/hash.h"
#include "core/campaign/compression.h"

#include <cstring>
#include <utility>

namespace gks {
namespace {

// A skippable frame of the zstd format: magic number, size of what follows, and that; all little-endian.
constexpr std::uint32_t skippableMagic = 0x184D2A5D;
constexpr std::size_t nameBytes = 16;
// Shorter texts gain nothing by it.
constexpr std::size_t leastDictionaryBytes = 1024;
// The dictionary is old when a text's frame against the text before it would be only this part as large.
constexpr double muchBetter = 0.6;
constexpr std::size_t mostKept = 64;

std::string nameOf(std::int64_t dictionary) {
    const std::uint32_t size = sizeof dictionary;
    std::string name(nameBytes, '\0');
    std::memcpy(name.data(), &skippableMagic, sizeof skippableMagic);
    std::memcpy(name.data() + 4, &size, sizeof size);
    std::memcpy(name.data() + 8, &dictionary, sizeof dictionary);
    return name;
}

std::optional<std::int64_t> dictionaryOf(std::string_view frame) {
    std::int64_t id = 0;
    if (frame.size() < nameBytes || std::memcmp(frame.data(), &skippableMagic, sizeof skippableMagic) != 0) {
        return std::nullopt;
    }
    std::memcpy(&id, frame.data() + 8, sizeof id);
    return id;
}

// Of the hash as many bits as an id has, and never a negative one.
std::int64_t idOf(std::string_view text) {
    return static_cast<std::int64_t>(std::stoull(sha256Hex(text).substr(0, 15), nullptr, 16));
}

} // namespace

void TextFrames::keep(std::int64_t id, Text text) const {
    if (m_known.size() >= mostKept) {
        m_known.clear();
    }
    m_known[id] = std::move(text);
}

Result<TextFrames::Text> TextFrames::dictionary(const Database& database, std::int64_t id,
                                                std::string_view where) const {
    if (const auto known = m_known.find(id); known != m_known.end()) {
        return known->second;
    }
    Text text;
    GKS_TRY(database.each("SELECT text FROM dictionary WHERE id = ?", {id}, [&](const Row& row) -> Result<void> {
        GKS_TRY_ASSIGN(std::string plain, decompressed(row.text(0), "dictionary"));
        text = std::make_shared<const std::string>(std::move(plain));
        return {};
    }));
    if (!text || idOf(*text) != id) {
        return infrastructureError("the campaign file is damaged (a dictionary is missing or another one)",
                                   std::string(where), "Restore a copy");
    }
    keep(id, text);
    return text;
}

Result<std::string> TextFrames::pack(Database& database, std::string_view kind, std::string_view text) {
    if (text.size() < leastDictionaryBytes) {
        return compressed(text);
    }
    GKS_TRY_ASSIGN(const auto newest,
                   database.integer("SELECT id FROM dictionary WHERE kind = ? ORDER BY number DESC LIMIT 1", {kind}));
    Text& last = m_last[std::string(kind)];
    const Text before = std::exchange(last, std::make_shared<const std::string>(text));
    if (newest) {
        GKS_TRY_ASSIGN(const Text known, dictionary(database, *newest, kind));
        const std::string frame = compressed(text, *known);
        const auto wouldBe = before ? compressed(text, *before).size() : frame.size();
        if (frame.size() < leastDictionaryBytes ||
            static_cast<double>(wouldBe) > muchBetter * static_cast<double>(frame.size())) {
            return nameOf(*newest) + frame;
        }
    }
    const std::int64_t id = idOf(text);
    const std::string plain = compressed(text);
    GKS_TRY(
        database.run("INSERT OR IGNORE INTO dictionary (id, kind, text) VALUES (?, ?, ?)", {id, kind, Blob{plain}}));
    keep(id, last);
    return nameOf(id) + compressed(text, *last); // a copy: zstd wants the two apart
}

Result<std::string> TextFrames::unpack(const Database& database, std::string_view frame, std::string_view where) const {
    const auto id = dictionaryOf(frame);
    if (!id) {
        return decompressed(frame, where);
    }
    GKS_TRY_ASSIGN(const Text known, dictionary(database, *id, where));
    return decompressed(frame.substr(nameBytes), where, *known);
}

Result<std::string> TextFrames::read(const Database& database, const Row& row, int column,
                                     std::string_view where) const {
    return row.isBlob(column) ? unpack(database, row.text(column), where) : Result<std::string>(row.text(column));
}

} // namespace gks
