// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/static_summary.h"

#include "widgets/common/terms.h"
#include "widgets/common/words.h"

#include <QObject>
#include <QStringList>

namespace gks {
namespace {

// A line may be broken between two facts, not within one.
QString joined(QStringList parts) {
    for (QString& part : parts) {
        part.replace(QLatin1Char(' '), QChar(QChar::Nbsp));
    }
    return parts.join(QStringLiteral("    "));
}

} // namespace

QString originText(const CodeSummary& summary) {
    return summary.reader == "ptxas" ? QObject::tr("what ptxas says of the code for the card")
                                     : QObject::tr("the compiled %1 code object").arg(toText(summary.reader));
}

QString staticText(const CodeSummary* before, const CodeSummary& after) {
    const bool isComparable =
        before != nullptr && before->reader == after.reader && before->facts.size() == after.facts.size();
    QStringList parts;
    for (std::size_t i = 0; i < after.facts.size(); ++i) {
        const CodeFact& to = after.facts[i];
        const CodeFact& from = isComparable ? before->facts[i] : to;
        if (from.isNothing() && to.isNothing()) {
            continue;
        }
        const QString value = toText(codeFactText(to));
        parts << word(to.name) + QLatin1Char(' ') +
                     (from == to ? value : toText(codeFactText(from)) + QStringLiteral(" \u2192 ") + value);
    }
    return joined(parts);
}

} // namespace gks
