// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/problem/pack_files.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

// Problem packs that travel with what is to be evaluated: to a machine where nobody knows which version is installed.
namespace gks {

OrderedJson packJson(const std::vector<PackFile>& files);
// As checkPackFiles(): names and contents may be anybody's.
Result<std::vector<PackFile>> packFromJson(const Json& json, const std::string& where);

// Those that have arrived, each unpacked once. Their folders go with it.
class CarriedPacks {
public:
    // What to call the problem here: the name of the built-in pack that is the same, or a folder with the files.
    // Nothing where it is not built in and `trusted` does not answer for it.
    Result<std::optional<std::string>> problemFor(const std::string& name, const std::vector<PackFile>& files,
                                                  bool trusted);

private:
    std::map<std::string, std::string> m_names; // by content
    std::vector<TemporaryDirectory> m_folders;
};

} // namespace gks
