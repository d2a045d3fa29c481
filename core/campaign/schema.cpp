// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/schema.h"

#include "core/base/text.h"
#include "core/campaign/damage.h"
#include "core/campaign/gain.h"
#include "core/campaign/kernel_words.h"
#include "core/campaign/schema_frames.h"
#include "core/campaign/schema_sketches.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

namespace gks {
namespace {

// Enumerations are stored by name, so that a file can be read with any SQLite tool and an enumerator may be inserted
// anywhere. Sources are stored once each; the summary columns of a kernel repeat its newest evaluation so that a
// population of thousands is read without touching a single verdict.
constexpr const char* version1 = R"sql(
CREATE TABLE campaign (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    written_by TEXT NOT NULL,
    problem_title TEXT NOT NULL,
    settings TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    evaluations INTEGER NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0,
    usd REAL NOT NULL DEFAULT 0,
    gpu_seconds REAL NOT NULL DEFAULT 0,
    wall_seconds REAL NOT NULL DEFAULT 0
);
CREATE TABLE source (
    sha256 TEXT PRIMARY KEY,
    text TEXT NOT NULL
);
CREATE TABLE experiment (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    round INTEGER NOT NULL,
    position INTEGER NOT NULL,
    parent INTEGER NOT NULL REFERENCES kernel(id),
    reference INTEGER REFERENCES kernel(id),
    description TEXT NOT NULL,
    rubric TEXT NOT NULL,
    predicted_low_percent REAL NOT NULL,
    predicted_high_percent REAL NOT NULL,
    innovation INTEGER NOT NULL,
    pick TEXT NOT NULL,
    state TEXT NOT NULL,
    author TEXT NOT NULL,
    edited_by_person INTEGER NOT NULL,
    tunables TEXT NOT NULL,
    kernel INTEGER REFERENCES kernel(id),
    measured_gain_percent REAL,
    failure TEXT NOT NULL,
    created_at INTEGER NOT NULL
);
CREATE TABLE kernel (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    parents TEXT NOT NULL,
    reference INTEGER REFERENCES kernel(id),
    experiment INTEGER REFERENCES experiment(id),
    title TEXT NOT NULL,
    author TEXT NOT NULL,
    source TEXT NOT NULL REFERENCES source(sha256),
    normalized_sha256 TEXT NOT NULL,
    report TEXT NOT NULL,
    banned INTEGER NOT NULL,
    held_back INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    verdict TEXT,
    reason TEXT NOT NULL DEFAULT '',
    geomean_us REAL NOT NULL DEFAULT 0,
    geomean_low_us REAL NOT NULL DEFAULT 0,
    geomean_high_us REAL NOT NULL DEFAULT 0,
    shape_medians_us TEXT NOT NULL DEFAULT '[]',
    versus_parent TEXT
);
CREATE INDEX kernel_by_normalized ON kernel(normalized_sha256);
CREATE INDEX kernel_by_state ON kernel(state);
CREATE INDEX experiment_by_state ON experiment(state);
CREATE TABLE evaluation (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kernel INTEGER NOT NULL REFERENCES kernel(id),
    baseline INTEGER REFERENCES kernel(id),
    purpose TEXT NOT NULL,
    lane TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    verdict TEXT NOT NULL
);
CREATE INDEX evaluation_by_kernel ON evaluation(kernel);
CREATE TABLE samples (
    evaluation INTEGER NOT NULL REFERENCES evaluation(id),
    measurement INTEGER NOT NULL,
    us BLOB NOT NULL,
    PRIMARY KEY (evaluation, measurement)
) WITHOUT ROWID;
CREATE TABLE exchange (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    stage TEXT NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    prompt BLOB NOT NULL,
    reply BLOB NOT NULL,
    error TEXT NOT NULL,
    kernel INTEGER REFERENCES kernel(id),
    experiment INTEGER REFERENCES experiment(id),
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    usd REAL NOT NULL,
    seconds REAL NOT NULL,
    at INTEGER NOT NULL
);
CREATE INDEX exchange_by_kernel ON exchange(kernel);
CREATE INDEX exchange_by_experiment ON exchange(experiment);
CREATE TABLE finding (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    text TEXT NOT NULL,
    evaluations TEXT NOT NULL,
    author TEXT NOT NULL,
    at INTEGER NOT NULL
);
CREATE TABLE steering (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    who TEXT NOT NULL,
    action TEXT NOT NULL,
    detail TEXT NOT NULL,
    at INTEGER NOT NULL
);
)sql";

// What the scientist learns and reads: findings that can be merged and contradicted, documents with an index of their
// words, reports that were checked.
constexpr const char* version2 = R"sql(
ALTER TABLE kernel ADD COLUMN rubric TEXT NOT NULL DEFAULT '[]';
ALTER TABLE kernel ADD COLUMN model TEXT NOT NULL DEFAULT '';
ALTER TABLE experiment ADD COLUMN tuned_gain_percent REAL;
ALTER TABLE experiment ADD COLUMN model TEXT NOT NULL DEFAULT '';
ALTER TABLE exchange ADD COLUMN first_token_seconds REAL NOT NULL DEFAULT 0;
ALTER TABLE exchange ADD COLUMN attempts INTEGER NOT NULL DEFAULT 1;
ALTER TABLE exchange ADD COLUMN inclusions TEXT NOT NULL DEFAULT '[]';
ALTER TABLE finding ADD COLUMN subject TEXT NOT NULL DEFAULT '';
ALTER TABLE finding ADD COLUMN gain_low_percent REAL;
ALTER TABLE finding ADD COLUMN gain_high_percent REAL;
ALTER TABLE finding ADD COLUMN contradicting TEXT NOT NULL DEFAULT '[]';
ALTER TABLE finding ADD COLUMN state TEXT NOT NULL DEFAULT 'standing';
ALTER TABLE finding ADD COLUMN edited_by_person INTEGER NOT NULL DEFAULT 0;
ALTER TABLE finding ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
CREATE TABLE document (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    kind TEXT NOT NULL,
    sha256 TEXT NOT NULL UNIQUE,
    size_bytes INTEGER NOT NULL,
    digest TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    added_at INTEGER NOT NULL
);
CREATE TABLE passage (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    heading TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (document, number)
);
CREATE VIRTUAL TABLE passage_words USING fts5 (
    heading, text, content = 'passage', content_rowid = 'id', tokenize = "porter unicode61 tokenchars '_'"
);
CREATE TRIGGER passage_added AFTER INSERT ON passage BEGIN
    INSERT INTO passage_words (rowid, heading, text) VALUES (new.id, new.heading, new.text);
END;
CREATE TRIGGER passage_removed AFTER DELETE ON passage BEGIN
    INSERT INTO passage_words (passage_words, rowid, heading, text) VALUES ('delete', old.id, old.heading, old.text);
END;
)sql";

