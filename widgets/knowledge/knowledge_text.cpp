// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/knowledge/knowledge_text.h"

#include "widgets/common/rich_text.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/knowledge/knowledge_list.h"

#include <QTextDocument>

namespace gks {

namespace {

// Marks every occurrence of every word.
QList<QTextEdit::ExtraSelection> marksOf(QTextDocument* document, const QStringList& words) {
    QList<QTextEdit::ExtraSelection> marks;
    const Palette& palette = Theme::instance().palette();
    for (const QString& word : words) {
        for (QTextCursor found = document->find(word, 0); !found.isNull(); found = document->find(word, found)) {
            QTextEdit::ExtraSelection mark;
            mark.cursor = found;
            mark.format.setBackground(tinted(palette.surface, palette.slower, 0.4));
            marks.append(mark);
        }
    }
    return marks;
}

} // namespace

void writeSection(RichTextView& view, const KnowledgeSection& section) {
    view.setExtraSelections({});
    view.document()->clear();
    RichTextWriter writer(view.document());
    writer.line(QObject::tr("%1, about %2 tokens%3")
                    .arg(toText(section.machine), tokensText(estimatedTokens(section.text)),
                         section.always ? QObject::tr(", in every prompt") : QString()),
                true);
    writer.prose(toText(section.text));
    view.moveCursor(QTextCursor::Start);
}

void writeFound(RichTextView& view, const std::vector<Passage>& found, const std::vector<Document>& documents,
                const QString& words) {
    view.setExtraSelections({});
    view.document()->clear();
    RichTextWriter writer(view.document());
    writer.line(found.empty()       ? QObject::tr("No match in the enabled documents.")
                : found.size() == 1 ? QObject::tr("1 passage")
                                    : QObject::tr("%1 passages, best match first").arg(found.size()),
                true);
    for (const Passage& passage : found) {
        QString title = QString::number(passage.document);
        for (const Document& document : documents) {
            title = document.id == passage.document ? toText(document.title) : title;
        }
        writer.link(QObject::tr("%1, passage %2").arg(title).arg(passage.number),
                    QStringLiteral("document:%1").arg(passage.document));
        if (!passage.heading.empty()) {
            writer.line(toText(passage.heading), true);
        }
        writer.prose(toText(passage.text));
    }
    view.setExtraSelections(marksOf(view.document(), words.split(QLatin1Char(' '), Qt::SkipEmptyParts)));
    view.moveCursor(QTextCursor::Start);
}

} // namespace gks
