// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_schema.h"
#include "core/scientist/design_reply.h"
#include "core/scientist/draft_reply.h"
#include "core/scientist/reply.h"
#include "core/scientist/report_check.h"
#include "tests/fuzz/fuzz.h"

#include <map>
#include <nlohmann/json.hpp>

namespace {

using gks::Json;
using gks::fuzz::require;

constexpr const char* source = "#include \"problem.h\"\n#define TILE 16 // @tune TILE 8 16\n"
                               "extern \"C\" hipError_t solve(const Problem& p, void*, hipStream_t) { return f(p); }\n";

// Each stage's reply is known by a member that no other one has.
const char* stageOf(const Json& object) {
    return object.contains("experiments")  ? "designer"
           : object.contains("basis_code") ? "selector"
           : object.contains("items")      ? "checker"
           : object.contains("digest")     ? "digest"
                                           : "writer";
}

void write(const Json& reply) {
    const gks::Population population;
    const auto draft = gks::draftFromReply(reply, {population, source, {}, "1. use `TILE` of 32\n- drop the loop"});
    if (!draft) {
        require(!draft.error().what.empty(), "a refusal has its reason");
        return;
    }
    require(draft->source.size() <= 200000 && draft->source.find("solve") != std::string::npos, "a whole source");
    require(draft->title.size() <= 100 && draft->title.find('\n') == std::string::npos, "a title is one line");
    require(draft->rubric.size() <= gks::rubricItemLimit, "the account is bounded");
    auto rubric = draft->rubric;
    gks::checkAgainstChange(rubric, source, draft->source);
    for (const gks::RubricItem& item : rubric) {
        require(item.claimed || !item.confirmed, "what is not claimed is not doubted");
    }
    require(gks::reportText(rubric).size() <= 8100, "the report is bounded");
}

void check(const Json& reply) {
    std::vector<gks::RubricItem> rubric{{"one", true, "note", false, "not in any changed line"}, {"two", false, ""}};
    const auto before = rubric;
    if (gks::applyCheck(rubric, reply)) {
        require(rubric.size() == before.size(), "the account keeps its rows");
        for (std::size_t i = 0; i < rubric.size(); ++i) {
            require(rubric[i].item == before[i].item && rubric[i].claimed == before[i].claimed,
                    "a check changes no claim");
            require(rubric[i].evidence.find('\n') == std::string::npos, "evidence is one line");
        }
    }
}

} // namespace

// Replies of models at every stage: always an object or an error, and what the schema lets through is safe to use.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = gks::fuzz::text(data, size);
    static std::map<std::string, Json> schemas;
    if (auto object = gks::objectInReply(text)) {
        require(object->is_object(), "a reply is an object");
        const std::string plain = object->dump(-1, ' ', false, Json::error_handler_t::replace);
        if (const auto again = gks::objectInReply(plain)) { // it may be nested deeper than JSON is accepted
            require(again->dump(-1, ' ', false, Json::error_handler_t::replace) == plain,
                    "an object is read as it was written");
        }
        const std::string stage = stageOf(*object);
        if (stage == "designer") {
            gks::mendDesign(*object);
        }
        auto& schema = schemas[stage];
        schema = schema.is_null() ? Json(*gks::loadSchema(stage).value()) : schema;
        const auto valid = gks::validate(*object, schema);
        require(valid || !valid.error().what.empty(), "a refusal has its reason");
        if (valid && stage == "writer") {
            write(*object);
        } else if (valid && stage == "checker") {
            check(*object);
        } else if (valid && stage == "designer") {
            constexpr std::size_t descriptionLimitBytes = 4 * 4000; // characters of up to four bytes
            require(object->at("experiments").size() == 5, "five experiments");
            for (const Json& experiment : object->at("experiments")) {
                require(experiment.at("description").get_ref<const std::string&>().size() <= descriptionLimitBytes,
                        "a limit counts every character");
            }
            const gks::Population population;
            const gks::Selection selection;
            const auto design = gks::designFromReply(*object, {population, selection, "m"});
            require(design ? design->experiments.size() == 5 && !design->avenues.empty() : !design.error().what.empty(),
                    "a design is whole, or its refusal has its reason");
        } else if (valid && stage == "selector") {
            const auto code = object->at("basis_code").get<std::string>();
            require(!code.empty() && code.size() <= 9 && code.find_first_not_of("0123456789") == std::string::npos,
                    "a basis is a number");
        }
    }
    if (const auto yaml = gks::parseYamlLike(text)) {
        (void)yaml->dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    return 0;
}
