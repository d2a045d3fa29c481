// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

namespace gks {

class RichTextWriter;

// A reply as a form: every field of its JSON with a label, source as source, lists as lists. Text in which no object is
// found is written as prose. False: then it was prose.
bool writeReplyForm(RichTextWriter& writer, const std::string& reply);

} // namespace gks
