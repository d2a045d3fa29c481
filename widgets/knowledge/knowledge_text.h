// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/scientist/knowledge.h"

#include <QString>
#include <vector>

namespace gks {

class RichTextView;

void writeSection(RichTextView& view, const KnowledgeSection& section);
// What a search found, the words marked; a link "document:7" leads to each document.
void writeFound(RichTextView& view, const std::vector<Passage>& found, const std::vector<Document>& documents,
                const QString& words);

} // namespace gks