// A call whose price is not known is not one that cost nothing.
constexpr const char* version3 = R"sql(
ALTER TABLE exchange ADD COLUMN priced INTEGER NOT NULL DEFAULT 1;
ALTER TABLE campaign ADD COLUMN unpriced_tokens INTEGER NOT NULL DEFAULT 0;
)sql";

// A schema that is not trusted may not write to the index of words from a trigger: the store keeps it up by itself, and
// a campaign has no triggers any more.
constexpr const char* version4 = R"sql(
DROP TRIGGER passage_added;
DROP TRIGGER passage_removed;
)sql";

// Tokens that nobody counted are called so.
constexpr const char* version5 = R"sql(
ALTER TABLE exchange ADD COLUMN tokens_estimated INTEGER NOT NULL DEFAULT 0;
)sql";

// What solve() asked for, as a zstd frame for each evaluation, and the device code that it was asked of. From here on a
// verdict may be `undecided`, which older programs cannot read either.
constexpr const char* version6 = R"sql(
CREATE TABLE launch_plan (
    evaluation INTEGER PRIMARY KEY REFERENCES evaluation(id),
    plans BLOB NOT NULL
);
CREATE TABLE device_code (
    sha256 TEXT PRIMARY KEY,
    code BLOB NOT NULL
) WITHOUT ROWID;
)sql";

