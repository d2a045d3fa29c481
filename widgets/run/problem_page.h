// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/panel.h"

class QPlainTextEdit;
class QTableWidget;

namespace gks {

class EmptyState;
class RichTextView;
struct ProblemPack;

// What is to be computed: the pack's notes, its tensors and shapes, the tolerance, and the header that every kernel
// includes.
class ProblemPage final : public Panel {
    Q_OBJECT

public:
    explicit ProblemPage(const PanelContext& context, QWidget* parent = nullptr);

protected:
    void refresh() override;

private:
    void showPack(const ProblemPack& pack);
    void showHarness(const ProblemPack& pack);

    RichTextView* m_notes;
    QTableWidget* m_shapes;
    QPlainTextEdit* m_header;
    QWidget* m_content;
    EmptyState* m_empty;
    const ProblemPack* m_shown = nullptr;
};

} // namespace gks
