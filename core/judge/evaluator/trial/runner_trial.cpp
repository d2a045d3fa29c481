// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/runner_trial.h"

#include "core/base/files.h"
#include "core/judge/evaluator/trial/byte_ranges.h"
#include "core/judge/runner/opening.h"

#include <algorithm>

namespace gks {

RunnerTrial::RunnerTrial(std::unique_ptr<RunnerSession> session, std::shared_ptr<const PlannedKernel> kernel,
                         Setup setup, const CaseImages& images, const ProblemPack& pack, WorkClock& clock)
    : m_session(std::move(session))
    , m_kernel(std::move(kernel))
    , m_setup(std::move(setup))
    , m_images(images)
    , m_pack(pack)
    , m_clock(clock) {}

runner::Command RunnerTrial::command(runner::Verb verb) {
    runner::Command command;
    command.verb = verb;
    return command;
}

std::string RunnerTrial::doing() const {
    return m_layout != nullptr ? m_pack.shapeLabel(m_layout->shape) : std::string();
}

Judged<RunnerSession::Answer> RunnerTrial::ask(const runner::Command& command, std::string_view text) {
    auto answer = m_session->ask(command, text);
    if (!answer) {
        return refuse(answer.error(), doing());
    }
    return std::move(*answer);
}

Judged<void> RunnerTrial::load() {
    if (m_isLoaded) {
        return {};
    }
    if (auto loaded = loadInto(*m_session); !loaded) {
        return refuse(loaded.error(), "loading the kernel");
    }
    m_isLoaded = true;
    return {};
}

RunnerResult<void> RunnerTrial::loadInto(RunnerSession& session) {
    const auto code = readFile(m_kernel->deviceModule(), runner::textBehindLimitBytes);
    if (!code) {
        return tl::unexpected(RunnerError{RunnerTrouble::infrastructure, code.error().message()});
    }
    return session.load(*code, m_setup.timeLimit, m_setup.stop);
}

Judged<void> RunnerTrial::setShape(const CaseLayout& layout) {
    begin(layout);
    const PlannedKernel::Case& planned = m_kernel->of(layout);
    runner::Opening opening{{}, planned.call.setup, planned.call.plan};
    for (const VariableFacts& variable : m_kernel->facts().variables) {
        opening.variables.push_back(variable.symbol);
    }
    return place(layout, planned.addresses, runner::openingText(opening));
}

Judged<void> RunnerTrial::place(const CaseLayout& layout, const SetAddresses& addresses, std::string_view opening) {
    runner::Command shape = command(runner::Verb::shape);
    shape.tensorCount = static_cast<std::uint32_t>(layout.places.size());
    shape.inputBytes = layout.inputBytes;
    shape.workspaceAddress = addresses.workspace;
    shape.workspaceBytes = addresses.workspaceBytes;
    shape.workspaceOffset = layout.workspaceOffset;
    std::copy(layout.places.begin(), layout.places.end(), shape.places.begin());
    m_hasWorkspace = shape.workspaceBytes > 0;
    GKS_TRY(ask(shape, opening));
    return {};
}

Judged<void> RunnerTrial::supply(const InputSource& source) {
    const WorkClock::Span preparing(m_clock, WorkClock::Worker::preparation);
    InputSegment& segment = m_session->inputs();
    if (segment.holds != source.id()) { // another process of this evaluation may have it there already
        const std::span<std::byte> bytes = segment.memory.bytes();
        m_images.writePatterns(*m_layout, bytes);
        for (std::size_t i = 0; i < m_layout->places.size(); ++i) {
            const RawVector<std::byte>& values = source.values()[i];
            copyBytes(bytes.subspan(m_layout->places[i].sourceOffset, values.size()), values);
        }
        segment.holds = source.id();
    }
    GKS_TRY(ask(command(runner::Verb::values)));
    return {};
}

Judged<KernelTrial::Call> RunnerTrial::call(const InputSource& source, const InputChoice& choice) {
    Call call;
    {
        const WorkClock::Span preparing(m_clock, WorkClock::Worker::preparation);
        runner::Command prepare = command(runner::Verb::prepare);
        prepare.spoilByte = randomSeed()[0];
        std::copy(choice.windows.begin(), choice.windows.end(), prepare.windows.begin());
        for (std::size_t i = 0; i < choice.windows.size(); ++i) {
            std::ranges::copy(source.piece(choice, i),
                              m_session->inputs().memory.bytes().data() + m_layout->places[i].pieceOffset);
        }
        GKS_TRY_ASSIGN(const RunnerSession::Answer prepared, ask(prepare));
        call.cost.inputsUs = prepared.hostUs;
    }
    const WorkClock::Span working(m_clock, WorkClock::Worker::kernel);
    runner::Command plan = command(runner::Verb::call);
    plan.flushBytes = m_session->setup().flushBytes;
    plan.spoilByte = randomSeed()[0];
    GKS_TRY_ASSIGN(const RunnerSession::Answer answer, ask(plan));
    call.hostUs = answer.hostUs;
    call.eventUs = answer.reply.eventUs;
    call.cost.stopUs = call.hostUs - call.eventUs;
    return call;
}

Judged<std::span<const std::byte>> RunnerTrial::download() {
    GKS_TRY(ask(command(runner::Verb::download)));
    return m_session->outputs();
}

Judged<std::span<const std::byte>> RunnerTrial::probe(std::span<const runner::Piece> pieces) {
    runner::Command probe = command(runner::Verb::probe);
    for (std::size_t begin = 0; begin < pieces.size(); begin += runner::pieceLimit) {
        const auto some = pieces.subspan(begin, std::min(runner::pieceLimit, pieces.size() - begin));
        std::ranges::copy(some, probe.pieces.begin());
        probe.pieceCount = static_cast<std::uint32_t>(some.size());
        GKS_TRY(ask(probe));
    }
    return m_session->outputs();
}

Judged<std::string> RunnerTrial::inspectMemory(const Tensors& inputs) {
    GKS_TRY(ask(command(runner::Verb::snapshot)));
    std::string damage = m_images.damagedGuards(*m_layout, m_hasWorkspace, m_session->outputs());
    return damage.empty() ? m_images.changedInputs(*m_layout, inputs, m_session->outputs()) : damage;
}

} // namespace gks
