// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/source_editor.h"

#include "widgets/common/theme.h"

#include <QFontDatabase>

namespace gks {
namespace {

class HipLexer final : public QsciLexerCPP {
public:
    using QsciLexerCPP::QsciLexerCPP;

    const char* keywords(int set) const override {
        if (set == 2) { // shown as KeywordSet2: what HIP adds to the language
            return "__global__ __device__ __host__ __shared__ __constant__ __launch_bounds__ __restrict__ "
                   "__forceinline__ "
                   "__syncthreads __shfl __shfl_down __shfl_up __shfl_xor __ballot __any __all __popcll "
                   "__builtin_nontemporal_load "
                   "__builtin_nontemporal_store threadIdx blockIdx blockDim gridDim warpSize dim3 hipStream_t "
                   "hipError_t "
                   "hipSuccess hipGetLastError solve workspace_bytes Problem fp8_t bf16_t f16_t atomicAdd";
        }
        return QsciLexerCPP::keywords(set);
    }
};

void colorLexer(QsciLexer& lexer, const Palette& palette, const QFont& font) {
    for (int style = 0; style < 128; ++style) {
        QColor color = palette.text;
        switch (style & ~QsciLexerCPP::InactiveDefault) {
        case QsciLexerCPP::Comment:
        case QsciLexerCPP::CommentLine:
        case QsciLexerCPP::CommentDoc:
        case QsciLexerCPP::CommentLineDoc:
            color = palette.quietText;
            break;
        case QsciLexerCPP::Keyword:
            color = palette.accent;
            break;
        case QsciLexerCPP::KeywordSet2:
            color = palette.suspect;
            break;
        case QsciLexerCPP::Number:
        case QsciLexerCPP::SingleQuotedString:
        case QsciLexerCPP::DoubleQuotedString:
        case QsciLexerCPP::RawString:
            color = palette.literal();
            break;
        case QsciLexerCPP::PreProcessor:
            color = palette.slower;
            break;
        default:
            break;
        }
        if ((style & QsciLexerCPP::InactiveDefault) != 0) {
            color = palette.quietText;
        }
        lexer.setColor(color, style);
        lexer.setPaper(palette.surface, style);
        lexer.setFont(font, style);
    }
    lexer.setDefaultColor(palette.text);
    lexer.setDefaultPaper(palette.surface);
    lexer.setDefaultFont(font);
}

} // namespace

SourceEditor::SourceEditor(QWidget* parent) : QsciScintilla(parent), m_lexer(new HipLexer(this)) {
    setUtf8(true);
    setReadOnly(true);
    setTabWidth(4);
    setIndentationsUseTabs(false);
    setAutoIndent(true);
    setBraceMatching(QsciScintilla::SloppyBraceMatch);
    setWrapMode(QsciScintilla::WrapNone);
    setScrollWidth(1);
    setScrollWidthTracking(true);
    setFrameShape(QFrame::NoFrame);
    for (int margin = 0; margin < 5; ++margin) {
        setMarginWidth(margin, 0);
    }
    setMarginType(0, QsciScintilla::NumberMargin);
    SendScintilla(SCI_SETMARGINLEFT, 0UL, static_cast<long>(spacing2));
    setLexer(m_lexer);
    connect(&Theme::instance(), &Theme::changed, this, [this] { applyTheme(); });
    SourceEditor::applyTheme();
}

void SourceEditor::setSource(const std::string& source) {
    const int top = firstVisibleLine();
    setText(QString::fromStdString(source));
    setModified(false);
    setMarginWidth(0, QStringLiteral(" %1 ").arg(qMax(999, lines())));
    setFirstVisibleLine(top);
}

std::string SourceEditor::source() const {
    return text().toStdString();
}

void SourceEditor::applyTheme() {
    const Palette& palette = Theme::instance().palette();
    const QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    colorLexer(*m_lexer, palette, font);
    setFont(font);
    setPaper(palette.surface);
    setColor(palette.text);
    setMarginsFont(font);
    setMarginsBackgroundColor(palette.surface);
    setMarginsForegroundColor(palette.quietText);
    setCaretForegroundColor(palette.text);
    setCaretLineVisible(true);
    setCaretLineBackgroundColor(palette.panel);
    setSelectionBackgroundColor(tinted(palette.surface, palette.accent, 0.35));
    resetSelectionForegroundColor();
    setMatchedBraceBackgroundColor(tinted(palette.surface, palette.accent, 0.25));
    setMatchedBraceForegroundColor(palette.text);
    setUnmatchedBraceBackgroundColor(palette.surface);
    setUnmatchedBraceForegroundColor(palette.wrong);
    setFoldMarginColors(palette.surface, palette.surface);
}

} // namespace gks
