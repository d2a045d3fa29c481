// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/anchor_tables.h"

#include "core/base/files.h"
#include "core/problem/pack_files.h"
#include "core/problem/toml_fields.h"

#include <set>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t anchorLimit = 8;
constexpr std::size_t anchorLibraryLimit = 8;
constexpr std::size_t anchorNameLimitBytes = 32;
constexpr std::size_t anchorTitleLimitBytes = 60;
constexpr std::size_t anchorLacksLimitBytes = 300;
constexpr std::size_t anchorSourceLimitBytes = std::size_t{256} << 10;
constexpr std::string_view anchorFolder = "anchors/";

bool isLower(char c) {
    return c >= 'a' && c <= 'z';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

// It becomes -lNAME: a word that can be neither an option nor a path.
bool isLibraryName(std::string_view name) {
    const auto isLetter = [](char c) { return isLower(c) || (c >= 'A' && c <= 'Z'); };
    return !name.empty() && name.size() <= anchorNameLimitBytes && isLetter(name.front()) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return isLetter(c) || isDigit(c) || c == '_'; });
}

// Part of a line in tables, legends and prompts.
bool isOneLine(std::string_view text) {
    return std::none_of(text.begin(), text.end(),
                        [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; });
}

class AnchorTables : TomlFields {
public:
    explicit AnchorTables(const fs::path& file) : TomlFields(file) {}

    Result<std::vector<AnchorSpec>> read(const toml::table& root) const {
        std::vector<AnchorSpec> anchors;
        if (!root.contains("anchor")) {
            return anchors;
        }
        GKS_TRY_ASSIGN(const toml::array* array, arrayAt(root, "anchor"));
        if (array->size() > anchorLimit) {
            return refuse(*array, fmt::format("more than {} anchors", anchorLimit));
        }
        std::set<std::string> taken;
        for (const toml::node& node : *array) {
            const toml::table* table = node.as_table();
            if (table == nullptr) {
                return refuse(node, "\"anchor\" must be an array of tables, [[anchor]]");
            }
            GKS_TRY_ASSIGN(AnchorSpec anchor, readOne(*table));
            if (!taken.insert(anchor.name).second) {
                return refuse(*table->get("name"), fmt::format("an anchor \"{}\" is there twice", anchor.name));
            }
            anchors.push_back(std::move(anchor));
        }
        return anchors;
    }

private:
    Result<AnchorSpec> readOne(const toml::table& table) const {
        GKS_TRY(onlyKeys(table, "an anchor", {"name", "title", "target", "source", "libraries", "lacks"}));
        AnchorSpec anchor;
        GKS_TRY_ASSIGN(anchor.name, text(table, "name"));
        if (!isAnchorName(anchor.name)) {
            return refuse(*table.get("name"),
                          fmt::format("an anchor's name is lower-case letters, digits and -, at most {}, and begins "
                                      "with a letter",
                                      anchorNameLimitBytes));
        }
        GKS_TRY_ASSIGN(anchor.title, line(table, "title", anchorTitleLimitBytes));
        GKS_TRY_ASSIGN(anchor.target, oneOf<std::string>(table, "target", {{"nvidia", "nvidia"}, {"amd", "amd"}}));
        GKS_TRY_ASSIGN(anchor.source, text(table, "source"));
        if (!isPackFileName(anchor.source) || !anchor.source.starts_with(anchorFolder) ||
            !anchor.source.ends_with(".cpp")) {
            return refuse(*table.get("source"),
                          fmt::format("an anchor's source is a file of the pack, {}NAME.cpp, named with letters, "
                                      "digits, '_', '-' and '.'",
                                      anchorFolder));
        }
        GKS_TRY(readLibraries(table, anchor));
        if (table.contains("lacks")) {
            GKS_TRY_ASSIGN(anchor.lacks, line(table, "lacks", anchorLacksLimitBytes));
        }
        return anchor;
    }

    Result<void> readLibraries(const toml::table& table, AnchorSpec& anchor) const {
        GKS_TRY_ASSIGN(const toml::array* array, arrayAt(table, "libraries"));
        GKS_TRY_ASSIGN(anchor.libraries, texts(*array, "a library"));
        if (anchor.libraries.size() > anchorLibraryLimit) {
            return refuse(*array, fmt::format("more than {} libraries", anchorLibraryLimit));
        }
        for (std::size_t i = 0; i < anchor.libraries.size(); ++i) {
            if (!isLibraryName(anchor.libraries[i])) {
                return refuse(*array->get(i),
                              "a library is named by a plain word, \"cublasLt\" for libcublasLt.so: letters, digits "
                              "and _");
            }
        }
        return {};
    }

    Result<std::string> line(const toml::table& table, std::string_view key, std::size_t limitBytes) const {
        GKS_TRY_ASSIGN(std::string value, text(table, key));
        if (value.size() > limitBytes || !isOneLine(value)) {
            return refuse(*table.get(key), fmt::format("\"{}\" must be one line of at most {} bytes", key, limitBytes));
        }
        return value;
    }
};

} // namespace

bool isAnchorName(std::string_view name) {
    return !name.empty() && name.size() <= anchorNameLimitBytes && isLower(name.front()) &&
           std::all_of(name.begin(), name.end(), [](char c) { return isLower(c) || isDigit(c) || c == '-'; });
}

Result<std::vector<AnchorSpec>> readAnchorTables(const fs::path& file, const toml::table& root) {
    return AnchorTables(file).read(root);
}

// A link may lead anywhere, and what it leads to would be compiled.
Result<void> findAnchorSources(const fs::path& folder, std::vector<AnchorSpec>& anchors) {
    for (AnchorSpec& anchor : anchors) {
        anchor.path = folder / anchor.source;
        GKS_TRY_ASSIGN(const std::string source, readFile(anchor.path, anchorSourceLimitBytes));
        if (trimmed(source).empty()) {
            return usageError("is empty", anchor.path.string());
        }
        std::error_code code;
        const fs::path own = fs::canonical(folder, code);
        const fs::path below = fs::canonical(anchor.path, code).lexically_relative(own);
        if (code || below.empty() || *below.begin() == "..") {
            return usageError("the source of an anchor leads out of the problem pack", anchor.path.string(),
                              "Put the file itself into the pack");
        }
    }
    return {};
}

} // namespace gks
