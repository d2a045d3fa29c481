// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error_place.h"
#include "core/campaign/campaign_pack.h"
#include "core/campaign/compression.h"
#include "core/campaign/damage.h"
#include "core/campaign/kernel_texts.h"
#include "core/campaign/kernel_words.h"
#include "core/campaign/names.h"
#include "core/campaign/schema.h"
#include "core/campaign/store.h"
#include "core/campaign/store_evaluation.h"
#include "core/campaign/store_plans.h"
#include "core/campaign/store_state.h"
#include "core/campaign/store_transitions.h"
#include "core/campaign/stored_json.h"
#include "core/campaign/summary.h"

#include <fmt/format.h>

// Evaluations, exchanges with models and steering: what happened, in order.
namespace gks {
namespace {

constexpr const char* insertSamples = "INSERT INTO samples (evaluation, measurement, us) VALUES (?, ?, ?)";

// The baseline's samples stand in the same table under the complement of the measurement's number, so that files of the
// first version need no migration. Its own inverse.
std::int64_t ofBaseline(std::int64_t measurement) {
    return -1 - measurement;
}

// Which kernel a comparison must be with to speak of the step from the parent: for a seed, the first seed.
struct Subject {
    std::optional<KernelId> parent;
    std::optional<ExperimentId> experiment;
    bool probe = false;
};

Result<Subject> subjectOf(const Database& database, KernelId kernel) {
    Subject subject;
    bool found = false;
    GKS_TRY(database.each("SELECT coalesce(json_extract(parents, '$[0]'), (SELECT min(id) FROM kernel WHERE author = "
                          "'seed' AND probe = 0)), experiment, probe "
                          "FROM kernel WHERE id = ?",
                          {kernel}, [&](const Row& row) -> Result<void> {
                              subject = {row.optionalInteger(0), row.optionalInteger(1), row.integer(2) != 0};
                              found = true;
                              return {};
                          }));
    return found ? Result<Subject>(subject) : usageError(fmt::format("kernel {} not found", kernelLabel(kernel)));
}

Result<void> bindToSource(const Database& database, KernelId kernel, std::string& sha256, const char* otherwise) {
    std::string source;
    GKS_TRY(database.each("SELECT source FROM kernel WHERE id = ?", {kernel}, [&](const Row& row) -> Result<void> {
        source = row.text(0);
        return {};
    }));
    if (sha256.empty()) {
        sha256 = source;
    }
    return sha256 == source ? Result<void>() : infrastructureError(otherwise, kernelLabel(kernel), "Evaluate it again");
}

// A verdict says of which source it is, and with which it compares: no other kernel's can stand in its place.
Result<Evaluation> boundToSources(const Database& database, Evaluation evaluation) {
    Verdict& verdict = evaluation.verdict;
    GKS_TRY(bindToSource(database, evaluation.kernel, verdict.kernelSha256,
                         "the verdict is of another source than the kernel's"));
    if (verdict.comparison && evaluation.baseline) {
        GKS_TRY(bindToSource(database, *evaluation.baseline, verdict.comparison->baselineSha256,
                             "the verdict compares with another source than that of the kernel it names"));
    }
    return evaluation;
}

Result<void> writeSummary(Database& database, const Evaluation& evaluation, const Subject& subject) {
    const Verdict& verdict = evaluation.verdict;
    OrderedJson medians = OrderedJson::array();
    for (const MeasurementFact& measurement : verdict.measurements) {
        medians.push_back(measurement.medianUs);
    }
    const auto fact = stepFromParent(evaluation, subject.parent);
    const std::string mediansText = storedJson(medians);
    GKS_TRY(database.run("UPDATE kernel SET verdict = ?, reason = ?, geomean_us = ?, geomean_low_us = ?, "
                         "geomean_high_us = ?, shape_medians_us = ? WHERE id = ?",
                         {name(verdict.kind), verdict.reason, verdict.geomeanUs, verdict.geomeanCi95Us.low,
                          verdict.geomeanCi95Us.high, mediansText, evaluation.kernel}));
    const auto value = [&](double number) { return fact ? Value(number) : Value(); };
    const ComparisonFact step = fact.value_or(ComparisonFact());
    return database.run("UPDATE kernel SET versus_verdict = ?, versus_ratio = ?, versus_low95 = ?, versus_high95 = ?, "
                        "versus_low99 = ?, versus_high99 = ?, versus_sha256 = ? WHERE id = ?",
                        {fact ? Value(name(step.verdict)) : Value(), value(step.ratio), value(step.ci95.low),
                         value(step.ci95.high), value(step.ci99.low), value(step.ci99.high), step.baselineSha256,
                         evaluation.kernel});
}

// The best draft of an experiment: accepted, with the highest ratio to its parent; of equals the newest.
struct BestDraft {
    std::optional<KernelId> kernel;
    std::optional<double> gain;
};

Result<BestDraft> bestDraft(const Database& database, ExperimentId experiment) {
    BestDraft best;
    double bestRatio = 0;
    GKS_TRY(database.each("SELECT id, verdict, versus_ratio, versus_verdict FROM kernel WHERE experiment = ? AND "
                          "verdict IS NOT NULL ORDER BY id",
                          {experiment}, [&](const Row& row) -> Result<void> {
                              GKS_TRY_ASSIGN(const VerdictKind kind, verdictKindFromName(row.text(1)));
                              const double ratio = row.isNull(2) ? 0 : row.real(2);
                              if (!isAccepted(kind) || ratio < bestRatio) {
                                  return {};
                              }
                              bestRatio = ratio;
                              best = {row.integer(0), {}};
                              if (!row.isNull(2)) {
                                  ComparisonFact fact;
                                  fact.ratio = ratio;
                                  GKS_TRY_ASSIGN(fact.verdict, verdictKindFromName(row.text(3)));
                                  best.gain = measuredGain(fact);
                              }
                              return {};
                          }));
    return best;
}

// An older draft that is evaluated again has no say, the first verdict of each has.
Result<void> finishExperiment(Database& database, ExperimentId experiment, const Evaluation& evaluation, bool wasJudged,
                              std::optional<ExperimentState> asked) {
    GKS_TRY_ASSIGN(const auto known, database.integer("SELECT kernel FROM experiment WHERE id = ?", {experiment}));
    if (wasJudged && known != evaluation.kernel) {
        return {};
    }
    GKS_TRY_ASSIGN(const BestDraft best, bestDraft(database, experiment));
    GKS_TRY_ASSIGN(const ExperimentState before, storedState(database, experiment));
    const ExperimentState unasked = before == ExperimentState::writing ? before
                                    : best.kernel                      ? ExperimentState::done
                                                                       : ExperimentState::failed;
    GKS_TRY_ASSIGN(const ExperimentState state, stateAfterVerdict(database, experiment, asked.value_or(unasked)));
    const bool tellsWhy = !best.kernel && (state == ExperimentState::approved || state == ExperimentState::failed);
    const Verdict& verdict = evaluation.verdict;
    const std::string failure = tellsWhy ? fmt::format("{}: {}", name(verdict.kind), verdict.reason) : "";
    GKS_TRY(database.run("UPDATE experiment SET state = ?, measured_gain = ?, failure = ? WHERE id = ?",
                         {name(state), orNull(best.gain), failure, experiment}));
    // What a person sent back stays its kernel until it is written anew.
    return best.kernel ? database.run("UPDATE experiment SET kernel = ? WHERE id = ? AND NOT (state IN (?, ?) AND "
                                      "EXISTS (SELECT 1 FROM kernel WHERE id = experiment.kernel AND state = ?))",
                                      {*best.kernel, experiment, name(ExperimentState::approved),
                                       name(ExperimentState::writing), name(KernelState::declined)})
                       : Result<void>();
}

std::string inclusionsText(const std::vector<Inclusion>& inclusions) {
    OrderedJson rows = OrderedJson::array();
    for (const Inclusion& inclusion : inclusions) {
        rows.push_back({{"kind", inclusion.kind}, {"name", inclusion.name}, {"tokens", inclusion.tokens}});
    }
    return storedJson(rows);
}

Result<std::vector<Inclusion>> inclusionsFrom(const std::string& text) {
    GKS_TRY_ASSIGN(const Json json, parseStoredJson(text, "exchange.inclusions"));
    std::vector<Inclusion> inclusions;
    try {
        for (const Json& row : json) {
            inclusions.push_back({row.at("kind"), row.at("name"), row.at("tokens")});
        }
    } catch (const Json::exception& error) {
        return damagedColumn(error.what(), "exchange.inclusions");
    }
    return inclusions;
}

// A prompt shows the kernels that its experiment starts from, and a reply is mostly one of them with changes.
Result<std::vector<std::string>> quotedSources(const Database& database, const Exchange& exchange) {
    std::vector<std::string> sources;
    GKS_TRY(database.each("SELECT source FROM kernel WHERE id IN (?1, (SELECT parent FROM experiment WHERE id = ?2), "
                          "(SELECT reference FROM experiment WHERE id = ?2))",
                          {orNull(exchange.kernel), orNull(exchange.experiment)}, [&](const Row& row) -> Result<void> {
                              sources.push_back(row.text(0));
                              return {};
                          }));
    return sources;
}

// Whose word counts in a campaign is settled when it is made: a pack may have been exchanged since. A failure of the
// infrastructure is nobody's word.
Result<void> checkJudge(const Evaluation& evaluation, bool isProbe, const CampaignSettings& settings) {
    const std::string judge = judgedBy(evaluation.verdict);
    const bool isOfHarness = settings.judgedByHarness && !isProbe;
    if (judge == (isOfHarness ? harnessLabel : "") ||
        (judge.empty() && evaluation.verdict.kind == VerdictKind::infrastructureFailed)) {
        return {};
    }
    return tl::unexpected(
        ofOtherJudge("its verdict is", judge, isOfHarness, fmt::format("kernel {}", kernelLabel(evaluation.kernel))));
}

} // namespace

Result<std::int64_t> CampaignStore::addEvaluation(const Evaluation& unbound,
                                                  std::optional<ExperimentState> itsExperiment) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    Database& database = m_state->database;
    GKS_TRY_ASSIGN(const Subject subject, subjectOf(database, unbound.kernel));
    GKS_TRY_ASSIGN(const CampaignSettings campaignSettings, settings());
    GKS_TRY(checkJudge(unbound, subject.probe, campaignSettings));
    GKS_TRY_ASSIGN(const Evaluation evaluation, boundToSources(database, unbound));
    const Verdict& verdict = evaluation.verdict;
    const std::string json = storedJson(toJson(verdict));
    m_state->reader.kernelChanged(evaluation.kernel);
    m_state->reader.campaignChanged();
    GKS_TRY(database.run("INSERT INTO evaluation (kernel, baseline, purpose, lane, started_at, ended_at) "
                         "VALUES (?, ?, ?, ?, ?, ?)",
                         {evaluation.kernel, orNull(evaluation.baseline), evaluation.purpose, evaluation.lane,
                          evaluation.startedAt, evaluation.endedAt}));
    const std::int64_t id = database.lastId();
    GKS_TRY(writeVerdictText(database, m_state->frames, id, json));
    GKS_TRY(writeFacts(database, id, verdict));
    for (std::size_t i = 0; i < verdict.measurements.size(); ++i) {
        const std::string us = compressedSamples(verdict.measurements[i].sampleUs);
        const auto row = static_cast<std::int64_t>(i);
        GKS_TRY(database.run(insertSamples, {id, row, Blob{us}}));
        if (!verdict.measurements[i].baselineSampleUs.empty()) {
            const std::string baselineUs = compressedSamples(verdict.measurements[i].baselineSampleUs);
            GKS_TRY(database.run(insertSamples, {id, ofBaseline(row), Blob{baselineUs}}));
        }
    }
    GKS_TRY(insertPlans(database, id, verdict));
    const bool own = verdict.kind != VerdictKind::infrastructureFailed;
    const bool onDevice = evaluation.purpose != screeningPurpose;
    GKS_TRY(database.run(
        "UPDATE campaign SET evaluations = evaluations + ?, gpu_seconds = gpu_seconds + ?",
        {std::int64_t{isPaidEvaluation(evaluation)}, onDevice ? verdict.verifySeconds + verdict.measureSeconds : 0.0}));
    if (!own && !standsBeside(evaluation.purpose)) {
        GKS_TRY(enterState(database, evaluation.kernel, KernelState::waiting));
    } else if (isOwnVerdict(evaluation)) {
        GKS_TRY_ASSIGN(const auto judged,
                       database.integer("SELECT verdict IS NOT NULL FROM kernel WHERE id = ?", {evaluation.kernel}));
        GKS_TRY(enterState(database, evaluation.kernel, KernelState::evaluated));
        GKS_TRY(writeSummary(database, evaluation, subject));
        if (subject.experiment) {
            m_state->reader.experimentChanged(*subject.experiment);
            GKS_TRY(finishExperiment(database, *subject.experiment, evaluation, judged == 1, itsExperiment));
        }
    }
    GKS_TRY(transaction.commit());
    return id;
}

