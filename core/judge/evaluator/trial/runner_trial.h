// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/trial/kernel_trial.h"
#include "core/judge/evaluator/trial/planned_kernel.h"
#include "core/judge/evaluator/trial/work_clock.h"

#include <memory>

namespace gks {

// One kernel of a GPU's target: its plans, executed by a process that holds its device code as data.
class RunnerTrial : public KernelTrial {
public:
    struct Setup {
        std::chrono::duration<double> timeLimit{120}; // of one command
        std::stop_token stop = {};
    };
    RunnerTrial(std::unique_ptr<RunnerSession> session, std::shared_ptr<const PlannedKernel> kernel, Setup setup,
                const CaseImages& images, const ProblemPack& pack, WorkClock& clock);

    Judged<void> load() override;
    double emptyCallUs() const override { return m_session->emptyCallUs(); }
    double emptyWayUs() const override { return emptyCallUs(); } // its events lie side by side
    Judged<void> setShape(const CaseLayout& layout) override;
    bool isSet(const CaseLayout& layout) const override { return m_layout == &layout; }
    Judged<void> supply(const InputSource& source) override;
    Judged<Call> call(const InputSource& source, const InputChoice& choice) override;
    Judged<std::span<const std::byte>> download() override;
    Judged<std::span<const std::byte>> probe(std::span<const runner::Piece> pieces) override;
    Judged<std::string> inspectMemory(const Tensors& inputs) override;
    std::unique_ptr<RunnerSession> release() override { return std::move(m_session); }
    std::string log() const override { return m_session ? m_session->log() : std::string(); }

protected:
    static runner::Command command(runner::Verb verb);
    Judged<RunnerSession::Answer> ask(const runner::Command& command, std::string_view text = {});
    const ProblemPack& pack() const { return m_pack; }
    const Setup& setup() const { return m_setup; }
    void begin(const CaseLayout& layout) { m_layout = &layout; }
    // Memory for this shape; `opening` says what is executed there.
    Judged<void> place(const CaseLayout& layout, const SetAddresses& addresses, std::string_view opening);

private:
    virtual RunnerResult<void> loadInto(RunnerSession& session);
    std::string doing() const;

    std::unique_ptr<RunnerSession> m_session;
    std::shared_ptr<const PlannedKernel> m_kernel;
    Setup m_setup;
    const CaseImages& m_images;
    const ProblemPack& m_pack;
    WorkClock& m_clock;
    const CaseLayout* m_layout = nullptr;
    bool m_hasWorkspace = false;
    bool m_isLoaded = false;
};

} // namespace gks
