// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <initializer_list>

// The stages that ask a model, and which of the named models answers for each.
namespace gks {

enum class ModelStage { selector, designer, writer, repair, checker, digest };
inline constexpr std::initializer_list<ModelStage> modelStages = {ModelStage::selector, ModelStage::designer,
                                                                  ModelStage::writer,   ModelStage::repair,
                                                                  ModelStage::checker,  ModelStage::digest};
std::string_view name(ModelStage stage); // as in files, prompts and on the command line: "selector"
Result<ModelStage> modelStageFromName(std::string_view text);
const std::string& modelStageNames(); // as the command line lists them: "selector|designer|..."

// The model of every stage that has none of its own, in CampaignSettings::models.
inline constexpr std::string_view defaultModel = "default";
// Where CampaignSettings::models may name one: the default, then the stages.
std::vector<std::string> modelSlots();
// One of them, or a further writer: "writer/NAME", with a name of at most 24 small letters, digits and hyphens.
Result<void> checkModelSlot(std::string_view text);
inline constexpr std::string_view writerSlotPrefix = "writer/";
std::string writerSlot(std::string_view writer); // "writer/deep"; of the stage's own model, "", it is "writer"
// Of the further writers, by name; as many as a campaign may have.
std::vector<std::string> writersOf(const std::map<std::string, ModelChoice>& models);
// How the stage's own model is called where a person names a writer (Experiment::writer); no further one has this name.
inline constexpr std::string_view ownWriter = "own";
// "", or one of writersOf().
bool hasWriter(const std::map<std::string, ModelChoice>& models, std::string_view writer);

// Who answers for a stage: the model that is named for it, else the default one. A repair is the writer's work and a
// check the selector's unless somebody else was named for it. Null: nobody.
const ModelChoice* modelOf(const std::map<std::string, ModelChoice>& models, ModelStage stage);
// Who writes under this name (Kernel::writer), and repairs what it wrote unless a model is named for repairs. A name
// that is gone from the settings: the stage's own.
const ModelChoice* writerModelOf(const std::map<std::string, ModelChoice>& models, ModelStage stage,
                                 std::string_view writer);

// The prompt of this stage shows hints of the person, the one for all stages and its own.
bool takesHint(ModelStage stage);

// What a command or a folder must look like to be used at all; the address of a server is not looked at.
Result<void> checkLocalAddress(const ModelChoice& choice);
// The campaign file keeps what stands in these, so a key must not. That of a server: no user name, password, parameter.
Result<void> checkServerAddress(std::string_view address);
Result<void> checkModelName(std::string_view name); // one line; "" is good
// The name of an environment variable, which a key pasted by mistake does not look like. "" is good: local servers need
// no key.
Result<void> checkKeyVariable(std::string_view variable);

} // namespace gks