// What a model thought in each round, what kind an experiment is, and gains as ratios. A range from 0 to 0 was none.
const std::string& version7() {
    static const std::string sql =
        fmt::format(R"sql(
CREATE TABLE round (
    id INTEGER PRIMARY KEY,
    parent INTEGER NOT NULL REFERENCES kernel(id),
    reference INTEGER REFERENCES kernel(id),
    rationale TEXT NOT NULL,
    diagnosis TEXT NOT NULL,
    model TEXT NOT NULL,
    created_at INTEGER NOT NULL
);
CREATE TABLE avenue (
    id INTEGER PRIMARY KEY,
    round INTEGER NOT NULL REFERENCES round(id),
    text TEXT NOT NULL,
    asked INTEGER NOT NULL
);
ALTER TABLE experiment ADD COLUMN kind TEXT NOT NULL DEFAULT 'change';
ALTER TABLE experiment ADD COLUMN limit_text TEXT NOT NULL DEFAULT '';
ALTER TABLE experiment ADD COLUMN shapes TEXT NOT NULL DEFAULT '';
ALTER TABLE experiment ADD COLUMN disproof TEXT NOT NULL DEFAULT '';
ALTER TABLE experiment ADD COLUMN avenue INTEGER REFERENCES avenue(id);
ALTER TABLE experiment ADD COLUMN predicted_low REAL;
ALTER TABLE experiment ADD COLUMN predicted_high REAL;
ALTER TABLE experiment ADD COLUMN measured_gain REAL;
ALTER TABLE experiment ADD COLUMN tuned_gain REAL;
UPDATE experiment SET predicted_low = {}, predicted_high = {}
    WHERE predicted_low_percent <> 0 OR predicted_high_percent <> 0;
UPDATE experiment SET measured_gain = {}, tuned_gain = {};
ALTER TABLE finding ADD COLUMN gain_low REAL;
ALTER TABLE finding ADD COLUMN gain_high REAL;
UPDATE finding SET gain_low = {}, gain_high = {};
ALTER TABLE experiment DROP COLUMN predicted_low_percent;
ALTER TABLE experiment DROP COLUMN predicted_high_percent;
ALTER TABLE experiment DROP COLUMN measured_gain_percent;
ALTER TABLE experiment DROP COLUMN tuned_gain_percent;
ALTER TABLE finding DROP COLUMN gain_low_percent;
ALTER TABLE finding DROP COLUMN gain_high_percent;
)sql",
                    gainRatioOf("predicted_low_percent"), gainRatioOf("predicted_high_percent"),
                    gainRatioOf("measured_gain_percent"), gainRatioOf("tuned_gain_percent"),
                    gainRatioOf("gain_low_percent"), gainRatioOf("gain_high_percent"));
    return sql;
}

// A kernel may be `proposed` or `declined`, which older programs cannot read. Nothing ever held one back.
constexpr const char* version8 = "ALTER TABLE kernel DROP COLUMN held_back;";

// Several writers and what their drafts cost, probes, findings that designs rest on, and libraries to be measured
// against.
constexpr const char* version9 = R"sql(
ALTER TABLE kernel ADD COLUMN writer TEXT NOT NULL DEFAULT '';
ALTER TABLE kernel ADD COLUMN draft_usd REAL NOT NULL DEFAULT 0;
ALTER TABLE kernel ADD COLUMN draft_seconds REAL NOT NULL DEFAULT 0;
ALTER TABLE kernel ADD COLUMN probe INTEGER NOT NULL DEFAULT 0;
ALTER TABLE experiment ADD COLUMN writer TEXT NOT NULL DEFAULT '';
ALTER TABLE finding ADD COLUMN probe INTEGER REFERENCES kernel(id);
CREATE TABLE finding_use (
    experiment INTEGER NOT NULL REFERENCES experiment(id),
    finding INTEGER NOT NULL REFERENCES finding(id),
    PRIMARY KEY (experiment, finding)
) WITHOUT ROWID;
CREATE TABLE anchor (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    lacks TEXT NOT NULL,
    lane TEXT NOT NULL,
    at INTEGER NOT NULL,
    verdict TEXT NOT NULL
);
)sql";

