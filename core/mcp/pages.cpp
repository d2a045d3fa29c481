// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mcp/pages.h"

#include "core/base/one_line.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

namespace gks::mcp {
namespace {

Result<std::size_t> checkedPage(int page, std::size_t pages) {
    if (page < 1 || static_cast<std::size_t>(page) > pages) {
        return usageError(fmt::format("there is no page {}", page), "page",
                          fmt::format("Ask for a page from 1 to {}", pages));
    }
    return static_cast<std::size_t>(page);
}

// How much of the text is its first page.
std::size_t firstCut(std::string_view text) {
    if (text.size() <= pageBytes) {
        return text.size();
    }
    const std::size_t line = text.rfind('\n', pageBytes - 1);
    // One long line is cut where it must be.
    return line != std::string_view::npos && line > pageBytes / 2 ? line + 1 : beginningOf(text, pageBytes).size();
}

} // namespace

Result<std::string> textPage(std::string_view text, int page) {
    std::vector<std::string_view> parts;
    do {
        const std::size_t cut = firstCut(text);
        parts.push_back(text.substr(0, cut));
        text.remove_prefix(cut);
    } while (!text.empty());
    GKS_TRY_ASSIGN(const std::size_t number, checkedPage(page, parts.size()));
    std::string one(parts[number - 1]);
    if (parts.size() > 1) {
        one += fmt::format("\n[page {} of {}{}]\n", number, parts.size(),
                           number < parts.size() ? fmt::format("; next_page: {}", number + 1) : std::string());
    }
    return one;
}

Result<OrderedJson> rowsPage(OrderedJson facts, std::string_view name, const OrderedJson& rows, int page) {
    std::vector<OrderedJson> parts = {OrderedJson::array()};
    std::size_t filled = 0;
    for (const OrderedJson& row : rows) {
        const std::string text = textOf(row);
        if (filled > 0 && filled + text.size() > pageBytes) {
            parts.push_back(OrderedJson::array());
            filled = 0;
        }
        filled += text.size() + 1;
        parts.back().push_back(text.size() <= pageBytes ? row : OrderedJson(shortened(text, pageBytes / 2)));
    }
    GKS_TRY_ASSIGN(const std::size_t number, checkedPage(page, parts.size()));
    facts[std::string(name)] = std::move(parts[number - 1]);
    facts["page"] = number;
    facts["pages"] = parts.size();
    facts["next_page"] = number < parts.size() ? OrderedJson(number + 1) : OrderedJson();
    return facts;
}

std::string textOf(const OrderedJson& json) {
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

} // namespace gks::mcp
