// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"
#include "core/problem/problem.h"
#include "widgets/common/person_desk.h"

#include <QObject>
#include <QPointer>
#include <QThreadPool>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace gks {

class NearDuplicates;

// Questions that are answered from the campaign file; called on worker threads.
class CampaignQueries {
public:
    virtual ~CampaignQueries() = default;
    virtual Result<std::vector<Evaluation>> evaluations(KernelId kernel) const = 0;
    virtual Result<std::vector<Exchange>> exchanges(std::optional<KernelId> kernel,
                                                    std::optional<ExperimentId> experiment) const = 0;
    // The launch plans of its newest evaluation that has some; null: there are none.
    virtual Result<std::shared_ptr<const RecordedPlans>> newestPlans(KernelId /*kernel*/) const { return nullptr; }
    virtual Result<std::string> source(KernelId /*kernel*/) const { return std::string(); }
    virtual Result<std::vector<KernelId>> searchKernels(const std::string& /*words*/, int /*limit*/) const {
        return std::vector<KernelId>{};
    }
    virtual Result<std::vector<Steering>> steering() const { return std::vector<Steering>{}; }
    virtual Result<std::vector<EvaluationOwner>> evaluationOwners() const { return std::vector<EvaluationOwner>{}; }
    virtual Result<std::vector<Passage>> passages(std::int64_t /*document*/) const { return std::vector<Passage>{}; }
    virtual Result<std::vector<Passage>> searchPassages(const std::string& /*words*/, int /*limit*/) const {
        return std::vector<Passage>{};
    }
};

// Of a kernel's evaluations, with samples; none without a campaign file. Reads it: not for the thread of a window.
std::optional<Verdict> newestVerdict(const CampaignQueries* queries, KernelId kernel);

// The one place where engine events become Qt signals. Events are gathered for 40 ms and delivered in order on the GUI
// thread; the newest population is always at hand. This class alone shows a fixed population and lets commands pass
// unheeded (tests, screenshots); LiveEngineBridge drives a real engine.
class EngineBridge : public QObject {
    Q_OBJECT

public:
    explicit EngineBridge(PopulationPtr population = {}, std::shared_ptr<const ProblemPack> problem = {},
                          QObject* parent = nullptr);
    ~EngineBridge() override;

    const PopulationPtr& population() const { return m_population; }                // never null
    const std::shared_ptr<const ProblemPack>& problem() const { return m_problem; } // null until it is loaded
    EngineState state() const { return m_state; }
    QString stateReason() const { return m_stateReason; }
    const std::map<std::string, ActivityChanged>& lanes() const {
        return m_lanes;
    } // newest of every lane that was ever heard of
    const NextParentChanged& nextParent() const { return m_nextParent; }
    const std::vector<WarningRaised>& warnings() const { return m_warnings; }
    void warn(const Error& error); // one of the window's own
    // The shapes that this campaign measures, in the order of Kernel::shapeMediansUs.
    std::vector<Shape> shapes() const;
    virtual QString file() const { return {}; }
    // What it is opened by: the file, or the address of one on another machine, whose mirror file() is then.
    virtual QString address() const { return file(); }
    virtual bool readOnly() const { return true; }
    // Another process runs the campaign: the population follows what that one does. While there is a link to it, its
    // events are heard here, commands are carried out there, and it is not read-only.
    virtual bool watches() const { return false; }
    // Why there is none; empty: there is, or it does not watch.
    virtual std::optional<Error> linkTrouble() const { return {}; }
    // CampaignStore::identity(); empty without a file.
    virtual std::string identity() const { return {}; }

    // Kept up from the first time that it is asked for.
    NearDuplicates& nearDuplicates();

    // Thread-safe; this is the engine's sink.
    void post(EngineEvent event);
    // Delivers what has gathered now instead of with the timer.
    void flush();
    bool hasPending() const; // events or answers are still on their way

