// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/documents.h"
#include "app/cli/ask_at_terminal.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/campaign/commands.h"
#include "core/campaign/store.h"
#include "core/engine/trust.h"
#include "core/problem/problem.h"
#include "core/scientist/digest.h"
#include "core/scientist/knowledge.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

constexpr int foundLimit = 10;
constexpr std::size_t shownFoundBytes = 300;

OrderedJson toJson(const Document& document) {
    return {{"id", document.id},           {"title", document.title},     {"kind", document.kind},
            {"sha256", document.sha256},   {"bytes", document.sizeBytes}, {"passages", document.passages},
            {"enabled", document.enabled}, {"digest", document.digest}};
}

// A campaign with its documents, and what is done to them. One that an engine has open can be read, not changed.
class Session {
public:
    static Result<Session> open(const std::string& file, CampaignStore::Access access) {
        Session session;
        GKS_TRY_ASSIGN(session.m_store, CampaignStore::open(file, access));
        if (access == CampaignStore::Access::write && session.m_store->readOnly()) {
            return usageError("cannot be written", file, "Check its permissions and those of its folder");
        }
        GKS_TRY_ASSIGN(session.m_population, session.m_store->population());
        return session;
    }

    const std::vector<Document>& documents() const { return m_population->documents; }
    Result<Document> document(const std::string& text) const {
        for (const Document& document : documents()) {
            if (std::to_string(document.id) == text) {
                return document;
            }
        }
        return usageError(fmt::format("there is no document {}", text), "documents", "Name it by its number");
    }
    Result<void> add(const std::string& path) {
        GKS_TRY_ASSIGN(const ImportedDocument imported, importDocument(path));
        const Document& document = imported.document;
        GKS_TRY_ASSIGN(const std::int64_t id,
                       m_store->addDocument(document, imported.passages, historyLine(command::AddDocument{document})));
        const bool known = std::any_of(documents().begin(), documents().end(),
                                       [&](const Document& earlier) { return earlier.id == id; });
        say("{}  {}: {}, {} passages\n", id, terminalLine(document.title),
            known ? "is already there" : formatBytes(static_cast<std::uint64_t>(document.sizeBytes)),
            document.passages);
        GKS_TRY_ASSIGN(m_population, m_store->population());
        return {};
    }
    Result<void> remove(const std::string& text) {
        GKS_TRY_ASSIGN(const Document found, document(text));
        return m_store->removeDocument(found.id, historyLine(command::RemoveDocument{found.id}));
    }
    Result<void> enable(const std::string& text, bool enabled) {
        GKS_TRY_ASSIGN(Document found, document(text));
        found.enabled = enabled;
        return m_store->updateDocument(found,
                                       historyLine(command::EditDocument{.document = found.id, .enabled = enabled}));
    }
    Result<void> digest(const std::string& text, bool trusted) {
        GKS_TRY_ASSIGN(Document found, document(text));
        GKS_TRY_ASSIGN(const std::vector<Passage> passages, m_store->passages(found.id));
        GKS_TRY_ASSIGN(const ProblemPack problem, loadProblemPack(m_population->settings.problem));
        std::optional<Error> unstored;
        ScientistSinks sinks;
        sinks.exchange = [&](const Exchange& exchange) {
            if (const auto stored = m_store->addExchange(exchange); !stored) {
                unstored = stored.error();
            }
        };
        sinks.askPerson = askAtTerminal;
        GKS_TRY_ASSIGN(const std::string identity, m_store->identity());
        GKS_TRY(TrustAnswers().trust(identity, trusted ? serverQuestions(m_population->settings.models)
                                                       : std::vector<TrustQuestion>()));
        sinks.mayAsk = trustedServers(identity, m_store->file().string());
        GKS_TRY_ASSIGN(found.digest, digestDocument(m_population->settings, sinks, &problem, found, passages, {}));
        GKS_TRY(m_store->updateDocument(
            found, historyLine(command::EditDocument{.document = found.id, .digest = found.digest})));
        say("{}\n", found.digest);
        return unstored ? Result<void>(tl::unexpected(*unstored)) : Result<void>();
    }
    Result<void> search(const std::string& words, bool asJson) const {
        GKS_TRY_ASSIGN(const std::vector<Passage> found,
                       m_store->searchPassages(join(tellingWords(words), " "), foundLimit));
        OrderedJson json = {{"passages", OrderedJson::array()}};
        for (const Passage& passage : found) {
            json["passages"].push_back({{"document", passage.document},
                                        {"number", passage.number},
                                        {"heading", passage.heading},
                                        {"text", passage.text}});
            if (!asJson) {
                say("{}.{}  {}\n{}\n\n", passage.document, passage.number, terminalLine(passage.heading),
                    abbreviated(passage.text, shownFoundBytes));
            }
        }
        if (asJson) {
            printJson(json);
        } else if (found.empty()) {
            say("No passage has any of these words.\n");
        }
        return {};
    }
    void list(bool asJson) const {
        if (asJson) {
            OrderedJson json = {{"documents", OrderedJson::array()}};
            for (const Document& document : documents()) {
                json["documents"].push_back(toJson(document));
            }
            printJson(json);
            return;
        }
        Table table;
        table.add({"ID", "Title", "Kind", "Text", "Passages", "In prompts", "Digest"});
        for (const Document& document : documents()) {
            table.add({std::to_string(document.id), document.title, document.kind,
                       formatBytes(static_cast<std::uint64_t>(document.sizeBytes)), std::to_string(document.passages),
                       document.enabled ? "yes" : "no", document.digest.empty() ? "-" : "yes"});
        }
        say("{}", documents().empty() ? "No documents. Add one with `documents FILE.gks add PATH`.\n" : table.text());
    }

private:
    Steering historyLine(const SteeringCommand& command) const { return gks::historyLine(command, *m_population); }

