// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/folder_job.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/judge/carried_packs.h"
#include "core/judge/json_fields.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr int folderFormat = 1;
constexpr const char* jobKind = "job";
constexpr const char* resultKind = "result";
constexpr std::string_view jobSuffix = ".job";
constexpr std::string_view resultSuffix = ".result";
constexpr const char* carriedId = "job"; // an evaluation's id is of one process
constexpr std::size_t firstLineLimitBytes = 1024;
constexpr std::size_t hashDigits = 64;
constexpr std::size_t shortDigits = 12;

std::string lineOfJson(const OrderedJson& json) {
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

bool isHash(std::string_view text) {
    return text.size() == hashDigits && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

std::optional<std::string> jobBefore(std::string_view suffix, std::string_view fileName) {
    if (!fileName.ends_with(suffix) || !isHash(fileName.substr(0, fileName.size() - suffix.size()))) {
        return std::nullopt;
    }
    return std::string(fileName.substr(0, hashDigits));
}

Result<void> checkForm(FieldReader& fields, const char* kind, const std::string& where) {
    std::string found;
    int format = 0;
    fields.require("kernel_scientist");
    fields.require("format");
    fields.read("kernel_scientist", found);
    fields.read("format", format);
    GKS_TRY(fields.finish());
    if (found != kind) {
        return usageError(fmt::format("is no {} of a folder lane", kind), where);
    }
    if (format != folderFormat) {
        return usageError(fmt::format("has format {}, this program knows {}", format, folderFormat), where,
                          "Use the same version on both machines");
    }
    return {};
}

struct FirstLine {
    std::string job;
    std::string content;
    std::size_t bytes = 0;
    std::string sha256;
};

Result<FirstLine> firstLineOf(std::string_view line, const std::string& where) {
    GKS_TRY_ASSIGN(const Json json, parseJson(line, where));
    FieldReader fields(json, where);
    GKS_TRY(checkForm(fields, resultKind, where));
    FirstLine first;
    for (const char* key : {"job", "content", "bytes", "sha256"}) {
        fields.require(key);
    }
    fields.read("job", first.job);
    fields.read("content", first.content);
    fields.read("bytes", first.bytes);
    fields.read("sha256", first.sha256);
    GKS_TRY(fields.finish());
    if (!isHash(first.job) || !isHash(first.content)) {
        return usageError("does not name its job", where);
    }
    return first;
}

} // namespace

std::string jobText(const FolderJob& job) {
    EvaluationRequest request = job.request;
    request.id = carriedId;
    request.allowNoSandbox = false; // said where it runs
    return lineOfJson({{"kernel_scientist", jobKind},
                       {"format", folderFormat},
                       {"rules", job.rules},
                       {"repeat", job.repeat},
                       {"request", toJson(request)},
                       {"pack", packJson(job.pack)}}) +
           "\n";
}

Result<FolderJob> jobFromText(std::string_view text, const std::string& where) {
    GKS_TRY_ASSIGN(const Json json, parseJson(text, where));
    FieldReader fields(json, where);
    GKS_TRY(checkForm(fields, jobKind, where));
    FolderJob job;
    for (const char* key : {"rules", "request", "pack"}) {
        fields.require(key);
    }
    fields.read("rules", job.rules);
    fields.read("repeat", job.repeat);
    const Json* request = fields.object("request");
    const Json* pack = fields.object("pack");
    GKS_TRY(fields.finish());
    GKS_TRY_ASSIGN(job.request, requestFromJson(*request));
    job.request.id = carriedId;
    job.request.allowNoSandbox = false;
    GKS_TRY_ASSIGN(job.pack, packFromJson(*pack, where));
    return job;
}

std::string resultText(const FolderResult& result) {
    const std::string body = lineOfJson(toJson(carriedId, VerdictEvent{result.verdict})) + "\n";
    return lineOfJson({{"kernel_scientist", resultKind},
                       {"format", folderFormat},
                       {"job", result.job},
                       {"content", result.content},
                       {"bytes", body.size()},
                       {"sha256", sha256Hex(body)}}) +
           "\n" + body;
}

bool isIncompleteResult(std::string_view text) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
        return text.size() < firstLineLimitBytes;
    }
    const auto first = firstLineOf(text.substr(0, end), "result");
    return first && text.size() - end - 1 < first->bytes;
}

Result<FolderResult> resultFromText(std::string_view text, const std::string& where) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos || end > firstLineLimitBytes) {
        return usageError("is no result of a folder lane", where);
    }
    GKS_TRY_ASSIGN(const FirstLine first, firstLineOf(text.substr(0, end), where));
    const std::string_view body = text.substr(end + 1);
    if (body.size() < first.bytes) {
        return usageError(fmt::format("is cut off: {} of {} bytes are there", body.size(), first.bytes), where,
                          "Copy it again");
    }
    if (body.size() != first.bytes || sha256Hex(body) != first.sha256) {
        return usageError("was altered: its content does not have the SHA-256 that its first line says", where,
                          "Copy it again");
    }
    GKS_TRY_ASSIGN(const Json json, parseJson(body, where));
    GKS_TRY_ASSIGN(IdentifiedEvent event, eventFromJson(json));
    auto* verdict = std::get_if<VerdictEvent>(&event.event);
    if (verdict == nullptr) {
        return usageError("holds no verdict", where);
    }
    return FolderResult{first.job, first.content, std::move(verdict->verdict)};
}

std::string jobFileName(const std::string& job) {
    return job + std::string(jobSuffix);
}
std::string resultFileName(const std::string& job) {
    return job + std::string(resultSuffix);
}
std::optional<std::string> jobOfJobFile(std::string_view fileName) {
    return jobBefore(jobSuffix, fileName);
}
std::optional<std::string> jobOfResultFile(std::string_view fileName) {
    return jobBefore(resultSuffix, fileName);
}
std::string shortJobName(const std::string& job) {
    return job.substr(0, shortDigits);
}

} // namespace gks
