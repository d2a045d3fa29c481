// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/campaign_opener.h"

#include "app/workbench/main_window.h"
#include "core/campaign/file_lock.h"
#include "widgets/common/engine_bridge.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPointer>
#include <chrono>
#include <filesystem>
#include <thread>

namespace gks {

namespace {

constexpr std::chrono::milliseconds lookInterval(50);
constexpr std::chrono::seconds personsPatience(15);

// A tab of this window that was just closed gives the campaign back in a moment: nobody to ask about. The byte decides
// whose it is: its record ends before it does.
struct FoundWriter {
    CampaignWriter writer;
    bool isOurs = false;
};
FoundWriter waitForOurs(const std::filesystem::path& file) {
    const auto deadline = std::chrono::steady_clock::now() + personsPatience;
    while (holdsWriterByte(file) && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(lookInterval);
    }
    return {writerOf(file), holdsWriterByte(file)};
}

} // namespace

CampaignOpener::CampaignOpener(const WindowSeams& seams, QWidget* window)
    : QObject(window), m_seams(seams), m_window(window) {}

CampaignOpener::~CampaignOpener() {
    m_pool.waitForDone();
}

template<class T>
void CampaignOpener::work(std::function<T()> question, std::function<void(const T&)> answer) {
    m_pool.start([guard = QPointer(this), question = std::move(question), answer = std::move(answer)] {
        auto value = std::make_shared<const T>(question());
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [guard, value, answer] {
                if (guard) {
                    answer(*value);
                }
            },
            Qt::QueuedConnection);
    });
}

void CampaignOpener::open(const QString& file, Opened opened) {
    openWith(CampaignStore::Access::write, file, std::move(opened));
}
void CampaignOpener::watch(const QString& file, Opened opened) {
    openWith(CampaignStore::Access::read, file, std::move(opened));
}

void CampaignOpener::prepare(const QString& text, std::function<Result<QString>()> make,
                             std::function<void(const QString&)> made) {
    auto& waiting = m_making[text];
    waiting.push_back(std::move(made));
    if (waiting.size() > 1) {
        return;
    }
    Q_EMIT busy(text);
    work<Result<QString>>(std::move(make), [this, text](const Result<QString>& file) {
        Q_EMIT busy({});
        const auto waited = std::move(m_making.extract(text).mapped());
        if (!file) {
            Q_EMIT failed({}, file.error());
            return;
        }
        for (const auto& one : waited) {
            one(*file);
        }
    });
}

void CampaignOpener::openWith(CampaignStore::Access access, const QString& file, Opened opened) {
    Q_EMIT busy(tr("Opening %1...").arg(QFileInfo(file).fileName()));
    m_seams.open(file, access, this,
                 [this, access, file, opened = std::move(opened)](Result<EngineBridge*> bridge) mutable {
                     Q_EMIT busy({});
                     if (bridge) {
                         opened(std::unique_ptr<EngineBridge>(*bridge));
                     } else if (access == CampaignStore::Access::write && m_seams.askAboutRun) {
                         askAboutRun(file, bridge.error(), std::move(opened));
                     } else {
                         opened(nullptr);
                         Q_EMIT failed(file, bridge.error());
                     }
                 });
}

void CampaignOpener::askAboutRun(const QString& file, const Error& error, Opened opened) {
    work<FoundWriter>([path = file.toStdString()] { return waitForOurs(path); },
                      [this, file, error, opened = std::move(opened)](const FoundWriter& found) {
                          const bool isFree = !found.isOurs && !found.writer.isThere;
                          if (isFree && isInUse(error)) { // whoever had it has given it back since
                              open(file, opened);
                              return;
                          }
                          if (isFree || found.isOurs) {
                              opened(nullptr);
                              Q_EMIT failed(file, error);
                              return;
                          }
                          switch (m_seams.askAboutRun(m_window, file, found.writer.run)) {
                          case RunChoice::watch:
                              watch(file, opened);
                              break;
                          case RunChoice::takeOver:
                              takeOver(file, opened);
                              break;
                          case RunChoice::stop:
                              stop(file);
                              opened(nullptr);
                              break;
                          case RunChoice::cancel:
                              opened(nullptr);
                              break;
                          }
                      });
}

void CampaignOpener::end(const QString& file, std::function<void(const EndedRun*)> ended) {
    Q_EMIT busy(tr("Stopping %1...").arg(QFileInfo(file).fileName()));
    work<Result<EndedRun>>([path = file.toStdString()] { return endRun(path); },
                           [this, file, ended = std::move(ended)](const Result<EndedRun>& outcome) {
                               Q_EMIT busy({});
                               ended(outcome ? &*outcome : nullptr);
                               if (!outcome) {
                                   Q_EMIT failed(file, outcome.error());
                               }
                           });
}

void CampaignOpener::stop(const QString& file) {
    end(file, [](const EndedRun*) {});
}

void CampaignOpener::takeOver(const QString& file, Opened opened) {
    work<bool>([path = file.toStdString()] { return isWriterByteHeld(path); },
               [this, file, opened = std::move(opened)](bool isHeld) {
                   if (!isHeld) {
                       open(file, opened);
                       return;
                   }
                   end(file, [this, file, opened](const EndedRun* ended) {
                       if (ended != nullptr && ended->outcome == StopOutcome::ended) {
                           open(file, opened);
                           return;
                       }
                       opened(nullptr);
                       if (ended != nullptr) {
                           Q_EMIT failed({}, Error{ErrorKind::usage,
                                                   endedText(*ended),
                                                   {},
                                                   tr("Close it there, then try again").toStdString()});
                       }
                   });
               });
}

} // namespace gks
