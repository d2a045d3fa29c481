// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/target/target.h"

#include <string>

namespace gks::cli {

// One kernel of the project's own, built in the sandbox for a target and run there where it has a device: whether
// evaluating works, found out by doing it.
struct TargetTrial {
    enum class Result { ran, built, failed };
    Result result = Result::failed;
    std::string detail; // one sentence: the verdict, or what is in the way
    double seconds = 0;
};
std::string_view name(TargetTrial::Result result); // "ran", "built", "failed"
OrderedJson toJson(const TargetTrial& trial);

// Takes a minute at most.
TargetTrial tryTarget(TargetKind kind, const DeviceList& devices);

} // namespace gks::cli
