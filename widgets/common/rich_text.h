// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QTextBrowser>
#include <QTextCursor>
#include <QTextDocument>
#include <functional>

namespace gks {

struct Palette;

// Text that models and files bring along, shown and never obeyed: nothing is loaded, no link is followed by itself.
class RichTextView final : public QTextBrowser {
    Q_OBJECT

public:
    explicit RichTextView(QWidget* parent = nullptr);
    void setProse(const QString& markdown); // without its HTML

protected:
    QVariant loadResource(int type, const QUrl& name) override;
};

// Shows a document, filled already and a child of the view, in place of the one before, which is deleted.
void showDocument(QTextEdit& view, QTextDocument* document);

// Shows Markdown in place of what the view shows. It is read, and dressed by `dress`, before the view has it: a view
// lays its document out anew at every cell of a table.
void showMarkdown(QTextEdit& view, const QString& markdown, QTextDocument::MarkdownFeatures features,
                  const std::function<void(QTextDocument&)>& dress);

// Writes blocks at the end of a document, in the colours of the current theme. Every call begins a block of its own.
// The document hears of it when the writer is gone: it would measure the line that it is in for every word that comes.
class RichTextWriter final {
public:
    explicit RichTextWriter(QTextDocument* document);
    ~RichTextWriter() { m_cursor.endEditBlock(); }
    RichTextWriter(const RichTextWriter&) = delete;
    RichTextWriter& operator=(const RichTextWriter&) = delete;

    void heading(const QString& text, const QString& quietRest = {});
    void line(const QString& text, bool quiet = false);
    void colored(const QString& text, const QColor& color, bool bold = false);
    void labelled(const QString& label, const QString& text);
    void markdown(const QString& text);
    void plain(const QString& text); // several lines, as they are
    void code(const QString& text);
    void link(const QString& text, const QString& href);
    // What is surely Markdown as such, fenced and tagged source as code, the rest as it was sent.
    void prose(const QString& text);
    void html(const QString& html);
    void setIndent(int steps) { m_indent = steps; }
    int indent() const { return m_indent; }

private:
    void beginBlock(int above = 2);

    QTextCursor m_cursor;
    int m_indent = 0;
    bool m_empty = true;
};

// Begins like source: for replies in which nothing else tells.
bool looksLikeCode(const QString& text);

// One row for each item: what the writer claims, what a second look says, and what that rests on.
QString rubricHtml(const std::vector<RubricItem>& rubric, const Palette& palette);

// Tables of Markdown come with a frame round every cell: takes them away.
void calmTables(QTextDocument& document);

} // namespace gks
