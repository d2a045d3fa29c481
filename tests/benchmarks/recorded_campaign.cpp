// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/recorded_campaign.h"

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/campaign/normalized_source.h"
#include "core/campaign/rules.h"
#include "core/campaign/summary.h"
#include "core/rating/speed_scale.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <regex>

namespace gks::progress {
namespace {

// Prompts break lines and indent: words in a row are what is compared.
std::string wordsInARow(std::string_view text) {
    std::string row;
    for (const std::string_view word : words(text)) {
        row += std::string(word) + ' ';
    }
    return row;
}

std::string textOf(const ChatRequest& request) {
    std::string text;
    for (const ChatMessage& message : request.messages) {
        text += message.content + '\n';
    }
    return text;
}

const std::regex basisCode("\"basis_code\"\\s*:\\s*\"([0-9]{1,9})\"");

const Kernel* todays(const Kernel& then, const Population& today) {
    const auto found = std::find_if(today.kernels.begin(), today.kernels.end(), [&](const Kernel& kernel) {
        return kernel.normalizedSha256 == then.normalizedSha256;
    });
    return found == today.kernels.end() ? nullptr : &*found;
}

VerdictKind kindOf(const SpeedRatio& speed) {
    return !isDecided(speed) ? VerdictKind::undecided : speed.ratio > 1 ? VerdictKind::faster : VerdictKind::slower;
}

} // namespace

const Kernel* Recorded::known(const std::string& source) const {
    const std::string identity = sha256Hex(normalizedSource(source));
    const auto found = std::find_if(population->kernels.begin(), population->kernels.end(),
                                    [&](const Kernel& kernel) { return kernel.normalizedSha256 == identity; });
    return found == population->kernels.end() ? nullptr : &*found;
}

Result<Recorded> readRecorded(const std::string& file) {
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(file, CampaignStore::Access::read));
    Recorded recorded;
    GKS_TRY_ASSIGN(recorded.population, store->population());
    for (const Kernel& kernel : recorded.population->kernels) {
        GKS_TRY_ASSIGN(auto evaluations, store->evaluations(kernel.id));
        std::move(evaluations.begin(), evaluations.end(), std::back_inserter(recorded.evaluations));
    }
    std::sort(recorded.evaluations.begin(), recorded.evaluations.end(),
              [](const Evaluation& a, const Evaluation& b) { return a.id < b.id; });
    GKS_TRY_ASSIGN(recorded.exchanges, store->exchanges());
    return recorded;
}

Verdict RecordedJudge::verdictOf(const EvaluationRequest& request) {
    const Kernel* kernel = m_recorded.known(request.source);
    const Kernel* other = request.baseline ? m_recorded.known(*request.baseline) : nullptr;
    const Evaluation* own = nullptr;
    const Evaluation* beside = nullptr;
    for (const Evaluation& evaluation : m_recorded.evaluations) {
        if (kernel == nullptr || evaluation.kernel != kernel->id) {
            continue;
        }
        own = isOwnVerdict(evaluation) ? &evaluation : own;
        beside = other != nullptr && evaluation.baseline == other->id && evaluation.verdict.comparison ? &evaluation
                                                                                                       : beside;
    }
    if (own == nullptr) {
        const std::lock_guard lock(m_mutex);
        ++m_unknown[request.source];
        Verdict unknown;
        unknown.kind = VerdictKind::buildFailed;
        unknown.reason = "no verdict of this source is recorded";
        return unknown;
    }
    if (!isAccepted(own->verdict.kind) || beside != nullptr) {
        return isAccepted(own->verdict.kind) ? beside->verdict : own->verdict;
    }
    Verdict verdict = own->verdict;
    verdict.comparison.reset();
    verdict.kind = VerdictKind::correct;
    const auto& scale = m_recorded.population->scale;
    const auto speed = other != nullptr && scale ? scale->ratio(kernel->id, other->id) : std::nullopt;
    if (speed) {
        verdict.kind = kindOf(*speed);
        verdict.comparison = ComparisonFact{
            speed->ratio, speed->ci95, verdict.kind, other->sourceSha256, request.tieMarginPercent, speed->ci99};
    }
    return verdict;
}

int RecordedJudge::unknown() const {
    const std::lock_guard lock(m_mutex);
    return static_cast<int>(m_unknown.size());
}

