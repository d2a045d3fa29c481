// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/population_reader.h"

#include "core/base/error_place.h"
#include "core/base/text.h"
#include "core/campaign/anchors.h"
#include "core/campaign/kernel_rows.h"
#include "core/campaign/limits.h"
#include "core/campaign/names.h"
#include "core/campaign/row_checks.h"
#include "core/campaign/rules.h"
#include "core/campaign/schema.h"
#include "core/campaign/settings_json.h"
#include "core/campaign/stored_json.h"
#include "core/campaign/summary.h"
#include "core/rating/shape_scales.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

// In a file of an earlier schema what stands for the columns that came later.
std::string experimentColumns(std::int64_t schema) {
    std::string later = "predicted_low, predicted_high, measured_gain, tuned_gain, kind, limit_text, shapes, disproof, "
                        "avenue";
    if (schema < roundsVersion) {
        const auto predicted = [](const char* column) {
            return fmt::format("CASE WHEN predicted_low_percent <> 0 OR predicted_high_percent <> 0 THEN {} END",
                               gainRatioOf(column));
        };
        later = fmt::format("{}, {}, {}, {}, 'change', '', '', '', NULL", predicted("predicted_low_percent"),
                            predicted("predicted_high_percent"), gainRatioOf("measured_gain_percent"),
                            gainRatioOf("tuned_gain_percent"));
    }
    later += schema < writersVersion
                 ? ", '', '[]'"
                 : ", writer, (SELECT json_group_array(finding) FROM finding_use u WHERE u.experiment = experiment.id)";
    return "SELECT id, round, position, parent, reference, description, rubric, innovation, pick, state, author, "
           "edited_by_person, tunables, kernel, failure, created_at, model, " +
           later + " FROM experiment ";
}

// A line of its own in lists and tables, so it is no longer than what is typed there, whoever wrote the file.
std::string title(const std::string& text) {
    return abbreviated(text, limits::readTitleBytes);
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
    experiment.innovation = static_cast<int>(row.integer(7));
    experiment.pick = row.text(8);
    GKS_TRY_ASSIGN(experiment.state, experimentStateFromName(row.text(9)));
    GKS_TRY_ASSIGN(experiment.author, authorFromName(row.text(10)));
    experiment.editedByPerson = row.flag(11);
    using Tunables = std::map<std::string, std::string>;
    if (const std::string tunables = row.text(12); tunables != "{}") {
        GKS_TRY_ASSIGN(experiment.tunables, readStoredJson<Tunables>(tunables, "experiment.tunables"));
    }
    experiment.kernel = row.optionalInteger(13);
    experiment.failure = row.text(14);
    experiment.createdAt = row.integer(15);
    experiment.model = row.text(16);
    const Interval predicted = {row.real(17), row.real(18)};
    if (!row.isNull(17) && !row.isNull(18) && isRatioRange(predicted)) { // a model's guess, and no measurement
        experiment.predicted = predicted;
    }
    experiment.measuredGain = row.optionalReal(19);
    experiment.tunedGain = row.optionalReal(20);
    GKS_TRY_ASSIGN(experiment.kind, experimentKindFromName(row.text(21)));
    experiment.limit = row.text(22);
    experiment.shapes = row.text(23);
    experiment.disproof = row.text(24);
    experiment.avenue = row.optionalInteger(25);
    experiment.writer = row.text(26);
    GKS_TRY_ASSIGN(experiment.uses, readStoredNumbers<std::int64_t>(row.text(27), "finding_use"));
    return experiment;
}

Result<std::vector<ShapeLimit>> diagnosisFrom(const std::string& text) {
    GKS_TRY_ASSIGN(const Json json, parseStoredJson(text, "round.diagnosis"));
    std::vector<ShapeLimit> diagnosis;
    try {
        for (const Json& row : json) {
            diagnosis.push_back({row.at("shapes"), row.at("limit"), row.at("evidence"), row.at("headroom")});
        }
    } catch (const Json::exception& error) {
        return damagedColumn(error.what(), "round.diagnosis");
    }
    return diagnosis;
}

// Ids are never reused and rows never removed, so a row is either replaced or appended.
template<class T>
void put(SharedList<T>& items, T item) {
    if (items.empty() || items.back().id < item.id) {
        items.push_back(std::move(item));
        return;
    }
    const auto at = std::lower_bound(items.begin(), items.end(), item.id,
                                     [](const T& known, std::int64_t id) { return known.id < id; });
    const auto place = static_cast<std::size_t>(at - items.begin());
    if (at != items.end() && at->id == item.id) {
        items.edit(place) = std::move(item);
    } else {
        items.insert(place, std::move(item));
    }
}

