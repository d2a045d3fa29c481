// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/code/source_editor.h"

namespace gks {

// Unified text (core/diff/unified_text.h), with the lines that came and went tinted; the signs stand in the text.
class UnifiedView final : public SourceEditor {
    Q_OBJECT

public:
    explicit UnifiedView(QWidget* parent = nullptr);
    void setUnifiedText(const std::string& text);

protected:
    void applyTheme() override;
};

} // namespace gks
