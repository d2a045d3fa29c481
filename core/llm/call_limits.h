// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

namespace gks {

// How long one call of a model may take, each part for itself, and what is done with a request that got lost. This is
// the table of the defaults.
struct CallLimits {
    double connectSeconds = 15;        // until the server has taken the connection, name look-up and TLS included
    double silenceSeconds = 15 * 60;   // without a byte either way; comments of a stream are bytes
    double totalSeconds = 60 * 60;     // of one request, until its reply is whole
    double retrySeconds = 6 * 60 * 60; // for so long a request is sent again that no server has accepted; 0: never
    // A request that was accepted and brought no whole reply is sent again: it may then be billed twice.
    bool resendAfterSilence = false;
    bool operator==(const CallLimits&) const = default;
};

// One limit as it is stored, named on a command line and typed into a form.
struct CallLimitFact {
    std::string_view key;    // in the settings of a campaign, in seconds
    std::string_view option; // of the command line, in `unit`
    std::string_view unit;   // "s" or "min"
    double unitSeconds;
    double CallLimits::* value;
    double leastSeconds;
    double mostSeconds;
    std::string_view help; // for both
};
inline constexpr std::array<CallLimitFact, 4> callLimitFacts = {{
    {"connect_seconds", "--connect-seconds", "s", 1, &CallLimits::connectSeconds, 0.01, 600,
     "longest wait for a connection to the server"},
    {"silence_seconds", "--silence-minutes", "min", 60, &CallLimits::silenceSeconds, 0.01, 86400,
     "longest silence of a server that has the request"},
    {"total_seconds", "--total-minutes", "min", 60, &CallLimits::totalSeconds, 0.01, 604800,
     "longest time from sending a request to the end of its reply"},
    {"retry_seconds", "--retry-minutes", "min", 60, &CallLimits::retrySeconds, 0, 604800,
     "how long a request is tried again that the server did not accept"},
}};
// How long a reasoning model is asked to think, and the room for it where a service wants a number of tokens.
struct ReasoningEffort {
    std::string_view name;
    int budgetTokens;
};
inline constexpr std::array<ReasoningEffort, 3> reasoningEfforts = {{{"low", 2048}, {"medium", 8192}, {"high", 24576}}};
constexpr const ReasoningEffort* reasoningEffort(std::string_view name) { // null: none has this name
    for (const ReasoningEffort& effort : reasoningEfforts) {
        if (effort.name == name) {
            return &effort;
        }
    }
    return nullptr;
}

inline constexpr std::string_view resendKey = "resend_after_silence";
inline constexpr std::string_view resendOption = "--resend-after-silence";

} // namespace gks
