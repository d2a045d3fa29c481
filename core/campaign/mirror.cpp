// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/mirror.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/campaign/store_state.h"

#include <algorithm>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t comparedBytes = 4096; // a page of every campaign
constexpr std::size_t mirrorNameBytes = 100;
constexpr std::size_t digestLetters = 32;

std::string digestOf(std::string_view block) {
    return sha256Hex(block).substr(0, digestLetters);
}

std::string digestsOf(std::string_view image) {
    std::string digests;
    for (std::size_t at = 0; at < image.size(); at += mirrorBlockBytes) {
        digests += digestOf(image.substr(at, mirrorBlockBytes));
    }
    return digests;
}

fs::path mirrorFolder() {
    return cacheFolder() / "mirrors";
}

// One that cannot leave its folder, whatever the address says.
std::string safeName(const std::string& name) {
    std::string safe;
    for (const char c : name.substr(0, mirrorNameBytes)) {
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                             c == '_' || (c == '.' && !safe.empty());
        safe += isPlain ? c : '_';
    }
    return safe.empty() ? "campaign.gks" : safe;
}

} // namespace

struct MirroredFile::State {
    fs::path file;
    Database database;
    std::optional<std::int64_t> version; // of the data, as SQLite counts
    std::string before;
    std::string otherHas; // before that: digests

    bool isKnownByPage(std::string_view image, std::size_t at) const {
        return at < before.size() &&
               std::string_view(before).substr(at, comparedBytes) == image.substr(at, comparedBytes);
    }
    bool isKnownByDigest(std::string_view image, std::size_t at) const {
        const std::size_t digest = at / mirrorBlockBytes * digestLetters;
        return digest < otherHas.size() &&
               otherHas.compare(digest, digestLetters, digestOf(image.substr(at, mirrorBlockBytes))) == 0;
    }
};

MirroredFile::MirroredFile(std::unique_ptr<State> state) : m_state(std::move(state)) {}
MirroredFile::~MirroredFile() = default;

Result<std::unique_ptr<MirroredFile>> MirroredFile::open(const fs::path& campaign) {
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(campaign, CampaignStore::Access::read)); // it is one
    GKS_TRY_ASSIGN(Database database, openReading(store->file()));
    return std::unique_ptr<MirroredFile>(
        new MirroredFile(std::make_unique<State>(State{store->file(), std::move(database), {}, {}, {}})));
}

void MirroredFile::otherHas(std::string digests) {
    m_state->otherHas = std::move(digests);
}

Result<std::optional<ImageChange>> MirroredFile::look() {
    State& state = *m_state;
    GKS_TRY_ASSIGN(const auto version, state.database.integer("PRAGMA data_version"));
    if (version == state.version) {
        return std::optional<ImageChange>();
    }
    GKS_TRY(state.database.execute("BEGIN")); // one moment of it
    auto image = state.database.integer("SELECT count(*) FROM sqlite_schema").and_then([&](const auto&) {
        return state.database.image();
    });
    static_cast<void>(state.database.execute("ROLLBACK"));
    GKS_TRY(image);
    if (image->size() > mirrorBytes) {
        return usageError("the campaign is too large to be mirrored", state.file.string(), "Look at it there");
    }
    state.version = version;
    ImageChange change{image->size(), {}};
    const std::size_t step = state.before.empty() ? mirrorBlockBytes : comparedBytes;
    for (std::size_t at = 0; at < image->size(); at += step) {
        const bool isKnown = state.before.empty() ? state.isKnownByDigest(*image, at) : state.isKnownByPage(*image, at);
        if (isKnown) {
            continue;
        }
        const std::string_view page = std::string_view(*image).substr(at, step);
        const bool goesOn = !change.runs.empty() && change.runs.back().at + change.runs.back().bytes.size() == at &&
                            change.runs.back().bytes.size() < mirrorRunBytes;
        if (!goesOn) {
            change.runs.push_back({at, {}});
        }
        change.runs.back().bytes += page;
    }
    const bool isSame = change.runs.empty() && image->size() == state.before.size();
    state.before = std::move(*image);
    return isSame ? std::optional<ImageChange>() : std::optional(std::move(change));
}

