// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

class QTextLayout;

namespace gks {

// Plain text that wraps in the room there is, the only label of the window that wraps. A word that is too long is
// broken where the room ends, so no message asks for width, and behind `lineLimit` lines the text is cut with an
// ellipsis, so none pushes away what stands below. text() stays whole: it is in the tool tip, is read aloud, and the
// menu copies it.
class MessageLabel final : public QLabel {
    Q_OBJECT

public:
    explicit MessageLabel(QWidget* parent = nullptr);
    explicit MessageLabel(const QString& text, QWidget* parent = nullptr);
    void setLineLimit(int lines);
    bool isCut() const; // some of it does not fit

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Fitted {
        int lines = 0;
        int width = 0;      // of the widest line
        qsizetype cut = -1; // where the last line begins when not all of the text fits; -1: it does
    };
    Fitted fit(QTextLayout& layout, int width) const;
    QString beginning() const; // all that can be in view
    int heightOf(int lines) const;
    int marginWidth() const;

    int m_lineLimit;
};

// For a tool tip, which Qt never wraps: lines of at most 100 characters, and not more of them than a screen has.
QString foldedForTip(const QString& text);

} // namespace gks
