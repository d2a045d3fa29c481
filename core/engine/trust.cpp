// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/trust.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/llm/chat.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t fileLimit = 4096; // of a pack
constexpr std::size_t bytesLimit = std::size_t{256} << 20;
constexpr std::size_t answersLimitBytes = std::size_t{16} << 20;
constexpr std::array kinds = {TrustKind::server, TrustKind::pack};

bool isOfficial(const ModelChoice& choice) {
    const auto known = knownProviders();
    return std::any_of(known.begin(), known.end(), [&](const ProviderFacts& facts) {
        return !facts.baseUrl.empty() && choice.baseUrl == facts.baseUrl && choice.keyVariable == facts.keyVariable;
    });
}

bool asksServer(const ModelChoice& choice) {
    const ProviderFacts* facts = providerFacts(choice.provider);
    return facts != nullptr && !facts->baseUrl.empty() && !choice.baseUrl.empty();
}

// Every file below the folder, through links as well: what they lead to is what is read.
Result<std::string> contentOf(const fs::path& folder) {
    const auto tooLarge = [&] {
        return usageError(fmt::format("a problem pack has at most {} files and {} MiB", fileLimit, bytesLimit >> 20),
                          folder.string(), "Put the pack into a folder of its own");
    };
    std::vector<fs::path> files;
    std::error_code code;
    const auto options = fs::directory_options::follow_directory_symlink;
    std::size_t seen = 0;
    for (fs::recursive_directory_iterator at(folder, options, code), end; !code && at != end; at.increment(code)) {
        if (++seen > fileLimit) {
            return tooLarge();
        }
        std::error_code ignored;
        if (at->is_regular_file(ignored)) {
            files.push_back(at->path());
        }
    }
    if (code) {
        return usageError(fmt::format("the folder of the problem pack cannot be read: {}", code.message()),
                          folder.string());
    }
    std::sort(files.begin(), files.end());
    std::string list;
    std::size_t bytes = 0;
    for (const fs::path& file : files) {
        GKS_TRY_ASSIGN(const std::string content, readFile(file, bytesLimit));
        bytes += content.size();
        if (bytes > bytesLimit) {
            return tooLarge();
        }
        // Both of one length: a name may hold anything, also what looks like the lines of other files.
        list += sha256Hex(content) + sha256Hex(file.lexically_relative(folder).string());
    }
    return sha256Hex(list);
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
        const auto known = std::find_if(kinds.begin(), kinds.end(), [&](TrustKind k) { return name(k) == kind; });
        if (known != kinds.end()) { // another version may ask about more
            answers.push_back({textField(one, "file"),
                               {*known, textField(one, "server"), textField(one, "variable"), textField(one, "folder"),
                                textField(one, "content")}});
        }
    }
    return answers;
}

Result<void> write(const fs::path& file, const std::vector<Answer>& answers) {
    OrderedJson list = OrderedJson::array();
    for (const auto& [identity, question] : answers) {
        OrderedJson one = {{"file", identity}, {"kind", name(question.kind)}};
        const std::array<std::pair<const char*, const std::string*>, 4> fields = {{{"server", &question.server},
                                                                                   {"variable", &question.variable},
                                                                                   {"folder", &question.folder},
                                                                                   {"content", &question.content}}};
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

bool isAnswered(const std::vector<Answer>& answers, const std::string& identity, const TrustQuestion& question) {
    return std::any_of(answers.begin(), answers.end(), [&](const Answer& answer) {
        return answer.identity == identity && answer.question.sameContent(question);
    });
}

} // namespace

std::string_view name(TrustKind kind) {
    return kind == TrustKind::server ? "server" : "pack";
}

Result<std::vector<TrustKind>> trustKindsFromText(std::string_view text) {
    std::vector<TrustKind> chosen;
    if (text.empty()) {
        return chosen;
    }
    for (const std::string& word : split(text, ',')) {
        const auto kind =
            std::find_if(kinds.begin(), kinds.end(), [&](TrustKind known) { return word == name(known); });
        if (kind == kinds.end()) {
            return usageError(fmt::format("--trust is server, pack or server,pack, not \"{}\"", text));
        }
        chosen.push_back(*kind);
    }
    return chosen;
}

std::string TrustQuestion::text() const {
    if (kind == TrustKind::pack) {
        return fmt::format("runs the problem pack {} (SHA-256 {})", terminalLine(folder), content.substr(0, 12));
    }
    return variable.empty() ? fmt::format("sends prompts to {}", terminalLine(server))
                            : fmt::format("sends the value of {} to {}", terminalLine(variable), terminalLine(server));
}

bool TrustQuestion::sameContent(const TrustQuestion& other) const {
    return kind == other.kind && server == other.server && variable == other.variable && content == other.content;
}

std::vector<TrustQuestion> serverQuestions(const std::map<std::string, ModelChoice>& models) {
    std::vector<TrustQuestion> questions;
    for (const auto& [stage, choice] : models) {
        TrustQuestion question;
        question.server = choice.baseUrl;
        question.variable = choice.keyVariable;
        if (asksServer(choice) && !isOfficial(choice) &&
            std::none_of(questions.begin(), questions.end(),
                         [&](const TrustQuestion& known) { return known.sameContent(question); })) {
            questions.push_back(std::move(question));
        }
    }
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
    GKS_TRY_ASSIGN(question.content, contentOf(pack.folder));
    return std::optional(std::move(question));
}

Result<std::vector<TrustQuestion>> trustQuestions(const CampaignSettings& settings) {
    std::vector<TrustQuestion> questions = serverQuestions(settings.models);
    if (const auto pack = loadProblemPack(settings.problem)) {
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

MayAsk trustedServers(std::string identity, std::string where) {
    return [identity = std::move(identity), where = std::move(where)](const ModelChoice& choice) -> Result<void> {
        GKS_TRY_ASSIGN(const auto open, TrustAnswers().open(identity, serverQuestions({{"", choice}})));
        return open.empty() ? Result<void>() : tl::unexpected(notTrusted(open, where));
    };
}

Result<void> trustOwn(const CampaignStore& store) {
    GKS_TRY_ASSIGN(const std::string identity, store.identity());
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
