// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/rich_text.h"

#include "widgets/common/code_spans.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"

#include <QFontDatabase>
#include <QPointer>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextDocumentFragment>
#include <QTextFrame>
#include <QTextTable>

namespace gks {

namespace {

constexpr double indentPixels = 16;
const QTextDocument::MarkdownFeatures proseFeatures =
    QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) | QTextDocument::MarkdownNoHTML;

QColor colorOf(CodePart part, const Palette& palette) {
    switch (part) {
    case CodePart::comment:
        return palette.quietText;
    case CodePart::text:
    case CodePart::number:
        return palette.literal();
    case CodePart::keyword:
        return palette.accent;
    case CodePart::preprocessor:
        return palette.slower;
    }
    return palette.text;
}

// Something that a person writes for the look of it and source has not: a heading, an item, a row, words in bold, a
// name between backticks, a link.
bool isSurelyMarkdown(const QString& text) {
    static const QRegularExpression sign(
        QStringLiteral(
            "^ {0,3}(#{1,6} \\S|[-*+] \\S|\\d{1,3}[.)] \\S|\\|.*\\|\\s*$)|(?<!\\*)\\*\\*[^\\s*][^*\\n]*\\*\\*(?!\\*)|"
            "`[^`\\n]+`|\\]\\([^)\\s]+\\)"),
        QRegularExpression::MultilineOption);
    return sign.match(text).hasMatch();
}

// Outside of source, which is what stands between backticks or is indented after an empty line, what Markdown would
// take away is escaped: an underscore, a backslash, a tilde, a star that is no mark. Lines stay lines.
QString asSent(const QString& markdown) {
    static const QRegularExpression taken(QStringLiteral(
        "((`+)[^`\\n]+?\\2(?!`)|(?<=\\n\\n)(?: {4}.*(?:\\n|$))+)|[_\\\\~&]|(?<=[\\w)\\]])\\*(?=[\\w(\\[])"
        "|(?<=\\S)(\\n[ \\t]+)(?=\\S)(?![-*+>|#]|\\d+[.)] )"));
    QString text;
    qsizetype done = 0;
    for (auto found = taken.globalMatch(markdown); found.hasNext();) {
        const auto one = found.next();
        text += QStringView(markdown).sliced(done, one.capturedStart() - done);
        text += one.hasCaptured(3)   ? QString(QChar::LineSeparator) // a new block would be an item of its own
                : one.hasCaptured(1) ? one.captured()
                                     : QString(QLatin1Char('\\') % one.captured());
        done = one.capturedEnd();
    }
    text += QStringView(markdown).sliced(done);
    return text.replace(QLatin1Char('\n'), QLatin1String("  \n"));
}

QTextCharFormat formatOf(const QColor& color, bool bold = false) {
    QTextCharFormat format;
    format.setForeground(color);
    format.setFontWeight(bold ? QFont::DemiBold : QFont::Normal);
    return format;
}

} // namespace

RichTextView::RichTextView(QWidget* parent) : QTextBrowser(parent) {
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setProperty("flat", true);
    document()->setDocumentMargin(spacing3);
}

void RichTextView::setProse(const QString& markdown) {
    showMarkdown(*this, markdown, proseFeatures, calmTables);
}

// An empty answer, but an answer: without one the document would open the file by itself.
QVariant RichTextView::loadResource(int, const QUrl&) {
    return QByteArray();
}

void showDocument(QTextEdit& view, QTextDocument* document) {
    const QPointer<QTextDocument> before = view.document();
    view.setExtraSelections({}); // their cursors are in the old one, and the view asks them where they were
    view.setDocument(document);
    delete before.data(); // the view's first one is gone already
}

void showMarkdown(QTextEdit& view, const QString& markdown, QTextDocument::MarkdownFeatures features,
                  const std::function<void(QTextDocument&)>& dress) {
    const QTextDocument& before = *view.document();
    auto* document = new QTextDocument(&view); // which is asked for the pictures
    document->setUndoRedoEnabled(false);
    document->setDefaultFont(before.defaultFont());
    document->setDocumentMargin(before.documentMargin());
    document->setIndentWidth(before.indentWidth());
    document->setMarkdown(markdown, features);
    dress(*document);
    showDocument(view, document);
}

