// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/command_rules.h"

#include "core/campaign/limits.h"

#include <fmt/format.h>

namespace gks {

Result<void> CommandRules::operator()(const command::AddFinding& add) const {
    GKS_TRY(checkLength("the subject", add.subject, 4 * limits::findingSubjectCharacters));
    return checkText("the finding", add.text, limits::findingBytes);
}

Result<void> CommandRules::operator()(const command::EditFinding& edit) const {
    const Finding* known = population.finding(edit.finding);
    if (known == nullptr) {
        return usageError(fmt::format("finding {} not found", edit.finding));
    }
    GKS_TRY(checkLength("the subject", edit.subject.value_or(""), 4 * limits::findingSubjectCharacters));
    GKS_TRY(checkText("the finding", edit.text.value_or(known->text), limits::findingBytes));
    if (edit.subject || edit.text || !edit.state) {
        return {};
    }
    const bool isDismissed = known->state == FindingState::dismissed;
    return isDismissed != (*edit.state == FindingState::dismissed)
               ? Result<void>()
               : usageError(
                     fmt::format("finding {} is {}", known->id, isDismissed ? "dismissed already" : "not dismissed"));
}

Result<void> CommandRules::operator()(const command::AddDocument& add) const {
    GKS_TRY(checkText("the title", add.document.title, limits::documentTitleBytes));
    return add.document.sizeBytes >= 0 && add.document.passages >= 0
               ? Result<void>()
               : usageError("a document has no fewer than 0 bytes and passages");
}

Result<void> CommandRules::operator()(const command::EditDocument& edit) const {
    GKS_TRY_ASSIGN(const Document* known, document(edit.document));
    GKS_TRY(checkText("the title", edit.title.value_or(known->title), limits::documentTitleBytes));
    GKS_TRY(checkLength("the digest", edit.digest.value_or(""), limits::digestBytes));
    return edit.title || edit.digest || edit.enabled != known->enabled
               ? Result<void>()
               : usageError(
                     fmt::format("document {} is {} already", known->id, known->enabled ? "enabled" : "disabled"));
}

Result<void> CommandRules::operator()(const command::RemoveDocument& remove) const {
    GKS_TRY(document(remove.document));
    return {};
}

} // namespace gks
