// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/trust.h"

#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/campaign/model_stages.h"
#include "core/llm/chat.h"
#include "core/problem/pack_files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t answersLimitBytes = std::size_t{16} << 20;
constexpr std::array<std::pair<TrustKind, std::string_view>, 4> kinds = {{{TrustKind::server, "server"},
                                                                          {TrustKind::command, "command"},
                                                                          {TrustKind::folder, "folder"},
                                                                          {TrustKind::pack, "pack"}}};

bool isOfficial(const ModelChoice& choice) {
    const auto known = knownProviders();
    return std::any_of(known.begin(), known.end(), [&](const ProviderFacts& facts) {
        return !facts.baseUrl.empty() && choice.baseUrl == facts.baseUrl && choice.keyVariable == facts.keyVariable;
    });
}

// Whom the choice gives prompts to; nothing where nobody has to be asked.
std::optional<TrustQuestion> questionOf(const ModelChoice& choice) {
    const ProviderFacts* facts = providerFacts(choice.provider);
    if (facts == nullptr || choice.baseUrl.empty() || !checkLocalAddress(choice)) {
        return std::nullopt;
    }
    TrustQuestion question;
    question.variable = choice.keyVariable;
    switch (facts->kind) {
    case ProviderKind::http:
        if (isOfficial(choice)) {
            return std::nullopt;
        }
        question.server = choice.baseUrl;
        return question;
    case ProviderKind::command:
        question.kind = TrustKind::command;
        question.command = choice.baseUrl;
        return question;
    case ProviderKind::folder:
        question.kind = TrustKind::folder;
        question.folder = choice.baseUrl;
        question.variable.clear();
        return question;
    case ProviderKind::person:
    case ProviderKind::recording:
        break;
    }
    return std::nullopt;
}

struct Answer {
    std::string identity;
    TrustQuestion question;
};

std::string textField(const Json& json, const char* key) {
    const auto at = json.find(key);
    return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
}

Result<std::vector<Answer>> read(const fs::path& file) {
    std::error_code ignored;
    if (!fs::exists(file, ignored)) {
        return std::vector<Answer>();
    }
    const auto damaged = [&] {
        return infrastructureError("the file with your answers is damaged", file.string(), "Delete it");
    };
    GKS_TRY_ASSIGN(const std::string text, readFile(file, answersLimitBytes));
    const auto json = parseJson(text, file.string());
    if (!json || !json->is_object() || !json->contains("trusted") || !(*json)["trusted"].is_array()) {
        return damaged();
    }
    std::vector<Answer> answers;
    for (const Json& one : (*json)["trusted"]) {
        if (!one.is_object()) {
            return damaged();
        }
        const std::string kind = textField(one, "kind");
        const auto known = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.second == kind; });
        if (known != kinds.end()) { // another version may ask about more
            answers.push_back({textField(one, "file"),
                               {known->first, textField(one, "server"), textField(one, "variable"),
                                textField(one, "folder"), textField(one, "content"), textField(one, "command")}});
        }
    }
    return answers;
}