RichTextWriter::RichTextWriter(QTextDocument* document) : m_cursor(document) {
    m_cursor.movePosition(QTextCursor::End);
    m_cursor.beginEditBlock();
    m_empty = document->isEmpty();
}

void RichTextWriter::beginBlock(int above) {
    QTextBlockFormat format;
    format.setLeftMargin(m_indent * indentPixels);
    format.setTopMargin(above);
    format.setBottomMargin(2);
    const QTextCharFormat text = formatOf(Theme::instance().palette().text);
    if (m_empty) {
        m_cursor.setBlockFormat(format);
        m_cursor.setBlockCharFormat(text);
        m_cursor.setCharFormat(text);
    } else {
        m_cursor.insertBlock(format, text);
    }
    m_empty = false;
}

void RichTextWriter::heading(const QString& text, const QString& quietRest) {
    const Palette& palette = Theme::instance().palette();
    beginBlock(m_empty ? 0 : spacing3);
    m_cursor.insertText(text, formatOf(palette.text, true));
    if (!quietRest.isEmpty()) {
        m_cursor.insertText(QStringLiteral("   ") % quietRest, formatOf(palette.quietText));
    }
}

void RichTextWriter::line(const QString& text, bool quiet) {
    const Palette& palette = Theme::instance().palette();
    colored(text, quiet ? palette.quietText : palette.text);
}

void RichTextWriter::colored(const QString& text, const QColor& color, bool bold) {
    beginBlock();
    m_cursor.insertText(text, formatOf(color, bold));
}

void RichTextWriter::labelled(const QString& label, const QString& text) {
    const Palette& palette = Theme::instance().palette();
    beginBlock();
    m_cursor.insertText(label % QStringLiteral("   "), formatOf(palette.quietText));
    m_cursor.insertText(text, formatOf(palette.text));
}

void RichTextWriter::markdown(const QString& text) {
    QTextDocument parsed;
    parsed.setDefaultFont(m_cursor.document()->defaultFont());
    parsed.setMarkdown(asSent(calmMarkdown(text.toStdString())), proseFeatures);
    calmTables(parsed);
    const int from = m_cursor.block().blockNumber() + (m_empty ? 0 : 1);
    beginBlock();
    m_cursor.insertFragment(QTextDocumentFragment(&parsed));
    for (QTextBlock block = m_cursor.document()->findBlockByNumber(from); block.isValid(); block = block.next()) {
        QTextCursor margin(block);
        QTextBlockFormat format = block.blockFormat();
        format.setLeftMargin(m_indent * indentPixels);
        format.setTopMargin(2);
        format.setBottomMargin(2);
        margin.setBlockFormat(format);
    }
    m_cursor.movePosition(QTextCursor::End);
}

void RichTextWriter::plain(const QString& text) {
    qsizetype from = 0; // of the first line that says something
    for (qsizetype end = text.indexOf(QLatin1Char('\n'));
         end >= 0 && QStringView(text).sliced(from, end - from).trimmed().isEmpty();
         end = text.indexOf(QLatin1Char('\n'), from)) {
        from = end + 1;
    }
    qsizetype until = text.size();
    while (until > from && text.at(until - 1).isSpace()) {
        --until;
    }
    line(text.sliced(from, until - from)); // a new line is a new block of the same format
}

void RichTextWriter::code(const QString& text) {
    const Palette& palette = Theme::instance().palette();
    beginBlock();
    QTextBlockFormat block = m_cursor.blockFormat();
    block.setBackground(palette.panel);
    block.setTopMargin(0);
    block.setBottomMargin(0);
    m_cursor.setBlockFormat(block);
    QTextCharFormat plain = formatOf(palette.text);
    plain.setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    const auto insert = [&](QStringView piece, const QColor& color) {
        plain.setForeground(color);
        m_cursor.insertText(piece.toString(), plain); // a new line is a new block of the same format
    };
    const QString source = text.endsWith(QLatin1Char('\n')) ? text.chopped(1) : text;
    qsizetype done = 0;
    for (const CodeSpan& span : codeSpans(source)) {
        insert(QStringView(source).sliced(done, span.start - done), palette.text);
        insert(QStringView(source).sliced(span.start, span.length), colorOf(span.part, palette));
        done = span.start + span.length;
    }
    insert(QStringView(source).sliced(done), palette.text);
}

