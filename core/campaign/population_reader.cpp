// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/population_reader.h"

#include "core/campaign/names.h"
#include "core/campaign/rules.h"
#include "core/campaign/settings_json.h"
#include "core/campaign/stored_json.h"
#include "core/campaign/summary.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr const char* kernelColumns =
    "SELECT k.id, k.parents, k.reference, k.experiment, k.title, k.author, s.text, k.source, "
    "k.normalized_sha256, k.report, k.banned, k.held_back, k.created_at, k.state, k.verdict, k.reason, "
    "k.geomean_us, k.geomean_low_us, k.geomean_high_us, k.shape_medians_us, k.versus_parent, k.rubric, k.model, "
    "(SELECT count(*) FROM evaluation e WHERE e.kernel = k.id) "
    "FROM kernel k JOIN source s ON s.sha256 = k.source ";
constexpr const char* experimentColumns =
    "SELECT id, round, position, parent, reference, description, rubric, predicted_low_percent, "
    "predicted_high_percent, innovation, pick, state, author, edited_by_person, tunables, kernel, "
    "measured_gain_percent, failure, created_at, tuned_gain_percent, model FROM experiment ";

Result<ComparisonFact> comparisonFrom(const std::string& text) {
    GKS_TRY_ASSIGN(const Json json, parseJson(text, "kernel.versus_parent"));
    try {
        ComparisonFact fact;
        fact.ratio = json.at("ratio").get<double>();
        fact.ci95 = {json.at("ci95").at(0).get<double>(), json.at("ci95").at(1).get<double>()};
        const Json& deciding = json.contains("ci99") ? json.at("ci99") : json.at("ci95"); // older files have one alone
        fact.ci99 = {deciding.at(0).get<double>(), deciding.at(1).get<double>()};
        GKS_TRY_ASSIGN(fact.verdict, verdictKindFromName(json.at("verdict").get<std::string>()));
        fact.baselineSha256 = json.value("baseline_sha256", "");
        return fact;
    } catch (const Json::exception& error) {
        return infrastructureError(std::string("the campaign file is damaged (") + error.what() + ")",
                                   "kernel.versus_parent");
    }
}

Result<std::vector<RubricItem>> rubricFrom(const std::string& text) {
    GKS_TRY_ASSIGN(const Json json, parseJson(text, "kernel.rubric"));
    std::vector<RubricItem> rubric;
    try {
        for (const Json& row : json) {
            RubricItem item = {row.at("item"), row.at("claimed"), row.at("note"), {}, row.at("evidence")};
            if (row.contains("confirmed")) {
                item.confirmed = row.at("confirmed").get<bool>();
            }
            rubric.push_back(std::move(item));
        }
    } catch (const Json::exception& error) {
        return infrastructureError(std::string("the campaign file is damaged (") + error.what() + ")", "kernel.rubric");
    }
    return rubric;
}

Result<Kernel> kernelFrom(const Row& row) {
    Kernel kernel;
    kernel.id = row.integer(0);
    GKS_TRY_ASSIGN(kernel.parents, readStoredJson<std::vector<KernelId>>(row.text(1), "kernel.parents"));
    kernel.reference = row.optionalInteger(2);
    kernel.experiment = row.optionalInteger(3);
    kernel.title = row.text(4);
    GKS_TRY_ASSIGN(kernel.author, authorFromName(row.text(5)));
    kernel.source = row.text(6);
    kernel.sourceSha256 = row.text(7);
    kernel.normalizedSha256 = row.text(8);
    kernel.report = row.text(9);
    kernel.banned = row.flag(10);
    kernel.heldBack = row.flag(11);
    kernel.createdAt = row.integer(12);
    GKS_TRY_ASSIGN(kernel.state, kernelStateFromName(row.text(13)));
    if (!row.isNull(14)) {
        GKS_TRY_ASSIGN(kernel.verdict, verdictKindFromName(row.text(14)));
    }
    kernel.reason = row.text(15);
    kernel.geomeanUs = row.real(16);
    kernel.geomeanCi95Us = {row.real(17), row.real(18)};
    GKS_TRY_ASSIGN(kernel.shapeMediansUs, readStoredJson<std::vector<double>>(row.text(19), "kernel.shape_medians_us"));
    if (!row.isNull(20)) {
        GKS_TRY_ASSIGN(kernel.versusParent, comparisonFrom(row.text(20)));
    }
    GKS_TRY_ASSIGN(kernel.rubric, rubricFrom(row.text(21)));
    kernel.model = row.text(22);
    kernel.evaluations = row.integer(23);
    return kernel;
}

