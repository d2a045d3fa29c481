// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/engine_bridge.h"

namespace gks {

// Evaluations, conversations and steering of the sample campaign, made from its population.
class SampleQueries final : public CampaignQueries {
public:
    SampleQueries(PopulationPtr population, std::shared_ptr<const ProblemPack> problem)
        : m_population(std::move(population)), m_problem(std::move(problem)) {}

    Result<std::vector<Evaluation>> evaluations(KernelId kernel) const override;
    Result<std::vector<Exchange>> exchanges(std::optional<KernelId> kernel,
                                            std::optional<ExperimentId> experiment) const override;
    Result<std::shared_ptr<const RecordedPlans>> newestPlans(KernelId kernel) const override;
    Result<std::vector<EvaluationOwner>> evaluationOwners() const override;
    Result<std::string> source(KernelId kernel) const override;
    Result<std::vector<KernelId>> searchKernels(const std::string& words, int limit) const override;
    Result<std::vector<Passage>> passages(std::int64_t document) const override;
    Result<std::vector<Passage>> searchPassages(const std::string& words, int limit) const override;

private:
    PopulationPtr m_population;
    std::shared_ptr<const ProblemPack> m_problem;
};

} // namespace gks
