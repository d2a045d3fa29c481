// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/code/qscintilla.h"

class QsciLexer;

namespace gks {

// HIP source in the system's fixed font and the colours of the theme. Read-only unless made editable.
class SourceEditor : public QsciScintilla {
    Q_OBJECT

public:
    explicit SourceEditor(QWidget* parent = nullptr);

    void setSource(const std::string& source); // keeps the first visible line
    std::string source() const;

protected:
    // Colours are set here; called again after the theme was switched.
    virtual void applyTheme();

private:
    QsciLexer* m_lexer;
};

} // namespace gks