Result<void> readExperiments(const Database& database, std::int64_t schema, const std::string& where,
                             std::initializer_list<Value> values, Population& population) {
    return database.each((experimentColumns(schema) + where).c_str(), values, [&](const Row& row) -> Result<void> {
        GKS_TRY_ASSIGN(Experiment experiment,
                       within(fmt::format("experiment {}", row.integer(0)), experimentFrom(row)));
        GKS_TRY(checkNumbers(experiment));
        put(population.experiments, std::move(experiment));
        return {};
    });
}

Result<void> readRounds(const Database& database, std::int64_t schema, Population& population) {
    population.rounds.clear();
    population.avenues.clear();
    if (schema < roundsVersion) {
        return {};
    }
    GKS_TRY(
        database.each("SELECT id, parent, reference, rationale, diagnosis, model, created_at FROM round ORDER BY id",
                      {}, [&](const Row& row) -> Result<void> {
                          Round round = {row.integer(0), row.integer(1), row.optionalInteger(2), row.text(3), {},
                                         row.text(5),    row.integer(6)};
                          GKS_TRY_ASSIGN(round.diagnosis, diagnosisFrom(row.text(4)));
                          population.rounds.push_back(std::move(round));
                          return {};
                      }));
    return database.each("SELECT id, round, text, asked FROM avenue ORDER BY id", {},
                         [&](const Row& row) -> Result<void> {
                             population.avenues.push_back({row.integer(0), row.integer(1), row.text(2), row.flag(3)});
                             return {};
                         });
}