    // Answers arrive on the GUI thread, once, unless the receiver is gone or has asked the same question again
    // meanwhile.
    template<class T>
    using Answer = std::function<void(const Result<std::vector<T>>&)>;
    void askEvaluations(QObject* receiver, KernelId kernel, Answer<Evaluation> answer);
    void askExchanges(QObject* receiver, std::optional<KernelId> kernel, std::optional<ExperimentId> experiment,
                      Answer<Exchange> answer);
    // One answer for each kernel, in this order; null: it has no plans.
    void askPlans(QObject* receiver, const std::vector<KernelId>& kernels,
                  Answer<std::shared_ptr<const RecordedPlans>> answer);
    // One answer for each kernel, in this order.
    void askSources(QObject* receiver, const std::vector<KernelId>& kernels, Answer<std::string> answer);
    void askKernelSearch(QObject* receiver, const QString& words, int limit, Answer<KernelId> answer);
    void askSteering(QObject* receiver, Answer<Steering> answer);
    void askEvaluationOwners(QObject* receiver, Answer<EvaluationOwner> answer);
    void askPassages(QObject* receiver, std::int64_t document, Answer<Passage> answer);
    void askPassageSearch(QObject* receiver, const QString& words, int limit, Answer<Passage> answer);
    // Thread-safe; null without a campaign file.
    std::shared_ptr<const CampaignQueries> queries() const { return m_queries; }
    void setQueries(std::shared_ptr<const CampaignQueries> queries) { m_queries = std::move(queries); }

    // Prompts that wait for the person, with the provider "manual"; the oldest first.
    std::vector<PersonQuestion> personQuestions() const { return m_desk->questions(); }
    void answerPerson(int question, const QString& text) { m_desk->answer(question, text.toStdString()); }
    void declinePerson(int question) { m_desk->decline(question); }
    const std::shared_ptr<PersonDesk>& desk() const { return m_desk; }

    // For a call of a model that the window makes by itself, on a thread of its own.
    virtual ScientistSinks sinks() const;

    // Returns at once; what came of it is seen in the next events.
    virtual void send(const SteeringCommand& /*command*/) {}
    // The person has said yes to these.
    virtual void trust(const std::vector<TrustQuestion>& /*questions*/) {}

Q_SIGNALS:
    void populationChanged();
    void problemChanged();
    void stateChanged();
    void activityChanged(); // of any lane; at most once per delivery
    void samplesArrived(const gks::SamplesArrived& samples);
    void textArrived(const gks::TextArrived& text);
    void nextParentChanged();
    void warningRaised(); // warnings() has grown
    void quiet();         // nothing is pending any more
    void personQuestionsChanged();
    // The file names what nobody has answered for; with a start that was refused for it, or when it is opened.
    void trustAsked(const gks::TrustAsked& asked);

protected:
    void setProblem(std::shared_ptr<const ProblemPack> problem);
    void setDesk(std::shared_ptr<PersonDesk> desk);
    // Waits for questions in flight; a derived class calls it before the engine goes away.
    void finishQuestions();

private:
    struct Inbox; // shared with the sink, which may outlive us by an event
    template<class T>
    void ask(QObject* receiver, const char* question,
             std::function<Result<std::vector<T>>(const CampaignQueries&)> work, Answer<T> answer);
    void deliver(const EngineEvent& event);
    void announceQuiet();

    PopulationPtr m_population;
    std::shared_ptr<const ProblemPack> m_problem;
    std::shared_ptr<const CampaignQueries> m_queries;
    EngineState m_state = EngineState::idle;
    QString m_stateReason;
    std::map<std::string, ActivityChanged> m_lanes;
    NextParentChanged m_nextParent;
    std::vector<WarningRaised> m_warnings;
    std::shared_ptr<Inbox> m_inbox;
    std::shared_ptr<PersonDesk> m_desk;
    NearDuplicates* m_nearDuplicates = nullptr;
    QTimer m_timer;
    QThreadPool m_pool;
    std::map<std::pair<const QObject*, std::string>, int> m_newestQuestion;
    int m_questionsInFlight = 0;
};

} // namespace gks
