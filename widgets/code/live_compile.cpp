// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/live_compile.h"

#include "core/base/quantity.h"
#include "core/campaign/limits.h"
#include "core/judge/device_record.h"
#include "widgets/common/settings.h"

#include <QElapsedTimer>
#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::chrono::milliseconds pauseOfTyping(300);
constexpr std::chrono::seconds liveTimeLimit(20);

Result<SourceListing> refusedOf(std::size_t bytes) {
    return usageError(fmt::format("{} of source are more than a kernel may have ({})", formatBytes(bytes),
                                  formatBytes(limits::kernelSourceBytes)));
}

} // namespace

LiveCompile::LiveCompile(std::function<std::string()> text, QObject* parent)
    : QObject(parent), m_text(std::move(text)), m_compiler(listSource) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseOfTyping);
    connect(&m_pause, &QTimer::timeout, this, &LiveCompile::consider);
    connect(&Settings::instance(), &Settings::changed, this, [this](const QString& name) {
        if (name == QLatin1String(settings::compileWhileTyping.name)) {
            consider();
        }
    });
}

LiveCompile::~LiveCompile() {
    m_stop.request_stop();
}

void LiveCompile::setConditions(const Conditions& conditions) {
    if (m_conditions != conditions) {
        m_conditions = conditions;
        m_parents.reset(); // all were made under others
        reset();
    }
}

void LiveCompile::setParentText(std::optional<std::string> text) {
    if (m_parentText != text) {
        m_parentText = std::move(text);
        m_parents.reset();
        consider();
    }
}

void LiveCompile::setActive(bool active) {
    m_active = active;
    consider();
}

void LiveCompile::touch() {
    m_isStale = true;
    m_stop.request_stop(); // what is compiled is the text of before
    if (m_active) {
        m_pause.start();
        consider();
    }
}

void LiveCompile::reset() {
    m_latest.reset();
    m_compiled.reset();
    touch();
}

// What is to be done next, whatever has happened. A compiler that was stopped is waited for.
void LiveCompile::consider() {
    if (!m_active || !Settings::instance().value(settings::compileWhileTyping)) {
        m_stop.request_stop();
        m_pause.stop();
        enter(State::off);
        return;
    }
    if (m_pause.isActive()) {
        enter(State::waiting);
        return;
    }
    if (m_work.isBusy()) {
        return;
    }
    if (m_isStale) {
        std::string source = m_text();
        if (m_latest && m_latest->source == source && m_latest->listing) { // typed and taken back
            m_isStale = false;
        } else if (source.size() > limits::kernelSourceBytes) {
            m_isStale = false;
            m_latest = CompiledText{{}, refusedOf(source.size()), 0};
        } else {
            enter(State::compiling);
            start(std::move(source), false);
            return;
        }
    }
    enter(State::done);
    if (m_parentText && !m_parents) {
        start(*m_parentText, true);
    }
}

void LiveCompile::start(std::string source, bool isParents) {
    m_stop = std::stop_source();
    const auto work = [stop = m_stop.get_token(), compiler = m_compiler, conditions = m_conditions,
                       source = std::move(source)](const std::stop_token& /*gone*/) {
        ListingRequest request;
        request.problem = conditions.problem.get();
        request.source = source;
        request.architecture = conditions.architecture;
        request.compilerOptions = conditions.compilerOptions;
        request.timeLimit = liveTimeLimit;
        QElapsedTimer clock;
        clock.start();
        CompiledText text;
        text.listing = compiler(request, stop);
        text.milliseconds = static_cast<int>(clock.elapsed());
        text.source = source;
        return text;
    };
    m_work.start(work, [this, isParents, stop = m_stop.get_token()](const CompiledText& text) {
        if (!stop.stop_requested()) {
            finished(text, isParents);
        }
        consider();
        Q_EMIT changed(); // it may be at rest now
    });
}

void LiveCompile::finished(const CompiledText& text, bool isParents) {
    if (isParents) {
        if (m_parentText == text.source) {
            m_parents = text;
        }
        return;
    }
    m_isStale = false;
    m_latest = text;
    if (text.listing && text.listing->report) {
        m_compiled = text;
    }
    if (m_parentText == text.source) {
        m_parents = text;
    }
}

void LiveCompile::enter(State state) {
    const bool isNews = m_state != state || state == State::done;
    m_state = state;
    if (isNews) {
        Q_EMIT changed();
    }
}

const Verdict* newestOf(const std::vector<Evaluation>& evaluations) {
    const auto newest = std::find_if(evaluations.rbegin(), evaluations.rend(), [](const Evaluation& one) {
        return one.verdict.kind != VerdictKind::infrastructureFailed;
    });
    return newest == evaluations.rend() ? nullptr : &newest->verdict;
}

std::string listedArchitecture(TargetKind target, const Verdict* newest) {
    const std::string_view family = target == TargetKind::nvidia ? "sm_" : "gfx";
    std::vector<std::string> known;
    if (newest != nullptr && newest->staticReport) {
        known.push_back(newest->staticReport->architecture);
    }
    if (newest != nullptr) {
        known.push_back(recordedDevice(*newest).architecture);
    }
    known.push_back(commonTarget(target == TargetKind::cpu ? TargetKind::amd : target).architecture);
    return *std::ranges::find_if(known, [&](const std::string& one) { return one.starts_with(family); });
}

LiveCompile::Conditions conditionsFor(const std::shared_ptr<const ProblemPack>& problem, const Verdict* newest) {
    LiveCompile::Conditions conditions;
    conditions.problem = problem;
    if (newest != nullptr) {
        conditions.compilerOptions = newest->conditions.compilerOptions;
    }
    conditions.architecture = listedArchitecture(TargetKind::amd, newest);
    return conditions;
}

bool isCompiledLive(const Population& population) {
    return population.settings.target != TargetKind::nvidia && !population.settings.judgedByHarness;
}

} // namespace gks
