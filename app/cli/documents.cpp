// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/documents.h"
#include "app/cli/ask_at_terminal.h"
#include "app/cli/commands.h"
#include "app/cli/decisions.h"
#include "app/cli/output.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/campaign/campaign_pack.h"
#include "core/campaign/store.h"
#include "core/problem/problem.h"
#include "core/scientist/digest.h"
#include "core/scientist/knowledge.h"

#include <charconv>
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

// Changes go through an engine of the campaign, as those of the window.
class Session {
public:
    static Result<Session> open(const std::string& file) {
        Session session;
        GKS_TRY_ASSIGN(session.m_decisions, Decisions::open(file));
        return session;
    }

    Result<void> add(const std::string& path) {
        GKS_TRY_ASSIGN(const ImportedDocument imported, importDocument(path));
        const bool known = withBytes(imported.document.sha256).has_value();
        GKS_TRY(decide(command::AddDocument{imported.document, imported.passages}));
        GKS_TRY_ASSIGN(const Document document, withBytes(imported.document.sha256));
        say("{}  {}: {}, {} passages\n", document.id, terminalLine(document.title),
            known ? "already added" : formatBytes(static_cast<std::uint64_t>(document.sizeBytes)), document.passages);
        return {};
    }
    Result<void> remove(const std::string& text) {
        GKS_TRY_ASSIGN(const std::int64_t id, documentFrom(text));
        return decide(command::RemoveDocument{id});
    }
    Result<void> enable(const std::string& text, bool enabled) {
        GKS_TRY_ASSIGN(const std::int64_t id, documentFrom(text));
        return decide(command::EditDocument{.document = id, .enabled = enabled});
    }
    Result<void> digest(const std::string& text, const std::vector<TrustKind>& trusted) {
        GKS_TRY_ASSIGN(const std::int64_t id, documentFrom(text));
        if (m_decisions->isElsewhere()) { // what the call costs has to be written down
            return usageError("the campaign is open in another program", "documents",
                              "Ask for the digest there, or when it is closed");
        }
        const PopulationPtr population = engine().population();
        const Document* document = population->document(id);
        if (document == nullptr) {
            return noDocument(text);
        }
        GKS_TRY_ASSIGN(const std::vector<Passage> passages, engine().passages(id));
        GKS_TRY_ASSIGN(const ProblemPack problem, packOfCampaign(population->settings));
        ScientistSinks sinks;
        sinks.exchange = [&](const Exchange& exchange) { engine().addExchange(exchange); };
        sinks.askPerson = askAtTerminal;
        GKS_TRY(engine().trust(ofKinds(modelQuestions(population->settings.models), trusted)));
        sinks.mayAsk = engine().mayAsk();
        GKS_TRY_ASSIGN(std::string digest,
                       digestDocument(population->settings, sinks, &problem, *document, passages, {}));
        GKS_TRY(decide(command::EditDocument{.document = id, .digest = digest}));
        say("{}\n", digest);
        return {};
    }

private:
    Engine& engine() { return m_decisions->engine(); }
    static tl::unexpected<Error> noDocument(const std::string& text) {
        return usageError(fmt::format("document {} not found", text), "documents", "Use its number from the list");
    }
    static Result<std::int64_t> documentFrom(const std::string& text) {
        std::int64_t id = 0;
        const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), id);
        return failure == std::errc() && end == text.data() + text.size() ? Result<std::int64_t>(id) : noDocument(text);
    }
    Result<Document> withBytes(const std::string& sha256) {
        for (const Document& document : engine().population()->documents) {
            if (document.sha256 == sha256) {
                return document;
            }
        }
        return infrastructureError("the document was not stored", "documents");
    }
    Result<void> decide(SteeringCommand command) {
        GKS_TRY_ASSIGN(const Decisions::Outcome outcome, m_decisions->carryOut({std::move(command)}));
        return outcome.refused;
    }

    std::unique_ptr<Decisions> m_decisions;
};

Result<void> search(const CampaignStore& store, const std::string& words, bool asJson) {
    GKS_TRY_ASSIGN(const std::vector<Passage> found, store.searchPassages(join(tellingWords(words), " "), foundLimit));
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
        say("No matching passage.\n");
    }
    return {};
}

Result<void> list(const CampaignStore& store, bool asJson) {
    GKS_TRY_ASSIGN(const PopulationPtr population, store.population());
    const std::vector<Document>& documents = population->documents;
    if (asJson) {
        OrderedJson json = {{"documents", OrderedJson::array()}};
        for (const Document& document : documents) {
            json["documents"].push_back(toJson(document));
        }
        printJson(json);
        return {};
    }
    Table table;
    table.add({"ID", "Title", "Kind", "Text", "Passages", "In prompts", "Digest"});
    for (const Document& document : documents) {
        table.add({std::to_string(document.id), document.title, document.kind,
                   formatBytes(static_cast<std::uint64_t>(document.sizeBytes)), std::to_string(document.passages),
                   document.enabled ? "yes" : "no", document.digest.empty() ? "-" : "yes"});
    }
    say("{}", documents.empty() ? "No documents. Add one with `documents FILE.gks add PATH`.\n" : table.text());
    return {};
}

// Beside whoever has the campaign open.
Result<void> read(const std::string& action, const std::vector<std::string>& words, const Arguments& arguments) {
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(arguments.positional(), CampaignStore::Access::read));
    const bool asJson = arguments.has("--json");
    return action == "list" ? list(*store, asJson) : search(*store, join(words, " "), asJson);
}

Result<void> change(const std::string& action, const std::vector<std::string>& words, const Arguments& arguments) {
    GKS_TRY_ASSIGN(const auto trusted, trustKindsFromText(arguments.value("--trust")));
    GKS_TRY_ASSIGN(Session session, Session::open(arguments.positional()));
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
    const bool reads = action == "list" || action == "search";
    const bool known = reads || action == "add" || action == "remove" || action == "enable" || action == "disable" ||
                       action == "digest";
    if (!known || (words.size() < 2 && action != "list")) {
        return failed(
            Error{ErrorKind::usage,
                  known ? fmt::format("missing argument for {}", action) : fmt::format("unknown action '{}'", action),
                  "documents", "Run documents --help"});
    }
    if (!words.empty()) {
        words.erase(words.begin());
    }
    const auto carriedOut = reads ? read(action, words, arguments) : change(action, words, arguments);
    return carriedOut ? done : failed(carriedOut.error());
}

} // namespace

const Command documentsCommand = {
    "documents",
    "FILE.gks",
    "List, add, remove, enable, disable, digest or search the documents for the model",
    {{"--trust", "KINDS", "who the file says answers may be asked: server, command, folder (digest)", false},
     {"--json", "", "print JSON (list and search)", false}},
    runDocuments,
    "[add PATH... | remove|enable|disable|digest ID... | search WORD...]"};

} // namespace gks::cli
