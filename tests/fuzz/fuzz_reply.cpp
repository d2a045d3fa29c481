// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/reply.h"
#include "tests/fuzz/fuzz.h"

#include <nlohmann/json.hpp>

// Replies of models: always an object or an error, and the schema check never throws.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = gks::fuzz::text(data, size);
    static const auto schema = gks::loadSchema("writer").value();
    if (const auto object = gks::objectInReply(text)) {
        gks::fuzz::require(object->is_object(), "a reply is an object");
        const auto valid = gks::validate(*object, *schema);
        gks::fuzz::require(!valid || object->at("edits").size() <= 60, "a valid draft is within its limits");
    }
    if (const auto yaml = gks::parseYamlLike(text)) {
        (void)yaml->dump(-1, ' ', false, gks::Json::error_handler_t::replace);
    }
    return 0;
}
