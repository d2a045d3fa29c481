// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/text_frames.h"
#include "core/campaign/types.h"

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace gks {

// The long texts of kernels, read when whoever has a population looks at them: from any thread, over a connection of
// their own, which never waits for the writer. Once put away, every read opens the file and closes it again: a
// population that somebody still holds keeps nothing of a closed campaign open.
class KernelTexts : public std::enable_shared_from_this<KernelTexts> {
public:
    static std::shared_ptr<KernelTexts> of(std::filesystem::path file);
    void attachTo(Kernel& kernel); // its texts are those that the file has under its id
    void putAway();

    Result<std::string> source(KernelId kernel);
    Result<std::string> report(KernelId kernel);
    Result<std::vector<RubricItem>> rubric(KernelId kernel);

private:
    explicit KernelTexts(std::filesystem::path file) : m_file(std::move(file)) {}
    template<class T>
    Result<T> ask(const std::function<Result<T>(const Database&)>& question);
    Result<std::string> account(const Database& database, const char* column, KernelId kernel) const;

    const std::filesystem::path m_file;
    std::mutex m_mutex;
    std::optional<Database> m_database;
    TextFrames m_frames;
    bool m_isPutAway = false;
    std::weak_ptr<const LateReader<std::string>> m_sources; // each holds this object
    std::weak_ptr<const LateReader<std::string>> m_reports;
    std::weak_ptr<const LateReader<std::vector<RubricItem>>> m_rubrics;
};

Result<std::string> readSource(const Database& database, const TextFrames& frames, KernelId kernel);
// Report and rubric beside the kernel; the rubric as JSON.
Result<void> writeAccount(Database& database, TextFrames& frames, KernelId kernel, std::string_view report,
                          std::string_view rubric);
std::string rubricText(const std::vector<RubricItem>& rubric);

} // namespace gks
