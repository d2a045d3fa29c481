// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mcp/pages.h"
#include "core/mcp/server.h"

#include <QTest>
#include <algorithm>
#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <thread>
#include <unistd.h>

using namespace gks;
using namespace gks::mcp;

namespace {

const ServerFacts facts = {"kernel-scientist", "GPU Kernel Scientist", "1.2.3", "how to work"};

Json schemaOf(Json properties, Json required) {
    return {{"type", "object"},
            {"additionalProperties", false},
            {"properties", std::move(properties)},
            {"required", std::move(required)}};
}

// "echo" gives its text back with the caller; "hang" waits until it is told to stop; "fail" fails; "throw" has a fault.
struct Tools {
    std::mutex mutex;
    std::condition_variable_any changed;
    int hanging = 0;
    int cancelled = 0;

    std::vector<Tool> all = {
        {"echo", "Echo", "Says it again", schemaOf({{"text", {{"type", "string"}}}}, Json::array({"text"})), false,
         [](const Json& arguments, const Caller& caller) -> Result<std::string> {
             return fmt::format("{}: {}", caller.client, arguments.at("text").get<std::string>());
         }},
        {"hang", "Hang", "Waits", schemaOf(Json::object(), Json::array()), false,
         [this](const Json&, const Caller& caller) -> Result<std::string> {
             std::unique_lock lock(mutex);
             ++hanging;
             changed.notify_all();
             changed.wait(lock, caller.stop, [] { return false; });
             ++cancelled;
             changed.notify_all();
             return std::string("over");
         }},
        {"fail", "Fail", "Fails", schemaOf(Json::object(), Json::array()), true,
         [](const Json&, const Caller&) -> Result<std::string> { return usageError("no", "fail", "Do this"); }},
        {"throw", "Throw", "Has a fault", schemaOf(Json::object(), Json::array()), true,
         [](const Json&, const Caller&) -> Result<std::string> { throw std::runtime_error("a fault"); }}};

    bool waitFor(const std::function<bool(const Tools&)>& condition) {
        std::unique_lock lock(mutex);
        return changed.wait_for(lock, std::chrono::seconds(20), [&] { return condition(*this); });
    }
};

Json reply(Session& session, const Json& message) {
    const Step step = session.take(message.dump());
    const auto* found = std::get_if<OrderedJson>(&step);
    return found != nullptr ? Json(*found) : Json();
}

int errorOf(const Json& said) {
    return said.contains("error") ? said["error"]["code"].get<int>() : 0;
}

Json request(const char* method, Json params = Json::object(), Json id = 1) {
    return {{"jsonrpc", "2.0"}, {"id", std::move(id)}, {"method", method}, {"params", std::move(params)}};
}

Json modern(const char* method, Json params = Json::object(), const char* version = "2026-07-28") {
    params["_meta"] = {{"io.modelcontextprotocol/protocolVersion", version},
                       {"io.modelcontextprotocol/clientInfo", {{"name", "Claude Code!"}, {"version", "9"}}},
                       {"io.modelcontextprotocol/clientCapabilities", Json::object()}};
    return request(method, std::move(params));
}

Json initialize(const char* version = "2025-06-18") {
    return request("initialize", {{"protocolVersion", version},
                                  {"capabilities", Json::object()},
                                  {"clientInfo", {{"name", "codex"}, {"version", "1"}}}});
}

// A server on a pipe, as a client has it.
class Connection {
public:
    Connection() {
        if (::pipe(m_ends) != 0) {
            qFatal("no pipe");
        }
        m_thread = std::jthread([this](const std::stop_token& stop) {
            serve(m_session, {m_ends[0], [this](const std::string& line) { hear(line); }}, stop);
            const std::lock_guard lock(m_mutex);
            m_isOver = true;
            m_changed.notify_all();
        });
    }
    ~Connection() {
        close();
        m_thread.join();
        ::close(m_ends[0]);
    }
    void say(const std::string& line) {
        const std::string text = line + "\n";
        for (std::size_t at = 0; at < text.size();) {
            const ssize_t count = ::write(m_ends[1], text.data() + at, text.size() - at);
            at += count > 0 ? static_cast<std::size_t>(count) : text.size();
        }
    }
    void say(const Json& message) { say(message.dump()); }
    void close() {
        if (m_ends[1] >= 0) {
            ::close(std::exchange(m_ends[1], -1));
        }
    }
    void stop() { m_thread.request_stop(); }
    // The next reply; null when none comes.
    Json hear() {
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(lock, std::chrono::seconds(20), [this] { return m_heard < m_lines.size(); });
        return m_heard < m_lines.size() ? Json::parse(m_lines[m_heard++]) : Json();
    }
    bool isOver() {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, std::chrono::seconds(20), [this] { return m_isOver; });
    }
    std::size_t unheard() {
        const std::lock_guard lock(m_mutex);
        return m_lines.size() - m_heard;
    }
    Tools tools;

private:
    void hear(const std::string& line) {
        if (std::ranges::any_of(line, [](char c) { return c < ' ' || c > '~'; })) {
            qFatal("a line is not ASCII");
        }
        const std::lock_guard lock(m_mutex);
        m_lines.push_back(line);
        m_changed.notify_all();
    }
    int m_ends[2] = {-1, -1};
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<std::string> m_lines;
    std::size_t m_heard = 0;
    bool m_isOver = false;
    Session m_session{facts, tools.all};
    std::jthread m_thread;
};

} // namespace

