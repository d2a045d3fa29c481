// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/frozen_trial.h"

#include "core/base/hash.h"
#include "core/judge/evaluator/trial/access_findings.h"
#include "core/judge/evaluator/trial/byte_ranges.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace gks {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t sweepStepBytes = 64; // a cache line

double usBetween(Clock::time_point begin, Clock::time_point end) {
    return std::chrono::duration<double, std::micro>(end - begin).count();
}

} // namespace

FrozenTrial::FrozenTrial(std::shared_ptr<const PlannedKernel> kernel, Setup setup, const CaseImages& images,
                         const ProblemPack& pack, WorkClock& clock)
    : m_kernel(std::move(kernel)), m_setup(std::move(setup)), m_images(images), m_pack(pack), m_clock(clock) {}

std::string FrozenTrial::doing() const {
    return m_layout != nullptr ? m_pack.shapeLabel(m_layout->shape) : std::string();
}

Judged<void> FrozenTrial::load() {
    if (m_session) {
        return {};
    }
    FrozenSession::Setup setup;
    setup.deviceModule = m_setup.reversedOrder ? m_kernel->checkedModule() : m_kernel->deviceModule();
    setup.inputBytes = m_kernel->inputBytes();
    setup.outputBytes = m_kernel->outputBytes();
    setup.sandbox = m_setup.sandbox;
    setup.allowNoSandbox = m_setup.allowNoSandbox;
    setup.reversedOrder = m_setup.reversedOrder;
    setup.timeLimit = m_setup.timeLimit;
    setup.stop = m_setup.stop;
    auto inputs = InputSegment::create(setup.inputBytes);
    if (!inputs) {
        return refuse(inputs.error());
    }
    auto session = FrozenSession::start(std::move(setup), std::move(*inputs));
    if (!session) {
        return refuse(session.error(), "loading the kernel");
    }
    m_session = std::move(*session);
    if (const auto calibrated = m_session->calibrate(); !calibrated) {
        return refuse(calibrated.error(), "loading the kernel");
    }
    return {};
}

Judged<void> FrozenTrial::setShape(const CaseLayout& layout) {
    m_layout = &layout;
    const PlannedKernel::Case& planned = m_kernel->of(layout);
    m_frozen = frozenLayoutOf(m_pack, layout, planned.addresses.workspaceBytes);
    m_copy = RawVector<std::byte>(layout.totalBytes); // takes memory where it is written
    for (std::size_t i = 0; i < m_frozen->regions.size(); ++i) {
        restoreBands(i);
    }
    auto done = m_session->open(m_frozen->regions, planned.call.setup, planned.call.plan);
    if (done && !planned.call.setup.operations.empty()) {
        done = m_session->call(frozen::Which::setup).map([](const auto&) {});
    }
    return done ? Judged<void>() : refuse(done.error(), doing());
}

Judged<void> FrozenTrial::supply(const InputSource&) {
    return {}; // every call puts its inputs together from the source itself
}

std::span<std::byte> FrozenTrial::whole(std::size_t region) const {
    const frozen::Region& one = m_frozen->regions[region];
    const std::span<std::byte> segment = one.isOutput ? m_session->outputs() : m_session->inputs().memory.bytes();
    const std::uint64_t begin = m_frozen->bandOffsets[region];
    return segment.subspan(begin, one.offset + one.bytes - begin);
}

std::span<std::byte> FrozenTrial::data(std::size_t region) const {
    return whole(region).subspan(runner::guardBytes, m_frozen->regions[region].dataBytes);
}

void FrozenTrial::restoreBands(std::size_t region) const {
    const std::span<std::byte> all = whole(region);
    const std::size_t behind = runner::guardBytes + m_frozen->regions[region].dataBytes;
    std::ranges::copy(m_images.guard(), all.begin());
    const std::span<std::byte> rest = all.subspan(behind);
    std::copy_n(m_images.guard().begin(), std::min(rest.size(), m_images.guard().size()), rest.begin());
}

// Inputs cannot be written by the kernel's process.
bool FrozenTrial::bandsStand() const {
    const std::vector<std::byte>& guard = m_images.guard();
    for (std::size_t i = 0; i < m_frozen->regions.size(); ++i) {
        if (!m_frozen->regions[i].isOutput) {
            continue;
        }
        const std::span<const std::byte> all = whole(i);
        const std::span<const std::byte> rest = all.subspan(runner::guardBytes + m_frozen->regions[i].dataBytes);
        const std::size_t behind = std::min(rest.size(), guard.size());
        if (std::memcmp(all.data(), guard.data(), guard.size()) != 0 ||
            std::memcmp(rest.data(), guard.data(), behind) != 0) {
            return false;
        }
    }
    return true;
}

void FrozenTrial::putInput(std::size_t tensor, const InputSource& source, const InputChoice& choice) const {
    const runner::Window& window = choice.windows[tensor];
    const std::span<std::byte> to = data(tensor);
    copyBytes(to, std::span(source.values()[tensor]).subspan(window.first, to.size()));
    copyBytes(to.subspan(window.heldBegin, window.heldBytes), source.piece(choice, tensor));
}

