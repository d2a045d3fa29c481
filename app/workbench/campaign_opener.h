// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/campaign/running.h"
#include "core/campaign/store.h"

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

class QWidget;

namespace gks {

class EngineBridge;
struct WindowSeams;

// What a person wants of a campaign that another process runs.
enum class RunChoice { watch, takeOver, stop, cancel };

// Opens campaigns, also those that another process runs: to watch them, or after that one was stopped. Nothing here
// keeps the window waiting.
class CampaignOpener final : public QObject {
    Q_OBJECT

public:
    // `seams` outlive this; `window` is the parent of questions.
    CampaignOpener(const WindowSeams& seams, QWidget* window);
    ~CampaignOpener() override; // waits for a stop in flight

    // Called once: with what is open, or with null where nothing comes of it.
    using Opened = std::function<void(std::unique_ptr<EngineBridge>)>;
    void open(const QString& file, Opened opened); // for writing; asks when another process has it
    void watch(const QString& file, Opened opened);
    void takeOver(const QString& file, Opened opened); // also when the run has ended meanwhile
    void stop(const QString& file);
    // A campaign that is made or copied first, beside the window. What is being made under the same `text` is not made
    // twice.
    void prepare(const QString& text, std::function<Result<QString>()> make, std::function<void(const QString&)> made);

Q_SIGNALS:
    void busy(const QString& text); // empty: no longer
    void failed(const QString& file, const gks::Error& error);

private:
    void openWith(CampaignStore::Access access, const QString& file, Opened opened);
    void askAboutRun(const QString& file, const Error& error, Opened opened);
    void end(const QString& file, std::function<void(const EndedRun*)> ended); // null: it failed, and was said
    template<class T>
    void work(std::function<T()> question, std::function<void(const T&)> answer); // beside the window

    const WindowSeams& m_seams;
    QWidget* m_window;
    std::map<QString, std::vector<std::function<void(const QString&)>>> m_making; // who waits for it, by `text`
    QThreadPool m_pool;                                                           // of its own: a stop may take 15 s
};

} // namespace gks
