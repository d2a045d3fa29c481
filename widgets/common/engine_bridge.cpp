// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/engine_bridge.h"

#include "core/campaign/summary.h"
#include "core/judge/measured_shapes.h"
#include "widgets/common/near_duplicates.h"

#include <QCoreApplication>
#include <QMetaObject>
#include <utility>

namespace gks {

namespace {

constexpr int deliveryMs = 40;
constexpr std::size_t warningLimit = 500;

template<class... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template<class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

} // namespace

std::optional<Verdict> newestVerdict(const CampaignQueries* queries, KernelId kernel) {
    const auto evaluations = queries != nullptr ? queries->evaluations(kernel) : Result<std::vector<Evaluation>>();
    const Evaluation* own = evaluations ? ownRun(*evaluations) : nullptr;
    return own != nullptr ? std::optional(own->verdict) : std::nullopt;
}

struct EngineBridge::Inbox {
    mutable std::mutex mutex;
    std::vector<EngineEvent> events;
    EngineBridge* owner = nullptr; // null once the bridge is gone
};

EngineBridge::EngineBridge(PopulationPtr population, std::shared_ptr<const ProblemPack> problem, QObject* parent)
    : QObject(parent)
    , m_population(population ? std::move(population) : std::make_shared<const Population>())
    , m_problem(std::move(problem))
    , m_inbox(std::make_shared<Inbox>()) {
    m_inbox->owner = this;
    m_timer.setSingleShot(true);
    m_timer.setInterval(deliveryMs);
    connect(&m_timer, &QTimer::timeout, this, &EngineBridge::flush);
    m_pool.setMaxThreadCount(2);
    setDesk(std::make_shared<PersonDesk>());
}

EngineBridge::~EngineBridge() {
    m_desk->listen({});
    m_desk->close();
    {
        const std::lock_guard lock(m_inbox->mutex);
        m_inbox->owner = nullptr;
    }
    finishQuestions();
}

void EngineBridge::finishQuestions() {
    m_pool.waitForDone();
}

std::vector<Shape> EngineBridge::shapes() const {
    if (!m_problem) {
        return {};
    }
    const CampaignSettings& settings = m_population->settings;
    return measuredShapes(*m_problem, settings.target, settings.shapes);
}

NearDuplicates& EngineBridge::nearDuplicates() {
    if (m_nearDuplicates == nullptr) {
        m_nearDuplicates = new NearDuplicates(this);
    }
    return *m_nearDuplicates;
}

void EngineBridge::post(EngineEvent event) {
    const std::lock_guard lock(m_inbox->mutex);
    if (m_inbox->owner == nullptr) {
        return;
    }
    m_inbox->events.push_back(std::move(event));
    if (m_inbox->events.size() == 1) {
        QMetaObject::invokeMethod(&m_timer, [timer = &m_timer] { timer->start(); }, Qt::QueuedConnection);
    }
}

bool EngineBridge::hasPending() const {
    const std::lock_guard lock(m_inbox->mutex);
    return !m_inbox->events.empty() || m_questionsInFlight > 0;
}

void EngineBridge::flush() {
    std::vector<EngineEvent> events;
    {
        const std::lock_guard lock(m_inbox->mutex);
        events.swap(m_inbox->events);
    }
    // Only the newest population and the newest state of the lanes are worth a repaint; text and samples are all
    // delivered.
    std::size_t newestPopulation = events.size();
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (std::holds_alternative<PopulationChanged>(events[i])) {
            newestPopulation = i;
        }
    }
    bool lanesChanged = false;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (const auto* activity = std::get_if<ActivityChanged>(&events[i])) {
            m_lanes[activity->lane] = *activity;
            lanesChanged = true;
        } else if (!std::holds_alternative<PopulationChanged>(events[i]) || i == newestPopulation) {
            deliver(events[i]);
        }
    }
    if (lanesChanged) {
        Q_EMIT activityChanged();
    }
    announceQuiet();
}

void EngineBridge::deliver(const EngineEvent& event) {
    std::visit(Overloaded{
                   [this](const StateChanged& change) {
                       m_state = change.state;
                       m_stateReason = QString::fromStdString(change.reason);
                       Q_EMIT stateChanged();
                   },
                   [this](const PopulationChanged& change) {
                       if (change.population) {
                           m_population = change.population;
                           Q_EMIT populationChanged();
                       }
                   },
                   [](const ActivityChanged&) {},
                   [this](const SamplesArrived& samples) { Q_EMIT samplesArrived(samples); },
                   [this](const TextArrived& text) { Q_EMIT textArrived(text); },
                   [this](const NextParentChanged& next) {
                       m_nextParent = next;
                       Q_EMIT nextParentChanged();
                   },
                   [this](const WarningRaised& warning) {
                       if (m_warnings.size() == warningLimit) {
                           m_warnings.erase(m_warnings.begin());
                       }
                       m_warnings.push_back(warning);
                       Q_EMIT warningRaised();
                   },
                   [this](const TrustAsked& asked) { Q_EMIT trustAsked(asked); },
               },
               event);
}

void EngineBridge::warn(const Error& error) {
    deliver(WarningRaised{error, {}, {}, {}});
}

void EngineBridge::setProblem(std::shared_ptr<const ProblemPack> problem) {
    m_problem = std::move(problem);
    Q_EMIT problemChanged();
}

