// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/campaign_keeper.h"

#include "core/base/elapsed.h"
#include "core/base/quantity.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace gks {
namespace {

constexpr std::chrono::seconds accountInterval(10);          // how much wall time a kill may lose
constexpr std::chrono::milliseconds closingPatience(60'000); // a person waits for a window that is closed
constexpr std::chrono::milliseconds followInterval(500); // of a reader: one question to SQLite while nothing changes

} // namespace

CampaignKeeper::CampaignKeeper(std::unique_ptr<CampaignStore> store, Outlet& outlet,
                               std::chrono::milliseconds publishInterval, std::chrono::milliseconds lockPatience)
    : m_store(std::move(store)), m_outlet(outlet), m_publishInterval(publishInterval), m_lockPatience(lockPatience) {}

Result<void> CampaignKeeper::open() {
    if (!m_store->readOnly()) {
        const auto limit = [this] {
            return m_outlet.isClosing() ? std::min(m_lockPatience, closingPatience) : m_lockPatience;
        };
        m_store->setPatience(limit, [this] {
            m_outlet.emit(WarningRaised{
                Error{ErrorKind::infrastructure, "another program has locked the campaign", m_store->file().string(),
                      fmt::format("It is waited for, up to {}; close that program",
                                  formatSeconds(std::chrono::duration<double>(m_lockPatience).count()))},
                "campaign",
                {},
                {}});
        });
        GKS_TRY(m_store->recover());
    }
    return refresh();
}

void CampaignKeeper::close() {
    if (!m_store->readOnly()) {
        storeWallTime(true);
        static_cast<void>(m_store->recover()); // should it fail, the next opening does it
    }
}

Result<void> CampaignKeeper::refresh() {
    auto read = m_store->population();
    const bool saidBefore = std::exchange(m_unreadable, !read.has_value());
    if (read) {
        m_population = std::move(*read);
    } else if (!m_store->readOnly() || !saidBefore) {
        return tl::unexpected(std::move(read).error());
    }
    return {};
}

void CampaignKeeper::publish(bool atOnce) {
    const bool due = atOnce || Clock::now() >= m_publishedAt + m_publishInterval;
    if (due && m_population != m_published) {
        m_published = m_population;
        m_publishedAt = Clock::now();
        m_outlet.publish(m_population);
    }
}

void CampaignKeeper::setRunning(bool running) {
    m_secondsBefore = unstoredSeconds();
    m_runningSince = running ? std::optional(Clock::now()) : std::nullopt;
}

double CampaignKeeper::unstoredSeconds() const {
    return m_secondsBefore + (m_runningSince ? secondsSince(*m_runningSince) : 0);
}

double CampaignKeeper::wallSeconds() const {
    return m_population->spend.wallSeconds + unstoredSeconds();
}

void CampaignKeeper::storeWallTime(bool atOnce) {
    const bool due = m_runningSince && Clock::now() >= m_accountedAt + accountInterval;
    if (!due && !atOnce) {
        return;
    }
    m_accountedAt = Clock::now();
    const bool running = m_runningSince.has_value();
    setRunning(running);
    if (m_secondsBefore > 0 && m_store->addWallSeconds(m_secondsBefore)) {
        m_secondsBefore = 0;
    }
}

std::optional<CampaignKeeper::Clock::time_point> CampaignKeeper::nextDue() const {
    std::optional<Clock::time_point> due;
    if (m_runningSince) {
        due = m_accountedAt + accountInterval;
    }
    if (m_store->readOnly()) {
        due = Clock::now() + followInterval;
    }
    if (m_population != m_published) {
        due = std::min(due.value_or(Clock::time_point::max()), m_publishedAt + m_publishInterval);
    }
    return due;
}

Result<std::int64_t> CampaignKeeper::keep(const Evaluation& evaluation, std::optional<ExperimentState> itsExperiment) {
    auto kept = m_store->addEvaluation(evaluation, itsExperiment);
    if (!kept) {
        m_unsaved.push_back(evaluation);
    }
    return kept;
}

Result<void> CampaignKeeper::keep(const Exchange& exchange) {
    const bool othersWait = !m_unsavedExchanges.empty(); // then this one waits with them
    m_unsavedExchanges.push_back(exchange);
    return othersWait ? Result<void>() : keepExchanges();
}

Result<void> CampaignKeeper::keepExchanges() {
    while (!m_unsavedExchanges.empty()) {
        GKS_TRY(m_store->addExchange(m_unsavedExchanges.front()));
        m_unsavedExchanges.pop_front();
    }
    return {};
}

std::vector<Evaluation> CampaignKeeper::takeUnsaved() {
    return std::exchange(m_unsaved, {});
}

} // namespace gks
