// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/mcp_campaign.h"
#include "app/cli/mcp_jobs.h"
#include "core/mcp/tool.h"
#include "core/problem/problem.h"
#include "core/report/redaction.h"

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

// What an agent can do, each thin over what the other commands use. It names problems, kernels and handles, never a
// file; it sees no key, no path of this machine and no held-out shape.
namespace gks::cli {

struct McpPlace {
    Redaction redaction;
    std::unique_ptr<McpCampaign> campaign = {}; // null: the server was started without one
    std::atomic<int> trials = 0;                // evaluations beside the campaign, of this session
    McpJobs jobs = {};                          // last: its work uses the rest
};

std::vector<mcp::Tool> mcpTools(McpPlace& place);
extern const char* const mcpInstructions; // what a model is told of all of them

// The parts, for the files of this room.
void addReadingTools(std::vector<mcp::Tool>& tools, McpPlace& place); // doctor, problems, population, ...
void addWorkingTools(std::vector<mcp::Tool>& tools, McpPlace& place); // evaluate, wait, propose, ...

// The schema of an object with these members and no others.
Json mcpInput(Json properties, std::vector<std::string> required = {});
Json mcpText(std::string description, std::size_t longest); // characters
Json mcpNumber(std::string description, int least, int most);
Json mcpChoice(std::string description, std::vector<std::string> words);
Json mcpPage();
int pageOf(const Json& arguments);

// An error that says how to start the server with one.
Result<McpCampaign*> campaignOf(McpPlace& place);
// A problem that came with the program; without a name the campaign's. Paths are no names.
Result<ProblemPack> packOf(McpPlace& place, const Json& arguments);
// Of a verdict what an agent may see; `pack` may be null.
OrderedJson agentVerdict(const Verdict& verdict, const ProblemPack* pack);
// Facts, then a source as it is.
Result<std::string> withSource(const McpPlace& place, const OrderedJson& facts, const std::string& source, int page);
// A job's result when it comes soon; else its handle, for `wait`.
Result<std::string> soonOrHandle(McpPlace& place, const std::string& handle, const std::stop_token& stop);
// What `wait` says of a job.
Result<std::string> jobText(McpPlace& place, const std::string& handle, double seconds, int page,
                            const std::stop_token& stop);

} // namespace gks::cli
