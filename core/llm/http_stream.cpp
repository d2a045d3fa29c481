// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/http_stream.h"

#include "core/base/elapsed.h"
#include "core/base/quantity.h"
#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <ctime>
#include <curl/curl.h>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>

// One transfer in a multi handle of its own, driven by the calling thread. The multi interface is there for
// curl_multi_wakeup, the only call that another thread may make: a plain transfer looks at its progress callback once a
// second when nothing comes.
namespace gks {
namespace {

using Clock = std::chrono::steady_clock;

struct EasyDeleter {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct MultiDeleter {
    void operator()(CURLM* handle) const { curl_multi_cleanup(handle); }
};
struct ListDeleter {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
struct UrlDeleter {
    void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using UrlHandle = std::unique_ptr<CURLU, UrlDeleter>;

bool initialized() {
    static const bool ok = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    return ok;
}

UrlHandle parsedUrl(const std::string& url) {
    UrlHandle handle(curl_url());
    if (handle == nullptr || curl_url_set(handle.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) {
        return nullptr;
    }
    return handle;
}

std::string urlPart(const UrlHandle& url, CURLUPart part) {
    char* text = nullptr;
    if (url == nullptr || curl_url_get(url.get(), part, &text, 0) != CURLUE_OK || text == nullptr) {
        return {};
    }
    std::string result(text);
    curl_free(text);
    return result;
}

struct Transfer {
    CURL* handle = nullptr;
    const HttpSinks* sinks = nullptr;
    HttpHead head;
    bool accepted = false;
    Clock::time_point acceptedAt;
    HttpWish wish = HttpWish::more;
    curl_off_t sentBytes = 0;
    Clock::time_point start = Clock::now();
    Clock::time_point lastByte = start;

    void accept() {
        if (std::exchange(accepted, true)) {
            return;
        }
        acceptedAt = Clock::now();
        if (sinks->accepted) {
            sinks->accepted();
        }
    }
    // Looks how much of the body the connection has taken.
    void noteSent(std::size_t bodyBytes) {
        curl_off_t sent = 0;
        curl_easy_getinfo(handle, CURLINFO_SIZE_UPLOAD_T, &sent);
        if (sent > sentBytes) {
            sentBytes = sent;
            lastByte = Clock::now();
        }
        if (bodyBytes > 0 && sent >= static_cast<curl_off_t>(bodyBytes)) {
            accept();
        }
    }
};

constexpr double longestRetryAfterSeconds = 366.0 * 24 * 3600; // longer is never, too

void readRetryAfter(HttpHead& head, std::string_view value) {
    double seconds = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
    if (error == std::errc() && end == value.data() + value.size()) {
        if (std::isfinite(seconds) && seconds >= 0) {
            head.retryAfterSeconds = std::min(seconds, longestRetryAfterSeconds);
        }
    } else if (const time_t date = curl_getdate(std::string(value).c_str(), nullptr); date >= 0) {
        head.retryAfterSeconds = std::max(0.0, std::difftime(date, std::time(nullptr)));
    }
}

std::size_t onHeader(char* bytes, std::size_t size, std::size_t count, void* data) {
    auto& transfer = *static_cast<Transfer*>(data);
    transfer.lastByte = Clock::now();
    const std::string_view line(bytes, size * count);
    if (line.starts_with("HTTP/")) {
        transfer.head = {}; // a 100 Continue came before
        transfer.head.afterSeconds = transfer.accepted ? secondsSince(transfer.acceptedAt) : 0;
    }
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos) {
        const std::string field = lowered(line.substr(0, colon));
        const std::string_view value = trimmed(line.substr(colon + 1));
        if (field == "content-type") {
            transfer.head.contentType = lowered(value);
        } else if (field == "retry-after") {
            readRetryAfter(transfer.head, value);
        }
    }
    return size * count;
}

std::size_t onBody(char* bytes, std::size_t size, std::size_t count, void* data) {
    auto& transfer = *static_cast<Transfer*>(data);
    transfer.lastByte = Clock::now();
    curl_easy_getinfo(transfer.handle, CURLINFO_RESPONSE_CODE, &transfer.head.status);
    try {
        transfer.accept();
        transfer.wish = transfer.sinks->body(transfer.head, std::string_view(bytes, size * count));
    } catch (...) { // libcurl is C: nothing may fly through it
        transfer.wish = HttpWish::nothing;
    }
    return transfer.wish == HttpWish::nothing ? 0 : size * count;
}

long milliseconds(double seconds) {
    return std::max(1L, std::lround(seconds * 1000));
}

void configure(CURL* easy, const HttpRequest& request, curl_slist* headers, Transfer& transfer) {
    curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str());
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.c_str());
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(request.connectSeconds));
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L); // a cancel does not wait for a name look-up
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, onHeader);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, &transfer);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, onBody);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
    if (isLoopbackUrl(request.url)) {
        curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
    }
}

