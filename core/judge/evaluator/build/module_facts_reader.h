// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/plan/device_answers.h"
#include "core/judge/plan/module_facts.h"
#include "core/target/target.h"

#include <string_view>

namespace gks {

// What is known about the device code of a build before a line of its host code runs: from the build of the cpu target,
// from the records of a cubin, from the metadata of AMD's code object. Device code that needs the host while it runs
// (printf, malloc, assert) is refused here by name.
Result<ModuleFacts> readModuleFacts(const Target& target, const BuildPlan& build, const DeviceAnswers& device);

// The readers of device code, for bytes that a compiler has made of hostile source.
Result<ModuleFacts> factsOfCubin(std::string_view elf, const DeviceAnswers& device);
Result<ModuleFacts> factsOfAmdCode(std::string_view elf);

} // namespace gks