Result<void> readFindings(const Database& database, std::int64_t schema, Population& population) {
    population.findings.clear();
    const std::string gain = schema < roundsVersion
                                 ? gainRatioOf("gain_low_percent") + ", " + gainRatioOf("gain_high_percent")
                                 : "gain_low, gain_high";
    const std::string columns = "SELECT id, subject, text, " + gain +
                                ", evaluations, contradicting, state, author, edited_by_person, at, changed_at, " +
                                (schema < writersVersion ? "NULL" : "probe") + " FROM finding ORDER BY id";
    return database.each(columns.c_str(), {}, [&](const Row& row) -> Result<void> {
        using Ids = std::vector<std::int64_t>;
        Finding finding;
        finding.id = row.integer(0);
        finding.subject = row.text(1);
        finding.text = row.text(2);
        if (!row.isNull(3) && !row.isNull(4)) {
            finding.gain = {row.real(3), row.real(4)};
        }
        GKS_TRY_ASSIGN(finding.evaluations, readStoredJson<Ids>(row.text(5), "finding.evaluations"));
        GKS_TRY_ASSIGN(finding.contradicting, readStoredJson<Ids>(row.text(6), "finding.contradicting"));
        GKS_TRY_ASSIGN(finding.state, findingStateFromName(row.text(7)));
        GKS_TRY_ASSIGN(finding.author, authorFromName(row.text(8)));
        finding.editedByPerson = row.flag(9);
        finding.at = row.integer(10);
        finding.changedAt = row.integer(11);
        finding.probe = row.optionalInteger(12);
        GKS_TRY(checkNumbers(finding));
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
                             document.title = title(row.text(1));
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

// Whoever wrote the file: each text is a line of bounded length, and a record that cannot be read is a figure without a
// time.
Result<void> readAnchors(const Database& database, std::int64_t schema, Population& population) {
    population.anchors.clear();
    if (schema < writersVersion) {
        return {};
    }
    return database.each("SELECT id, name, title, lacks, lane, at, verdict FROM anchor ORDER BY id", {},
                         [&](const Row& row) -> Result<void> {
                             AnchorFigure anchor;
                             anchor.id = row.integer(0);
                             anchor.name = title(row.text(1));
                             anchor.title = title(row.text(2));
                             anchor.lacks = title(row.text(3));
                             anchor.lane = title(row.text(4));
                             anchor.at = row.integer(5);
                             const auto verdict = parseJson(row.text(6), "anchor.verdict").and_then(verdictFromJson);
                             if (verdict) {
                                 takeVerdict(anchor, *verdict);
                             } else {
                                 anchor.reason = "its record in the campaign cannot be read";
                             }
                             population.anchors.push_back(std::move(anchor));
                             return {};
                         });
}

constexpr const char* settingsColumn = "campaign.settings";

Result<void> readCampaign(const Database& database, std::int64_t schema, Population& population) {
    bool found = false;
    GKS_TRY(database.each(
        "SELECT problem_title, settings, evaluations, tokens, usd, unpriced_tokens, gpu_seconds, "
        "wall_seconds FROM campaign",
        {}, [&](const Row& row) -> Result<void> {
            population.problemTitle = title(row.text(0));
            GKS_TRY_ASSIGN(const Json json, parseStoredJson(row.text(1), settingsColumn));
            GKS_TRY_ASSIGN(population.settings,
                           within(settingsColumn, schema < wholeSettingsVersion ? settingsFromJson(json)
                                                                                : wholeSettingsFromJson(json)));
            population.spend = {row.integer(2), row.integer(3), row.real(4), row.integer(5), row.real(6), row.real(7)};
            GKS_TRY(checkNumbers(population.spend));
            found = true;
            return {};
        }));
    return found ? Result<void>() : damagedColumn("it has no campaign row", "campaign");
}

} // namespace

bool PopulationReader::isStale() const {
    return !m_loaded || !m_staleKernels.empty() || !m_staleExperiments.empty() || m_roundsStale || m_findingsStale ||
           m_documentsStale || m_anchorsStale || m_campaignStale;
}

Result<void> PopulationReader::readKernels(const Database& database, const std::string& where,
                                           std::initializer_list<Value> values) {
    Population& population = *m_current;
    return readKernelRows(database, m_schema, population.settings.shapeWeights, where, values,
                          [&](Kernel kernel) -> Result<void> {
                              m_texts->attachTo(kernel);
                              put(kernel.probe ? population.probes : population.kernels, std::move(kernel));
                              return {};
                          });
}

Result<PopulationPtr> PopulationReader::readAlone(const Database& database,
                                                  const std::vector<KernelId>& kernels) const {
    auto population = std::make_shared<Population>();
    GKS_TRY_ASSIGN(const auto schema, database.integer("PRAGMA user_version"));
    GKS_TRY(readCampaign(database, schema.value_or(0), *population));
    for (const KernelId id : kernels) {
        GKS_TRY(readKernelRows(database, schema.value_or(0), population->settings.shapeWeights, "WHERE k.id = ?", {id},
                               [&](Kernel kernel) -> Result<void> {
                                   m_texts->attachTo(kernel);
                                   put(kernel.probe ? population->probes : population->kernels, std::move(kernel));
                                   return {};
                               }));
    }
    return population;
}

void PopulationReader::fitShapes() {
    auto& scales = m_current->shapeScales;
    if (!m_current->baseline) {
        scales.reset();
    } else if (!scales || !scales->isOf(*m_current->baseline, m_comparisons.shapeRuns())) {
        scales = std::make_shared<const ShapeScales>(*m_current->baseline, m_comparisons.shapeRuns());
    }
}

Result<void> PopulationReader::load(const Database& database) {
    m_loaded = false;
    m_current = std::make_shared<Population>();
    m_comparisons = {};
    GKS_TRY_ASSIGN(const auto schema, database.integer("PRAGMA user_version"));
    m_schema = schema.value_or(0);
    GKS_TRY(readCampaign(database, m_schema, *m_current));
    GKS_TRY(readKernels(database, "ORDER BY k.id", {}));
    GKS_TRY(readExperiments(database, m_schema, "ORDER BY id", {}, *m_current));
    GKS_TRY(readRounds(database, m_schema, *m_current));
    GKS_TRY(readFindings(database, m_schema, *m_current));
    GKS_TRY(readDocuments(database, *m_current));
    GKS_TRY(readAnchors(database, m_schema, *m_current));
    GKS_TRY(m_comparisons.readNew(database, m_schema, *m_current));
    m_loaded = true;
    return {};
}

Result<void> PopulationReader::refresh(const Database& database) {
    m_current = std::make_shared<Population>(*m_current); // whoever has the published one keeps it as it was
    if (m_campaignStale) {
        const ShapeWeights before = m_current->settings.shapeWeights;
        GKS_TRY(readCampaign(database, m_schema, *m_current));
        if (m_current->settings.shapeWeights != before) { // every mean is another one
            return load(database);
        }
    }
    for (const KernelId id : m_staleKernels) {
        GKS_TRY(readKernels(database, "WHERE k.id = ?", {id}));
    }
    GKS_TRY(m_comparisons.readNew(database, m_schema, *m_current));
    for (const ExperimentId id : m_staleExperiments) {
        GKS_TRY(readExperiments(database, m_schema, "WHERE id = ?", {id}, *m_current));
    }
    if (m_roundsStale) {
        GKS_TRY(readRounds(database, m_schema, *m_current));
    }
    if (m_findingsStale) {
        GKS_TRY(readFindings(database, m_schema, *m_current));
    }
    if (m_documentsStale) {
        GKS_TRY(readDocuments(database, *m_current));
    }
    if (m_anchorsStale) {
        GKS_TRY(readAnchors(database, m_schema, *m_current));
    }
    return {};
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
    m_roundsStale = false;
    m_findingsStale = false;
    m_documentsStale = false;
    m_anchorsStale = false;
    m_campaignStale = false;
    derive(*m_current);
    fitShapes();
    m_published = m_current;
    return m_published;
}

} // namespace gks
