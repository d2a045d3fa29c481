// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/code_spans.h"

#include <QSet>
#include <QString>
#include <QStringList>
#include <algorithm>

namespace gks {

namespace {

const QSet<QString>& keywords() {
    static const QSet<QString> words = [] {
        const char* const all =
            "alignas alignof auto bool break case catch char class const consteval constexpr constinit continue "
            "decltype default delete do double else enum explicit extern false float for friend goto if inline int "
            "long mutable namespace new noexcept nullptr operator private protected public return short signed sizeof "
            "static static_assert static_cast struct switch template this throw true try typedef typename union "
            "unsigned using virtual void volatile while reinterpret_cast const_cast size_t "
            "__global__ __device__ __host__ __shared__ __constant__ __launch_bounds__ __restrict__ __forceinline__";
        const QStringList list = QString::fromLatin1(all).split(QLatin1Char(' '));
        return QSet<QString>(list.begin(), list.end());
    }();
    return words;
}

bool isWord(QChar c) {
    return c.isLetterOrNumber() || c == QLatin1Char('_');
}

bool startsLine(QStringView source, qsizetype at) {
    for (qsizetype i = at - 1; i >= 0 && source[i] != QLatin1Char('\n'); --i) {
        if (!source[i].isSpace()) {
            return false;
        }
    }
    return true;
}

qsizetype lineEnd(QStringView source, qsizetype from) {
    const qsizetype end = source.indexOf(QLatin1Char('\n'), from);
    return end < 0 ? source.size() : end;
}

// Behind the closing quote, or at the end of the line.
qsizetype quoteEnd(QStringView source, qsizetype from) {
    const QChar quote = source[from];
    for (qsizetype i = from + 1; i < source.size() && source[i] != QLatin1Char('\n'); ++i) {
        if (source[i] == QLatin1Char('\\')) {
            ++i;
        } else if (source[i] == quote) {
            return i + 1;
        }
    }
    return lineEnd(source, from);
}

} // namespace

std::vector<CodeSpan> codeSpans(QStringView source) {
    std::vector<CodeSpan> spans;
    for (qsizetype at = 0; at < source.size();) {
        const QChar c = source[at];
        const QChar next = at + 1 < source.size() ? source[at + 1] : QChar();
        qsizetype end = at + 1;
        if (c == QLatin1Char('/') && next == QLatin1Char('/')) {
            end = lineEnd(source, at);
            spans.push_back({at, end - at, CodePart::comment});
        } else if (c == QLatin1Char('/') && next == QLatin1Char('*')) {
            const qsizetype close = source.indexOf(QLatin1String("*/"), at + 2);
            end = close < 0 ? source.size() : close + 2;
            spans.push_back({at, end - at, CodePart::comment});
        } else if (c == QLatin1Char('"') || c == QLatin1Char('\'')) {
            end = quoteEnd(source, at);
            spans.push_back({at, end - at, CodePart::text});
        } else if (c == QLatin1Char('#') && startsLine(source, at)) {
            while (end < source.size() && isWord(source[end])) {
                ++end;
            }
            spans.push_back({at, end - at, CodePart::preprocessor});
        } else if (c.isDigit()) {
            while (end < source.size() &&
                   (isWord(source[end]) || source[end] == QLatin1Char('.') || source[end] == QLatin1Char('\''))) {
                ++end;
            }
            spans.push_back({at, end - at, CodePart::number});
        } else if (isWord(c)) {
            while (end < source.size() && isWord(source[end])) {
                ++end;
            }
            if (keywords().contains(source.sliced(at, end - at).toString())) {
                spans.push_back({at, end - at, CodePart::keyword});
            }
        }
        at = std::max(end, at + 1);
    }
    return spans;
}

} // namespace gks