Result<std::vector<EvaluationOwner>> CampaignStore::evaluationOwners() const {
    std::vector<EvaluationOwner> found;
    GKS_TRY(m_state->database.each("SELECT id, kernel FROM evaluation ORDER BY id", {},
                                   [&](const Row& row) -> Result<void> {
                                       found.push_back({row.integer(0), row.integer(1)});
                                       return {};
                                   }));
    return found;
}

Result<void> CampaignStore::checkSummaries(KernelId first) const {
    GKS_TRY_ASSIGN(const std::int64_t schema, m_state->schema());
    return schema < framesVersion ? Result<void>() : checkSummaryRows(m_state->database, first);
}

Result<std::vector<Error>> CampaignStore::brokenLinks() const {
    std::vector<Error> found;
    GKS_TRY(m_state->database.each("PRAGMA foreign_key_check", {}, [&](const Row& row) -> Result<void> {
        const std::string which = row.isNull(1) ? std::string() : fmt::format(" {}", row.integer(1));
        Error one = damage(fmt::format("what it names in table {} is missing", row.text(2)), row.text(0) + which);
        if (found.empty() || found.back().message() != one.message()) { // rows without a number are all called the same
            found.push_back(std::move(one));
        }
        return {};
    }));
    return found;
}

Result<std::vector<Evaluation>> CampaignStore::evaluations(KernelId kernel) const {
    GKS_TRY_ASSIGN(const std::int64_t schema, m_state->schema());
    GKS_TRY_ASSIGN(auto found, readEvaluations(m_state->database, m_state->frames, schema, kernel));
    for (Evaluation& evaluation : found) {
        GKS_TRY(m_state->database.each("SELECT measurement, us FROM samples WHERE evaluation = ?", {evaluation.id},
                                       [&](const Row& row) -> Result<void> {
                                           const std::int64_t stored = row.integer(0);
                                           const auto at =
                                               static_cast<std::size_t>(stored < 0 ? ofBaseline(stored) : stored);
                                           GKS_TRY_ASSIGN(auto us, within(evaluationPlace(kernel, evaluation.id),
                                                                          decompressedSamples(row.text(1), "samples")));
                                           if (at < evaluation.verdict.measurements.size()) {
                                               MeasurementFact& fact = evaluation.verdict.measurements[at];
                                               (stored < 0 ? fact.baselineSampleUs : fact.sampleUs) = std::move(us);
                                           }
                                           return {};
                                       }));
    }
    return found;
}