// What clients of both eras are told, whatever they say.
class McpProtocol : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void legacyBeginsWithInitialize();
    void legacyVersions_data();
    void legacyVersions();
    void modernHasNoBeginning();
    void unknownVersionNamesTheKnown();
    void toolsAreListed();
    void callsOfBothEras();
    void argumentsMustFit();
    void nonsense_data();
    void nonsense();
    void notificationsAreNotAnswered();
    void clientsAreCleaned_data();
    void clientsAreCleaned();
    void textPages();
    void rowPages();
    void aCallDoesNotHoldUpOthers();
    void cancelledCallsAreNotAnswered();
    void faultsEndOneCall();
    void anIdIsUsedOnce();
    void tooManyCallsAreRefused();
    void overlongLinesAreRefused();
    void theEndOfInputEndsCalls();
    void aStopEndsIt();
    void linesAreAscii();
};

void McpProtocol::legacyBeginsWithInitialize() {
    Tools tools;
    Session session(facts, tools.all);
    QCOMPARE(errorOf(reply(session, request("tools/list"))), int(invalidRequest));
    QVERIFY(reply(session, request("ping"))["result"] == Json::object());
    const Json said = reply(session, initialize())["result"];
    QVERIFY(said["serverInfo"]["version"] == Json("1.2.3"));
    QVERIFY(said["instructions"] == Json("how to work"));
    QVERIFY(said["capabilities"].contains("tools") && !said.contains("resultType"));
    QCOMPARE(reply(session, request("tools/list"))["result"]["tools"].size(), tools.all.size());
    QCOMPARE(errorOf(reply(session, request("initialize"))), int(invalidParams));
}

void McpProtocol::legacyVersions_data() {
    QTest::addColumn<QString>("asked");
    QTest::addColumn<QString>("answered");
    for (const char* known : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
        QTest::newRow(known) << known << known;
    }
    QTest::newRow("unknown") << "2031-01-01" << "2025-11-25";
    QTest::newRow("modern") << "2026-07-28" << "2025-11-25"; // it has no initialize
}

void McpProtocol::legacyVersions() {
    QFETCH(const QString, asked);
    QFETCH(const QString, answered);
    Tools tools;
    Session session(facts, tools.all);
    const Json said = reply(session, initialize(asked.toStdString().c_str()));
    QVERIFY(said["result"]["protocolVersion"] == Json(answered.toStdString()));
}