RecordedReplies::RecordedReplies(const Recorded& recorded) : m_recorded(recorded) {
    for (const Exchange& exchange : recorded.exchanges) {
        if (exchange.error.empty() && !exchange.reply.empty()) {
            m_replies[exchange.stage].push_back({&exchange});
            ++m_counts[exchange.stage].recorded;
        }
    }
}

std::map<std::string, RecordedReplies::Count> RecordedReplies::counts() const {
    const std::lock_guard lock(m_mutex);
    return m_counts;
}

RecordedReplies::Reply* RecordedReplies::next(const std::string& stage, const std::string& prompt) {
    const bool isOfExperiment = stage == "writer" || stage == "repair" || stage == "checker";
    const std::string asked = isOfExperiment ? wordsInARow(prompt) : std::string();
    for (Reply& reply : m_replies[stage]) {
        if (reply.isGiven) {
            continue;
        }
        const Experiment* experiment =
            reply.exchange->experiment ? m_recorded.population->experiment(*reply.exchange->experiment) : nullptr;
        if (!isOfExperiment ||
            (experiment != nullptr && asked.find(wordsInARow(experiment->description)) != std::string::npos)) {
            return &reply;
        }
    }
    return nullptr;
}

Result<std::string> RecordedReplies::answer(const std::string& stage, const ChatRequest& request,
                                            const Population& today) {
    const std::lock_guard lock(m_mutex);
    if (stage == "selector") {
        return select(today);
    }
    Count& count = m_counts[stage];
    if (Reply* reply = next(stage, textOf(request))) {
        reply->isGiven = true;
        ++count.given;
        return withTodaysNumbers(reply->exchange->reply, today);
    }
    ++count.missing;
    return kernelError("no recorded reply is left", stage);
}

Result<std::string> RecordedReplies::select(const Population& today) {
    for (Reply& design : m_replies["designer"]) {
        const Kernel* basis =
            design.exchange->kernel ? m_recorded.population->kernel(*design.exchange->kernel) : nullptr;
        if (design.isGiven) {
            continue;
        }
        const Kernel* now = basis == nullptr ? nullptr : todays(*basis, today);
        if (now == nullptr || !mayBeParent(*now)) {
            design.isGiven = true;
            ++m_counts["designer"].leftOut;
            continue;
        }
        const auto recorded = recordedSelection(basis->id);
        return withTodaysNumbers(recorded ? *recorded : madeUpSelection(basis->id), today);
    }
    ++m_counts["selector"].missing;
    return kernelError("no recorded design is left", "selector");
}

std::optional<std::string> RecordedReplies::recordedSelection(KernelId basis) {
    for (Reply& reply : m_replies["selector"]) {
        std::smatch match;
        if (!reply.isGiven && std::regex_search(reply.exchange->reply, match, basisCode) &&
            std::stoll(match[1]) == basis) {
            reply.isGiven = true;
            ++m_counts["selector"].given;
            return reply.exchange->reply;
        }
    }
    return std::nullopt;
}

std::string RecordedReplies::madeUpSelection(KernelId basis) {
    ++m_counts["selector"].missing;
    const auto& rounds = m_recorded.population->rounds;
    const auto round =
        std::find_if(rounds.begin(), rounds.end(), [&](const Round& one) { return one.parent == basis; });
    const auto reference = round != rounds.end() ? round->reference : std::nullopt;
    return OrderedJson{{"rationale", "as recorded for the next design"},
                       {"basis_code", kernelLabel(basis)},
                       {"basis_reference", reference ? kernelLabel(*reference) : ""}}
        .dump();
}

// In a selector's reply alone: "00012" between quotation marks is a kernel there.
std::string RecordedReplies::withTodaysNumbers(std::string reply, const Population& today) const {
    static const std::regex code("(\"basis_(?:code|reference)\"\\s*:\\s*\")([0-9]{1,9})\"");
    std::string changed;
    std::string::const_iterator at = reply.cbegin();
    for (std::sregex_iterator match(reply.begin(), reply.end(), code); match != std::sregex_iterator(); ++match) {
        const Kernel* then = m_recorded.population->kernel(std::stoll((*match)[2]));
        const Kernel* now = then != nullptr ? todays(*then, today) : nullptr;
        changed.append(at, (*match)[0].first);
        changed += (*match)[1].str() + (now != nullptr ? kernelLabel(now->id) : (*match)[2].str()) + '"';
        at = (*match)[0].second;
    }
    return changed.append(at, reply.cend());
}

} // namespace gks::progress