    std::unique_ptr<CampaignStore> m_store;
    PopulationPtr m_population;
};

Result<void> carryOut(Session& session, const std::string& action, const std::vector<std::string>& words,
                      const Arguments& arguments) {
    if (action == "search") {
        return session.search(join(words, " "), arguments.has("--json"));
    }
    GKS_TRY_ASSIGN(const auto kinds, trustKindsFromText(arguments.value("--trust")));
    const bool trusted = std::find(kinds.begin(), kinds.end(), TrustKind::server) != kinds.end();
    for (const std::string& word : words) {
        GKS_TRY(action == "add"      ? session.add(word)
                : action == "remove" ? session.remove(word)
                : action == "digest" ? session.digest(word, trusted)
                                     : session.enable(word, action == "enable"));
    }
    return {};
}

int runDocuments(const Arguments& arguments) {
    std::vector<std::string> words = arguments.rest();
    const std::string action = words.empty() ? "list" : words.front();
    const bool asJson = arguments.has("--json");
    const bool reads = action == "list" || action == "search";
    const bool known = reads || action == "add" || action == "remove" || action == "enable" || action == "disable" ||
                       action == "digest";
    if (!known || (words.size() < 2 && action != "list")) {
        return failed(Error{ErrorKind::usage,
                            known ? fmt::format("{} of what?", action) : fmt::format("'{}' is no action", action),
                            "documents", "See documents --help"});
    }
    auto session =
        Session::open(arguments.positional(), reads ? CampaignStore::Access::read : CampaignStore::Access::write);
    if (!session) {
        return failed(session.error());
    }
    if (action == "list") {
        session->list(asJson);
        return done;
    }
    words.erase(words.begin());
    const auto carriedOut = carryOut(*session, action, words, arguments);
    return carriedOut ? done : failed(carriedOut.error());
}

} // namespace

const Command documentsCommand = {
    "documents",
    "FILE.gks",
    "What the model scientist is given to read: list, add, remove, enable, disable, digest, search",
    {{"--trust", "server", "send the key to the server that the file names (digest)", false},
     {"--json", "", "as JSON (list and search)", false}},
    runDocuments,
    "[add PATH... | remove|enable|disable|digest ID... | search WORD...]"};

} // namespace gks::cli