void McpProtocol::modernHasNoBeginning() {
    Tools tools;
    Session session(facts, tools.all);
    const Json found = reply(session, modern("server/discover"))["result"];
    QVERIFY(found["resultType"] == Json("complete"));
    QVERIFY(found["supportedVersions"] == Json::array({"2026-07-28"}));
    QVERIFY(found["instructions"] == Json("how to work"));
    QVERIFY(found["ttlMs"].is_number_integer() && found["cacheScope"] == "private");
    QVERIFY(found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == Json("kernel-scientist"));
    const Json list = reply(session, modern("tools/list"))["result"];
    QVERIFY(list["resultType"] == "complete" && list["ttlMs"].is_number_integer() && list.contains("cacheScope"));
    QCOMPARE(list["tools"].size(), tools.all.size());
    QCOMPARE(errorOf(reply(session, modern("ping"))), int(methodNotFound));
    QCOMPARE(errorOf(reply(session, modern("initialize"))), int(methodNotFound));
    QCOMPARE(errorOf(reply(session, request("server/discover"))), int(invalidParams));
    Json without = modern("tools/list");
    without["params"]["_meta"].erase("io.modelcontextprotocol/clientCapabilities");
    QCOMPARE(errorOf(reply(session, without)), int(invalidParams));
}

void McpProtocol::unknownVersionNamesTheKnown() {
    Tools tools;
    Session session(facts, tools.all);
    const Json said = reply(session, modern("tools/list", Json::object(), "2027-01-01"));
    QCOMPARE(errorOf(said), -32022);
    QVERIFY(said["error"]["data"]["supported"] == Json::array({"2026-07-28"}));
    QVERIFY(said["error"]["data"]["requested"] == Json("2027-01-01"));
}

void McpProtocol::toolsAreListed() {
    Tools tools;
    Session session(facts, tools.all);
    const Json list = reply(session, modern("tools/list"))["result"]["tools"];
    QVERIFY(list[0]["name"] == Json("echo"));
    QVERIFY(list[0]["inputSchema"]["required"] == Json::array({"text"}));
    QVERIFY(list[0]["annotations"]["readOnlyHint"] == Json(true));
    QVERIFY(list[2]["annotations"]["readOnlyHint"] == Json(false));
    QCOMPARE(errorOf(reply(session, modern("tools/list", {{"cursor", "2"}}))), int(invalidParams));
}

void McpProtocol::callsOfBothEras() {
    Tools tools;
    Session session(facts, tools.all);
    const Json said = {{"name", "echo"}, {"arguments", {{"text", "hello"}}}};
    Step step = session.take(modern("tools/call", said).dump());
    auto* call = std::get_if<Call>(&step);
    QVERIFY(call != nullptr && call->isModern);
    QCOMPARE(call->client, std::string("claude-code"));
    const Json done = Session::reply(*call, std::string("text"))["result"];
    QVERIFY(done["resultType"] == "complete" && done["isError"] == false);
    QVERIFY(done["content"] == Json::array({{{"type", "text"}, {"text", "text"}}}));
    reply(session, initialize());
    step = session.take(request("tools/call", said, "seven").dump());
    call = std::get_if<Call>(&step);
    QVERIFY(call != nullptr && !call->isModern);
    QCOMPARE(call->client, std::string("codex"));
    const Json failed = Session::reply(*call, usageError("no", "here", "Do this"));
    QVERIFY(failed["id"] == "seven" && failed["result"]["isError"] == true && !failed["result"].contains("resultType"));
    QVERIFY(failed["result"]["content"][0]["text"] == Json("here: no. Do this"));
}

