// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

// What judge and planner say to each other on one socket: a length of four bytes, then that many bytes of JSON; one
// answer for each request. The planner shares its process with the candidate's host code, so nothing that it says is
// evidence: a plan is checked, and its time is for people.
//   {"verb": "begin", "facts": {...}, "device": {...}}       {"ready": true}
//   {"verb": "load"}                                         {"loaded": true}
//   {"verb": "workspace", "problem": "hex"}                  {"workspace_bytes": n}
//   {"verb": "plan", "problem": "hex", "addresses": {...}}   {"calls": [{...}, {...}]}
// Instead of each answer, and then the process ends:
//   {"refused": {...}}    what a plan cannot express
//   {"fault": {...}}      a signal, with the tensor whose memory was touched
//   {"failed": "..."}     the module cannot be loaded or has no solve()
//   {"collision": "..."}  something of the planner's own lies where a buffer of the set should be
namespace gks::planner {

// Descriptors of the planner's process; its standard output leads nowhere.
inline constexpr int channelDescriptor = 3;

inline constexpr std::size_t lengthBytes = 4;
inline constexpr std::size_t requestLimitBytes = std::size_t{8} << 20;
inline constexpr std::size_t answerLimitBytes = std::size_t{4} << 20;
inline constexpr int calls = 2; // of solve() for each plan: what only the first does is setup

} // namespace gks::planner
