// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/kernel_texts.h"

#include "core/base/error_place.h"
#include "core/base/hash.h"
#include "core/campaign/damage.h"
#include "core/campaign/schema.h"
#include "core/campaign/store_state.h"
#include "core/campaign/stored_json.h"

#include <fmt/format.h>

namespace gks {
namespace {

template<class T>
class TextReader final : public LateReader<T> {
public:
    using Read = Result<T> (KernelTexts::*)(KernelId);
    TextReader(std::shared_ptr<KernelTexts> texts, Read read) : m_texts(std::move(texts)), m_read(read) {}
    Result<T> read(std::int64_t id) const override { return (m_texts.get()->*m_read)(id); }

private:
    std::shared_ptr<KernelTexts> m_texts;
    Read m_read;
};

// One for all kernels that are attached while any of them is held.
template<class T>
std::shared_ptr<const LateReader<T>> sharedReader(std::weak_ptr<const LateReader<T>>& known,
                                                  std::shared_ptr<KernelTexts> texts,
                                                  typename TextReader<T>::Read read) {
    auto reader = known.lock();
    if (!reader) {
        reader = std::make_shared<const TextReader<T>>(std::move(texts), read);
        known = reader;
    }
    return reader;
}

Result<std::vector<RubricItem>> rubricFrom(const std::string& text) {
    GKS_TRY_ASSIGN(const Json json, parseStoredJson(text, "kernel.rubric"));
    std::vector<RubricItem> rubric;
    try {
        for (const Json& row : json) {
            RubricItem item = {row.at("item"), row.at("claimed"), row.at("note"), {}, row.at("evidence")};
            if (row.contains("confirmed")) {
                item.confirmed = row.at("confirmed").get<bool>();
            }
            rubric.push_back(std::move(item));
        }
    } catch (const Json::exception& error) {
        return damagedColumn(error.what(), "kernel.rubric");
    }
    return rubric;
}

} // namespace

std::shared_ptr<KernelTexts> KernelTexts::of(std::filesystem::path file) {
    return std::shared_ptr<KernelTexts>(new KernelTexts(std::move(file)));
}

void KernelTexts::attachTo(Kernel& kernel) {
    const auto self = shared_from_this();
    kernel.source = Late(sharedReader(m_sources, self, &KernelTexts::source), kernel.id);
    kernel.report = Late(sharedReader(m_reports, self, &KernelTexts::report), kernel.id);
    kernel.rubric = Late(sharedReader(m_rubrics, self, &KernelTexts::rubric), kernel.id);
}

void KernelTexts::putAway() {
    const std::lock_guard lock(m_mutex);
    m_isPutAway = true;
    m_database.reset();
}

// With the mutex held. Hands out the open connection, or one for this read alone.
template<class T>
Result<T> KernelTexts::ask(const std::function<Result<T>(const Database&)>& question) {
    const std::lock_guard lock(m_mutex);
    if (!m_database) {
        GKS_TRY_ASSIGN(m_database, openReading(m_file));
    }
    auto answer = question(*m_database);
    if (m_isPutAway) {
        m_database.reset();
    }
    return answer;
}

Result<std::string> KernelTexts::source(KernelId kernel) {
    return ask<std::string>([&](const Database& database) { return readSource(database, m_frames, kernel); });
}

Result<std::string> KernelTexts::report(KernelId kernel) {
    return ask<std::string>([&](const Database& database) { return account(database, "report", kernel); });
}

Result<std::vector<RubricItem>> KernelTexts::rubric(KernelId kernel) {
    GKS_TRY_ASSIGN(const std::string text,
                   ask<std::string>([&](const Database& database) { return account(database, "rubric", kernel); }));
    return text.empty() ? Result<std::vector<RubricItem>>() : rubricFrom(text);
}

Result<std::string> KernelTexts::account(const Database& database, const char* column, KernelId kernel) const {
    GKS_TRY_ASSIGN(const auto schema, database.integer("PRAGMA user_version"));
    const std::string question = schema.value_or(0) < framesVersion
                                     ? fmt::format("SELECT {} FROM kernel WHERE id = ?", column)
                                     : fmt::format("SELECT {} FROM account WHERE kernel = ?", column);
    std::string text;
    GKS_TRY(database.each(question.c_str(), {kernel}, [&](const Row& row) -> Result<void> {
        GKS_TRY_ASSIGN(text, m_frames.read(database, row, 0, std::string("kernel.") + column));
        return {};
    }));
    return text;
}

Result<std::string> readSource(const Database& database, const TextFrames& frames, KernelId kernel) {
    std::optional<std::string> source;
    GKS_TRY(database.each("SELECT s.text, s.sha256 FROM kernel k JOIN source s ON s.sha256 = k.source WHERE k.id = ?",
                          {kernel}, [&](const Row& row) -> Result<void> {
                              GKS_TRY_ASSIGN(source, within("kernel " + kernelLabel(kernel),
                                                            frames.read(database, row, 0, "source")));
                              return sha256Hex(*source) == row.text(1)
                                         ? Result<void>()
                                         : damaged("the source of another hash", "kernel " + kernelLabel(kernel));
                          }));
    if (source) {
        return std::move(*source);
    }
    GKS_TRY_ASSIGN(const auto isThere, database.integer("SELECT 1 FROM kernel WHERE id = ?", {kernel}));
    return isThere ? damaged("its source is missing", "kernel " + kernelLabel(kernel))
                   : usageError(fmt::format("kernel {} not found", kernelLabel(kernel)), "the campaign");
}

std::string rubricText(const std::vector<RubricItem>& rubric) {
    OrderedJson rows = OrderedJson::array();
    for (const RubricItem& item : rubric) {
        rows.push_back({{"item", item.item}, {"claimed", item.claimed}, {"note", item.note}});
        if (item.confirmed) {
            rows.back()["confirmed"] = *item.confirmed;
        }
        rows.back()["evidence"] = item.evidence;
    }
    return storedJson(rows);
}

Result<void> writeAccount(Database& database, TextFrames& frames, KernelId kernel, std::string_view report,
                          std::string_view rubric) {
    if (report.empty() && rubric == "[]") {
        return {};
    }
    GKS_TRY_ASSIGN(const std::string reportFrame, frames.pack(database, "report", report));
    GKS_TRY_ASSIGN(const std::string rubricFrame, frames.pack(database, "rubric", rubric));
    return database.run("INSERT INTO account (kernel, report, rubric) VALUES (?, ?, ?)",
                        {kernel, Blob{reportFrame}, Blob{rubricFrame}});
}

} // namespace gks
