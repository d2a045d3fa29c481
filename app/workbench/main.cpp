// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/campaign_view.h"
#include "app/workbench/command_line.h"
#include "app/workbench/end_signal.h"
#include "app/workbench/main_window.h"
#include "app/workbench/screenshot.h"
#include "core/base/address.h"
#include "core/base/locations.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/language.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/settings.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"

#include <QApplication>
#include <QFileInfo>
#include <QTimer>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

namespace {

int complain(const gks::Error& error) {
    std::fprintf(stderr, "kernel-scientist: %s\n", error.message().c_str());
    return error.kind == gks::ErrorKind::usage ? 2 : 3;
}

// A kernel that is not there is an error: a picture of another one would be taken for it.
gks::Result<void> selectNamed(gks::CampaignView& view, const gks::CommandLine& line) {
    const gks::Population& population = *view.bridge().population();
    for (const auto& [option, id] : {std::pair{"--kernel", line.kernel}, std::pair{"--second", line.second}}) {
        if (id && population.kernel(*id) == nullptr) {
            return gks::usageError("there is no kernel " + gks::kernelLabel(*id), option,
                                   "The campaign has " + std::to_string(population.kernels.size()) +
                                       " kernels; see its page Lineage");
        }
    }
    if (line.kernel) {
        view.selection().select(*line.kernel);
    }
    if (line.second) {
        view.selection().setSecond(line.second);
    }
    return {};
}

// Selects what the command line names; then draws and exits, or runs.
void begin(gks::MainWindow& window, gks::CampaignView* view, const gks::CommandLine& line, QSize size) {
    if (view != nullptr) {
        if (const auto selected = selectNamed(*view, line); !selected) {
            const int status = complain(selected.error());
            if (!line.screenshot.isEmpty()) {
                QCoreApplication::exit(status);
                return;
            }
        }
        if (!line.panel.isEmpty()) {
            view->showPanel(line.panel);
        }
        if (line.run) {
            view->bridge().send(gks::command::Start{});
        }
    }
    if (!line.screenshot.isEmpty()) {
        const auto taken = gks::takeScreenshot(window, line.panel, line.whole, size, line.screenshot);
        QCoreApplication::exit(taken ? 0 : complain(taken.error()));
    }
}

} // namespace

int main(int argc, char** argv) {
    QStringList arguments;
    for (int i = 1; i < argc; ++i) {
        arguments.append(QString::fromLocal8Bit(argv[i]));
    }
    const auto line = gks::parseCommandLine(arguments);
    if (!line) {
        return complain(line.error());
    }
    if (line->help || line->version) {
        const QString text = line->help ? gks::usageText() : gks::toText(gks::programVersion()) + QLatin1Char('\n');
        std::fputs(qPrintable(text), stdout);
        return 0;
    }
    const bool drawing = !line->screenshot.isEmpty();
    if (const auto target = drawing ? gks::checkPicture(line->screenshot) : gks::Result<void>(); !target) {
        return complain(target.error());
    }
    if (drawing && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("kernel-scientist"));
    QCoreApplication::setApplicationVersion(gks::toText(gks::programVersion()));
    QGuiApplication::setDesktopFileName(QStringLiteral("io.github.gpu_kernel_scientist"));
    const auto temporary = drawing ? std::make_unique<gks::TemporarySettings>() : nullptr;
    gks::useLanguage(application, gks::Settings::instance().value(gks::settings::language));
    gks::Theme::instance().install(application);
    gks::Theme::instance().setChoice(
        line->theme.value_or(gks::Theme::choiceFromName(gks::Settings::instance().value(gks::settings::theme))));

    gks::WindowSeams seams = gks::realWindowSeams();
    if (drawing) {
        seams.askTrust = {}; // nobody is there to answer
        seams.askAboutRun = [](auto&&...) { return gks::RunChoice::watch; };
    }
    gks::MainWindow window(std::move(seams));
    const QSize size = line->size.value_or(QSize(1600, 1000));
    window.restoreWindow();
    if (line->size) {
        window.resize(size);
    }
    if (drawing && !line->file.isEmpty()) {
        QObject::connect(&window, &gks::MainWindow::openFailed, &window,
                         [](const gks::Error& error) { QCoreApplication::exit(complain(error)); });
    }
    if (line->file.isEmpty()) {
        QTimer::singleShot(0, &window, [&] {
            begin(window, nullptr, *line, size);
            if (line->demo) {
                window.openSample([&window](gks::CampaignView*) { window.openDemo(); }); // in front
            } else if (!drawing) {
                window.beginSession();
            }
        });
    } else {
        if (!line->lanes.isEmpty()) {
            gks::Settings::instance().setLanes(line->file, line->lanes);
        }
        const bool isRemote = gks::isRemoteAddress(line->file.toStdString());
        window.openCampaign(isRemote ? line->file : QFileInfo(line->file).absoluteFilePath(),
                            [&](gks::CampaignView* view) { begin(window, view, *line, size); });
    }
    const gks::EndSignal end;
    QObject::connect(&end, &gks::EndSignal::asked, &window, &gks::MainWindow::endAsAsked);
    if (!drawing) {
        window.show();
    }
    return QApplication::exec();
}
