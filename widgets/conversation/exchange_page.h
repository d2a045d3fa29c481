// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/llm/chat.h"

#include <QSet>
#include <QString>
#include <vector>

class QTextDocument;

namespace gks {

// How an exchange is shown. Long parts are folded: laying out a hundred kilobytes of prompt takes longer than reading
// its first lines.
struct ExchangePageOptions {
    bool raw = false;      // messages and reply as they were sent
    bool unfolded = false; // everything
    QSet<int> open = {};   // parts that were unfolded one by one
};

// Links in the page: "unfold:3" for its part 3, "kernel:12", "finding:7".
void writeExchangePage(QTextDocument* document, const Exchange& exchange, const std::vector<RubricItem>& rubric,
                       const ExchangePageOptions& options);

void writeMessages(QTextDocument* document, const std::vector<ChatMessage>& messages,
                   const ExchangePageOptions& options);

} // namespace gks
