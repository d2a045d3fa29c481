// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/campaign/kernel_texts.h"
#include "core/campaign/kernel_words.h"
#include "core/campaign/normalized_source.h"
#include "core/campaign/store.h"
#include "core/campaign/store_state.h"
#include "core/campaign/store_transitions.h"
#include "core/campaign/stored_json.h"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

// Kernels and experiments.
namespace gks {
namespace {

Result<void> noSuch(const char* what, const std::string& label) {
    return usageError(fmt::format("{} {} not found", what, label));
}

constexpr std::array experimentColumns = {
    "round",      "position",    "parent",        "reference",  "kind",          "limit_text",
    "shapes",     "description", "rubric",        "disproof",   "predicted_low", "predicted_high",
    "innovation", "avenue",      "pick",          "state",      "author",        "edited_by_person",
    "tunables",   "kernel",      "measured_gain", "tuned_gain", "model",         "failure",
    "writer"};

// A statement with a value for each of the columns, and one more.
Result<void> runWithColumns(Database& database, const std::string& statement, const Experiment& e, std::int64_t last) {
    const std::string tunables = storedJson(Json(e.tunables));
    return database.run(statement.c_str(), {e.round,
                                            e.position,
                                            e.parent,
                                            orNull(e.reference),
                                            name(e.kind),
                                            e.limit,
                                            e.shapes,
                                            e.description,
                                            e.rubric,
                                            e.disproof,
                                            bound(e.predicted, &Interval::low),
                                            bound(e.predicted, &Interval::high),
                                            std::int64_t{e.innovation},
                                            orNull(e.avenue),
                                            e.pick,
                                            name(e.state),
                                            name(e.author),
                                            std::int64_t{e.editedByPerson},
                                            tunables,
                                            orNull(e.kernel),
                                            orNull(e.measuredGain),
                                            orNull(e.tunedGain),
                                            e.model,
                                            e.failure,
                                            e.writer,
                                            last});
}

// A use that was said stays said.
Result<void> insertUses(Database& database, ExperimentId experiment, const std::vector<std::int64_t>& findings) {
    for (const std::int64_t finding : findings) {
        GKS_TRY(database.run("INSERT OR IGNORE INTO finding_use (experiment, finding) VALUES (?, ?)",
                             {experiment, finding}));
    }
    return {};
}

Result<void> writeExperiment(Database& database, const Experiment& e) {
    GKS_TRY(checkTransition(database, e.id, e.state));
    GKS_TRY(runWithColumns(
        database, fmt::format("UPDATE experiment SET {} = ? WHERE id = ?", fmt::join(experimentColumns, " = ?, ")), e,
        e.id));
    if (database.changes() != 1) {
        return noSuch("experiment", std::to_string(e.id));
    }
    return insertUses(database, e.id, e.uses);
}

Result<ExperimentId> insertExperiment(Database& database, Experiment e, std::int64_t position) {
    e.position = position;
    std::string places;
    for (std::size_t i = 0; i < experimentColumns.size(); ++i) {
        places += "?, ";
    }
    GKS_TRY(runWithColumns(
        database,
        fmt::format("INSERT INTO experiment ({}, created_at) VALUES ({}?)", fmt::join(experimentColumns, ", "), places),
        e, e.createdAt != 0 ? e.createdAt : now()));
    const ExperimentId id = database.lastId();
    GKS_TRY(insertUses(database, id, e.uses));
    return id;
}

Result<void> insertSource(Database& database, TextFrames& frames, const std::string& sha256,
                          const std::string& source) {
    GKS_TRY_ASSIGN(const auto known, database.integer("SELECT 1 FROM source WHERE sha256 = ?", {sha256}));
    if (known) {
        return {};
    }
    GKS_TRY_ASSIGN(const std::string frame, frames.pack(database, "source", source));
    return database.run("INSERT INTO source (sha256, text) VALUES (?, ?)", {sha256, Blob{frame}});
}

Result<void> insertKernel(Database& database, const Kernel& k) {
    const std::string parents = storedJson(Json(k.parents));
    const std::string sketch = packedSketch(k.sketch.value());
    return database.run(
        "INSERT INTO kernel (parents, reference, experiment, title, author, source, normalized_sha256, banned, "
        "created_at, state, model, writer, draft_usd, draft_seconds, probe, sketch) VALUES (?, ?, ?, ?, ?, ?, ?, ?, "
        "?, ?, ?, ?, ?, ?, ?, ?)",
        {parents, orNull(k.reference), orNull(k.experiment), k.title, name(k.author), k.sourceSha256,
         k.normalizedSha256, std::int64_t{k.banned}, k.createdAt != 0 ? k.createdAt : now(),
         name(k.state == KernelState::proposed ? k.state : KernelState::waiting), k.model, k.writer, k.draftUsd,
         k.draftSeconds, std::int64_t{k.probe}, Blob{sketch}});
}

Result<KernelId> insertDraft(Database& database, PopulationReader& reader, TextFrames& frames, Kernel kernel,
                             ExperimentState itsExperiment, bool takesItsPlace) {
    GKS_TRY_ASSIGN(const std::string source, kernel.source.read());
    GKS_TRY_ASSIGN(const std::string report, kernel.report.read());
    GKS_TRY_ASSIGN(const auto rubric, kernel.rubric.read());
    kernel.sourceSha256 = sha256Hex(source);
    const std::string normalized = normalizedSource(source);
    kernel.normalizedSha256 = sha256Hex(normalized);
    kernel.sketch = sketchOfNormalized(normalized);
    GKS_TRY(insertSource(database, frames, kernel.sourceSha256, source));
    GKS_TRY(insertKernel(database, kernel));
    const KernelId id = database.lastId();
    GKS_TRY(writeAccount(database, frames, id, report, rubricText(rubric)));
    GKS_TRY(indexKernel(database, id, kernel.title, name(kernel.author), source));
    reader.kernelChanged(id);
    if (kernel.experiment) {
        reader.experimentChanged(*kernel.experiment);
        GKS_TRY(checkTransition(database, *kernel.experiment, itsExperiment));
        GKS_TRY(database.run("UPDATE experiment SET state = ?, failure = '' WHERE id = ?",
                             {name(itsExperiment), *kernel.experiment}));
        if (takesItsPlace) {
            GKS_TRY(database.run("UPDATE experiment SET kernel = ? WHERE id = ?", {id, *kernel.experiment}));
        }
    }
    return id;
}

Result<void> decideKernel(Database& database, KernelId id, KernelState state, std::string_view reason) {
    GKS_TRY(enterState(database, id, state));
    return database.run("UPDATE kernel SET reason = ? WHERE id = ?", {reason, id});
}

// Which draft the experiment is known by after a decision on one. Of a rejected one another that stands takes the
// place, if there is any.
Result<void> moveItsKernel(Database& database, ExperimentId experiment, KernelId draft,
                           CampaignStore::DraftDecision decision, ExperimentState before, ExperimentState after) {
    using enum CampaignStore::DraftDecision;
    const bool isOffered = decision == approve || decision == reopen;
    if (decision == sendBack || (isOffered && before == ExperimentState::rejected)) {
        return database.run("UPDATE experiment SET kernel = ? WHERE id = ?", {draft, experiment});
    }
    if (decision == reopen) { // its rejection may have left the experiment without one
        return database.run("UPDATE experiment SET kernel = ? WHERE id = ? AND kernel IS NULL", {draft, experiment});
    }
    if (decision == reject && after != ExperimentState::rejected) {
        return database.run("UPDATE experiment SET kernel = (SELECT max(id) FROM kernel WHERE experiment = ? AND "
                            "state <> ?) WHERE id = ? AND kernel = ?",
                            {experiment, name(KernelState::declined), experiment, draft});
    }
    return {};
}

} // namespace

Result<KernelId> CampaignStore::addKernel(Kernel kernel, ExperimentState itsExperiment, bool takesItsPlace) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    GKS_TRY_ASSIGN(const KernelId id, insertDraft(m_state->database, m_state->reader, m_state->frames,
                                                  std::move(kernel), itsExperiment, takesItsPlace));
    GKS_TRY(transaction.commit());
    return id;
}

