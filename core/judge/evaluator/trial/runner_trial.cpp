// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/runner_trial.h"

#include "core/base/text.h"
#include "core/judge/evaluator/trial/byte_ranges.h"

#include <algorithm>
#include <unistd.h>

namespace gks {
RunnerTrial::RunnerTrial(std::unique_ptr<RunnerSession> session, Loading loading, const CaseImages& images,
                         const ProblemPack& pack, WorkClock& clock)
    : m_session(std::move(session))
    , m_loading(std::move(loading))
    , m_images(images)
    , m_pack(pack)
    , m_clock(clock)
    , m_flushBytes(m_session->setup().flushBytes) {}

runner::Command RunnerTrial::command(runner::Verb verb) const {
    runner::Command command;
    command.verb = verb;
    command.flushBytes = m_flushBytes;
    command.flushOnDevice = 1;
    command.workspaceLimitBytes = gpuWorkspaceBytes;
    const Seed seed = randomSeed();
    command.spoilByte = seed[0];
    return command;
}

std::string RunnerTrial::doing() const {
    return m_layout != nullptr ? m_pack.shapeLabel(m_layout->shape) : std::string();
}

Judged<RunnerSession::Answer> RunnerTrial::ask(const runner::Command& command) {
    auto answer = m_session->ask(command);
    if (!answer) {
        return refuse(answer.error(), doing());
    }
    return std::move(*answer);
}

Judged<void> RunnerTrial::load() {
    if (m_isLoaded) {
        return {};
    }
    if (auto loaded = m_session->loadCandidate(m_loading.module, m_loading.timeout, m_loading.stop); !loaded) {
        return refuse(loaded.error(), "loading the kernel");
    }
    m_isLoaded = true;
    return {};
}

Judged<void> RunnerTrial::setShape(const CaseLayout& layout) {
    m_layout = &layout;
    runner::Command shape = command(runner::Verb::shape);
    shape.tensorCount = static_cast<std::uint32_t>(layout.places.size());
    shape.dimCount = static_cast<std::uint32_t>(layout.shape.size());
    shape.workspaceOffset = layout.workspaceOffset;
    std::transform(layout.shape.begin(), layout.shape.end(), shape.dims.begin(),
                   [](std::int64_t extent) { return static_cast<std::int32_t>(extent); });
    std::copy(layout.places.begin(), layout.places.end(), shape.places.begin());
    for (std::size_t i = 0; i < layout.places.size(); ++i) {
        m_pack.tensors[i].name.copy(shape.names[i].data(), runner::tensorNameBytes - 1);
    }
    GKS_TRY_ASSIGN(const RunnerSession::Answer answer, ask(shape));
    m_hasWorkspace = answer.reply.workspaceBytes > 0;
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

Judged<RunnerTrial::Call> RunnerTrial::call(const InputSource& source, const InputChoice& choice) {
    {
        const WorkClock::Span preparing(m_clock, WorkClock::Worker::preparation);
        runner::Command prepare = command(runner::Verb::prepare);
        std::copy(choice.windows.begin(), choice.windows.end(), prepare.windows.begin());
        for (std::size_t i = 0; i < choice.windows.size(); ++i) {
            std::ranges::copy(source.piece(choice, i),
                              m_session->inputs().memory.bytes().data() + m_layout->places[i].pieceOffset);
        }
        GKS_TRY(ask(prepare));
    }
    const runner::Command call = command(runner::Verb::call);
    const WorkClock::Span working(m_clock, WorkClock::Worker::kernel);
    GKS_TRY_ASSIGN(const RunnerSession::Answer answer, ask(call));
    return Call{answer.hostUs, answer.reply.eventUs, sanitizedUtf8(answer.reply.reads.data())};
}

Judged<std::span<const std::byte>> RunnerTrial::download(double* us) {
    GKS_TRY_ASSIGN(const RunnerSession::Answer answer, ask(command(runner::Verb::download)));
    if (us != nullptr) {
        *us = answer.hostUs;
    }
    return m_session->outputs();
}

Judged<std::string> RunnerTrial::inspectMemory(const Tensors& inputs) {
    GKS_TRY(ask(command(runner::Verb::snapshot)));
    std::string damage = m_images.damagedGuards(*m_layout, m_hasWorkspace, m_session->outputs());
    return damage.empty() ? m_images.changedInputs(*m_layout, inputs, m_session->outputs()) : damage;
}

} // namespace gks
