// SPDX-License-Identifier: GPL-3.0-or-later
// Presses everything in the real window, on a copy of a sample campaign and on a small one that runs for real without a
// model: an hour of it finds what no test thinks of.
//     gui_monkey [--seed N] [--actions N | --minutes N] [--log FILE]
// Ends with 1, the seed and the list of actions when anything warned, or a decision is not in the campaign file. A
// crash leaves the list in the log.
#include "app/workbench/campaign_view.h"
#include "app/workbench/main_window.h"
#include "core/base/files.h"
#include "core/campaign/store.h"
#include "tests/gui/monkey/decision_log.h"
#include "tests/gui/monkey/monkey.h"
#include "tests/support/gui_test.h"
#include "tests/support/turn_watch.h"
#include "widgets/common/live_engine_bridge.h"
#include "widgets/wizard/new_campaign_dialog.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>
#include <QThreadPool>
#include <cstdio>
#include <memory>

using namespace gks;

namespace {

constexpr int openingMs = 60'000;
constexpr int restMs = 300'000; // an evaluation that is on its way ends first

struct MonkeyOptions {
    quint32 seed = 1;
    int actions = 400;
    int minutes = 0;
    QString log;
};

MonkeyOptions monkeyOptions(const QStringList& arguments) {
    MonkeyOptions options;
    for (qsizetype i = 1; i + 1 < arguments.size(); i += 2) {
        const int number = arguments[i + 1].toInt();
        if (arguments[i] == QLatin1String("--seed")) {
            options.seed = static_cast<quint32>(number);
        } else if (arguments[i] == QLatin1String("--actions")) {
            options.actions = number;
        } else if (arguments[i] == QLatin1String("--minutes")) {
            options.minutes = number;
        } else if (arguments[i] == QLatin1String("--log")) {
            options.log = arguments[i + 1];
        }
    }
    return options;
}

// Every action, on disk before it is done.
class ActionList {
public:
    explicit ActionList(const QString& file) : m_file(file) {
        if (!m_file.open(QIODevice::WriteOnly | QIODevice::Unbuffered)) {
            qFatal("%s cannot be written", qPrintable(file));
        }
    }
    void add(const QString& action) { m_file.write(QStringLiteral("%1 %2\n").arg(++m_count).arg(action).toUtf8()); }
    QString name() const { return m_file.fileName(); }

private:
    QFile m_file;
    int m_count = 0;
};

WindowSeams monkeySeams(const QString& folder, DecisionLog& decisions) {
    WindowSeams seams = realWindowSeams();
    seams.askCampaignFile = [](QWidget*) { return QString(); };
    seams.askClosing = [](QWidget*) { return ClosingChoice::pause; };
    seams.askUnsaved = [](QWidget*, const QStringList&, bool) { return UnsavedChoice::discard; };
    seams.askTrust = {};
    seams.choices = [folder] {
        CampaignChoices choices = loadCampaignChoices();
        choices.folder = folder;
        return choices;
    };
    seams.open = [&decisions, open = seams.open](const QString& file, CampaignStore::Access access, QObject* receiver,
                                                 const std::function<void(Result<EngineBridge*>)>& opened) {
        open(file, access, receiver, [&decisions, opened](Result<EngineBridge*> bridge) {
            if (auto* live = bridge ? qobject_cast<LiveEngineBridge*>(*bridge) : nullptr) {
                decisions.watch(*live);
            }
            opened(bridge);
        });
    };
    return seams;
}

Result<void> makeCampaigns(const QString& folder) {
    CampaignSettings settings;
    settings.problem = "sum-reduction";
    settings.measureSeconds = 0.2;
    settings.budgets.evaluations = 3;
    GKS_TRY(CampaignStore::create(folder.toStdString() + "/small.gks", settings));
    const QString sample = QStringLiteral(GKS_SOURCE_DIR "/resources/samples/fp8-gemm-cpu.gks");
    if (!QFile::copy(sample, folder + QStringLiteral("/sample.gks"))) {
        return infrastructureError("cannot be copied", sample.toStdString());
    }
    QFile::setPermissions(folder + QStringLiteral("/sample.gks"), QFile::ReadOwner | QFile::WriteOwner);
    return {};
}

// Stops what runs and waits until nothing happens any more.
bool comesToRest(CampaignView& view) {
    EngineBridge& bridge = view.bridge();
    bridge.send(command::Stop{});
    QTest::qWait(100);
    return QTest::qWaitFor(
        [&] { return bridge.state() == EngineState::idle && !bridge.hasPending() && view.isSettled(); }, restMs);
}

// What went wrong; empty: nothing.
QStringList runMonkey(const MonkeyOptions& options, const QString& folder, ActionList& list) {
    DecisionLog decisions;
    QStringList wrong;
    {
        MainWindow window(monkeySeams(folder, decisions));
        window.resize(1280, 800);
        window.show();
        for (const char* name : {"/sample.gks", "/small.gks"}) {
            const CampaignView* before = window.currentView();
            window.openCampaign(folder + QLatin1String(name));
            if (!QTest::qWaitFor([&] { return window.currentView() != before; }, openingMs)) {
                return {QStringLiteral("%1 does not open").arg(QLatin1String(name))};
            }
        }
        Monkey monkey(window, options.seed, [&](const QString& action) { list.add(action); });
        QObject::connect(&monkey, &Monkey::finished, qApp, &QApplication::quit);
        QElapsedTimer timer;
        timer.start();
        monkey.start([&] {
            return options.minutes > 0 ? timer.elapsed() > qint64(options.minutes) * 60'000
                                       : monkey.actions() >= options.actions;
        });
        QApplication::setQuitOnLastWindowClosed(false);
        QApplication::exec();
        for (CampaignView* view : window.findChildren<CampaignView*>()) {
            if (!comesToRest(*view)) {
                wrong.append(view->title() + QStringLiteral(" does not come to rest"));
            }
            decisions.remember(static_cast<const LiveEngineBridge&>(view->bridge()));
        }
        const auto* watch = static_cast<const TurnWatch*>(qApp);
        std::printf("%d actions, %d decisions; longest turn %.0f ms (%s), %d of %d over %.0f ms\n", monkey.actions(),
                    decisions.decisions(), watch->longest().milliseconds, qPrintable(watch->longest().what),
                    watch->longTurns(), watch->turns(), TurnWatch::limitMs);
        window.close();
    }
    QThreadPool::globalInstance()->waitForDone(); // engines give their files back there
    return wrong + decisions.lost() + GuiTest::takeWarnings();
}

} // namespace

