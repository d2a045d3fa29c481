// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gks {

struct HttpRequest {
    std::string url;
    std::vector<std::string> headers; // "Name: value"
    std::string body;                 // posted
    double connectSeconds = 15;
    double silenceSeconds = 900; // without a byte either way
    double totalSeconds = 3600;
    double restSeconds = 2; // without a byte, once the sink said that what it wanted is there
};

struct HttpHead {
    long status = 0;
    std::string contentType;                 // lower case
    std::optional<double> retryAfterSeconds; // from Retry-After, a number or a date
    double afterSeconds = 0;                 // the server had the whole request for so long when its answer began
};

enum class HttpEnding {
    complete,  // the body ended where the server said it would
    refused,   // the body sink wanted no more
    silence,   // no byte for too long, or none any more after the sink had what it wanted
    total,     // it took too long altogether
    cancelled, // a stop was requested
    broken,    // everything else; `problem` says what
};

struct HttpEnd {
    HttpHead head; // status 0: no answer came
    HttpEnding ending = HttpEnding::broken;
    bool accepted = false; // the whole request was sent, or an answer began: the server may be at work on it
    std::string problem;   // what ended it early, in words
};

enum class HttpWish {
    more,
    rest,    // all that matters is there; what follows at once is welcome
    nothing, // ends the transfer
};
struct HttpSinks {
    std::function<HttpWish(const HttpHead& head, std::string_view piece)> body; // pieces as they come
    std::function<void()> accepted = {};                                        // once, before the first piece
};

// Posts and streams the answer, blocking. A stop request is followed at once. Nothing is ever sent twice. Redirections
// are not followed: a key must not travel to an address that nobody chose. An error only when nothing could be sent at
// all, as for a malformed address.
Result<HttpEnd> postStreaming(const HttpRequest& request, const HttpSinks& sinks, const std::stop_token& stop);

// The host is this machine.
bool isLoopbackUrl(const std::string& url);
// Scheme, host and path only: what may be shown of an address.
std::string publicUrl(const std::string& url);

} // namespace gks
