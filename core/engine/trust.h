// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/locations.h"
#include "core/campaign/store.h"
#include "core/campaign/types.h"
#include "core/problem/problem.h"
#include "core/scientist/scientist.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A campaign, pack or bundle from elsewhere is data. What it names and what could take something from this machine is
// asked about once for each file and content; the answer lies in the person's own settings, never in the file. What a
// person names with their own hands, for a new campaign or while steering, is their answer.
namespace gks {

enum class TrustKind {
    server,  // gets prompts, and the value of a variable as the key
    command, // is run with the person's rights, gets prompts and the value of a variable
    folder,  // prompts are written into it, replies are read from it
    pack,    // a problem pack that did not come with the program: its reference is compiled and run, in the sandbox
};
std::string_view name(TrustKind kind); // also what --trust takes
// "server", "server,command,pack". Empty text: none.
Result<std::vector<TrustKind>> trustKindsFromText(std::string_view text);

struct TrustQuestion {
    TrustKind kind = TrustKind::server;
    std::string server = {};   // as the file has it
    std::string variable = {}; // whose value it gets; empty: none
    std::string folder = {};   // of the pack, or for prompts and replies
    std::string content = {};  // SHA-256 over every file of the pack
    std::string command = {};  // the whole line; of a command pack its commands

    std::string text() const; // "sends the value of OPENAI_API_KEY to http://127.0.0.1:8080/v1"
    bool sameContent(const TrustQuestion& other) const; // a pack may lie elsewhere
};

// Who answers for the stages: servers and commands, each with each variable once, and folders. Not asked about: an
// official server of a provider that the program knows together with that provider's own variable, which is where such
// a key belongs; and a command or a folder that would not be used in any case.
std::vector<TrustQuestion> modelQuestions(const std::map<std::string, ModelChoice>& models);
// Those of these kinds.
std::vector<TrustQuestion> ofKinds(std::vector<TrustQuestion> questions, const std::vector<TrustKind>& kinds);
// Empty for a built-in pack. Fails when the folder cannot be read or holds more than any pack does.
Result<std::optional<TrustQuestion>> packQuestion(const ProblemPack& pack);
// Both. A pack that cannot be loaded cannot be built either, so it is no question.
Result<std::vector<TrustQuestion>> trustQuestions(const CampaignSettings& settings);

// The answers, of this user: a small file that only they can read. A missing one has no answers; a damaged one is an
// error, and nothing is trusted.
class TrustAnswers {
public:
    explicit TrustAnswers(std::filesystem::path file = configFolder() / "trust.json");
    // Those that were not answered yet for the file with this identity.
    Result<std::vector<TrustQuestion>> open(const std::string& identity, std::vector<TrustQuestion> questions) const;
    Result<void> trust(const std::string& identity, const std::vector<TrustQuestion>& questions) const;

private:
    std::filesystem::path m_file;
};

// For who makes calls of models with the choices of this file: refuses whom the person has not answered for.
MayAsk trustedModels(std::string identity, std::string where);

// By which answers find a campaign again: this file on this disk, and the campaign in it. A file that was sent, copied
// or put together after another one is asked about anew, whatever it says of itself.
Result<std::string> trustIdentity(const CampaignStore& store);

// For a campaign that the person has just made: all that is in it they named themselves.
Result<void> trustOwn(const CampaignStore& store);

// Why nothing is sent or built, and which flags would allow it. `where` is the file.
Error notTrusted(const std::vector<TrustQuestion>& open, std::string where);

} // namespace gks
