// SPDX-License-Identifier: GPL-3.0-or-later
// libyaml's events, not its documents: an alias is seen before anything is copied.
#include "core/import/yaml_text.h"

#include "core/base/text.h"

#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <yaml.h>

namespace gks {
namespace {

constexpr std::size_t yamlLimitBytes = std::size_t{256} << 10;
constexpr int yamlDepthLimit = 16;
constexpr int yamlValueLimit = 20000;

std::string textOf(const yaml_char_t* text, std::size_t length) {
    return {reinterpret_cast<const char*>(text), length};
}

class YamlEvent {
public:
    YamlEvent() = default;
    YamlEvent(const YamlEvent&) = delete;
    YamlEvent& operator=(const YamlEvent&) = delete;
    ~YamlEvent() { yaml_event_delete(&value); }
    yaml_event_t value = {};
};

class YamlReader {
public:
    YamlReader(std::string_view text, std::string_view where) : m_where(where) {
        m_isReady = yaml_parser_initialize(&m_parser) == 1;
        if (m_isReady) {
            yaml_parser_set_encoding(&m_parser, YAML_UTF8_ENCODING);
            yaml_parser_set_input_string(&m_parser, reinterpret_cast<const yaml_char_t*>(text.data()), text.size());
        }
    }
    YamlReader(const YamlReader&) = delete;
    YamlReader& operator=(const YamlReader&) = delete;
    ~YamlReader() {
        if (m_isReady) {
            yaml_parser_delete(&m_parser);
        }
    }

    Result<OrderedJson> read() {
        if (!m_isReady) {
            return infrastructureError("there is no memory for a reader of YAML", std::string(m_where));
        }
        for (;;) {
            YamlEvent event;
            GKS_TRY(next(event));
            if (event.value.type == YAML_STREAM_END_EVENT) {
                return refuse(event, "holds nothing");
            }
            if (event.value.type != YAML_STREAM_START_EVENT && event.value.type != YAML_DOCUMENT_START_EVENT) {
                return value(event, 0);
            }
        }
    }

private:
    tl::unexpected<Error> refuse(const YamlEvent& event, std::string what) const {
        return usageError(std::move(what), fmt::format("{}:{}", m_where, event.value.start_mark.line + 1),
                          "Write the problem pack by hand");
    }

    Result<void> next(YamlEvent& event) {
        if (yaml_parser_parse(&m_parser, &event.value) != 1) {
            return usageError(
                fmt::format("is no YAML: {}", m_parser.problem == nullptr ? "cannot be read" : m_parser.problem),
                fmt::format("{}:{}", m_where, m_parser.problem_mark.line + 1), "Write the problem pack by hand");
        }
        return ++m_values > yamlValueLimit ? Result<void>(refuse(event, "holds too many values")) : Result<void>();
    }

    Result<OrderedJson> value(const YamlEvent& event, int depth) {
        const yaml_event_t& is = event.value;
        if (depth > yamlDepthLimit) {
            return refuse(event, "is nested too deeply");
        }
        if (is.type == YAML_ALIAS_EVENT) {
            return refuse(event, "uses an alias (*), which is not read");
        }
        const yaml_char_t* const anchor = is.type == YAML_SCALAR_EVENT           ? is.data.scalar.anchor
                                          : is.type == YAML_SEQUENCE_START_EVENT ? is.data.sequence_start.anchor
                                          : is.type == YAML_MAPPING_START_EVENT  ? is.data.mapping_start.anchor
                                                                                 : nullptr;
        const yaml_char_t* const tag = is.type == YAML_SCALAR_EVENT           ? is.data.scalar.tag
                                       : is.type == YAML_SEQUENCE_START_EVENT ? is.data.sequence_start.tag
                                       : is.type == YAML_MAPPING_START_EVENT  ? is.data.mapping_start.tag
                                                                              : nullptr;
        if (anchor != nullptr || tag != nullptr) {
            return refuse(event,
                          fmt::format("uses {}, which is not read", anchor != nullptr ? "an anchor (&)" : "a tag (!)"));
        }
        switch (is.type) {
        case YAML_SCALAR_EVENT:
            return scalar(is);
        case YAML_SEQUENCE_START_EVENT:
            return sequence(depth);
        case YAML_MAPPING_START_EVENT:
            return mapping(depth);
        default:
            return refuse(event, "has something where a value is needed");
        }
    }

    static OrderedJson scalar(const yaml_event_t& event) {
        std::string text = textOf(event.data.scalar.value, event.data.scalar.length);
        if (event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE) {
            return text;
        }
        if (text.empty() || text == "~" || text == "null") {
            return nullptr;
        }
        if (text == "true" || text == "false") {
            return text == "true";
        }
        const char* const end = text.data() + text.size();
        std::int64_t whole = 0;
        if (const auto read = std::from_chars(text.data(), end, whole); read.ec == std::errc() && read.ptr == end) {
            return whole;
        }
        double number = 0;
        const bool isNumber = std::string_view("+-.0123456789").find(text.front()) != std::string_view::npos;
        if (const auto read = std::from_chars(text.data(), end, number);
            isNumber && read.ec == std::errc() && read.ptr == end) {
            return number;
        }
        return text;
    }

    Result<OrderedJson> sequence(int depth) {
        OrderedJson list = OrderedJson::array();
        for (;;) {
            YamlEvent event;
            GKS_TRY(next(event));
            if (event.value.type == YAML_SEQUENCE_END_EVENT) {
                return list;
            }
            GKS_TRY_ASSIGN(OrderedJson one, value(event, depth + 1));
            list.push_back(std::move(one));
        }
    }

    Result<OrderedJson> mapping(int depth) {
        OrderedJson map = OrderedJson::object();
        for (;;) {
            YamlEvent event;
            GKS_TRY(next(event));
            if (event.value.type == YAML_MAPPING_END_EVENT) {
                return map;
            }
            if (event.value.type != YAML_SCALAR_EVENT) {
                return refuse(event, "has a key that is no text");
            }
            const std::string key = textOf(event.value.data.scalar.value, event.value.data.scalar.length);
            if (map.contains(key)) {
                return refuse(event, fmt::format("has the key {} twice", abbreviated(key, 40)));
            }
            YamlEvent content;
            GKS_TRY(next(content));
            GKS_TRY_ASSIGN(map[key], value(content, depth + 1));
        }
    }

    std::string_view m_where;
    yaml_parser_t m_parser = {};
    bool m_isReady = false;
    int m_values = 0;
};

} // namespace

Result<OrderedJson> parseYaml(std::string_view text, std::string_view where) {
    if (text.size() > yamlLimitBytes) {
        return usageError(fmt::format("is longer than {} KiB", yamlLimitBytes >> 10), std::string(where));
    }
    return YamlReader(text, where).read();
}

} // namespace gks