Result<std::optional<Verdict>> CampaignStore::newestVerdict(KernelId kernel) const {
    GKS_TRY_ASSIGN(const std::int64_t schema, m_state->schema());
    return readNewestVerdict(m_state->database, m_state->frames, schema, kernel);
}

Result<std::string> CampaignStore::source(KernelId kernel) const {
    return readSource(m_state->database, m_state->frames, kernel);
}

Result<std::vector<KernelId>> CampaignStore::searchKernels(std::string_view words, int limit) const {
    GKS_TRY_ASSIGN(const std::int64_t schema, m_state->schema());
    return schema < indexedVersion ? scannedKernels(m_state->database, words, limit)
                                   : indexedKernels(m_state->database, words, limit);
}

Result<std::int64_t> CampaignStore::addExchange(const Exchange& exchange) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    Database& database = m_state->database;
    GKS_TRY_ASSIGN(const auto quoted, quotedSources(database, exchange));
    GKS_TRY_ASSIGN(const std::string prompt,
                   m_state->frames.pack(database, promptKind(exchange.stage), exchange.prompt, quoted));
    GKS_TRY_ASSIGN(const std::string reply,
                   m_state->frames.pack(database, replyKind(exchange.stage), exchange.reply, quoted));
    GKS_TRY_ASSIGN(const std::string inclusions,
                   m_state->frames.pack(database, inclusionsKind(exchange.stage), inclusionsText(exchange.inclusions)));
    m_state->reader.campaignChanged();
    GKS_TRY(
        database.run("INSERT INTO exchange (stage, provider, model, prompt, reply, error, kernel, experiment, "
                     "tokens_in, tokens_out, tokens_estimated, usd, priced, seconds, first_token_seconds, attempts, "
                     "inclusions, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                     {exchange.stage, exchange.provider, exchange.model, Blob{prompt}, Blob{reply}, exchange.error,
                      orNull(exchange.kernel), orNull(exchange.experiment), exchange.tokensIn, exchange.tokensOut,
                      std::int64_t{exchange.tokensEstimated}, exchange.usd.value_or(0),
                      std::int64_t{exchange.usd.has_value()}, exchange.seconds, exchange.firstTokenSeconds,
                      std::int64_t{exchange.attempts}, Blob{inclusions}, exchange.at != 0 ? exchange.at : now()}));
    const std::int64_t id = database.lastId();
    const std::int64_t tokens = exchange.tokensIn + exchange.tokensOut;
    GKS_TRY(
        database.run("UPDATE campaign SET tokens = tokens + ?, usd = usd + ?, unpriced_tokens = unpriced_tokens + ?",
                     {tokens, exchange.usd.value_or(0), exchange.usd ? 0 : tokens}));
    GKS_TRY(transaction.commit());
    return id;
}

