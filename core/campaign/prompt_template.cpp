// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/prompt_template.h"

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/campaign/limits.h"
#include "core/campaign/model_stages.h"

#include <algorithm>
#include <fmt/format.h>
#include <kainjow/mustache.hpp>

namespace gks {
namespace {

constexpr std::string_view userMark = "<!-- user -->\n";
constexpr std::string_view correctionPrompt = "correction";
constexpr std::size_t shownNameBytes = 80;

struct PromptFacts {
    std::vector<std::string> required;
    std::vector<std::string> optional;
};

const std::map<std::string, PromptFacts, std::less<>>& promptFacts() {
    using enum ModelStage;
    const auto of = [](ModelStage stage) { return std::string(name(stage)); };
    static const std::map<std::string, PromptFacts, std::less<>> facts = {
        {of(selector),
         {{"population"},
          {"mission", "target", "shapes", "shapeTable", "champions", "stagnation", "measured", "hint"}}},
        {of(designer), {{"basisSource"}, {"mission",       "target",        "header",      "harness",   "rules",
                                          "tried",         "written",       "calibration", "findings",  "hint",
                                          "knowledge",     "avenues",       "twoParents",  "rationale", "basisId",
                                          "basisAnalysis", "basisFacts",    "shapeTable",  "champions", "otherId",
                                          "otherSource",   "otherAnalysis", "stagnation",  "kinds",     "measured"}}},
        {of(writer),
         {{"header", "basisSource", "description", "rubric"},
          {"task",       "target",         "harness",   "rules",       "referenceImplementation",
           "findings",   "hint",           "knowledge", "basisId",     "basisAnalysis",
           "basisFacts", "shapeTable",     "otherId",   "otherSource", "otherAnalysis",
           "limit",      "attackedShapes", "disproof",  "isChange",    "isRewrite",
           "isMerge",    "isDispatch",     "measured"}}},
        {std::string(probePrompt),
         {{"header", "contract", "description", "rubric"},
          {"target", "rules", "example", "measured", "knowledge", "disproof", "hint"}}},
        {of(repair),
         {{"header", "draftSource", "verdict", "output"},
          {"task",    "target",         "harness",     "rules",     "knowledge", "shapeTable", "basisId", "basisSource",
           "earlier", "hint",           "description", "rubric",    "reason",    "attempt",    "otherId", "otherSource",
           "limit",   "attackedShapes", "disproof",    "isRewrite", "isMerge",   "isDispatch", "isProbe"}}},
        {of(checker), {{"claims", "change"}, {"description", "rubric"}}},
        {of(digest), {{"document"}, {"mission", "title", "shown"}}},
        {std::string(correctionPrompt), {{"problem"}, {}}}};
    return facts;
}

bool isPlaceholder(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
}

std::string lineOf(std::string_view text, std::size_t at, std::size_t firstLine, std::string_view where) {
    const auto before = text.substr(0, at);
    return fmt::format("{}, line {}", where,
                       firstLine + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')));
}

Result<std::vector<PromptTag>> tagsOf(std::string_view text, std::string_view where, std::size_t firstLine) {
    std::vector<PromptTag> found;
    for (std::size_t at = text.find("{{"); at != std::string_view::npos; at = text.find("{{", at)) {
        const std::size_t end = text.find("}}", at);
        std::string_view tag = text.substr(at + 2, end == std::string_view::npos ? 20 : end - at - 2);
        if (!tag.empty() && std::string_view("#^/").find(tag.front()) != std::string_view::npos) {
            tag.remove_prefix(1);
        }
        if (end == std::string_view::npos || !isPlaceholder(tag)) {
            const std::string_view shown = text.substr(at + 2, 20);
            return usageError(
                fmt::format("'{{{{{}' is not a placeholder", sanitizedUtf8(shown.substr(0, shown.find('\n')))),
                lineOf(text, at, firstLine, where), "Only {{name}}, {{#name}}, {{^name}} and {{/name}} are known");
        }
        found.push_back({std::string(tag), lineOf(text, at, firstLine, where)});
        at = end + 2;
    }
    return found;
}

Result<PromptPart> partFrom(std::string_view text, const std::string& where, std::size_t firstLine) {
    GKS_TRY_ASSIGN(std::vector<PromptTag> tags, tagsOf(text, where, firstLine));
    const kainjow::mustache::mustache parsed{std::string(text)};
    if (!parsed.is_valid()) {
        return usageError("not a valid template: " + parsed.error_message(), where);
    }
    return PromptPart{std::string(text), std::move(tags)};
}

std::vector<std::string> namesOf(const std::vector<PromptTag>& tags) {
    std::vector<std::string> names;
    for (const PromptTag& tag : tags) {
        if (std::find(names.begin(), names.end(), tag.name) == names.end()) {
            names.push_back(tag.name);
        }
    }
    return names;
}

} // namespace

std::vector<std::string> promptNames() {
    std::vector<std::string> names;
    for (const ModelStage stage : modelStages) {
        names.emplace_back(name(stage));
    }
    names.emplace_back(probePrompt);
    names.emplace_back(correctionPrompt);
    return names;
}

std::vector<std::string> requiredPlaceholders(std::string_view name) {
    const auto found = promptFacts().find(name);
    return found == promptFacts().end() ? std::vector<std::string>() : found->second.required;
}

std::vector<std::string> knownPlaceholders(std::string_view name) {
    std::vector<std::string> known = requiredPlaceholders(name);
    if (const auto found = promptFacts().find(name); found != promptFacts().end()) {
        known.insert(known.end(), found->second.optional.begin(), found->second.optional.end());
    }
    return known;
}

Result<PromptTemplate> promptTemplate(std::string_view given, const std::string& where) {
    if (given.size() > limits::promptBytes) {
        return usageError(fmt::format("the prompt is too long: {} (limit {})", formatBytes(given.size()),
                                      formatBytes(limits::promptBytes)),
                          where, "Shorten it");
    }
    const std::string text = replaceAll(sanitizedUtf8(given), "\r\n", "\n") + "\n";
    const std::size_t mark = text.starts_with(userMark) ? 0 : text.find("\n" + std::string(userMark));
    if (mark == std::string::npos) {
        return usageError("missing line `<!-- user -->`", where, "Put it between the system part and the user part");
    }
    const std::string_view head = std::string_view(text).substr(0, mark == 0 ? 0 : mark + 1);
    const auto userLine = static_cast<std::size_t>(std::count(head.begin(), head.end(), '\n')) + 2;
    PromptTemplate parts;
    GKS_TRY_ASSIGN(parts.system, partFrom(head, where, 1));
    GKS_TRY_ASSIGN(parts.user, partFrom(std::string_view(text).substr(head.size() + userMark.size()), where, userLine));
    if (trimmed(parts.user.text).empty()) {
        return usageError("no text after the line `<!-- user -->`", where, "Add the user message after it");
    }
    return parts;
}

Result<std::vector<std::string>> promptPlaceholders(std::string_view text, std::string_view where) {
    GKS_TRY_ASSIGN(const std::vector<PromptTag> tags, tagsOf(text, where, 1));
    return namesOf(tags);
}

Error unknownPlaceholder(const PromptTag& tag, const std::vector<std::string>& known) {
    return {ErrorKind::usage, fmt::format("unknown placeholder {{{{{}}}}}", tag.name), tag.where,
            "Remove it, or use one of " + join(known, ", ")};
}

Result<void> checkPromptName(const std::string& name) {
    return promptFacts().contains(name)
               ? Result<void>()
               : usageError(fmt::format("unknown prompt '{}'", abbreviated(sanitizedUtf8(name), shownNameBytes)), {},
                            "Use one of " + join(promptNames(), ", "));
}

Result<void> checkPrompt(const std::string& name, std::string_view text) {
    GKS_TRY(checkPromptName(name));
    const std::vector<std::string> known = knownPlaceholders(name);
    const std::string where = "edited prompt " + name;
    GKS_TRY_ASSIGN(const PromptTemplate parts, promptTemplate(text, where));
    std::vector<PromptTag> tags = parts.system.tags;
    tags.insert(tags.end(), parts.user.tags.begin(), parts.user.tags.end());
    for (const PromptTag& tag : tags) {
        if (std::find(known.begin(), known.end(), tag.name) == known.end()) {
            return tl::unexpected(unknownPlaceholder(tag, known));
        }
    }
    const std::vector<std::string> used = namesOf(tags);
    for (const std::string& required : requiredPlaceholders(name)) {
        if (std::find(used.begin(), used.end(), required) == used.end()) {
            return usageError(fmt::format("missing placeholder {{{{{}}}}}", required), where,
                              "Put it back; the model needs it");
        }
    }
    return {};
}

} // namespace gks
