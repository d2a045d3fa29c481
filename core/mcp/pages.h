// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

// Results in pieces that clients do not cut: they take some 25,000 tokens.
namespace gks::mcp {

inline constexpr std::size_t pageBytes = 50'000;
inline constexpr std::size_t resultBytes = 60'000; // a page and what stands around it

// Page 1 and on of a text, cut between lines, else between characters. Where there are several a last line tells the
// next one.
Result<std::string> textPage(std::string_view text, int page);
// The same of `rows`, an array, whole rows each: `facts` with the rows under `name`, and "page", "pages", "next_page"
// (null on the last one). A row that is longer than a page is given as the beginning of its text.
Result<OrderedJson> rowsPage(OrderedJson facts, std::string_view name, const OrderedJson& rows, int page);

std::string textOf(const OrderedJson& json); // as a tool's result; what is not UTF-8 is replaced

} // namespace gks::mcp
