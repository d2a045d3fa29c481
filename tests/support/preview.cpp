// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the window with the sample campaign, for people who work on a panel: preview OUT.png
// [PANEL|@PAGE|+ACTION|start|""] [dark|light] [WxH] [KERNEL] [SECOND] [COMPARED,...|ACTION]
#include "app/workbench/campaign_view.h"
#include "app/workbench/main_window.h"
#include "app/workbench/screenshot.h"
#include "tests/support/gui_test.h"
#include "tests/support/recording_bridge.h"
#include "tests/support/sample_campaign.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/language.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/theme.h"
#include "widgets/wizard/new_campaign_dialog.h"

#include <QAction>
#include <QApplication>
#include <QTimer>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const auto argument = [&](int at, const char* fallback) {
        return arguments.size() > at ? arguments[at] : QString::fromLatin1(fallback);
    };
    gks::GuiTest pinned;
    gks::useLanguage(application, gks::settings::language.defaultValue);
    gks::Theme::instance().setChoice(gks::Theme::choiceFromName(argument(3, "dark")));
    const QStringList sides = argument(4, "1600x1000").split(QLatin1Char('x'));
    const QSize size(sides.value(0).toInt(), sides.value(1).toInt());
    gks::MainWindow window({[](QWidget*) { return QString(); },
                            [](QWidget*) { return gks::ClosingChoice::pause; },
                            gks::loadCampaignChoices,
                            {}});
    int status = 1;
    QTimer::singleShot(0, &window, [&] {
        if (argument(2, "") != QLatin1String("start")) {
            const gks::SampleCampaign sample = gks::makeSampleCampaign();
            gks::CampaignView* view =
                window.addCampaign(std::make_unique<gks::RecordingBridge>(QStringLiteral("/campaigns/fp8-gemm.gks")));
            for (const gks::EngineEvent& event : sample.live) {
                view->bridge().post(event);
            }
            if (arguments.size() > 5) {
                view->selection().select(arguments[5].toLongLong());
            }
            if (arguments.size() > 6) {
                view->selection().setSecond(arguments[6].toLongLong());
            }
            std::vector<gks::KernelId> compared;
            for (const QString& one : argument(7, "").split(QLatin1Char(','))) {
                if (one.toLongLong() > 0) {
                    compared.push_back(one.toLongLong());
                }
            }
            view->selection().setCompared(compared);
            for (QAction* action : window.allActions()) {
                if (action->objectName() == argument(7, "")) {
                    action->trigger();
                }
            }
        }
        if (argument(2, "").startsWith(QLatin1Char('+'))) {
            for (QAction* action : window.allActions()) {
                if (action->objectName() == argument(2, "").mid(1)) {
                    QTimer::singleShot(200, &window, [&] {
                        QWidget* dialog = QApplication::activeModalWidget() != nullptr
                                              ? QApplication::activeModalWidget()
                                              : QApplication::activePopupWidget();
                        status = dialog != nullptr && dialog->grab().save(argument(1, "preview.png")) ? 0 : 1;
                        std::exit(status);
                    });
                    window.resize(size);
                    window.show();
                    action->trigger();
                }
            }
            return;
        }
        const QString panel = argument(2, "") == QLatin1String("start") ? QString() : argument(2, "");
        const bool whole = panel.startsWith(QLatin1Char('@'));
        const auto taken =
            gks::takeScreenshot(window, whole ? panel.mid(1) : panel, whole, size, argument(1, "preview.png"));
        if (!taken) {
            std::fprintf(stderr, "%s\n", taken.error().message().c_str());
        }
        status = taken ? 0 : 1;
        QCoreApplication::quit();
    });
    QApplication::exec();
    return status;
}