namespace {

Result<Database> checkedCampaign(const std::string& image, const fs::path& file) {
    GKS_TRY_ASSIGN(Database whole, Database::ofImage(image, file.string()));
    GKS_TRY(checkCampaign(whole, file));
    return whole;
}

} // namespace

struct Mirror::State {
    fs::path file;
    FileDescriptor lock{-1}; // of the folder
    std::string image;
};

Mirror::Mirror(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Mirror::~Mirror() = default;

Result<std::unique_ptr<Mirror>> Mirror::open(const std::string& address, const std::string& name) {
    auto state = std::make_unique<State>();
    const fs::path folder = mirrorFolder() / sha256Hex(address).substr(0, 24);
    GKS_TRY(makeDirectories(folder));
    std::error_code ignored;
    fs::permissions(mirrorFolder(), fs::perms::owner_all, ignored);
    GKS_TRY(writeFileAtomically(folder / "address", address + "\n")); // for people
    state->file = canonicalPath(folder) / safeName(name);
    state->lock = FileDescriptor(::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (state->lock.number() < 0 || ::flock(state->lock.number(), LOCK_EX | LOCK_NB) != 0) {
        return infrastructureError("another window of yours has it open", address, "Look at it there");
    }
    return std::unique_ptr<Mirror>(new Mirror(std::move(state)));
}

const fs::path& Mirror::file() const {
    return m_state->file;
}
bool Mirror::isThere() const {
    std::error_code ignored;
    return fs::exists(m_state->file, ignored);
}
// What came before a connection was cut counts too: each block is compared for itself.
std::string Mirror::begin() {
    if (m_state->image.empty() && isThere()) {
        const auto database = openReading(m_state->file);
        const auto image = database ? database->image() : Result<std::string>(std::string());
        m_state->image = image.value_or(std::string());
    }
    return digestsOf(m_state->image);
}

Result<void> Mirror::resize(std::size_t bytes) {
    if (bytes > mirrorBytes) {
        return usageError("the campaign is too large to be mirrored", m_state->file.string(), "Look at it there");
    }
    m_state->image.resize(std::min(bytes, m_state->image.size())); // it grows with what comes
    return {};
}

Result<void> Mirror::put(std::size_t at, std::string_view bytes) {
    std::string& image = m_state->image;
    if (at > image.size() || bytes.size() > 2 * mirrorRunBytes || at + bytes.size() > mirrorBytes) {
        return usageError("pages that lie nowhere", m_state->file.string());
    }
    image.resize(std::max(image.size(), at + bytes.size()));
    std::copy(bytes.begin(), bytes.end(), image.begin() + static_cast<std::ptrdiff_t>(at));
    return {};
}

Result<void> Mirror::commit(std::size_t bytes) {
    if (m_state->image.size() != bytes) {
        return usageError("not all of the campaign has come", m_state->file.string());
    }
    auto whole = checkedCampaign(m_state->image, m_state->file);
    if (!whole) {
        m_state->image.clear(); // nobody builds on it
        return tl::unexpected(whole.error());
    }
    GKS_TRY_ASSIGN(Database mirror, Database::open(m_state->file.string(), Database::Access::create));
    GKS_TRY(whole->copyInto(mirror, [](double) { return true; }));
    return mirror.execute("PRAGMA journal_mode = WAL"); // whoever reads it keeps the next moment out of nothing
}

Result<void> refuseMirror(const fs::path& file) {
    const fs::path folder = canonicalPath(mirrorFolder());
    const fs::path path = canonicalPath(file);
    const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    if (end != folder.end()) {
        return {};
    }
    const auto address = readFile(path.parent_path() / "address", mirrorNameBytes * 100);
    return usageError("this is the mirror of a campaign on another machine, to be looked at", file.string(),
                      fmt::format("Open {}", address ? std::string(trimmed(*address)) : "it by its address"));
}

} // namespace gks
