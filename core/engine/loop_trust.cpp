// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop.h"

#include <algorithm>

// Nothing that a file from elsewhere names gets a key or is built before somebody has answered for it. A start is
// refused; and because a pack may change while the campaign runs, it is looked at again before every evaluation.
namespace gks {

Result<void> Loop::answerTrust() {
    GKS_TRY_ASSIGN(m_identity, m_store->identity());
    if (m_options.trusted.empty()) {
        return {};
    }
    GKS_TRY_ASSIGN(auto questions, trustQuestions(m_population->settings));
    std::erase_if(questions, [this](const TrustQuestion& question) {
        return std::find(m_options.trusted.begin(), m_options.trusted.end(), question.kind) == m_options.trusted.end();
    });
    return TrustAnswers().trust(m_identity, questions);
}

bool Loop::isTrusted(bool toStart) {
    auto open = trustQuestions(m_population->settings).and_then([this](std::vector<TrustQuestion> questions) {
        return TrustAnswers().open(m_identity, std::move(questions));
    });
    if (!open) {
        warn(open.error(), "trust");
        return false;
    }
    if (open->empty()) {
        return true;
    }
    if (toStart) {
        warn(notTrusted(*open, m_store->file().string()), "trust");
    }
    m_outlet.emit(TrustAsked{std::move(*open), toStart});
    return false;
}

bool Loop::isPackTrusted() {
    if (m_packIsBuiltin) {
        return true;
    }
    const auto pack = loadProblemPack(m_population->settings.problem);
    if (!pack) {
        return true; // the evaluator says what is wrong with it
    }
    m_packIsBuiltin = isBuiltin(*pack);
    auto open = packQuestion(*pack).and_then([this](const std::optional<TrustQuestion>& question) {
        return TrustAnswers().open(m_identity, question ? std::vector{*question} : std::vector<TrustQuestion>());
    });
    if (open && open->empty()) {
        return true;
    }
    halt(open ? notTrusted(*open, m_store->file().string()) : open.error(), "trust");
    if (open) {
        m_outlet.emit(TrustAsked{std::move(*open), true});
    }
    return false;
}

} // namespace gks
