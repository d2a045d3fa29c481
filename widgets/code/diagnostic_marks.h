// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/target/diagnostics.h"
#include "widgets/code/qscintilla.h"

#include <QIcon>
#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace gks {

QIcon diagnosticIcon(DiagnosticKind kind); // a disc, a triangle, a square, in the colours of the theme

// What a compiler says of the text in an editor: a sign in the margin, the worst of each line, and a squiggle under the
// place. The tip of either has the words. Signs and squiggles stay at their text while a person types.
class DiagnosticMarks final : public QObject {
    Q_OBJECT

public:
    explicit DiagnosticMarks(QsciScintilla* editor);

    // The line of the editor, from 0, that shows a line of the source, from 1; negative: none does.
    void setRowOf(std::function<int(int line)> rowOf) { m_rowOf = std::move(rowOf); }
    // Those of the kernel's own file; places that the text does not have are left out.
    void show(const std::vector<Diagnostic>& diagnostics);
    void setMarginShown(bool shown);         // from the start: text does not jump with the first error
    bool goTo(const Diagnostic& diagnostic); // false: the text has no such place
    // The words of the signs and squiggles at a point of the viewport; empty: there are none.
    QString tipAt(const QPoint& point) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Place { // bytes of the editor's text
        int row = 0;
        long begin = 0;
        long end = 0;
    };
    std::optional<Place> placeOf(const Diagnostic& diagnostic) const;
    int rowAt(const QPoint& point) const;
    void applyTheme();
    void clear();

    QsciScintilla* m_editor;
    std::function<int(int)> m_rowOf;
    std::map<int, QString> m_tips; // by the handle of the sign
};

} // namespace gks
