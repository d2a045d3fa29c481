// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringView>
#include <vector>

namespace gks {

enum class CodePart { comment, text, number, keyword, preprocessor };

struct CodeSpan {
    qsizetype start = 0;
    qsizetype length = 0;
    CodePart part = CodePart::comment;
};

// The parts of C++ and HIP source that get a colour of their own, in order. One pass over the text; unfinished comments
// and strings end with the text or the line, so pieces of source are fine.
std::vector<CodeSpan> codeSpans(QStringView source);

} // namespace gks
