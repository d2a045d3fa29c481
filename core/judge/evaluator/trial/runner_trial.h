// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/trial/kernel_trial.h"
#include "core/judge/evaluator/trial/work_clock.h"

#include <memory>

namespace gks {

// One kernel of a GPU's target in its runner.
class RunnerTrial final : public KernelTrial {
public:
    struct Loading {
        std::filesystem::path module;
        std::chrono::duration<double> timeout{120}; // of one command
        std::stop_token stop;
    };
    RunnerTrial(std::unique_ptr<RunnerSession> session, Loading loading, const CaseImages& images,
                const ProblemPack& pack, WorkClock& clock);

    Judged<void> load() override;
    double emptyCallUs() const override { return m_session->emptyCallUs(); }
    Judged<void> setShape(const CaseLayout& layout) override;
    bool isSet(const CaseLayout& layout) const override { return m_layout == &layout; }
    Judged<void> supply(const InputSource& source) override;
    Judged<Call> call(const InputSource& source, const InputChoice& choice) override;
    Judged<std::span<const std::byte>> download(double* us) override;
    Judged<std::string> inspectMemory(const Tensors& inputs) override;
    std::unique_ptr<RunnerSession> release() override { return std::move(m_session); }
    std::string log() const override { return m_session->log(); }

private:
    runner::Command command(runner::Verb verb) const;
    std::string doing() const;
    Judged<RunnerSession::Answer> ask(const runner::Command& command);

    std::unique_ptr<RunnerSession> m_session;
    Loading m_loading;
    const CaseImages& m_images;
    const ProblemPack& m_pack;
    WorkClock& m_clock;
    std::size_t m_flushBytes = 0;
    const CaseLayout* m_layout = nullptr;
    bool m_hasWorkspace = false;
    bool m_isLoaded = false;
};

} // namespace gks
