// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/recording_bridge.h"
#include "widgets/common/actions.h"
#include "widgets/common/panel.h"
#include "widgets/common/selection_context.h"

#include <QLatin1String>
#include <QTest>
#include <functional>
#include <memory>
#include <optional>

namespace gks {

// A panel on show, filled with the sample campaign, and what it is given; what it asks for is in bridge.takeCommands().
template<class P>
class PanelStage final {
public:
    explicit PanelStage(QSize size = {900, 700}, std::optional<KernelId> selected = {}) {
        if (selected) {
            selection.select(*selected);
        }
        panel = std::make_unique<P>(PanelContext{&bridge, &selection, &actions});
        panel->resize(size);
        panel->show();
        settle();
    }
    // A window is closed before its panels go, and they hear of the lost focus while they are whole.
    ~PanelStage() { panel->close(); }
    PanelStage(const PanelStage&) = delete;
    PanelStage& operator=(const PanelStage&) = delete;

    RecordingBridge bridge{QStringLiteral("sample.gks")};
    SelectionContext selection;
    ActionCollection actions;
    std::unique_ptr<P> panel;

    template<class W>
    W* part(const char* name) const {
        return panel->template findChild<W*>(QLatin1String(name));
    }
    // The campaign as `change` leaves it.
    void publish(const std::function<void(Population&)>& change) {
        auto population = std::make_shared<Population>(*bridge.population());
        change(*population);
        bridge.post(PopulationChanged{population});
        bridge.flush();
        settle();
    }
    void settle() const { QTRY_VERIFY(panel->isSettled()); }
};

} // namespace gks