void McpProtocol::argumentsMustFit() {
    Tools tools;
    Session session(facts, tools.all);
    const auto said = [&](const char* name, Json arguments) {
        return reply(session, modern("tools/call", {{"name", name}, {"arguments", std::move(arguments)}}));
    };
    for (const Json& wrong : {Json::object(), Json{{"text", 7}}, Json{{"text", "a"}, {"file", "/etc/passwd"}}}) {
        const Json answer = said("echo", wrong); // for the model, which can mend it
        QVERIFY(answer["result"]["isError"] == true && answer["result"]["resultType"] == "complete");
        const auto text = answer["result"]["content"][0]["text"].get<std::string>();
        QVERIFY2(text.find("fit its schema") != std::string::npos, text.c_str());
    }
    QCOMPARE(errorOf(said("echo", Json::array())), int(invalidParams));
    QCOMPARE(errorOf(said("rm", Json::object())), int(invalidParams));
    QCOMPARE(errorOf(reply(session, modern("tools/call"))), int(invalidParams));
    QCOMPARE(errorOf(reply(session, modern("resources/list"))), int(methodNotFound));
}

void McpProtocol::nonsense_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("id");
    QTest::newRow("no JSON") << QByteArray("{\"jsonrpc\": ") << int(parseFailed) << QByteArray("null");
    QTest::newRow("no text") << QByteArray("\xff\xfe{}") << int(parseFailed) << QByteArray("null");
    QTest::newRow("deep") << QByteArray(100'000, '[') << int(parseFailed) << QByteArray("null");
    QTest::newRow("batch") << QByteArray("[]") << int(invalidRequest) << QByteArray("null");
    QTest::newRow("text") << QByteArray("\"ping\"") << int(invalidRequest) << QByteArray("null");
    QTest::newRow("no version") << QByteArray(R"({"id": 3, "method": "ping"})") << int(invalidRequest)
                                << QByteArray("3");
    QTest::newRow("another version") << QByteArray(R"({"jsonrpc": "1.0", "id": 3, "method": "ping"})")
                                     << int(invalidRequest) << QByteArray("3");
    QTest::newRow("null id") << QByteArray(R"({"jsonrpc": "2.0", "id": null, "method": "ping"})") << int(invalidRequest)
                             << QByteArray("null");
    QTest::newRow("fraction") << QByteArray(R"({"jsonrpc": "2.0", "id": 1.5, "method": "ping"})") << int(invalidRequest)
                              << QByteArray("null");
    QTest::newRow("long id") << QByteArray(R"({"jsonrpc": "2.0", "method": "ping", "id": ")") + QByteArray(300, 'x') +
                                    "\"}"
                             << int(invalidRequest) << QByteArray("null");
    QTest::newRow("a reply") << QByteArray(R"({"jsonrpc": "2.0", "id": 4, "result": {}})") << int(invalidRequest)
                             << QByteArray("4");
    QTest::newRow("params") << QByteArray(R"({"jsonrpc": "2.0", "id": 4, "method": "ping", "params": []})")
                            << int(invalidParams) << QByteArray("4");
    QTest::newRow("long method") << QByteArray(R"({"jsonrpc": "2.0", "id": 4, "method": ")") + QByteArray(300, 'x') +
                                        "\"}"
                                 << int(invalidRequest) << QByteArray("4");
    QTest::newRow("_meta") << QByteArray(R"({"jsonrpc": "2.0", "id": 4, "method": "x", "params": {"_meta": 7}})")
                           << int(invalidRequest) << QByteArray("4"); // not initialized
}

void McpProtocol::nonsense() {
    QFETCH(const QByteArray, line);
    QFETCH(const int, code);
    QFETCH(const QByteArray, id);
    Tools tools;
    Session session(facts, tools.all);
    const Step step = session.take(line.toStdString());
    const auto* said = std::get_if<OrderedJson>(&step);
    QVERIFY(said != nullptr);
    QCOMPARE(errorOf(Json(*said)), code);
    QCOMPARE((*said)["id"].dump(), id.toStdString());
    QVERIFY(said->dump().size() < 2000); // nothing long is said again
}

void McpProtocol::notificationsAreNotAnswered() {
    Tools tools;
    Session session(facts, tools.all);
    for (const char* line : {"", "  ", R"({"jsonrpc": "2.0", "method": "notifications/initialized"})",
                             R"({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "fail"}})",
                             R"({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {}})"}) {
        QVERIFY2(std::holds_alternative<std::monostate>(session.take(line)), line);
    }
    const Step step =
        session.take(R"({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}})");
    QVERIFY(std::holds_alternative<Cancellation>(step) && std::get<Cancellation>(step).id == 7);
}

void McpProtocol::clientsAreCleaned_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("clean");
    QTest::newRow("plain") << "cursor-vscode" << "cursor-vscode";
    QTest::newRow("words") << "Claude  Code" << "claude-code";
    QTest::newRow("empty") << "" << "unknown";
    QTest::newRow("nothing left") << "\u202e\u0007" << "unknown";
    QTest::newRow("hostile") << "../../etc\n<b>" << "..-..-etc-b";
    QTest::newRow("long") << QString(500, 'a') << QString(32, 'a');
}

