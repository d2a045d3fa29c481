// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/text_frames.h"

#include "core/base/hash.h"
#include "core/campaign/compression.h"
#include "core/campaign/damage.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace gks {
namespace {

// A skippable frame of the zstd format: magic number, size of what follows, and that; all little-endian.
constexpr std::uint32_t skippableMagic = 0x184D2A5D;
constexpr std::size_t headBytes = 8;
// A dictionary, and behind it sources.
constexpr std::size_t mostNames = 4;
// Shorter texts gain nothing by it.
constexpr std::size_t leastDictionaryBytes = 1024;
// The dictionary is old when a text's frame against the text before it would be only this part as large.
constexpr double muchBetter = 0.6;
constexpr std::size_t mostKept = 64;
// Frames whose size stays as it was for so many texts are compared with the text before them every so often alone.
constexpr int steadyTexts = 4;
constexpr int lookAgain = 16;
// Of a hash as many digits as an id has bits, and never a negative one.
constexpr std::size_t idDigits = 15;

std::string nameOf(const std::vector<std::int64_t>& ids) {
    const auto size = static_cast<std::uint32_t>(ids.size() * sizeof(std::int64_t));
    std::string name(headBytes + size, '\0');
    std::memcpy(name.data(), &skippableMagic, sizeof skippableMagic);
    std::memcpy(name.data() + 4, &size, sizeof size);
    std::memcpy(name.data() + headBytes, ids.data(), size);
    return name;
}

// What a frame begins with; nothing where it names nothing.
std::vector<std::int64_t> namesOf(std::string_view frame) {
    std::uint32_t size = 0;
    if (frame.size() < headBytes || std::memcmp(frame.data(), &skippableMagic, sizeof skippableMagic) != 0) {
        return {};
    }
    std::memcpy(&size, frame.data() + 4, sizeof size);
    if (size % sizeof(std::int64_t) != 0 || size > mostNames * sizeof(std::int64_t) ||
        frame.size() < headBytes + size) {
        return {}; // no frame of ours: zstd says what it is
    }
    std::vector<std::int64_t> ids(size / sizeof(std::int64_t));
    std::memcpy(ids.data(), frame.data() + headBytes, size);
    return ids;
}

// Nothing of what is no hash: whoever wrote the file.
std::optional<std::int64_t> idOfHash(std::string_view sha256) {
    std::int64_t id = 0;
    const std::string_view digits = sha256.substr(0, idDigits);
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), id, 16);
    return failure == std::errc() && digits.size() == idDigits && end == digits.data() + idDigits && id >= 0
               ? std::optional(id)
               : std::nullopt;
}

std::int64_t idOf(std::string_view text) {
    return idOfHash(sha256Hex(text)).value();
}

} // namespace

bool TextFrames::isSteady(Steady& known, std::size_t bytes) {
    if (bytes * 10 > known.bytes * 11 || bytes * 11 < known.bytes * 10) {
        known = {bytes, 0};
        return false;
    }
    ++known.texts;
    return known.texts > steadyTexts && known.texts % lookAgain != 0;
}

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
        return damaged("a dictionary is missing or another one", std::string(where));
    }
    keep(id, text);
    return text;
}

// Its own frame names dictionaries alone, so a file cannot lead from one source to the next.
Result<TextFrames::Text> TextFrames::source(const Database& database, std::int64_t id, std::string_view where) const {
    if (const auto known = m_known.find(id); known != m_known.end()) {
        return known->second;
    }
    const std::string begin = fmt::format("{:0{}x}", id, idDigits);
    Text text;
    GKS_TRY(database.each(
        "SELECT text FROM source WHERE sha256 >= ?1 AND sha256 < ?1 || 'g' LIMIT 1", {begin},
        [&](const Row& row) -> Result<void> {
            const std::string frame = row.text(0);
            const std::vector<std::int64_t> names = row.isBlob(0) ? namesOf(frame) : std::vector<std::int64_t>();
            if (names.size() > 1) {
                return {};
            }
            if (names.empty()) {
                GKS_TRY_ASSIGN(std::string plain,
                               row.isBlob(0) ? decompressed(frame, "source") : Result<std::string>(frame));
                text = std::make_shared<const std::string>(std::move(plain));
                return {};
            }
            GKS_TRY_ASSIGN(const Text known, dictionary(database, names.front(), "source"));
            GKS_TRY_ASSIGN(
                std::string plain,
                decompressed(std::string_view(frame).substr(headBytes + sizeof(std::int64_t)), "source", *known));
            text = std::make_shared<const std::string>(std::move(plain));
            return {};
        }));
    if (!text || idOf(*text) != id) {
        return damaged("a source that a text quotes is missing", std::string(where));
    }
    keep(id, text);
    return text;
}

Result<std::string> TextFrames::prefix(const Database& database, const std::vector<std::int64_t>& names,
                                       std::string_view where) const {
    std::string prefix;
    for (std::size_t i = 0; i < names.size(); ++i) {
        GKS_TRY_ASSIGN(const Text text,
                       i == 0 ? dictionary(database, names[i], where) : source(database, names[i], where));
        prefix += *text;
    }
    return prefix;
}

Result<std::string> TextFrames::pack(Database& database, std::string_view kind, std::string_view text,
                                     const std::vector<std::string>& quoted) {
    if (text.size() < leastDictionaryBytes) {
        return compressed(text);
    }
    GKS_TRY_ASSIGN(const auto newest,
                   database.integer("SELECT id FROM dictionary WHERE kind = ? ORDER BY number DESC LIMIT 1", {kind}));
    std::vector<std::int64_t> names = {newest.value_or(0)};
    std::string sources;
    for (const std::string& sha256 : quoted) {
        const auto id = idOfHash(sha256);
        if (!id || names.size() == mostNames || std::find(names.begin(), names.end(), *id) != names.end()) {
            continue;
        }
        if (const auto one = source(database, *id, kind)) { // without one that is damaged the text is only longer
            names.push_back(*id);
            sources += **one;
        }
    }
    Text& last = m_last[std::string(kind)];
    const Text before = std::exchange(last, std::make_shared<const std::string>(text));
    if (newest) {
        GKS_TRY_ASSIGN(const Text known, dictionary(database, *newest, kind));
        const std::string frame = compressed(text, *known + sources);
        if (frame.size() < leastDictionaryBytes || !before || isSteady(m_steady[std::string(kind)], frame.size()) ||
            static_cast<double>(compressed(text, *before + sources).size()) >
                muchBetter * static_cast<double>(frame.size())) {
            return nameOf(names) + frame;
        }
    }
    names.front() = idOf(text);
    const std::string plain = compressed(text);
    GKS_TRY(database.run("INSERT OR IGNORE INTO dictionary (id, kind, text) VALUES (?, ?, ?)",
                         {names.front(), kind, Blob{plain}}));
    keep(names.front(), last);
    names.resize(1);
    return nameOf(names) + compressed(text, std::string(*last)); // a copy: zstd wants the two apart
}

Result<std::string> TextFrames::unpack(const Database& database, std::string_view frame, std::string_view where) const {
    const std::vector<std::int64_t> names = namesOf(frame);
    if (names.empty()) {
        return decompressed(frame, where);
    }
    GKS_TRY_ASSIGN(const std::string before, prefix(database, names, where));
    return decompressed(frame.substr(headBytes + names.size() * sizeof(std::int64_t)), where, before);
}

Result<std::string> TextFrames::read(const Database& database, const Row& row, int column,
                                     std::string_view where) const {
    return row.isBlob(column) ? unpack(database, row.text(column), where) : Result<std::string>(row.text(column));
}

} // namespace gks