// Which limit was passed, and the seconds that are left until the next one is.
std::optional<HttpEnding> passedLimit(const Transfer& transfer, const HttpRequest& request, double& left) {
    const double total = request.totalSeconds - secondsSince(transfer.start);
    const double longest = transfer.wish == HttpWish::rest ? std::min(request.restSeconds, request.silenceSeconds)
                                                           : request.silenceSeconds;
    const double silence = longest - secondsSince(transfer.lastByte);
    left = std::min(total, silence);
    if (left > 0) {
        return std::nullopt;
    }
    return total <= 0 ? HttpEnding::total : HttpEnding::silence;
}

// Drives the transfer until it ends, a limit is passed or a stop is requested.
std::optional<HttpEnding> drive(CURLM* multi, Transfer& transfer, const HttpRequest& request,
                                const std::stop_token& stop, std::string& problem) {
    constexpr double longestPollSeconds = 1;
    const std::stop_callback wake(stop, [multi] { curl_multi_wakeup(multi); });
    for (int running = 1; !stop.stop_requested();) {
        const CURLMcode code = curl_multi_perform(multi, &running);
        transfer.noteSent(request.body.size());
        if (code != CURLM_OK) {
            problem = curl_multi_strerror(code);
            return HttpEnding::broken;
        }
        if (running == 0) {
            return std::nullopt;
        }
        double left = 0;
        if (const auto passed = passedLimit(transfer, request, left)) {
            problem = *passed == HttpEnding::total
                          ? fmt::format("not whole after {}", formatSeconds(request.totalSeconds))
                          : fmt::format("no byte for {}", formatSeconds(request.silenceSeconds));
            return passed;
        }
        curl_multi_poll(multi, nullptr, 0, static_cast<int>(milliseconds(std::min(left, longestPollSeconds))), nullptr);
    }
    return HttpEnding::cancelled;
}

// How libcurl ended it.
void conclude(CURLM* multi, const Transfer& transfer, const HttpRequest& request, HttpEnd& end) {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi, &left)) {
        if (message->msg != CURLMSG_DONE) {
            continue;
        }
        const CURLcode code = message->data.result;
        if (code == CURLE_OK) {
            end.ending = HttpEnding::complete;
        } else if (transfer.wish == HttpWish::nothing) {
            end.ending = HttpEnding::refused;
        } else {
            end.ending = HttpEnding::broken;
            end.problem = code == CURLE_OPERATION_TIMEDOUT
                              ? fmt::format("no connection within {}", formatSeconds(request.connectSeconds))
                              : curl_easy_strerror(code);
        }
    }
}

} // namespace

bool isLoopbackUrl(const std::string& url) {
    const std::string host = lowered(urlPart(parsedUrl(url), CURLUPART_HOST));
    return host == "localhost" || host == "[::1]" ||
           (host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos);
}

std::string publicUrl(const std::string& url) {
    const UrlHandle parsed = parsedUrl(url);
    if (parsed == nullptr) {
        return "the address";
    }
    const std::string port = urlPart(parsed, CURLUPART_PORT);
    return urlPart(parsed, CURLUPART_SCHEME) + "://" + urlPart(parsed, CURLUPART_HOST) +
           (port.empty() ? "" : ":" + port) + urlPart(parsed, CURLUPART_PATH);
}

Result<HttpEnd> postStreaming(const HttpRequest& request, const HttpSinks& sinks, const std::stop_token& stop) {
    const UrlHandle parsed = parsedUrl(request.url);
    const std::string scheme = urlPart(parsed, CURLUPART_SCHEME);
    if (!initialized() || (scheme != "http" && scheme != "https") || !urlPart(parsed, CURLUPART_USER).empty()) {
        return usageError("invalid base URL", publicUrl(request.url),
                          "Use http://host:port/v1 or https://host/v1, without user name or password");
    }
    std::unique_ptr<curl_slist, ListDeleter> headers;
    for (const std::string& header : request.headers) {
        headers.reset(curl_slist_append(headers.release(), header.c_str()));
    }
    // The multi handle is declared last, so it is the first to go: it must not outlive its easy handle's list and data.
    Transfer transfer;
    const std::unique_ptr<CURL, EasyDeleter> easy(curl_easy_init());
    const std::unique_ptr<CURLM, MultiDeleter> multi(curl_multi_init());
    if (easy == nullptr || multi == nullptr) {
        return infrastructureError("out of memory for a connection", publicUrl(request.url));
    }
    transfer.handle = easy.get();
    transfer.sinks = &sinks;
    configure(easy.get(), request, headers.get(), transfer);
    curl_multi_add_handle(multi.get(), easy.get());
    HttpEnd end;
    if (const auto ending = drive(multi.get(), transfer, request, stop, end.problem)) {
        end.ending = *ending;
    } else {
        conclude(multi.get(), transfer, request, end);
    }
    curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &transfer.head.status);
    curl_multi_remove_handle(multi.get(), easy.get());
    end.head = transfer.head;
    end.accepted = transfer.accepted || transfer.head.status != 0;
    return end;
}

} // namespace gks
