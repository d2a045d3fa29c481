// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/conversation/exchange_page.h"

#include "core/base/quantity.h"
#include "core/scientist/conversation.h"
#include "widgets/common/rich_text.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/common/words.h"
#include "widgets/conversation/reply_form.h"

#include <QTextDocument>

namespace gks {

namespace {

constexpr qsizetype foldLines = 24; // of a part that is longer, so many are shown
constexpr qsizetype foldBytes = 4'000;

qsizetype foldedLength(const QString& text) {
    qsizetype at = -1;
    for (qsizetype line = 0; line < foldLines; ++line) {
        at = text.indexOf(QLatin1Char('\n'), at + 1);
        if (at < 0) {
            at = text.size();
            break;
        }
    }
    return std::min(at, foldBytes);
}

// `write` gets the text or its beginning; then a link to the rest follows.
template<class Write>
void folded(RichTextWriter& writer, const QString& text, int part, const ExchangePageOptions& options, Write write) {
    const qsizetype shown = foldedLength(text);
    // A rest of a few lines is not worth a click.
    if (options.unfolded || options.open.contains(part) || text.size() - shown < foldBytes / 8) {
        write(text);
        return;
    }
    write(text.left(shown));
    const qsizetype rest = QStringView(text).sliced(shown).count(QLatin1Char('\n'));
    writer.link(QObject::tr("\u25b8 %1 more lines").arg(std::max<qsizetype>(rest, 1)),
                QStringLiteral("unfold:%1").arg(part));
}

QString sizeText(const QString& text) {
    return QObject::tr("%1 characters").arg(countText(text.size()));
}

void writeMessage(RichTextWriter& writer, const ChatMessage& message, int part, const ExchangePageOptions& options) {
    const QString content = toText(message.content);
    writer.heading(word(message.role), sizeText(content));
    folded(writer, content, part, options,
           [&](const QString& text) { options.raw ? writer.code(text) : writer.prose(text); });
}

void writeInclusions(RichTextWriter& writer, const std::vector<Inclusion>& inclusions) {
    if (inclusions.empty()) {
        return;
    }
    std::int64_t total = 0;
    for (const Inclusion& inclusion : inclusions) {
        total += inclusion.tokens;
    }
    writer.heading(QObject::tr("Included in the prompt"),
                   QObject::tr("about %1 tokens in addition to the task")
                       .arg(toText(formatTokens(static_cast<std::uint64_t>(total)))));
    for (const Inclusion& inclusion : inclusions) {
        writer.labelled(
            word(inclusion.kind),
            toText(inclusion.name) % QStringLiteral("   ") %
                QObject::tr("%1 tokens").arg(toText(formatTokens(static_cast<std::uint64_t>(inclusion.tokens)))));
    }
}

} // namespace

void writeMessages(QTextDocument* document, const std::vector<ChatMessage>& messages,
                   const ExchangePageOptions& options) {
    RichTextWriter writer(document);
    int part = 0;
    for (const ChatMessage& message : messages) {
        writeMessage(writer, message, ++part, options);
    }
}

void writeExchangePage(QTextDocument* document, const Exchange& exchange, const std::vector<RubricItem>& rubric,
                       const ExchangePageOptions& options) {
    RichTextWriter writer(document);
    const Palette& palette = Theme::instance().palette();
    if (!exchange.error.empty()) {
        writer.heading(QObject::tr("Failed"));
        writer.colored(toText(exchange.error), palette.wrong);
    }
    const QString reply = toText(exchange.reply);
    if (!reply.isEmpty()) {
        writer.heading(QObject::tr("Reply"), sizeText(reply));
        if (options.raw) {
            folded(writer, reply, 0, options, [&](const QString& text) { writer.code(text); });
        } else {
            writeReplyForm(writer, exchange.reply);
        }
    }
    if (!rubric.empty()) {
        writer.heading(QObject::tr("Report"), QObject::tr("Writer's report, checked against the code"));
        writer.html(rubricHtml(rubric, palette));
    }
    writeInclusions(writer, exchange.inclusions);
    int part = 0;
    for (const ChatMessage& message : messagesOf(exchange.prompt)) {
        writeMessage(writer, message, ++part, options);
    }
}

} // namespace gks