void McpProtocol::clientsAreCleaned() {
    QFETCH(const QString, name);
    QFETCH(const QString, clean);
    QCOMPARE(cleanedClient(name.toStdString()), clean.toStdString());
}

void McpProtocol::textPages() {
    QCOMPARE(textPage("short\n", 1).value(), std::string("short\n"));
    QCOMPARE(textPage("", 1).value(), std::string());
    QVERIFY(!textPage("short", 2) && !textPage("short", 0));
    std::string text;
    for (int i = 0; text.size() < 3 * pageBytes; ++i) {
        text += fmt::format("line {}\n", i);
    }
    std::string whole;
    int page = 1;
    for (bool isLast = false; !isLast; ++page) {
        const std::string part = textPage(text, page).value();
        QVERIFY(part.size() < resultBytes);
        const std::size_t mark = part.rfind("\n[page ");
        whole += part.substr(0, mark);
        isLast = part.find(fmt::format("next_page: {}", page + 1), mark) == std::string::npos;
    }
    QCOMPARE(whole, text);
    QCOMPARE(page, 5);
    // One long line of characters of three bytes each: no page ends within one.
    std::string wide;
    while (wide.size() < 2 * pageBytes) {
        wide += "\xe2\x82\xac";
    }
    const std::string first = textPage(wide, 1).value();
    QCOMPARE(first.rfind("\n[page 1 of 3; next_page: 2]") % 3, std::size_t{0});
}

void McpProtocol::rowPages() {
    OrderedJson rows = OrderedJson::array();
    for (int i = 0; i < 3000; ++i) {
        rows.push_back({{"row", i}, {"text", std::string(40, 'x')}});
    }
    int next = 0;
    int page = 1;
    for (;;) {
        const OrderedJson one = rowsPage({{"fact", 1}}, "rows", rows, page).value();
        QVERIFY(textOf(one).size() < resultBytes && one["fact"] == 1 && one["page"] == page);
        for (const OrderedJson& row : one["rows"]) {
            QCOMPARE(row["row"].get<int>(), next++);
        }
        if (one["next_page"].is_null()) {
            break;
        }
        QCOMPARE(one["next_page"].get<int>(), ++page);
    }
    QCOMPARE(next, 3000);
    QVERIFY(page > 2);
    const OrderedJson empty = rowsPage({}, "rows", OrderedJson::array(), 1).value();
    QVERIFY(empty["rows"].empty() && empty["next_page"].is_null());
    QVERIFY(!rowsPage({}, "rows", rows, page + 1));
    const OrderedJson wide = OrderedJson::array({std::string(3 * pageBytes, 'y')});
    QVERIFY(textOf(rowsPage({}, "rows", wide, 1).value()).size() < resultBytes);
}