Result<void> write(const fs::path& file, const std::vector<Answer>& answers) {
    OrderedJson list = OrderedJson::array();
    for (const auto& [identity, question] : answers) {
        OrderedJson one = {{"file", identity}, {"kind", name(question.kind)}};
        const std::array<std::pair<const char*, const std::string*>, 5> fields = {{{"server", &question.server},
                                                                                   {"variable", &question.variable},
                                                                                   {"folder", &question.folder},
                                                                                   {"content", &question.content},
                                                                                   {"command", &question.command}}};
        for (const auto& [key, value] : fields) {
            if (!value->empty()) {
                one[key] = *value;
            }
        }
        list.push_back(std::move(one));
    }
    const OrderedJson json = {{"trusted", std::move(list)}};
    GKS_TRY(writeFileAtomically(file, json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n"));
    std::error_code code;
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write, code);
    return {};
}

// Two programs that answer at the same time do so one after the other.
class Turn {
public:
    explicit Turn(const fs::path& file)
        : m_descriptor(::open((file.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
        if (m_descriptor >= 0) {
            ::flock(m_descriptor, LOCK_EX);
        }
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
        if (m_descriptor >= 0) {
            ::close(m_descriptor);
        }
    }

private:
    int m_descriptor;
};

// What is run of a command pack, and what it may read beside itself.
std::string commandsOf(const Harness& harness) {
    std::vector<std::string> said;
    for (const auto* words : {&harness.build, &harness.verify, &harness.measure}) {
        if (!words->empty()) {
            said.push_back(join(*words, " "));
        }
    }
    std::string text = join(said, "; ");
    for (const std::filesystem::path& folder : harness.readable) {
        text += "; may read " + folder.string();
    }
    return text;
}

bool isAnswered(const std::vector<Answer>& answers, const std::string& identity, const TrustQuestion& question) {
    return std::any_of(answers.begin(), answers.end(), [&](const Answer& answer) {
        return answer.identity == identity && answer.question.sameContent(question);
    });
}

} // namespace

std::string_view name(TrustKind kind) {
    return std::find_if(kinds.begin(), kinds.end(), [&](const auto& known) { return known.first == kind; })->second;
}

Result<std::vector<TrustKind>> trustKindsFromText(std::string_view text) {
    std::vector<TrustKind> chosen;
    if (text.empty()) {
        return chosen;
    }
    for (const std::string& word : split(text, ',')) {
        const auto kind =
            std::find_if(kinds.begin(), kinds.end(), [&](const auto& known) { return word == known.second; });
        if (kind == kinds.end()) {
            return usageError(fmt::format("unknown kind {} in --trust", quotation(word)), {},
                              "Use server, command, folder, pack, or several with commas");
        }
        chosen.push_back(kind->first);
    }
    return chosen;
}

std::string TrustQuestion::text() const {
    switch (kind) {
    case TrustKind::pack:
        return command.empty()
                   ? fmt::format("runs the problem pack {} (SHA-256 {})", terminalLine(folder), content.substr(0, 12))
                   : fmt::format("runs commands of the pack {} (SHA-256 {}): {}", terminalLine(folder),
                                 content.substr(0, 12), terminalLine(command));
    case TrustKind::folder:
        return fmt::format("exchanges prompts and replies in the folder {}", terminalLine(folder));
    case TrustKind::command:
        return fmt::format("runs the command {}{}", terminalLine(command),
                           variable.empty() ? "" : fmt::format(" with the value of {}", terminalLine(variable)));
    case TrustKind::server:
        break;
    }
    return variable.empty() ? fmt::format("sends prompts to {}", terminalLine(server))
                            : fmt::format("sends the value of {} to {}", terminalLine(variable), terminalLine(server));
}

bool TrustQuestion::sameContent(const TrustQuestion& other) const {
    return kind == other.kind && server == other.server && variable == other.variable && content == other.content &&
           command == other.command && (kind != TrustKind::folder || folder == other.folder);
}

std::vector<TrustQuestion> modelQuestions(const std::map<std::string, ModelChoice>& models) {
    std::vector<TrustQuestion> questions;
    for (const auto& [stage, choice] : models) {
        auto question = questionOf(choice);
        if (question && std::none_of(questions.begin(), questions.end(),
                                     [&](const TrustQuestion& known) { return known.sameContent(*question); })) {
            questions.push_back(std::move(*question));
        }
    }
    return questions;
}

std::vector<TrustQuestion> ofKinds(std::vector<TrustQuestion> questions, const std::vector<TrustKind>& chosen) {
    std::erase_if(questions, [&](const TrustQuestion& question) {
        return std::find(chosen.begin(), chosen.end(), question.kind) == chosen.end();
    });
    return questions;
}

Result<std::optional<TrustQuestion>> packQuestion(const ProblemPack& pack) {
    if (isBuiltin(pack)) {
        return std::optional<TrustQuestion>();
    }
    std::error_code ignored;
    TrustQuestion question;
    question.kind = TrustKind::pack;
    question.folder = fs::absolute(pack.folder, ignored).string();
    GKS_TRY_ASSIGN(question.content, packContentSha256(pack.folder));
    question.command = pack.harness ? commandsOf(*pack.harness) : std::string();
    return std::optional(std::move(question));
}

Result<std::vector<TrustQuestion>> trustQuestions(const CampaignSettings& settings) {
    std::vector<TrustQuestion> questions = modelQuestions(settings.models);
    if (const auto pack = loadCampaignProblem(settings.problem)) {
        GKS_TRY_ASSIGN(auto question, packQuestion(*pack));
        if (question) {
            questions.push_back(std::move(*question));
        }
    }
    return questions;
}

TrustAnswers::TrustAnswers(fs::path file) : m_file(std::move(file)) {}

Result<std::vector<TrustQuestion>> TrustAnswers::open(const std::string& identity,
                                                      std::vector<TrustQuestion> questions) const {
    if (questions.empty()) {
        return questions;
    }
    GKS_TRY_ASSIGN(const auto answers, read(m_file));
    std::erase_if(questions, [&](const TrustQuestion& question) { return isAnswered(answers, identity, question); });
    return questions;
}

Result<void> TrustAnswers::trust(const std::string& identity, const std::vector<TrustQuestion>& questions) const {
    if (questions.empty()) {
        return {};
    }
    GKS_TRY(makeDirectories(m_file.parent_path()));
    const Turn turn(m_file);
    GKS_TRY_ASSIGN(auto answers, read(m_file));
    const std::size_t before = answers.size();
    for (const TrustQuestion& question : questions) {
        if (!isAnswered(answers, identity, question)) {
            answers.push_back({identity, question});
        }
    }
    return answers.size() == before ? Result<void>() : write(m_file, answers);
}

MayAsk trustedModels(std::string identity, std::string where) {
    return [identity = std::move(identity), where = std::move(where)](const ModelChoice& choice) -> Result<void> {
        GKS_TRY_ASSIGN(const auto open, TrustAnswers().open(identity, modelQuestions({{"", choice}})));
        return open.empty() ? Result<void>() : tl::unexpected(notTrusted(open, where));
    };
}

Result<std::string> trustIdentity(const CampaignStore& store) {
    GKS_TRY_ASSIGN(const std::string campaign, store.identity());
    struct stat facts{};
    if (::stat(store.file().c_str(), &facts) != 0) {
        return infrastructureError("cannot be looked at: " + systemMessage(errno), store.file().string());
    }
    return fmt::format("{}, file {}:{}", campaign, facts.st_dev, facts.st_ino);
}

Result<void> trustOwn(const CampaignStore& store) {
    GKS_TRY_ASSIGN(const std::string identity, trustIdentity(store));
    GKS_TRY_ASSIGN(const CampaignSettings settings, store.settings());
    GKS_TRY_ASSIGN(const auto questions, trustQuestions(settings));
    return TrustAnswers().trust(identity, questions);
}

Error notTrusted(const std::vector<TrustQuestion>& open, std::string where) {
    std::vector<std::string> texts;
    std::vector<std::string> flags;
    for (const TrustQuestion& question : open) {
        texts.push_back(question.text());
        const std::string flag(name(question.kind));
        if (std::find(flags.begin(), flags.end(), flag) == flags.end()) {
            flags.push_back(flag);
        }
    }
    return {ErrorKind::usage, "the file " + join(texts, " and "), std::move(where),
            fmt::format("If you trust it, add --trust {}", join(flags, ","))};
}

} // namespace gks
