// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "widgets/common/panel.h"
#include "widgets/run/spoken_lines.h"

#include <map>
#include <string>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QVBoxLayout;

namespace gks {

class LaneRow;
class SampleStrip;
class StageErrors;
class StageStrip;

// What happens now: the stages, each lane's work, live samples, and what model, compiler and judge say meanwhile.
class ActivityPanel final : public Panel {
    Q_OBJECT

public:
    explicit ActivityPanel(const PanelContext& context, QWidget* parent = nullptr);

    QWidget* titleWidget() override;
    // From the first work or word on.
    bool hasContent() const override { return m_hasContent; }

protected:
    void refresh() override;

private:
    void updateLanes();
    void haveContent();
    void showErrors();
    void openError(Activity stage);
    LaneRow* rowOf(const std::string& lane);
    void hear(const TextArrived& text);
    void appendText(const TextArrived& text);

    StageStrip* m_stages;
    StageErrors* m_errors;
    QLabel* m_newestError;
    QVBoxLayout* m_laneColumn;
    SampleStrip* m_samples;
    QPlainTextEdit* m_text;
    QComboBox* m_filter;
    QWidget* m_title;
    QTimer m_tick;
    std::map<std::string, LaneRow*> m_lanes;
    std::map<std::string, LaneOutage> m_lanesOut;
    SpokenLines m_lines;
    std::optional<SpokenLines::Speaker> m_lastSpeaker;
    std::vector<TextArrived> m_pieces; // bounded
    std::size_t m_pieceBytes = 0;
    bool m_hasContent = false;
};

} // namespace gks