KernelState CampaignStore::stateAfter(DraftDecision decision) {
    using enum DraftDecision;
    return decision == approve  ? KernelState::waiting
           : decision == reopen ? KernelState::proposed
                                : KernelState::declined;
}

Result<void> CampaignStore::decideDraft(KernelId draft, DraftDecision decision, std::string_view remark,
                                        ExperimentState itsExperiment, const Steering& why) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    Database& database = m_state->database;
    m_state->reader.kernelChanged(draft);
    GKS_TRY(decideKernel(database, draft, stateAfter(decision), remark));
    GKS_TRY_ASSIGN(const auto experiment, database.integer("SELECT experiment FROM kernel WHERE id = ?", {draft}));
    if (experiment) {
        m_state->reader.experimentChanged(*experiment);
        GKS_TRY_ASSIGN(const ExperimentState before, storedState(database, *experiment));
        GKS_TRY(moveItsKernel(database, *experiment, draft, decision, before, itsExperiment));
        if (itsExperiment != ExperimentState::rejected) { // a rejected one is approved with its code
            GKS_TRY(database.run("UPDATE experiment SET state = ? WHERE id = ? AND state = ?",
                                 {name(ExperimentState::approved), *experiment, name(ExperimentState::rejected)}));
        }
        GKS_TRY(checkTransition(database, *experiment, itsExperiment));
        GKS_TRY(
            database.run("UPDATE experiment SET state = ?, failure = ? WHERE id = ?",
                         {name(itsExperiment), itsExperiment == ExperimentState::rejected ? remark : "", *experiment}));
    }
    GKS_TRY(m_state->insertSteering(why));
    return transaction.commit();
}