Result<std::vector<Exchange>> CampaignStore::exchanges(std::optional<KernelId> kernel,
                                                       std::optional<ExperimentId> experiment) const {
    std::vector<Exchange> found;
    GKS_TRY_ASSIGN(const std::int64_t schema, m_state->schema());
    const std::string columns =
        std::string(
            "SELECT id, stage, provider, model, prompt, reply, error, kernel, experiment, tokens_in, tokens_out, "
            "usd, seconds, at, first_token_seconds, attempts, inclusions, priced, ") +
        (schema >= exchangeEstimatesVersion ? "tokens_estimated" : "0");
    // A writer's exchange is stored before its kernel exists, so a kernel's exchanges are also those of its experiment.
    const std::string query =
        columns + " FROM exchange "
                  "WHERE (?1 IS NULL OR kernel = ?1 OR experiment = (SELECT experiment FROM kernel WHERE id = ?1)) "
                  "AND (?2 IS NULL OR experiment = ?2) ORDER BY id";
    GKS_TRY(m_state->database.each(
        query.c_str(), {orNull(kernel), orNull(experiment)}, [&](const Row& row) -> Result<void> {
            Exchange exchange;
            exchange.id = row.integer(0);
            const std::string place = fmt::format("exchange {}", exchange.id);
            exchange.stage = row.text(1);
            exchange.provider = row.text(2);
            exchange.model = row.text(3);
            GKS_TRY_ASSIGN(exchange.prompt,
                           within(place, m_state->frames.unpack(m_state->database, row.text(4), "exchange.prompt")));
            GKS_TRY_ASSIGN(exchange.reply,
                           within(place, m_state->frames.unpack(m_state->database, row.text(5), "exchange.reply")));
            exchange.error = row.text(6);
            exchange.kernel = row.optionalInteger(7);
            exchange.experiment = row.optionalInteger(8);
            exchange.tokensIn = row.integer(9);
            exchange.tokensOut = row.integer(10);
            exchange.usd = row.integer(17) != 0 ? std::optional(row.real(11)) : std::nullopt;
            exchange.seconds = row.real(12);
            exchange.at = row.integer(13);
            exchange.tokensEstimated = row.integer(18) != 0;
            exchange.firstTokenSeconds = row.real(14);
            exchange.attempts = static_cast<int>(row.integer(15));
            GKS_TRY_ASSIGN(const std::string inclusions,
                           within(place, m_state->frames.read(m_state->database, row, 16, "exchange.inclusions")));
            GKS_TRY_ASSIGN(exchange.inclusions, within(place, inclusionsFrom(inclusions)));
            found.push_back(std::move(exchange));
            return {};
        }));
    return found;
}

Result<std::vector<Steering>> CampaignStore::steering() const {
    std::vector<Steering> found;
    GKS_TRY_ASSIGN(const std::int64_t schema, m_state->schema());
    const std::string question = fmt::format("SELECT id, who, action, detail, at, {} FROM steering ORDER BY id",
                                             schema < indexedVersion ? "''" : "before");
    GKS_TRY(m_state->database.each(question.c_str(), {}, [&](const Row& row) -> Result<void> {
        GKS_TRY_ASSIGN(const Author who, authorFromName(row.text(1)));
        found.push_back({row.integer(0), who, row.text(2), row.text(3), row.integer(4), row.text(5)});
        return {};
    }));
    return found;
}

} // namespace gks
