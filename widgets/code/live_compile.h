// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/judge/source_listing.h"
#include "widgets/common/latest_work.h"

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gks {

using SourceLister = std::function<Result<SourceListing>(const ListingRequest&, const std::stop_token&)>;

struct CompiledText {
    std::string source;
    Result<SourceListing> listing = SourceListing{}; // an error: the compiler could not be asked
    int milliseconds = 0;
};

// Compiles a text while a person writes it, in the sandbox and beside the window: when it has rested for a moment,
// never two at a time, and what is compiled while the text changes is stopped. The parent's source is compiled the same
// way, once, for the difference.
class LiveCompile final : public QObject {
    Q_OBJECT

public:
    enum class State {
        off,       // nobody looks, or the setting says so
        waiting,   // for a pause
        compiling, // the text
        done,      // latest() is of the text as it stands
    };
    struct Conditions {
        std::shared_ptr<const ProblemPack> problem;
        std::string architecture = "gfx942";
        std::vector<std::string> compilerOptions = {};
        bool operator==(const Conditions&) const = default;
    };
    // `text` is asked when it is to be compiled, not with every key.
    explicit LiveCompile(std::function<std::string()> text, QObject* parent = nullptr);
    ~LiveCompile() override;

    void setCompiler(SourceLister compiler) { m_compiler = std::move(compiler); }  // for tests
    void setPause(std::chrono::milliseconds pause) { m_pause.setInterval(pause); } // for tests
    void setConditions(const Conditions& conditions);
    void setParentText(std::optional<std::string> text);
    void setActive(bool active); // somebody sees the text
    void touch();                // it has changed
    void reset();                // another text: nothing that was found is of it

    State state() const { return m_state; }
    bool isBusy() const { return m_work.isBusy() || m_pause.isActive(); }
    // Of the newest text that came to an end; null before.
    const CompiledText* latest() const { return m_latest ? &*m_latest : nullptr; }
    // The same of the newest that made code: its numbers stand until there are others.
    const CompiledText* compiled() const { return m_compiled ? &*m_compiled : nullptr; }
    const CompiledText* parents() const { return m_parents ? &*m_parents : nullptr; }

Q_SIGNALS:
    void changed(); // any of these

private:
    void consider();
    void start(std::string source, bool isParents);
    void finished(const CompiledText& text, bool isParents);
    void enter(State state);

    std::function<std::string()> m_text;
    SourceLister m_compiler;
    Conditions m_conditions;
    std::optional<std::string> m_parentText;
    QTimer m_pause;
    bool m_active = false;
    bool m_isStale = true; // the text is not that of m_latest
    State m_state = State::off;
    std::optional<CompiledText> m_latest;
    std::optional<CompiledText> m_compiled;
    std::optional<CompiledText> m_parents;
    std::stop_source m_stop;
    LatestWork<CompiledText> m_work;
};

// What judged a kernel, leaving out where this machine failed; null: nothing has.
const Verdict* newestOf(const std::vector<Evaluation>& evaluations);
// For which device a kernel's code is shown: that of its report or, on an NVIDIA device, the one that measured it.
std::string listedArchitecture(TargetKind target, const Verdict* newest);
// What is written from a kernel is compiled with that one's options, for the architecture of its report.
LiveCompile::Conditions conditionsFor(const std::shared_ptr<const ProblemPack>& problem, const Verdict* newest);
// Whether kernels of the campaign are sources of this compiler. Those for NVIDIA devices may be CUDA: an error here
// would say nothing of them.
bool isCompiledLive(const Population& population);

} // namespace gks
