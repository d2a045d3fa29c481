// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/campaign/types.h"

#include <initializer_list>
#include <string>
#include <string_view>

namespace gks {

// The enumerator that name() gives `text` for. An error names the place, since the text comes from a file or a command
// line.
template<class E>
Result<E> enumFromName(std::string_view text, std::initializer_list<E> all, std::string_view what) {
    std::string known;
    for (const E value : all) {
        if (name(value) == text) {
            return value;
        }
        known += (known.empty() ? "" : ", ") + std::string(name(value));
    }
    return usageError("unknown " + std::string(what) + " \"" + std::string(text) + "\"", {}, "Known: " + known);
}

Result<Author> authorFromName(std::string_view text);
Result<KernelState> kernelStateFromName(std::string_view text);
Result<ExperimentState> experimentStateFromName(std::string_view text);
Result<ExperimentKind> experimentKindFromName(std::string_view text);
Result<Mode> modeFromName(std::string_view text);
Result<ScientistKind> scientistKindFromName(std::string_view text);
Result<FindingState> findingStateFromName(std::string_view text);
Result<SelectorPolicy> selectorPolicyFromName(std::string_view text);
Result<PickPolicy> pickPolicyFromName(std::string_view text);

} // namespace gks
