// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QLabel;
class QLineEdit;
class QTextCursor;
class QTextEdit;
class QToolButton;

namespace gks {

// Finds words in a text: all matches are marked and counted, and one steps from match to match. Stepping past the last
// or before the first one asks the owner for another text.
class FindBar final : public QWidget {
    Q_OBJECT

public:
    // Names its parts after `name`: nameField, nameNext, namePrevious, nameCount.
    FindBar(const QString& name, QTextEdit* text, QWidget* parent = nullptr);

    QString query() const;
    void begin();   // the field gets the focus
    void refresh(); // the text is another one
    void goToFirst(bool fromTheEnd = false);
    void setElsewhere(int texts); // that hold the words too
    int matches() const { return static_cast<int>(m_matches.size()); }

public Q_SLOTS:
    void next();
    void previous();

Q_SIGNALS:
    void queryChanged(const QString& query);
    void stepsOut(bool forward);

private:
    void show(int at);
    void mark();
    void count();

    QTextEdit* m_text;
    QLineEdit* m_field;
    QLabel* m_count;
    std::vector<QTextCursor> m_matches;
    int m_at = -1;
    int m_elsewhere = 0;
};

} // namespace gks
