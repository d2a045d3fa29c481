// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/transcript_writer.h"

#include "core/base/text.h"

#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t lineLimitBytes = 2000;
constexpr std::size_t totalLimitBytes = std::size_t{48} << 10;

} // namespace

void TranscriptWriter::add(const EvaluationEvent& event) {
    const std::scoped_lock lock(m_mutex);
    if (const auto* stage = std::get_if<StageEvent>(&event)) {
        keep("stage", std::string(name(stage->stage)));
    } else if (const auto* progress = std::get_if<ProgressEvent>(&event)) {
        keep("progress", fmt::format("{:.3f} {}", progress->fraction, progress->detail));
    } else if (const auto* log = std::get_if<LogEvent>(&event)) {
        keep(log->stream, log->text);
    } else if (const auto* samples = std::get_if<SamplesEvent>(&event)) {
        keep("samples", fmt::format("{} of the {}", samples->us.size(), samples->ofBaseline ? "baseline" : "kernel"));
    } else if (const auto* report = std::get_if<StaticEvent>(&event)) {
        keep("static", fmt::format("{}, {} kernels", report->report.architecture, report->report.kernels.size()));
    }
}

void TranscriptWriter::keep(std::string event, std::string text) {
    text = abbreviated(sanitizedUtf8(text), lineLimitBytes);
    if (m_leftOut > 0 || m_bytes + text.size() > totalLimitBytes) {
        ++m_leftOut;
        return;
    }
    m_bytes += text.size();
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - m_begin;
    m_lines.push_back({since.count(), std::move(event), std::move(text)});
}

std::vector<TranscriptLine> TranscriptWriter::lines() const {
    const std::scoped_lock lock(m_mutex);
    std::vector<TranscriptLine> all = m_lines;
    if (m_leftOut > 0) {
        all.push_back({all.empty() ? 0 : all.back().seconds, "left out", fmt::format("{} more events", m_leftOut)});
    }
    return all;
}

} // namespace gks
