// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/case_stock.h"

#include <array>
#include <utility>

namespace gks {
namespace {

constexpr std::size_t unannouncedSamples = 1024; // where the outputs are many
constexpr std::size_t heldLimitBytes = std::size_t{2} << 30;

std::size_t sizeOf(const Result<DrawnCase>& drawn) {
    return drawn ? drawn->inputs.sizeBytes() + drawn->expected.sizeBytes() : 0;
}

std::size_t sizeOf(const CaseStock::Measured& measured) {
    return measured.source.sizeBytes() + (measured.standing ? measured.standing->sizeBytes() : 0);
}

} // namespace

CaseStock::CaseStock(const ProblemPack& pack, const OutputCheck& check, const EvaluationPlan& plan,
                     Fp8Encoding encoding)
    : m_pack(pack), m_check(check), m_plan(plan), m_encoding(encoding) {
    for (const auto* cases : {&plan.cases, &plan.reversed}) {
        for (const VerificationCase& one : *cases) {
            for (const Distribution distribution : one.distributions) {
                m_jobs.push_back({&one, distribution});
            }
        }
    }
    m_thread = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

CaseStock::~CaseStock() {
    stop();
}

void CaseStock::stop() {
    m_thread.request_stop();
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

bool CaseStock::waitForRoom(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    return m_changed.wait(lock, stop, [this] { return m_heldBytes < heldLimitBytes; });
}

void CaseStock::work(const std::stop_token& stop) {
    std::shared_ptr<ExpectedOutputs> standing; // the memory that the oracle reads, for all inputs of one case
    const VerificationCase* last = nullptr;
    for (const Job& job : m_jobs) {
        if (!waitForRoom(stop)) {
            return;
        }
        if (std::exchange(last, job.one) != job.one) {
            standing.reset();
        }
        auto drawn = draw(job.one->layout, job.distribution, job.one->everything, job.one->samples, standing);
        if (drawn && drawn->expected.late) { // it is still read
            standing.reset();
        }
        const std::scoped_lock lock(m_mutex);
        m_heldBytes += sizeOf(drawn);
        m_cases.push_back(std::move(drawn));
        m_changed.notify_all();
    }
    standing.reset();
    for (std::size_t shape = 0; shape < m_plan.measured.size(); ++shape) {
        if (!waitForRoom(stop)) {
            return;
        }
        Measured measured = {drawMeasured(shape)};
        if (!m_plan.hasFreshInputs) {
            measured.standing = m_check.stand(m_plan.measured[shape], measured.source).value_or(nullptr);
        }
        const std::scoped_lock lock(m_mutex);
        m_heldBytes += sizeOf(measured);
        m_measured.emplace(shape, std::move(measured));
    }
    m_hasAll = true;
}

Result<DrawnCase> CaseStock::draw(const CaseLayout& layout, Distribution distribution, bool everything,
                                  std::size_t samples, std::shared_ptr<ExpectedOutputs>& standing) const {
    const Seed seed = randomSeed();
    GKS_TRY_ASSIGN(Tensors inputs, drawInputs(m_pack, layout, seed, distribution, m_encoding));
    InputSource source = InputSource::exactly(m_pack, std::move(inputs));
    GKS_TRY_ASSIGN(auto expected,
                   m_check.expect(layout, source.values(), m_check.select(layout, everything, samples), standing));
    return DrawnCase{seed, std::move(source), std::move(expected), distribution};
}

Result<DrawnCase> CaseStock::unannounced(std::size_t shape) const {
    constexpr std::array distributions = {Distribution::asDeclared, Distribution::wideRange,
                                          Distribution::structuredZeros, Distribution::extremeScales};
    std::shared_ptr<ExpectedOutputs> standing;
    return draw(m_plan.measured[shape], distributions.at(randomSeed()[0] % distributions.size()), false,
                unannouncedSamples, standing);
}

InputSource CaseStock::drawMeasured(std::size_t shape) const {
    const CaseLayout& layout = m_plan.measured[shape];
    return m_plan.hasFreshInputs ? InputSource::fresh(m_pack, layout, m_encoding)
                                 : InputSource::draw(m_pack, layout, m_encoding);
}

Result<DrawnCase> CaseStock::next() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return !m_cases.empty(); });
    auto drawn = std::move(m_cases.front());
    m_cases.pop_front();
    m_heldBytes -= sizeOf(drawn);
    m_changed.notify_all();
    return drawn;
}

CaseStock::Measured CaseStock::measured(std::size_t shape) {
    {
        const std::scoped_lock lock(m_mutex);
        if (auto found = m_measured.extract(shape)) {
            m_heldBytes -= sizeOf(found.mapped());
            m_changed.notify_all();
            return std::move(found.mapped());
        }
    }
    return {drawMeasured(shape)};
}

} // namespace gks