void EngineBridge::setDesk(std::shared_ptr<PersonDesk> desk) {
    if (m_desk) {
        m_desk->listen({});
    }
    m_desk = std::move(desk);
    m_desk->listen(
        [this] { QMetaObject::invokeMethod(this, &EngineBridge::personQuestionsChanged, Qt::QueuedConnection); });
    QMetaObject::invokeMethod(this, &EngineBridge::personQuestionsChanged, Qt::QueuedConnection); // asked already
}

ScientistSinks EngineBridge::sinks() const {
    ScientistSinks sinks;
    sinks.askPerson = [desk = m_desk](const std::string& stage, const ChatRequest& request,
                                      const std::stop_token& stop) { return desk->ask(stage, request, stop); };
    return sinks;
}

void EngineBridge::announceQuiet() {
    if (!hasPending()) {
        Q_EMIT quiet();
    }
}

template<class T>
void EngineBridge::ask(QObject* receiver, const char* question,
                       std::function<Result<std::vector<T>>(const CampaignQueries&)> work, Answer<T> answer) {
    const auto key = std::pair<const QObject*, std::string>(receiver, question);
    const int number = ++m_newestQuestion[key];
    ++m_questionsInFlight;
    // Runs on the GUI thread; a newer question of the same kind by the same receiver makes this one's answer worthless.
    auto done = [this, key, number, guard = QPointer<QObject>(receiver),
                 answer = std::move(answer)](const Result<std::vector<T>>& result) {
        --m_questionsInFlight;
        if (guard && m_newestQuestion[key] == number) {
            answer(result);
        }
        announceQuiet();
    };
    m_pool.start([queries = m_queries, inbox = m_inbox, work = std::move(work), done = std::move(done)] {
        auto result = std::make_shared<Result<std::vector<T>>>(queries ? work(*queries)
                                                                       : Result<std::vector<T>>(std::vector<T>{}));
        const std::lock_guard lock(inbox->mutex);
        if (inbox->owner != nullptr) {
            QMetaObject::invokeMethod(inbox->owner, [done, result] { done(*result); }, Qt::QueuedConnection);
        }
    });
}

void EngineBridge::askEvaluations(QObject* receiver, KernelId kernel, Answer<Evaluation> answer) {
    ask<Evaluation>(
        receiver, "evaluations", [kernel](const CampaignQueries& queries) { return queries.evaluations(kernel); },
        std::move(answer));
}

void EngineBridge::askExchanges(QObject* receiver, std::optional<KernelId> kernel,
                                std::optional<ExperimentId> experiment, Answer<Exchange> answer) {
    ask<Exchange>(
        receiver, "exchanges",
        [kernel, experiment](const CampaignQueries& queries) { return queries.exchanges(kernel, experiment); },
        std::move(answer));
}

void EngineBridge::askPlans(QObject* receiver, const std::vector<KernelId>& kernels,
                            Answer<std::shared_ptr<const RecordedPlans>> answer) {
    using Plans = std::shared_ptr<const RecordedPlans>;
    ask<Plans>(
        receiver, "plans",
        [kernels](const CampaignQueries& queries) -> Result<std::vector<Plans>> {
            std::vector<Plans> found;
            for (const KernelId kernel : kernels) {
                auto plans = queries.newestPlans(kernel);
                if (!plans && found.empty()) {
                    return tl::unexpected(plans.error());
                }
                found.push_back(std::move(plans).value_or(nullptr));
            }
            return found;
        },
        std::move(answer));
}

void EngineBridge::askEvaluationOwners(QObject* receiver, Answer<EvaluationOwner> answer) {
    ask<EvaluationOwner>(
        receiver, "evaluationOwners", [](const CampaignQueries& queries) { return queries.evaluationOwners(); },
        std::move(answer));
}

void EngineBridge::askPassages(QObject* receiver, std::int64_t document, Answer<Passage> answer) {
    ask<Passage>(
        receiver, "passages", [document](const CampaignQueries& queries) { return queries.passages(document); },
        std::move(answer));
}

void EngineBridge::askSources(QObject* receiver, const std::vector<KernelId>& kernels, Answer<std::string> answer) {
    ask<std::string>(
        receiver, "sources",
        [kernels](const CampaignQueries& queries) -> Result<std::vector<std::string>> {
            std::vector<std::string> sources;
            for (const KernelId kernel : kernels) {
                GKS_TRY_ASSIGN(std::string source, queries.source(kernel));
                sources.push_back(std::move(source));
            }
            return sources;
        },
        std::move(answer));
}

void EngineBridge::askKernelSearch(QObject* receiver, const QString& words, int limit, Answer<KernelId> answer) {
    ask<KernelId>(
        receiver, "kernelSearch",
        [text = words.toStdString(), limit](const CampaignQueries& queries) {
            return queries.searchKernels(text, limit);
        },
        std::move(answer));
}

void EngineBridge::askSteering(QObject* receiver, Answer<Steering> answer) {
    ask<Steering>(
        receiver, "steering", [](const CampaignQueries& queries) { return queries.steering(); }, std::move(answer));
}

void EngineBridge::askPassageSearch(QObject* receiver, const QString& words, int limit, Answer<Passage> answer) {
    ask<Passage>(
        receiver, "passageSearch",
        [text = words.toStdString(), limit](const CampaignQueries& queries) {
            return queries.searchPassages(text, limit);
        },
        std::move(answer));
}

} // namespace gks