int main(int argc, char** argv) {
    TurnWatch application(argc, argv);
    const MonkeyOptions options = monkeyOptions(QCoreApplication::arguments());
    const TemporaryDirectory folder = TemporaryDirectory::create("monkey").value();
    const QString path = QString::fromStdString(folder.path().string());
    // What the window writes beside campaigns: text that is half written, records of runs, the demo.
    for (const char* variable : {"GKS_STATE", "GKS_DATA"}) {
        qputenv(variable, QFile::encodeName(path));
    }
    const QString log = options.log.isEmpty()
                            ? QStringLiteral("%1/monkey-%2.log").arg(QDir::tempPath()).arg(options.seed)
                            : options.log;
    ActionList list(log);
    std::printf("seed %u, actions in %s\n", options.seed, qPrintable(list.name()));
    std::fflush(stdout);
    const GuiTest gui;
    if (const auto made = makeCampaigns(path); !made) {
        std::printf("%s\n", made.error().message().c_str());
        return 3;
    }
    const QStringList wrong = runMonkey(options, path, list);
    for (const QString& line : wrong) {
        std::printf("%s\n", qPrintable(line));
    }
    if (!wrong.isEmpty()) {
        std::printf("seed %u\n%s", options.seed, readFile(list.name().toStdString()).value_or("").c_str());
    }
    return wrong.isEmpty() ? 0 : 1;
}
