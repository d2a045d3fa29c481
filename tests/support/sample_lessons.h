// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

namespace gks {

// What the sample campaign was told and has learnt: findings in every state, documents, and a conversation with every
// stage, a refused reply among them.
std::vector<Finding> sampleFindings(Timestamp beginning);
std::vector<Document> sampleDocuments(Timestamp beginning);
std::vector<Passage> samplePassages(std::int64_t document);
std::vector<RubricItem> sampleRubric();
std::vector<Exchange> sampleExchanges(const Population& population);

} // namespace gks
