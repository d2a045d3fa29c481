// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/judge/plan/launch_plan.h"
#include "core/judge/plan/module_facts.h"

#include <string_view>

// The written form of what the build says about a module, and of the addresses of a set.
namespace gks {

inline constexpr std::uint64_t moduleFactsVersion = 2;
inline constexpr std::size_t moduleFactsLimitBytes = std::size_t{4} << 20;

Json toJson(const ModuleFacts& facts);
Result<ModuleFacts> moduleFactsFromJson(const Json& json, const std::string& where);
Result<ModuleFacts> moduleFactsFromText(std::string_view text, const std::string& where);

Json toJson(const SetAddresses& addresses);
Result<SetAddresses> setAddressesFromJson(const Json& json, const std::string& where);

} // namespace gks