void RichTextWriter::link(const QString& text, const QString& href) {
    beginBlock();
    QTextCharFormat format = formatOf(Theme::instance().palette().accent);
    format.setAnchor(true);
    format.setAnchorHref(href);
    m_cursor.insertText(text, format);
}

void RichTextWriter::html(const QString& html) {
    beginBlock();
    m_cursor.insertHtml(html);
    m_cursor.movePosition(QTextCursor::End);
}

bool looksLikeCode(const QString& text) {
    static const QRegularExpression sign(
        QStringLiteral("(^|\\n)\\s*(#include|#define|__global__|extern \"C\"|template<)|;\\s*\\n[^\\n]*;\\s*(\\n|$)"));
    return text.contains(QLatin1Char('\n')) && sign.match(text).hasMatch();
}

// Source comes fenced, or between tags in our own prompts; the tags themselves are shown quietly.
void RichTextWriter::prose(const QString& text) {
    static const QRegularExpression tag(QStringLiteral("^</?[a-z][a-z0-9_-]*( [^<>]*)?>$"));
    QString pending;
    bool fenced = false;
    const auto flush = [&] {
        if (!pending.trimmed().isEmpty()) {
            fenced || looksLikeCode(pending) ? code(pending)
            : isSurelyMarkdown(pending)      ? markdown(pending)
                                             : plain(pending);
        }
        pending.clear();
    };
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        const QString trimmed = line.trimmed();
        if (trimmed.startsWith(QLatin1String("```"))) {
            flush();
            fenced = !fenced;
        } else if (!fenced && tag.match(trimmed).hasMatch()) {
            flush();
            this->line(trimmed, true);
        } else {
            pending += line % QLatin1Char('\n');
        }
    }
    flush();
}

QString rubricHtml(const std::vector<RubricItem>& rubric, const Palette& palette) {
    const auto cell = [](const QString& text, const QColor& color) {
        return QString(QStringLiteral("<td style='color:") % color.name() % QStringLiteral("; padding-right:12px'>") %
                       text.toHtmlEscaped() % QStringLiteral("</td>"));
    };
    QString html = QStringLiteral("<table cellspacing='0' cellpadding='3' width='100%'><tr>");
    for (const QString& header :
         {QObject::tr("Item"), QObject::tr("Claimed"), QObject::tr("In the code"), QObject::tr("Evidence")}) {
        html += cell(header, palette.quietText);
    }
    html += QStringLiteral("</tr>");
    for (const RubricItem& item : rubric) {
        QString said = QObject::tr("? unclear");
        QColor color = palette.quietText;
        if (item.confirmed) {
            const bool agrees = *item.confirmed == item.claimed;
            said = *item.confirmed ? QObject::tr("\u2713 done") : QObject::tr("\u2717 not done");
            said += agrees ? QString() : QObject::tr(", contradicts the report");
            color = agrees ? palette.text : palette.wrong;
        }
        const QString evidence = toText(item.evidence.empty() ? item.note : item.evidence);
        html += QStringLiteral("<tr>") % cell(toText(item.item), palette.text) %
                cell(item.claimed ? QObject::tr("\u2713 done") : QObject::tr("\u2717 not done"), palette.text) %
                cell(said, color) % cell(evidence, palette.quietText) % QStringLiteral("</tr>");
    }
    return html % QStringLiteral("</table>");
}

void calmTables(QTextDocument& document) {
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat format = table->format();
            format.setBorder(0);
            format.setCellSpacing(0);
            format.setCellPadding(3);
            format.setTopMargin(spacing2);
            table->setFormat(format);
        }
    }
}

} // namespace gks
