// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/schema_frames.h"

#include "core/base/text.h"
#include "core/campaign/kernel_texts.h"
#include "core/campaign/shape_times.h"
#include "core/campaign/store_evaluation.h"
#include "core/campaign/stored_json.h"
#include "core/campaign/text_frames.h"

#include <fmt/format.h>
#include <vector>

namespace gks {
namespace {

// Rows are changed one by one, each found by its key: a query that goes on while its table is changed may see a row
// twice.
Result<void> forEachId(Database& database, const char* ids, const std::function<Result<void>(std::int64_t)>& change) {
    std::vector<std::int64_t> found;
    GKS_TRY(database.each(ids, {}, [&](const Row& row) -> Result<void> {
        found.push_back(row.integer(0));
        return {};
    }));
    for (const std::int64_t id : found) {
        GKS_TRY(change(id));
    }
    return {};
}

Result<std::string> textAt(const Database& database, const char* question, std::int64_t id) {
    std::string text;
    GKS_TRY(database.each(question, {id}, [&](const Row& row) -> Result<void> {
        text = row.text(0);
        return {};
    }));
    return text;
}

Result<void> moveVerdicts(Database& database, TextFrames& frames) {
    GKS_TRY(forEachId(database, "SELECT id FROM evaluation ORDER BY id", [&](std::int64_t id) -> Result<void> {
        GKS_TRY_ASSIGN(const std::string text, textAt(database, "SELECT verdict FROM evaluation WHERE id = ?", id));
        GKS_TRY(writeVerdictText(database, frames, id, text));
        const auto verdict = parseJson(text, "evaluation.verdict").and_then(verdictFromJson);
        return verdict ? writeFacts(database, id, *verdict) : Result<void>();
    }));
    return database.execute("ALTER TABLE evaluation DROP COLUMN verdict");
}

Result<void> moveAccounts(Database& database, TextFrames& frames) {
    GKS_TRY(forEachId(
        database, "SELECT id FROM kernel WHERE report <> '' OR rubric <> '[]' ORDER BY id",
        [&](std::int64_t id) -> Result<void> {
            GKS_TRY_ASSIGN(const std::string report, textAt(database, "SELECT report FROM kernel WHERE id = ?", id));
            GKS_TRY_ASSIGN(const std::string rubric, textAt(database, "SELECT rubric FROM kernel WHERE id = ?", id));
            return writeAccount(database, frames, id, report, rubric);
        }));
    GKS_TRY(database.execute("ALTER TABLE kernel DROP COLUMN report; ALTER TABLE kernel DROP COLUMN rubric"));
    std::vector<std::string> columns;
    for (const auto& [column, expression] : versusOfJson) {
        columns.push_back(fmt::format("{} = {}", column, expression));
    }
    GKS_TRY(database.execute("UPDATE kernel SET " + join(columns, ", ") + " WHERE json_valid(versus_parent)"));
    return database.execute("ALTER TABLE kernel DROP COLUMN versus_parent");
}

Result<void> packSources(Database& database, TextFrames& frames) {
    return forEachId(database, "SELECT rowid FROM source ORDER BY rowid", [&](std::int64_t id) -> Result<void> {
        GKS_TRY_ASSIGN(const std::string text, textAt(database, "SELECT text FROM source WHERE rowid = ?", id));
        GKS_TRY_ASSIGN(const std::string frame, frames.pack(database, "source", text));
        return database.run("UPDATE source SET text = ? WHERE rowid = ?", {Blob{frame}, id});
    });
}

Result<void> packPrompts(Database& database, TextFrames& frames) {
    return forEachId(database, "SELECT id FROM exchange ORDER BY id", [&](std::int64_t id) -> Result<void> {
        GKS_TRY_ASSIGN(const std::string old, textAt(database, "SELECT prompt FROM exchange WHERE id = ?", id));
        GKS_TRY_ASSIGN(const std::string stage, textAt(database, "SELECT stage FROM exchange WHERE id = ?", id));
        const auto prompt = frames.unpack(database, old, "exchange.prompt");
        if (!prompt) {
            return {}; // whoever opens it is told
        }
        GKS_TRY_ASSIGN(const std::string frame, frames.pack(database, promptKind(stage), *prompt));
        return database.run("UPDATE exchange SET prompt = ? WHERE id = ?", {Blob{frame}, id}); // a reply is short
    });
}

} // namespace

Result<void> moveIntoFrames(Database& database) {
    TextFrames frames;
    GKS_TRY(moveVerdicts(database, frames));
    GKS_TRY(moveAccounts(database, frames));
    GKS_TRY(packSources(database, frames));
    return packPrompts(database, frames);
}

} // namespace gks