// The words of kernels, for a search among 100,000 of them; the store keeps it up by itself. And what stood before a
// decision, so that it can be taken back.
constexpr const char* version10 = R"sql(
ALTER TABLE steering ADD COLUMN before TEXT NOT NULL DEFAULT '';
CREATE VIRTUAL TABLE kernel_words USING fts5 (
    label, title, author, source, content = '', tokenize = "ascii tokenchars '_'"
);
)sql";

// A population is read without a verdict or a long text: those stand in tables of their own, as frames of
// text_frames.h, and what is ranked by stands in columns. What each draft of an experiment and each new position is
// asked for has an index.
constexpr const char* version11 = R"sql(
CREATE TABLE dictionary (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id INTEGER NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    text BLOB NOT NULL
);
CREATE INDEX dictionary_by_kind ON dictionary(kind, number);
CREATE TABLE shape (
    id INTEGER PRIMARY KEY,
    extents TEXT NOT NULL UNIQUE
);
CREATE TABLE verdict (
    evaluation INTEGER PRIMARY KEY REFERENCES evaluation(id),
    text BLOB NOT NULL
);
CREATE TABLE account (
    kernel INTEGER PRIMARY KEY REFERENCES kernel(id),
    report BLOB NOT NULL,
    rubric BLOB NOT NULL
);
ALTER TABLE evaluation ADD COLUMN kind TEXT NOT NULL DEFAULT '';
ALTER TABLE evaluation ADD COLUMN device TEXT NOT NULL DEFAULT '';
ALTER TABLE evaluation ADD COLUMN shapes TEXT NOT NULL DEFAULT '';
ALTER TABLE evaluation ADD COLUMN geomean_us REAL NOT NULL DEFAULT 0;
ALTER TABLE evaluation ADD COLUMN ratio REAL;
ALTER TABLE evaluation ADD COLUMN ratio_low REAL;
ALTER TABLE evaluation ADD COLUMN ratio_high REAL;
ALTER TABLE evaluation ADD COLUMN shape_times BLOB NOT NULL DEFAULT '';
ALTER TABLE kernel ADD COLUMN versus_verdict TEXT;
ALTER TABLE kernel ADD COLUMN versus_ratio REAL;
ALTER TABLE kernel ADD COLUMN versus_low95 REAL;
ALTER TABLE kernel ADD COLUMN versus_high95 REAL;
ALTER TABLE kernel ADD COLUMN versus_low99 REAL;
ALTER TABLE kernel ADD COLUMN versus_high99 REAL;
ALTER TABLE kernel ADD COLUMN versus_sha256 TEXT NOT NULL DEFAULT '';
CREATE INDEX kernel_by_experiment ON kernel(experiment);
CREATE INDEX experiment_by_position ON experiment(position);
)sql";

// What finds the kernels that a source nearly repeats without reading theirs (source_sketch.h), and what says of the
// best kernel as much as the population does (best_row.h). The index of words says in which column a word stands, and
// no longer where: that was most of it, and what a search finds are kernels.
constexpr const char* version12 = R"sql(
ALTER TABLE kernel ADD COLUMN sketch BLOB;
CREATE TABLE best (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    evaluation INTEGER NOT NULL,
    baseline INTEGER REFERENCES kernel(id),
    kernel INTEGER REFERENCES kernel(id),
    speedup REAL NOT NULL,
    low95 REAL NOT NULL,
    high95 REAL NOT NULL,
    low99 REAL NOT NULL,
    high99 REAL NOT NULL
);
DROP TABLE kernel_words;
CREATE VIRTUAL TABLE kernel_words USING fts5 (
    label, title, author, source, content = '', detail = column, tokenize = "ascii tokenchars '_'"
);
)sql";

// What SQLite's own ANALYZE leaves behind, in any program that looks at the file.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> statisticsTables = {
    {{"table sqlite_stat1", "sqlite_stat1: CREATE TABLE sqlite_stat1(tbl,idx,stat)"},
     {"table sqlite_stat4", "sqlite_stat4: CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"}}};