Result<Experiment> experimentFrom(const Row& row) {
    Experiment experiment;
    experiment.id = row.integer(0);
    experiment.round = row.integer(1);
    experiment.position = row.integer(2);
    experiment.parent = row.integer(3);
    experiment.reference = row.optionalInteger(4);
    experiment.description = row.text(5);
    experiment.rubric = row.text(6);
    experiment.predictedLowPercent = row.real(7);
    experiment.predictedHighPercent = row.real(8);
    experiment.innovation = static_cast<int>(row.integer(9));
    experiment.pick = row.text(10);
    GKS_TRY_ASSIGN(experiment.state, experimentStateFromName(row.text(11)));
    GKS_TRY_ASSIGN(experiment.author, authorFromName(row.text(12)));
    experiment.editedByPerson = row.flag(13);
    using Tunables = std::map<std::string, std::string>;
    GKS_TRY_ASSIGN(experiment.tunables, readStoredJson<Tunables>(row.text(14), "experiment.tunables"));
    experiment.kernel = row.optionalInteger(15);
    experiment.measuredGainPercent = row.optionalReal(16);
    experiment.failure = row.text(17);
    experiment.createdAt = row.integer(18);
    experiment.tunedGainPercent = row.optionalReal(19);
    experiment.model = row.text(20);
    return experiment;
}

// Ids are never reused and rows never removed, so a row is either replaced or appended.
template<class T>
void put(std::vector<T>& items, T item) {
    const auto at = std::lower_bound(items.begin(), items.end(), item.id,
                                     [](const T& known, std::int64_t id) { return known.id < id; });
    if (at != items.end() && at->id == item.id) {
        *at = std::move(item);
    } else {
        items.insert(at, std::move(item));
    }
}

Result<void> readKernels(const Database& database, const std::string& where, std::initializer_list<Value> values,
                         Population& population) {
    return database.each((kernelColumns + where).c_str(), values, [&](const Row& row) -> Result<void> {
        GKS_TRY_ASSIGN(Kernel kernel, kernelFrom(row));
        put(population.kernels, std::move(kernel));
        return {};
    });
}

Result<void> readExperiments(const Database& database, const std::string& where, std::initializer_list<Value> values,
                             Population& population) {
    return database.each((experimentColumns + where).c_str(), values, [&](const Row& row) -> Result<void> {
        GKS_TRY_ASSIGN(Experiment experiment, experimentFrom(row));
        put(population.experiments, std::move(experiment));
        return {};
    });
}

Result<void> readFindings(const Database& database, Population& population) {
    population.findings.clear();
    return database.each(
        "SELECT id, subject, text, gain_low_percent, gain_high_percent, evaluations, contradicting, state, author, "
        "edited_by_person, at, changed_at FROM finding ORDER BY id",
        {}, [&](const Row& row) -> Result<void> {
            using Ids = std::vector<std::int64_t>;
            Finding finding;
            finding.id = row.integer(0);
            finding.subject = row.text(1);
            finding.text = row.text(2);
            if (!row.isNull(3) && !row.isNull(4)) {
                finding.gainPercent = {row.real(3), row.real(4)};
            }
            GKS_TRY_ASSIGN(finding.evaluations, readStoredJson<Ids>(row.text(5), "finding.evaluations"));
            GKS_TRY_ASSIGN(finding.contradicting, readStoredJson<Ids>(row.text(6), "finding.contradicting"));
            GKS_TRY_ASSIGN(finding.state, findingStateFromName(row.text(7)));
            GKS_TRY_ASSIGN(finding.author, authorFromName(row.text(8)));
            finding.editedByPerson = row.flag(9);
            finding.at = row.integer(10);
            finding.changedAt = row.integer(11);
            population.findings.push_back(std::move(finding));
            return {};
        });
}

