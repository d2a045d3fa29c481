// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/session/frozen_layout.h"
#include "core/judge/evaluator/session/frozen_session.h"
#include "core/judge/evaluator/trial/kernel_trial.h"
#include "core/judge/evaluator/trial/planned_kernel.h"
#include "core/judge/evaluator/trial/work_clock.h"
#include "core/problem/raw_memory.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gks {

// One kernel of the cpu target: its plans, executed by a process that stands still between calls. Meanwhile its inputs
// are written and its outputs read here.
class FrozenTrial final : public KernelTrial {
public:
    struct Setup {
        SandboxLevel sandbox = SandboxLevel::bubblewrap;
        bool allowNoSandbox = false;
        bool reversedOrder = false; // of blocks and threads, by the module that tells its accesses
        std::size_t flushBytes = 0;
        std::chrono::duration<double> timeLimit{120}; // of one call
        std::stop_token stop = {};
    };
    FrozenTrial(std::shared_ptr<const PlannedKernel> kernel, Setup setup, const CaseImages& images,
                const ProblemPack& pack, WorkClock& clock);

    Judged<void> load() override;
    double emptyCallUs() const override { return m_session ? m_session->emptyCallUs() : 0; }
    double emptyWayUs() const override { return m_session ? m_session->emptyWayUs() : 0; }
    Judged<void> setShape(const CaseLayout& layout) override;
    bool isSet(const CaseLayout& layout) const override { return m_layout == &layout; }
    Judged<void> supply(const InputSource& source) override;
    Judged<Call> call(const InputSource& source, const InputChoice& choice) override;
    Judged<std::span<const std::byte>> download() override;
    std::vector<std::span<const std::byte>> standingOutputs() const override;
    bool bandsStand() const override;
    Judged<std::string> inspectMemory(const Tensors& inputs) override;
    std::string raceCheck() const override { return m_raceCheck; }
    std::vector<AccessFinding> diagnostics() const override { return m_diagnostics; }
    std::string printed() const override { return m_printed; }
    std::string log() const override { return m_session ? m_session->log() : std::string(); }

private:
    std::string doing() const;
    // From the band before the data of a region on, in its segment.
    std::span<std::byte> whole(std::size_t region) const;
    std::span<std::byte> data(std::size_t region) const;
    void putInput(std::size_t tensor, const InputSource& source, const InputChoice& choice) const;
    void poison(std::size_t tensor) const;
    void restoreBands(std::size_t region) const;
    std::string takeFindings();           // the race, as a sentence
    void spoil(std::size_t region) const; // an output or the workspace
    void sweepCaches();

    std::shared_ptr<const PlannedKernel> m_kernel;
    Setup m_setup;
    const CaseImages& m_images;
    const ProblemPack& m_pack;
    WorkClock& m_clock;
    std::unique_ptr<FrozenSession> m_session;
    const CaseLayout* m_layout = nullptr;
    std::optional<FrozenLayout> m_frozen; // of that shape
    RawVector<std::byte> m_copy;          // as the layout says: outputs and bands
    std::vector<std::uint64_t> m_sweep;
    std::string m_raceCheck;
    std::vector<AccessFinding> m_diagnostics;
    std::string m_printed;
};

} // namespace gks