// "trigger passage_added" to the statement that makes it.
Result<std::map<std::string, std::string>> schemaOf(const Database& database) {
    std::map<std::string, std::string> objects;
    GKS_TRY(
        database.each("SELECT type, name, tbl_name, sql FROM sqlite_schema", {}, [&](const Row& row) -> Result<void> {
            objects.emplace(row.text(0) + " " + row.text(1), row.text(2) + ": " + row.text(3));
            return {};
        }));
    return objects;
}

} // namespace

std::string gainRatioOf(std::string_view percentColumn) {
    return fmt::format("1.0 / (1.0 - min({}, {}) / 100.0)", percentColumn, mostSavedPercent);
}

std::span<const Migration> campaignMigrations() {
    static const std::array migrations = {Migration{1, version1},
                                          Migration{2, version2},
                                          Migration{3, version3},
                                          Migration{4, version4},
                                          Migration{exchangeEstimatesVersion, version5},
                                          Migration{launchPlansVersion, version6},
                                          Migration{roundsVersion, version7().c_str()},
                                          Migration{checkedCodeVersion, version8},
                                          Migration{writersVersion, version9},
                                          Migration{indexedVersion, version10, fillKernelWords},
                                          Migration{framesVersion, version11, moveIntoFrames},
                                          Migration{sketchVersion, version12, fillSketches}};
    return migrations;
}

int newestVersion(std::span<const Migration> all) {
    return all.empty() ? 0 : all.back().version;
}

Result<void> refuseForeignSchema(const Database& database, std::span<const Migration> all, const std::string& path) {
    GKS_TRY_ASSIGN(const auto version, database.integer("PRAGMA user_version"));
    GKS_TRY_ASSIGN(Database model, Database::open(":memory:", Database::Access::create));
    const auto known = std::find_if(
        all.begin(), all.end(), [&](const Migration& migration) { return migration.version > version.value_or(0); });
    GKS_TRY(migrate(model, std::span(all.begin(), known)));
    GKS_TRY_ASSIGN(const auto expected, schemaOf(model));
    GKS_TRY_ASSIGN(auto found, schemaOf(database));
    for (const auto& [table, definition] : statisticsTables) {
        const auto at = found.find(std::string(table));
        if (at != found.end() && at->second == definition) {
            found.erase(at);
        }
    }
    for (const auto& [object, definition] : found) {
        const auto own = expected.find(object);
        if (own == expected.end() || own->second != definition) {
            constexpr std::size_t shownBytes = 80;
            return usageError(fmt::format("not made by this program: {} {}",
                                          own == expected.end() ? "unknown" : "another",
                                          abbreviated(sanitizedUtf8(object), shownBytes)),
                              path, "Open only campaigns whose origin you know; this one was not read any further");
        }
    }
    for (const auto& [object, definition] : expected) {
        if (!found.contains(object)) {
            return damaged(fmt::format("{} is missing", object), path);
        }
    }
    return {};
}

Result<void> refuseNewer(const Database& database, std::span<const Migration> all, const std::string& path) {
    GKS_TRY_ASSIGN(const auto version, database.integer("PRAGMA user_version"));
    if (version.value_or(0) <= newestVersion(all)) {
        return {};
    }
    std::string writer = "a newer version";
    static_cast<void>(database.each("SELECT written_by FROM campaign", {}, [&](const Row& row) -> Result<void> {
        constexpr std::size_t shownBytes = 40;
        writer = "version " + abbreviated(sanitizedUtf8(row.text(0)), shownBytes);
        return {};
    }));
    return usageError(
        fmt::format("written by {} (schema {}); this version supports schema {}", writer, *version, newestVersion(all)),
        path, "Open it with that version or later");
}

Result<void> migrate(Database& database, std::span<const Migration> all) {
    GKS_TRY_ASSIGN(auto transaction, Transaction::begin(database));
    GKS_TRY_ASSIGN(const auto version, database.integer("PRAGMA user_version"));
    for (const Migration& migration : all) {
        if (migration.version > version.value_or(0)) {
            GKS_TRY(database.execute(migration.sql));
            GKS_TRY(migration.fill != nullptr ? migration.fill(database) : Result<void>());
        }
    }
    GKS_TRY(database.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", campaignApplicationId,
                                         std::max<std::int64_t>(version.value_or(0), newestVersion(all)))));
    return transaction.commit();
}

} // namespace gks
