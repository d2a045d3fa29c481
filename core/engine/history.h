// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/store.h"

#include <mutex>
#include <utility>

namespace gks {

// Questions to the campaign file from any thread, over a connection of their own that never waits for the writer.
class History {
public:
    explicit History(std::filesystem::path file) : m_file(std::move(file)) {}

    // `question` is called with a const CampaignStore& and returns a Result.
    template<class Question>
    auto ask(Question question) -> decltype(question(std::declval<const CampaignStore&>())) {
        const std::lock_guard lock(m_mutex);
        if (!m_store) {
            GKS_TRY_ASSIGN(m_store, CampaignStore::open(m_file, CampaignStore::Access::read));
        }
        return question(*m_store);
    }

private:
    std::filesystem::path m_file;
    std::mutex m_mutex;
    std::unique_ptr<CampaignStore> m_store;
};

} // namespace gks