// The pattern is written once and then doubles.
void FrozenTrial::poison(std::size_t tensor) const {
    const std::vector<std::byte> pattern = m_images.poison(tensor);
    const std::span<std::byte> to = data(tensor);
    std::size_t done = std::min(pattern.size(), to.size());
    std::copy_n(pattern.begin(), done, to.begin());
    while (done < to.size()) {
        const std::size_t more = std::min(done, to.size() - done);
        std::memcpy(to.data() + done, to.data(), more);
        done += more;
    }
}

// What this side has just written is in the caches of its core; what another core still holds was invalidated by the
// writing.
void FrozenTrial::sweepCaches() {
    m_sweep.resize(m_setup.flushBytes / sizeof(std::uint64_t));
    volatile std::uint64_t* const words = m_sweep.data();
    for (std::size_t i = 0; i < m_sweep.size(); i += sweepStepBytes / sizeof(std::uint64_t)) {
        words[i] = words[i] + 1;
    }
}

void FrozenTrial::spoil(std::size_t region) const {
    restoreBands(region);
    if (region < m_layout->places.size()) {
        poison(region);
    } else {
        const Seed random = randomSeed();
        std::ranges::fill(data(region), static_cast<std::byte>(random[0]));
    }
}

Judged<KernelTrial::Call> FrozenTrial::call(const InputSource& source, const InputChoice& choice) {
    CallCost cost;
    if (const auto restored = m_session->call(frozen::Which::restore); !restored) {
        return refuse(restored.error(), doing());
    }
    {
        const WorkClock::Span preparing(m_clock, WorkClock::Worker::preparation);
        const auto inputs = Clock::now();
        for (std::size_t i = 0; i < m_frozen->regions.size(); ++i) {
            if (!m_frozen->regions[i].isOutput) {
                putInput(i, source, choice);
            }
        }
        const auto outputs = Clock::now();
        for (std::size_t i = 0; i < m_frozen->regions.size(); ++i) {
            if (m_frozen->regions[i].isOutput) {
                spoil(i);
            }
        }
        const auto caches = Clock::now();
        sweepCaches();
        cost.inputsUs = usBetween(inputs, outputs);
        cost.poisonUs = usBetween(outputs, caches);
        cost.cachesUs = usBetween(caches, Clock::now());
    }
    const WorkClock::Span working(m_clock, WorkClock::Worker::kernel);
    const auto done = m_session->call(frozen::Which::plan);
    std::string race = m_setup.reversedOrder ? takeFindings() : std::string();
    if (!done) {
        return refuse(done.error(), doing());
    }
    cost.stopUs = done->hostUs - done->us + m_session->emptyCallUs();
    std::vector<PastRead> reads = pastReads(done->reads, m_frozen->regions, m_kernel->of(*m_layout).call.plan);
    return Call{done->us, 0, std::move(reads), std::move(race), done->hostUs, cost};
}

// Of a process that may be gone.
std::string FrozenTrial::takeFindings() {
    const std::string printed = m_session->printed();
    m_printed = frozen::withoutFindings(printed);
    const RaceContext context = {m_pack, m_kernel->of(*m_layout).call.plan, m_frozen->regions, m_kernel->facts()};
    const std::optional<frozen::RaceWords> words = frozen::racesIn(printed);
    m_raceCheck = raceCheckText(words);
    m_diagnostics = accessFindingsOf(frozen::findingsIn(printed), context);
    if (!words || !words->race) {
        return {};
    }
    m_diagnostics.push_back(accessFindingOf(*words->race, context));
    return m_diagnostics.back().message;
}

std::vector<std::span<const std::byte>> FrozenTrial::standingOutputs() const {
    std::vector<std::span<const std::byte>> outputs(m_layout->places.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (m_layout->places[i].isOutput != 0) {
            outputs[i] = data(i);
        }
    }
    return outputs;
}

Judged<std::span<const std::byte>> FrozenTrial::download() {
    for (std::size_t i = 0; i < m_layout->places.size(); ++i) {
        if (m_layout->places[i].isOutput != 0) {
            copyBytes(std::span(m_copy).subspan(m_layout->places[i].offset + runner::guardBytes), data(i));
        }
    }
    return m_copy;
}

// The bands alone: what the kernel's process maps of the inputs it can only read.
Judged<std::string> FrozenTrial::inspectMemory(const Tensors&) {
    const auto copyBands = [this](std::size_t region, std::size_t to, std::size_t apart, std::size_t behindBytes) {
        const std::span<const std::byte> all = whole(region);
        const std::span<const std::byte> rest = all.subspan(runner::guardBytes + m_frozen->regions[region].dataBytes);
        const std::span<std::byte> bands = std::span(m_copy).subspan(to);
        std::ranges::copy(all.first(runner::guardBytes), bands.begin());
        std::ranges::copy(rest.first(behindBytes), bands.subspan(runner::guardBytes + apart).begin());
    };
    const std::size_t tensors = m_layout->places.size();
    for (std::size_t i = 0; i < tensors; ++i) {
        const runner::Place& place = m_layout->places[i];
        copyBands(i, place.offset, place.dataBytes, place.bandBehindBytes);
    }
    const bool hasWorkspace = m_frozen->regions.size() > tensors;
    if (hasWorkspace) {
        copyBands(tensors, m_layout->workspaceOffset, 0, runner::guardBytes);
    }
    return m_images.damagedGuards(*m_layout, hasWorkspace, m_copy);
}

} // namespace gks
