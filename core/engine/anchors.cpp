// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/anchors.h"

#include "core/campaign/anchors.h"
#include "core/campaign/rules.h"

#include <algorithm>

namespace gks {

bool Anchors::isDue(const Population& population, const AnchorSpec& anchor) const {
    return std::none_of(population.anchors.begin(), population.anchors.end(),
                        [&](const AnchorFigure& figure) { return figure.name == anchor.name; }) &&
           std::none_of(m_away.begin(), m_away.end(), [&](const auto& away) { return away.second == anchor; });
}

std::optional<AnchorSpec> Anchors::next(const Population& population, TargetKind target) {
    const Kernel* const baseline = population.baseline ? population.kernel(*population.baseline) : nullptr;
    const bool seedsAreJudged =
        std::none_of(population.kernels.begin(), population.kernels.end(),
                     [](const Kernel& kernel) { return kernel.author == Author::seed && mayStillBeJudged(kernel); });
    if (target != population.settings.target || baseline == nullptr || !isAccepted(*baseline) || !seedsAreJudged) {
        return std::nullopt;
    }
    if (!m_known) {
        auto pack = m_loadProblem(population.settings.problem);
        m_known = pack ? std::move(pack->anchors) : std::vector<AnchorSpec>();
    }
    const auto due = std::find_if(m_known->begin(), m_known->end(), [&](const AnchorSpec& anchor) {
        return anchor.target == name(target) && isDue(population, anchor);
    });
    return due == m_known->end() ? std::nullopt : std::optional(*due);
}

std::optional<AnchorSpec> Anchors::ended(std::size_t lane) {
    const auto away = m_away.extract(lane);
    return away.empty() ? std::nullopt : std::optional(away.mapped());
}

AnchorFigure figureOf(const AnchorSpec& anchor, const Evaluation& evaluation) {
    AnchorFigure figure;
    figure.name = anchor.name;
    figure.title = anchor.title;
    figure.lacks = anchor.lacks;
    figure.lane = evaluation.lane;
    figure.at = evaluation.endedAt;
    return figure;
}

} // namespace gks
