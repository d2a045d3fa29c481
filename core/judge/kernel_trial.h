// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/call_inputs.h"
#include "core/judge/case_data.h"
#include "core/judge/refusal.h"
#include "core/judge/runner_session.h"
#include "core/judge/work_clock.h"

#include <memory>

namespace gks {

// One kernel in its runner: sets a shape, calls, reads back. Every call, whatever it is for, is the same sequence of
// commands, so that a kernel cannot tell verification from measurement.
class KernelTrial {
public:
    struct Loading {
        std::filesystem::path module;
        std::chrono::duration<double> timeout{120}; // of one command
        std::stop_token stop;
    };
    KernelTrial(std::unique_ptr<RunnerSession> session, Loading loading, const CaseImages& images,
                const ProblemPack& pack, WorkClock& clock);

    // Once; later calls do nothing.
    Judged<void> load();
    double emptyCallUs() const { return m_session->emptyCallUs(); }
    Judged<void> setShape(const CaseLayout& layout);
    // The values from which the next calls get their inputs; they have to have the layout that was set.
    Judged<void> supply(const InputSource& source);

    struct Call {
        double hostUs = 0;  // from command to reply on the judge's clock
        double eventUs = 0; // what the device's events said
        std::string reads;  // those past the end of a buffer, where they are checked: one a line
    };
    Judged<Call> call(const InputSource& source, const InputChoice& choice);
    // Outputs of the last call, laid out as the segment; valid until the next command. `us` is how long that took.
    Judged<std::span<const std::byte>> download(double* us = nullptr);
    // What the last call destroyed, as a sentence; empty when guard bands and inputs are intact.
    Judged<std::string> inspectMemory(const Tensors& inputs);

    // Ends the trial; the process may be put away where nobody waits for its end.
    std::unique_ptr<RunnerSession> release() { return std::move(m_session); }

    std::string log() const { return m_session->log(); }
    bool isSet(const CaseLayout& layout) const { return m_layout == &layout; }

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
    bool m_flushOnDevice = false;
    const CaseLayout* m_layout = nullptr;
    bool m_hasWorkspace = false;
    bool m_isLoaded = false;
};

} // namespace gks
