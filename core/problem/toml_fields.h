// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/text.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <initializer_list>
#include <string>
#include <string_view>
#include <toml++/toml.h>
#include <utility>
#include <vector>

namespace gks {

// What is read out of a TOML file by name. It knows the file's name, so that every refusal carries file:line.
class TomlFields {
public:
    explicit TomlFields(const std::filesystem::path& file) : m_file(file) {}

    tl::unexpected<Error> refuse(const toml::node& at, std::string what) const {
        return usageError(std::move(what), fmt::format("{}:{}", m_file.string(), std::max(at.source().begin.line, 1U)));
    }

    Result<void> onlyKeys(const toml::table& table, std::string_view of,
                          std::initializer_list<std::string_view> known) const {
        for (const auto& [key, value] : table) {
            if (std::find(known.begin(), known.end(), key.str()) == known.end()) {
                return refuse(value, fmt::format("unknown key \"{}\"{}{}; known are {}", key.str(),
                                                 of.empty() ? "" : " in ", of, fmt::join(known, ", ")));
            }
        }
        return {};
    }

    Result<const toml::node*> required(const toml::table& table, std::string_view key) const {
        if (const toml::node* node = table.get(key)) {
            return node;
        }
        return refuse(table, fmt::format("\"{}\" is missing", key));
    }

    Result<std::string> textOf(const toml::node& node, std::string_view what) const {
        const auto* value = node.as_string();
        if (value == nullptr || trimmed(value->get()).empty()) {
            return refuse(node, fmt::format("{} must be a non-empty string", what));
        }
        return value->get();
    }

    Result<std::string> text(const toml::table& table, std::string_view key) const {
        GKS_TRY_ASSIGN(const toml::node* node, required(table, key));
        return textOf(*node, fmt::format("\"{}\"", key));
    }

    Result<const toml::table*> tableAt(const toml::table& table, std::string_view key) const {
        GKS_TRY_ASSIGN(const toml::node* node, required(table, key));
        if (const toml::table* found = node->as_table()) {
            return found;
        }
        return refuse(*node, fmt::format("\"{}\" must be a table", key));
    }

    Result<const toml::array*> arrayAt(const toml::table& table, std::string_view key) const {
        GKS_TRY_ASSIGN(const toml::node* node, required(table, key));
        const toml::array* array = node->as_array();
        if (array == nullptr || array->empty()) {
            return refuse(*node, fmt::format("\"{}\" must be an array with at least one element", key));
        }
        return array;
    }

    Result<std::vector<std::string>> texts(const toml::array& array, std::string_view what) const {
        std::vector<std::string> result;
        for (const toml::node& node : array) {
            GKS_TRY_ASSIGN(std::string value, textOf(node, what));
            result.push_back(std::move(value));
        }
        return result;
    }

    template<class T>
    Result<T> oneOf(const toml::table& table, std::string_view key,
                    const std::vector<std::pair<std::string_view, T>>& choices) const {
        GKS_TRY_ASSIGN(const std::string value, text(table, key));
        std::vector<std::string_view> names;
        for (const auto& [name, choice] : choices) {
            if (name == value) {
                return choice;
            }
            names.push_back(name);
        }
        return refuse(*table.get(key),
                      fmt::format("\"{}\" is \"{}\", must be one of {}", key, value, fmt::join(names, ", ")));
    }

private:
    const std::filesystem::path& m_file;
};

} // namespace gks