Result<KernelId> CampaignStore::replaceDraft(KernelId draft, Kernel edited, std::string_view remark,
                                             const std::function<Steering(KernelId)>& why,
                                             ExperimentState itsExperiment) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    m_state->reader.kernelChanged(draft);
    GKS_TRY(decideKernel(m_state->database, draft, KernelState::declined, remark));
    GKS_TRY_ASSIGN(const auto known, m_state->database.integer("SELECT kernel FROM experiment WHERE id = ?",
                                                               {edited.experiment.value_or(0)}));
    GKS_TRY_ASSIGN(const KernelId id, insertDraft(m_state->database, m_state->reader, m_state->frames,
                                                  std::move(edited), itsExperiment, known == draft));
    GKS_TRY(m_state->insertSteering(why(id)));
    GKS_TRY(transaction.commit());
    return id;
}

Result<void> CampaignStore::setKernelState(KernelId id, KernelState state) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    m_state->reader.kernelChanged(id);
    GKS_TRY(enterState(m_state->database, id, state));
    return transaction.commit();
}

Result<void> CampaignStore::setBanned(KernelId id, bool banned, const Steering& why,
                                      const std::optional<CampaignSettings>& settings) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    m_state->reader.kernelChanged(id);
    GKS_TRY(m_state->database.run("UPDATE kernel SET banned = ? WHERE id = ?", {std::int64_t{banned}, id}));
    if (m_state->database.changes() != 1) {
        return noSuch("kernel", kernelLabel(id));
    }
    if (settings) {
        GKS_TRY(m_state->putSettings(*settings));
    }
    GKS_TRY(m_state->insertSteering(why));
    return transaction.commit();
}

Result<std::vector<ExperimentId>> CampaignStore::addExperiments(std::vector<Experiment> experiments) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    GKS_TRY_ASSIGN(const auto last, m_state->database.integer("SELECT max(position) FROM experiment"));
    std::int64_t position = last.value_or(0);
    std::vector<ExperimentId> ids;
    for (const Experiment& experiment : experiments) {
        GKS_TRY_ASSIGN(const ExperimentId id, insertExperiment(m_state->database, experiment, ++position));
        m_state->reader.experimentChanged(id);
        ids.push_back(id);
    }
    GKS_TRY(transaction.commit());
    return ids;
}

Result<void> CampaignStore::updateExperiment(const Experiment& experiment) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    m_state->reader.experimentChanged(experiment.id);
    GKS_TRY(writeExperiment(m_state->database, experiment));
    return transaction.commit();
}

Result<void> CampaignStore::updateExperiment(const Experiment& experiment, const Steering& why) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    m_state->reader.experimentChanged(experiment.id);
    GKS_TRY(writeExperiment(m_state->database, experiment));
    GKS_TRY(m_state->insertSteering(why));
    return transaction.commit();
}

Result<void> CampaignStore::reorderExperiments(const std::vector<ExperimentId>& order, const Steering& why) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    // Those named come first, in this order; the others keep theirs behind them.
    GKS_TRY_ASSIGN(const auto first, m_state->database.integer("SELECT min(position) FROM experiment"));
    std::int64_t position = first.value_or(0) - static_cast<std::int64_t>(order.size());
    for (const ExperimentId id : order) {
        m_state->reader.experimentChanged(id);
        GKS_TRY(m_state->database.run("UPDATE experiment SET position = ? WHERE id = ?", {position++, id}));
        if (m_state->database.changes() != 1) {
            return tl::unexpected(noSuch("experiment", std::to_string(id)).error());
        }
    }
    GKS_TRY(m_state->insertSteering(why));
    return transaction.commit();
}

} // namespace gks