Result<void> readDocuments(const Database& database, Population& population) {
    population.documents.clear();
    return database.each("SELECT id, title, kind, sha256, size_bytes, digest, enabled, added_at, "
                         "(SELECT count(*) FROM passage p WHERE p.document = d.id) FROM document d ORDER BY id",
                         {}, [&](const Row& row) -> Result<void> {
                             Document document;
                             document.id = row.integer(0);
                             document.title = row.text(1);
                             document.kind = row.text(2);
                             document.sha256 = row.text(3);
                             document.sizeBytes = row.integer(4);
                             document.digest = row.text(5);
                             document.enabled = row.flag(6);
                             document.addedAt = row.integer(7);
                             document.passages = row.integer(8);
                             population.documents.push_back(std::move(document));
                             return {};
                         });
}

Result<void> readCampaign(const Database& database, Population& population) {
    bool found = false;
    GKS_TRY(database.each("SELECT problem_title, settings, evaluations, tokens, usd, unpriced_tokens, gpu_seconds, "
                          "wall_seconds FROM campaign",
                          {}, [&](const Row& row) -> Result<void> {
                              population.problemTitle = row.text(0);
                              GKS_TRY_ASSIGN(const Json json, parseJson(row.text(1), "campaign.settings"));
                              GKS_TRY_ASSIGN(population.settings, settingsFromJson(json));
                              population.spend = {row.integer(2), row.integer(3), row.real(4),
                                                  row.integer(5), row.real(6),    row.real(7)};
                              found = true;
                              return {};
                          }));
    return found ? Result<void>() : infrastructureError("the campaign file is damaged (it has no campaign row)");
}

} // namespace

bool PopulationReader::isStale() const {
    return !m_loaded || !m_staleKernels.empty() || !m_staleExperiments.empty() || m_findingsStale || m_documentsStale ||
           m_campaignStale;
}

Result<void> PopulationReader::load(const Database& database) {
    m_loaded = false;
    m_current = {};
    GKS_TRY(readCampaign(database, m_current));
    GKS_TRY(readKernels(database, "ORDER BY k.id", {}, m_current));
    GKS_TRY(readExperiments(database, "ORDER BY id", {}, m_current));
    GKS_TRY(readFindings(database, m_current));
    GKS_TRY(readDocuments(database, m_current));
    m_loaded = true;
    return {};
}

Result<void> PopulationReader::refresh(const Database& database) {
    for (const KernelId id : m_staleKernels) {
        GKS_TRY(readKernels(database, "WHERE k.id = ?", {id}, m_current));
    }
    for (const ExperimentId id : m_staleExperiments) {
        GKS_TRY(readExperiments(database, "WHERE id = ?", {id}, m_current));
    }
    if (m_findingsStale) {
        GKS_TRY(readFindings(database, m_current));
    }
    if (m_documentsStale) {
        GKS_TRY(readDocuments(database, m_current));
    }
    return m_campaignStale ? readCampaign(database, m_current) : Result<void>();
}

Result<PopulationPtr> PopulationReader::read(const Database& database) {
    GKS_TRY_ASSIGN(const auto dataVersion, database.integer("PRAGMA data_version"));
    if (dataVersion.value_or(0) != m_dataVersion) {
        m_loaded = false;
    }
    if (m_published && !isStale()) {
        return m_published;
    }
    GKS_TRY(m_loaded ? refresh(database) : load(database));
    m_dataVersion = dataVersion.value_or(0);
    m_staleKernels.clear();
    m_staleExperiments.clear();
    m_findingsStale = false;
    m_documentsStale = false;
    m_campaignStale = false;
    derive(m_current);
    m_published = std::make_shared<const Population>(m_current);
    return m_published;
}

} // namespace gks