void McpProtocol::aCallDoesNotHoldUpOthers() {
    Connection connection;
    connection.say(initialize());
    QVERIFY(connection.hear().contains("result"));
    connection.say(request("tools/call", {{"name", "hang"}}, 10));
    QVERIFY(connection.tools.waitFor([](const Tools& tools) { return tools.hanging == 1; }));
    connection.say(request("ping", Json::object(), 11));
    QVERIFY(connection.hear()["id"] == Json(11));
    connection.say(request("tools/call", {{"name", "echo"}, {"arguments", {{"text", "x"}}}}, 12));
    const Json said = connection.hear();
    QVERIFY(said["id"] == 12 && said["result"]["content"][0]["text"] == "codex: x");
}

void McpProtocol::cancelledCallsAreNotAnswered() {
    Connection connection;
    connection.say(modern("tools/call", {{"name", "hang"}}));
    QVERIFY(connection.tools.waitFor([](const Tools& tools) { return tools.hanging == 1; }));
    connection.say(
        Json{{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 99}}}}); // nobody's
    connection.say(Json{{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 1}}}});
    QVERIFY(connection.tools.waitFor([](const Tools& tools) { return tools.cancelled == 1; }));
    connection.close();
    QVERIFY(connection.isOver());
    QCOMPARE(connection.unheard(), std::size_t{0});
}

void McpProtocol::faultsEndOneCall() {
    Connection connection;
    for (const char* name : {"throw", "fail"}) {
        connection.say(modern("tools/call", {{"name", name}}));
        const Json said = connection.hear();
        QVERIFY2(said["result"]["isError"] == true, said.dump().c_str());
    }
}

void McpProtocol::anIdIsUsedOnce() {
    Connection connection;
    connection.say(modern("tools/call", {{"name", "hang"}}));
    QVERIFY(connection.tools.waitFor([](const Tools& tools) { return tools.hanging == 1; }));
    connection.say(modern("tools/call", {{"name", "hang"}}));
    QCOMPARE(errorOf(connection.hear()), int(invalidRequest));
}

void McpProtocol::tooManyCallsAreRefused() {
    Connection connection;
    Json call = modern("tools/call", {{"name", "hang"}});
    for (std::size_t i = 0; i < mostCalls; ++i) {
        call["id"] = i;
        connection.say(call);
    }
    QVERIFY(connection.tools.waitFor([](const Tools& tools) { return tools.hanging == int(mostCalls); }));
    call["id"] = "one more";
    connection.say(call);
    const Json said = connection.hear();
    QVERIFY2(said["id"] == "one more" && said["result"]["isError"] == true, said.dump().c_str());
}

void McpProtocol::overlongLinesAreRefused() {
    Connection connection;
    connection.say(std::string(lineLimitBytes + 200'000, 'x'));
    QCOMPARE(errorOf(connection.hear()), int(invalidRequest));
    connection.say(modern("server/discover")); // and the next line is read
    QVERIFY(connection.hear().contains("result"));
}

void McpProtocol::theEndOfInputEndsCalls() {
    Connection connection;
    connection.say(modern("tools/call", {{"name", "hang"}}));
    QVERIFY(connection.tools.waitFor([](const Tools& tools) { return tools.hanging == 1; }));
    connection.close();
    QVERIFY(connection.isOver());
    QVERIFY(connection.tools.waitFor([](const Tools& tools) { return tools.cancelled == 1; }));
}

void McpProtocol::aStopEndsIt() {
    Connection connection;
    connection.stop();
    QVERIFY(connection.isOver());
}

void McpProtocol::linesAreAscii() {
    Connection connection;
    connection.say(modern("tools/call", {{"name", "echo"}, {"arguments", {{"text", "\u202e\u0007 \u20ac"}}}}));
    const Json said = connection.hear();
    QVERIFY(said["result"]["content"][0]["text"] == Json("claude-code: \u202e\u0007 \u20ac"));
}

QTEST_APPLESS_MAIN(McpProtocol)
#include "mcp_protocol.moc"
