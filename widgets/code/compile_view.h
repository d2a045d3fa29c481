// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/code/diagnostic_marks.h"
#include "widgets/code/live_compile.h"

#include <QWidget>
#include <functional>
#include <string>
#include <vector>

class QLabel;
class QListWidget;

namespace gks {

class ActionCollection;

// An editor between what the compiler says of its text: above, how it stands and what each function takes, below, the
// diagnostics, and in it their marks. Either of a text that is being written (beginLive) or of a finished kernel
// (showFound).
class CompileView final : public QWidget {
    Q_OBJECT

public:
    // `body` is the editor or what holds it; `prefix` begins the names of the parts.
    CompileView(QWidget* body, QsciScintilla* editor, std::function<std::string()> text, const QString& prefix,
                QWidget* parent = nullptr);

    LiveCompile& compile() { return m_compile; }
    DiagnosticMarks& marks() { return m_marks; }
    // Where the editor's rows are not the lines of the text: from a line, from 1, to a row, from 0, and back.
    void setRows(std::function<int(int)> rowOf, std::function<int(int)> lineOf);

    void beginLive(const LiveCompile::Conditions& conditions);
    void setParentSource(const QString& name, std::optional<std::string> source); // for the difference
    void endLive();
    bool isLive() const { return m_isLive; }
    void textReplaced(); // by another one, not by typing

    // Of a finished kernel: what its build said, by places that the source may name itself, or what was found in its
    // accesses when it ran.
    enum class Found { build, vagueBuild, checkedRun };
    void showFound(const std::vector<Diagnostic>& diagnostics, Found found = Found::build);
    void goToNext(int by);
    // F8 and Shift+F8, while `home` has the focus.
    struct DiagnosticActions {
        const char* next;
        const char* previous;
        QString menu;
        QString of; // "the draft"
    };
    void addActions(ActionCollection& actions, QWidget* home, const DiagnosticActions& spec);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void showLive();
    void showState();
    void showNumbers();
    void showMarks();
    void showDiagnostics(const std::vector<Diagnostic>& diagnostics);
    void goToRow(int row);
    void followCursor();
    void setStateText(const QString& text, std::optional<DiagnosticKind> sign);

    QsciScintilla* m_editor;
    std::function<std::string()> m_text;
    std::function<int(int)> m_lineOf;
    DiagnosticMarks m_marks;
    LiveCompile m_compile;
    QWidget* m_strip;
    QLabel* m_sign;
    QLabel* m_state;
    QLabel* m_numbers;
    QListWidget* m_list;
    QString m_parentName;
    std::string m_function; // that the cursor is in
    std::vector<Diagnostic> m_diagnostics;
    bool m_isLive = false;
};

} // namespace gks
