// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/trust_gate.h"
#include "core/campaign/campaign_pack.h"

namespace gks {

Result<void> TrustGate::open(const std::vector<TrustKind>& answered) {
    GKS_TRY_ASSIGN(m_identity, trustIdentity(m_run.store()));
    if (answered.empty()) {
        return {};
    }
    GKS_TRY_ASSIGN(auto questions, trustQuestions(m_run.population().settings));
    return TrustAnswers().trust(m_identity, ofKinds(std::move(questions), answered));
}

void TrustGate::answerFor(const std::map<std::string, ModelChoice>& named) {
    std::vector<TrustQuestion> fresh = modelQuestions(named);
    for (const TrustQuestion& known : modelQuestions(m_run.population().settings.models)) {
        std::erase_if(fresh, [&](const TrustQuestion& question) { return question.sameContent(known); });
    }
    if (const auto answered = TrustAnswers().trust(m_identity, fresh); !answered) {
        m_run.warn(answered.error(), "trust");
    }
}

bool TrustGate::isTrusted(bool toStart) {
    auto open = trustQuestions(m_run.population().settings).and_then([this](std::vector<TrustQuestion> questions) {
        return TrustAnswers().open(m_identity, std::move(questions));
    });
    if (!open) {
        m_run.warn(open.error(), "trust");
        return false;
    }
    if (open->empty()) {
        return true;
    }
    if (toStart) {
        m_run.warn(notTrusted(*open, m_run.store().file().string()), "trust");
    }
    m_outlet.emit(TrustAsked{std::move(*open), toStart});
    return false;
}

bool TrustGate::isPackTrusted(bool toStart) {
    if (m_packIsBuiltin) {
        return true;
    }
    const CampaignSettings& settings = m_run.population().settings;
    const auto pack = packOfCampaign(settings);
    if (!pack) {
        if (!settings.judgedByHarness && !loadCampaignProblem(settings.problem)) {
            return true; // the evaluator says what is wrong with it
        }
        m_run.halt(pack.error(), "problem"); // no device is at fault, and nothing of another judge's pack runs
        return false;
    }
    m_packIsBuiltin = isBuiltin(*pack);
    auto open = packQuestion(*pack).and_then([this](const std::optional<TrustQuestion>& question) {
        return TrustAnswers().open(m_identity, question ? std::vector{*question} : std::vector<TrustQuestion>());
    });
    if (open && open->empty()) {
        return true;
    }
    m_run.halt(open ? notTrusted(*open, m_run.store().file().string()) : open.error(), "trust");
    if (open) {
        m_outlet.emit(TrustAsked{std::move(*open), toStart});
    }
    return false;
}

} // namespace gks
